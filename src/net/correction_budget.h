// SPDX-License-Identifier: MIT
// Corrections within a byte budget. A told state may stay as both sides foresaw it, so where a room has more
// to correct than its line has room for, the less urgent elements wait and are only foreseen. An element is
// the more urgent the longer it has waited and the nearer it is to whom it is told; whoever waits becomes the
// most urgent in time, so all are told in turn. What comes and goes, whose it is, and the head is always
// told. (What is replicated as events is never corrected, not even that.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <instep/present/position.h>

namespace instep::net {

class CorrectionBudget {
public:
    // `bytes` for a room part; `reach`: how far from the focus something is half as urgent, world units.
    CorrectionBudget(const state::Layout& layout, std::uint32_t bytes, double reach);

    void set_focus(std::optional<math::Vec2> focus) { focus_ = focus; }

    // `told` is settled in full; puts elements that have to wait back to what was predicted.
    void apply(const std::byte* predicted, std::byte* told);
    // What a room part came to: how much fits is learnt from it.
    void note_size(std::size_t bytes);

    bool was_short() const { return short_; }                // the last time
    std::uint32_t longest_wait() const { return longest_; }  // snapshots that anybody ever waited

private:
    struct Correction {
        std::size_t pool;
        std::uint32_t place;
        double bits;
        double urgency;
    };

    void find_corrections(const std::byte* predicted, std::byte* told);
    double urgency_of(std::size_t pool, const std::byte* element, std::uint32_t waited) const;

    const state::Layout& layout_;
    std::uint32_t bytes_;
    double reach_;
    double allowed_bits_;
    std::optional<math::Vec2> focus_;
    std::vector<present::PositionFields> positions_;  // by pool
    std::vector<const state::Field*> owners_;         // by pool; null for what is nobody's
    std::vector<std::vector<std::uint32_t>> waited_;  // by pool and id: snapshots
    std::vector<Correction> corrections_;
    std::uint32_t longest_ = 0;
    bool short_ = false;
};

}  // namespace instep::net
