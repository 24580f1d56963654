// SPDX-License-Identifier: MIT
// The positions of a pool's elements, for any world.
#pragma once

#include <optional>

#include <instep/math/vec2.h>
#include <instep/state/layout.h>

namespace instep::present {

struct PositionFields {
    const state::Field* x = nullptr;  // both null for elements without a position
    const state::Field* y = nullptr;

    PositionFields() = default;
    explicit PositionFields(const state::PoolLayout& pool) {
        if (pool.kind.position.empty()) return;
        const std::string path(pool.kind.position);
        x = pool.element->find(path + ".x");
        y = pool.element->find(path + ".y");
    }
    std::optional<math::Vec2> of(const std::byte* element) const {
        if (!x || !y) return {};
        return math::Vec2{state::number_at(*x, element), state::number_at(*y, element)};
    }
};

// Whether an element moved farther than `limit` (world units; 0: no limit), which is drawn as a jump.
inline bool is_teleport(const PositionFields& position, const std::byte* from, const std::byte* to,
                        double limit) {
    if (limit <= 0) return false;
    const auto here = position.of(from);
    const auto there = position.of(to);
    return here && there && !(distance(*here, *there) <= limit);
}

}  // namespace instep::present
