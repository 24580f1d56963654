// SPDX-License-Identifier: MIT
// Corrections within a byte budget. Where a delta would be too large, the less urgent elements stay as both
// ends predicted them and are corrected later. Urgency grows with the time that an element has waited and
// with its nearness to the focus, so every element gets its turn (priority accumulator: Fiedler, "State
// Synchronization"). The head, new and removed elements, and changes of ownership are always sent. Pools that
// are replicated as events are never corrected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <instep/present/position.h>

namespace instep::net {

class CorrectionBudget {
public:
    // `bytes` of a delta; `reach`: world units from the focus at which an element is half as urgent.
    CorrectionBudget(const state::Layout& layout, std::uint32_t bytes, double reach);

    void set_focus(std::optional<math::Vec2> focus) { focus_ = focus; }

    // Puts the elements of `replicated` that have to wait back to what was predicted.
    void apply(const std::byte* predicted, std::byte* replicated);
    // The size of the encoded delta: the estimate of what fits adapts to it.
    void note_size(std::size_t bytes);

    bool was_short() const { return short_; }                // in the last call of apply()
    std::uint32_t longest_wait() const { return longest_; }  // snapshots that any element waited

private:
    struct Correction {
        std::size_t pool;
        std::uint32_t index;
        double bits;
        double urgency;
    };

    void find_corrections(const std::byte* predicted, std::byte* replicated);
    double urgency_of(std::size_t pool, const std::byte* element, std::uint32_t waited) const;

    const state::Layout& layout_;
    std::uint32_t bytes_;
    double reach_;
    double allowed_bits_;
    std::optional<math::Vec2> focus_;
    std::vector<present::PositionFields> positions_;  // by pool
    std::vector<const state::Field*> owners_;         // by pool; null where elements have no owner
    std::vector<std::vector<std::uint32_t>> waited_;  // by pool and id: snapshots
    std::vector<Correction> corrections_;
    std::uint32_t longest_ = 0;
    bool short_ = false;
};

}  // namespace instep::net
