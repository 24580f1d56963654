// SPDX-License-Identifier: MIT
// How the document's own client, written for the browser, moves things on footholds: steps of dt seconds,
// speeds in px/s, and geometry with tolerances instead of whole pixels. It works out forces in the
// reference's units, per tick of 8 ms: a step of dt is dt·125 of those ticks.
#pragma once

#include <foothold/physics.h>

namespace instep::worlds::foothold::web {

inline constexpr double ticks_per_second = 125;  // PHYS_TPS
inline constexpr double swim_gravity = 0.07;     // PHYS_SWIMGRAVFORCE, px/tick²: more than the reference has
inline constexpr double swim_friction = 0.08;    // PHYS_SWIMFRICTION, up and down
inline constexpr double swim_side_friction = 0.14;    // PHYS_SWIM_HFRICTION, sideways
inline constexpr double fall_brake = 0.025;           // PHYS_FALL_BRAKE, px/tick²
inline constexpr double fastest_landing = 162.5;      // PHYS_MAX_LAND_SPEED, px/s
inline constexpr int most_chain_steps = 8;            // resolveFootholdForX
inline constexpr double end_tolerance = 0.01;         // of a segment's length, beyond either end
inline constexpr double crossing_tolerance = 0.0001;  // of either segment's length
inline constexpr double fall_below_bounds = 200;      // how far below the bounds a mob may fall, px

// Where the client lets objects be: around all footholds, and never narrower than its window.
struct Bounds {
    double left = -700, right = 700, top = -220, bottom = 380;
};
Bounds bounds_of(const FootholdSet& ground);

// --- Questions ---------------------------------------------------------------------------------------------

// groundYOnFoothold without the test of range; of a segment that is no wall.
[[nodiscard]] inline double height_on(const Foothold& foothold, double x) {
    const double part = (x - foothold.x1) / static_cast<double>(foothold.x2 - foothold.x1);
    return foothold.y1 + (foothold.y2 - foothold.y1) * part;
}

// Whether x is over it, a little beyond its ends included; false for walls and missing segments.
[[nodiscard]] inline bool reaches(const Foothold& foothold, double x) {
    if (foothold.is_wall || !foothold.exists()) return false;
    const double part = (x - foothold.x1) / static_cast<double>(foothold.x2 - foothold.x1);
    return part >= -end_tolerance && part <= 1 + end_tolerance;
}

struct Ground {
    FootholdIndex foothold = 0;  // 0: no ground was found
    double x = 0, y = 0;
};

// findFootholdBelow: the highest ground not above least_y - 1; of two at one height the earlier in the map.
Ground find_below(const FootholdSet& ground, double x, double least_y, FootholdIndex ignored = 0);
// findFootholdAtXNearY: the nearest, at most `distance` up or down.
Ground find_near(const FootholdSet& ground, double x, double y, double distance);
// findGroundLanding: the first segment crossed on the straight path down; of two at once the later in the
// map.
Ground find_landing(const FootholdSet& ground, math::Vec2 from, math::Vec2 to, FootholdIndex ignored = 0);
// resolveWallCollision: how far a move from x to next_x gets.
double resolve_walls(const FootholdSet& ground, FootholdIndex current, double x, double next_x, double y);
double hold_between_side_walls(const FootholdSet& ground, double x);

// --- Motion ------------------------------------------------------------------------------------------------

// applyGroundPhysics: px/tick after n ticks of force and friction.
[[nodiscard]] inline double speed_on_ground(double speed, double force, double slope, double ticks) {
    if (force == 0 && std::abs(speed) < foothold_dead_zone) return 0;
    return speed + (force - ground_friction(speed, slope)) * ticks;
}

// Walks along the chain for dt. At an end or a wall that is no obstacle it leaves the ground: it stays at its
// height in this step, lands on nothing, and begins to fall in the next one.
void walk(PhysicsObject& object, const FootholdSet& ground, double dt);

// Falls or rises for dt. Whether it landed.
bool fall(PhysicsObject& object, const FootholdSet& ground, double dt, FootholdIndex ignored);

// mobPhysicsStep: one step of anything that is no player. `force` is in px/s here.
void move_object(PhysicsObject& object, math::Vec2 force, const FootholdSet& ground, const Bounds& bounds,
                 double dt, bool swims);

}  // namespace instep::worlds::foothold::web
