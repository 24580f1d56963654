// SPDX-License-Identifier: MIT
#include <instep/worlds/arena/original_snapshot.h>

#include <cmath>

namespace instep::worlds::arena {
namespace {

// JavaScript's Math.round: halves go up, also below zero.
double round_up_halves(double value) {
    const double below = std::floor(value);
    return value - below >= 0.5 ? below + 1 : below;
}

const OriginalEntity* find(std::span<const OriginalEntity> entities, const std::string& id) {
    for (const OriginalEntity& entity : entities)
        if (entity.id == id) return &entity;
    return nullptr;
}

bool differs(math::Vec2 a, math::Vec2 b, double most) {
    return std::fabs(a.x - b.x) > most || std::fabs(a.y - b.y) > most;
}

bool has_significant_change(const OriginalEntity& before, const OriginalEntity& after) {
    return differs(before.position, after.position, 1.0) || differs(before.velocity, after.velocity, 0.1) ||
           std::fabs(before.angle - after.angle) > 0.05;
}

}  // namespace

CompressedEntity compress(const OriginalEntity& entity, ZeroHealth zero_health) {
    const bool takes_zero_for_none = zero_health == ZeroHealth::becomes_full && entity.health == 0;
    return {round_up_halves(entity.position.x * 100), round_up_halves(entity.position.y * 100),
            round_up_halves(entity.angle * 1000),     round_up_halves(entity.velocity.x * 100),
            round_up_halves(entity.velocity.y * 100), entity.heat,
            takes_zero_for_none ? 100 : entity.health};
}

OriginalEntity decompress(const std::string& id, const CompressedEntity& numbers) {
    const auto& [x, y, angle, vx, vy, heat, health] = numbers;
    return {id, {x / 100, y / 100}, {vx / 100, vy / 100}, angle / 1000, heat, health};
}

OriginalDelta difference(std::span<const OriginalEntity> previous, std::span<const OriginalEntity> current) {
    OriginalDelta delta;
    for (const OriginalEntity& entity : current) {
        const OriginalEntity* before = find(previous, entity.id);
        if (!before || has_significant_change(*before, entity)) delta.changed.push_back(entity);
    }
    for (const OriginalEntity& entity : previous)
        if (!find(current, entity.id)) delta.removed.push_back(entity.id);
    return delta;
}

}  // namespace instep::worlds::arena
