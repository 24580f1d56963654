// SPDX-License-Identifier: MIT
// The document's own way of sending a state: rounded numbers, and only the entities that changed. Kept beside
// the world so that it can be compared with the original, defects included; our rooms are told through
// src/net, which sends spin, a health of 0 as 0, and keys everything by tick.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <instep/math/vec2.h>

namespace instep::worlds::arena {

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

CompressedEntity compress(const OriginalEntity& entity, ZeroHealth zero_health);
OriginalEntity decompress(const std::string& id, const CompressedEntity& numbers);

// createDeltaUpdate(): who is new or differs by more than 1 in a coordinate, 0.1 in a velocity's or 0.05 in
// the angle, and who is gone.
struct OriginalDelta {
    std::vector<OriginalEntity> changed;
    std::vector<std::string> removed;
};
OriginalDelta difference(std::span<const OriginalEntity> previous, std::span<const OriginalEntity> current);

}  // namespace instep::worlds::arena
