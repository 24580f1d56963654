// SPDX-License-Identifier: MIT
// Explosions and wind: impulses for many bodies at once, before a step.
#pragma once

#include <instep/rigid/queries.h>

namespace instep::rigid {

struct Explosion {
    Vec2 centre{};
    double radius = 1;                // units, within which it has its full strength
    double falloff = 1;               // units beyond it, over which it fades to nothing
    double impulse_per_length = 1;    // of a shape's width across the blast
    std::uint32_t mask = 0xFFFFFFFF;  // categories of shapes
};

// Pushes and wakes the dynamic bodies around it.
void explode(const Queries& queries, const Explosion& explosion);

// Wind at `velocity` for a step of `dt` seconds: every shape of awake dynamic bodies is dragged by the square
// of the speed relative to it, times its width across the wind; `drag` is half of the air's density times the
// coefficient of drag. The wind never carries a body beyond its own speed.
void blow(const Space& space, Vec2 velocity, double drag, double dt, std::uint32_t mask = 0xFFFFFFFF);

// The extent of a hull in world coordinates across a unit vector.
[[nodiscard]] double width_across(const Hull& hull, Vec2 direction);

}  // namespace instep::rigid
