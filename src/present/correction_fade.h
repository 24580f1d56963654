// SPDX-License-Identifier: MIT
// Corrections fade from the picture. A rollback may move an element that is drawn in the present, the
// own player's or in a pool that shows others there: it is drawn where it was and moves from there to where
// it is predicted now. Pools that are replicated as events are left out: their elements are never corrected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <instep/contract/facts.h>
#include <instep/state/pool.h>

namespace instep::state {
struct Layout;
}

namespace instep::present {

class CorrectionFade {
public:
    // An element that is moved farther than `teleport_distance` (world units; 0: any) jumps there.
    CorrectionFade(const state::Layout& layout, double teleport_distance)
        : layout_(layout), teleport_distance_(teleport_distance) {}

    // Two predictions of the same tick; `slot` is the own player.
    void add(const std::byte* before, const std::byte* after, contract::Slot slot);
    // Keeps this part of every error.
    void fade(double part);
    // Moves the elements of a drawn state back by what is left.
    void apply(std::byte* block) const;
    double largest() const;  // of all fields

private:
    struct Element {
        std::uint32_t pool = 0;
        state::Handle handle;
        std::size_t first = 0;  // of its blended fields, in errors_
    };

    const Element* find(std::uint32_t pool, state::Handle handle) const;

    const state::Layout& layout_;
    double teleport_distance_;
    std::vector<Element> elements_;
    std::vector<double> errors_;  // from what is predicted to what is drawn
};

}  // namespace instep::present
