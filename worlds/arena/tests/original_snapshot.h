// SPDX-License-Identifier: MIT
// The document's own encoding of a state: rounded numbers, and only the entities that changed. It is compared
// with the original, defects included; Instep's rooms use src/net, which sends spin and a health of 0, and
// keys all by tick.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <instep/math/vec2.h>

namespace instep::test::arena {

struct OriginalEntity {
    std::string id;
    math::Vec2 position;
    math::Vec2 velocity;
    double angle = 0;
    double heat = 0;
    double health = 100;
};

// What compressWorldState() makes of an entity, in its order: x, y, angle, vx, vy, heat, health.
using CompressedEntity = std::array<double, 7>;

// `health || 100`: the original takes a health of 0 for none given.
enum class ZeroHealth : std::uint8_t { is_sent, becomes_full };

// createDeltaUpdate(): the entities that are new or differ by more than 1 in a coordinate, 0.1 in a
// velocity's or 0.05 in the angle, and those removed.
struct OriginalDelta {
    std::vector<OriginalEntity> changed;
    std::vector<std::string> removed;
};
namespace detail {

// JavaScript's Math.round: halves go up, also below zero.
inline double round_up_halves(double value) {
    const double below = std::floor(value);
    return value - below >= 0.5 ? below + 1 : below;
}

inline const OriginalEntity* find(std::span<const OriginalEntity> entities, const std::string& id) {
    for (const OriginalEntity& entity : entities)
        if (entity.id == id) return &entity;
    return nullptr;
}

inline bool differs(math::Vec2 a, math::Vec2 b, double most) {
    return std::fabs(a.x - b.x) > most || std::fabs(a.y - b.y) > most;
}

inline bool has_significant_change(const OriginalEntity& before, const OriginalEntity& after) {
    return differs(before.position, after.position, 1.0) || differs(before.velocity, after.velocity, 0.1) ||
           std::fabs(before.angle - after.angle) > 0.05;
}

}  // namespace detail

inline CompressedEntity compress(const OriginalEntity& entity, ZeroHealth zero_health) {
    const bool takes_zero_for_none = zero_health == ZeroHealth::becomes_full && entity.health == 0;
    return {
        detail::round_up_halves(entity.position.x * 100), detail::round_up_halves(entity.position.y * 100),
        detail::round_up_halves(entity.angle * 1000),     detail::round_up_halves(entity.velocity.x * 100),
        detail::round_up_halves(entity.velocity.y * 100), entity.heat,
        takes_zero_for_none ? 100 : entity.health};
}

inline OriginalEntity decompress(const std::string& id, const CompressedEntity& numbers) {
    const auto& [x, y, angle, vx, vy, heat, health] = numbers;
    return {id, {x / 100, y / 100}, {vx / 100, vy / 100}, angle / 1000, heat, health};
}

inline OriginalDelta difference(std::span<const OriginalEntity> previous,
                                std::span<const OriginalEntity> current) {
    OriginalDelta delta;
    for (const OriginalEntity& entity : current) {
        const OriginalEntity* before = detail::find(previous, entity.id);
        if (!before || detail::has_significant_change(*before, entity)) delta.changed.push_back(entity);
    }
    for (const OriginalEntity& entity : previous)
        if (!detail::find(current, entity.id)) delta.removed.push_back(entity.id);
    return delta;
}

}  // namespace instep::test::arena
