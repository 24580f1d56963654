// SPDX-License-Identifier: MIT
// How the reference program moves anything on footholds: one tick of 8 ms for one object, be it a person, a
// monster or a coin. Speeds are in px/tick, forces in px/tick². The order is the original's: find the
// foothold, let forces act, let walls, edges and the ground stop it, move.
#pragma once

#include <cstdint>
#include <limits>

#include <foothold/ground.h>
#include <instep/state/field.h>

namespace instep::worlds::foothold {

inline constexpr double foothold_gravity = 0.14;        // GRAVFORCE, px/tick²
inline constexpr double foothold_swim_gravity = 0.03;   // SWIMGRAVFORCE, px/tick²
inline constexpr double foothold_friction = 0.5;        // FRICTION
inline constexpr double foothold_slope_factor = 0.1;    // SLOPEFACTOR
inline constexpr double foothold_ground_slip = 3.0;     // GROUNDSLIP
inline constexpr double foothold_fly_friction = 0.05;   // FLYFRICTION
inline constexpr double foothold_swim_friction = 0.08;  // SWIMFRICTION
inline constexpr double foothold_dead_zone = 0.1;       // slower than this without a force is rest, px/tick
inline constexpr double foothold_steepest_friction = 0.5;  // the slope that friction knows is within ± this
inline constexpr double foothold_longest_drop = 600;       // a lower platform may be this far down, px
inline constexpr int foothold_links_in_a_tick = 8;         // followed at most, where joints hold

enum class MotionType : std::uint8_t { normal, ice, swimming, flying, fixated };
inline constexpr std::string_view motion_type_names[] = {"normal", "ice", "swimming", "flying", "fixated"};

struct MotionFlags {
    static constexpr std::uint8_t no_gravity = 1;     // NOGRAVITY
    static constexpr std::uint8_t turn_at_edges = 2;  // TURNATEDGES: an edge stops it once and clears this
    static constexpr std::uint8_t check_below = 4;    // CHECKBELOW: look once whether one can drop from here
    static constexpr std::uint8_t all = 7;
};

struct PhysicsObject {
    math::Vec2 position;     // of its feet, px
    math::Vec2 velocity;     // px/tick (px/s where the web client moves it)
    double drop_height = 0;  // groundbelow: just under the ground it stood on, px
    FootholdIndex foothold = 0;
    MotionType type = MotionType::normal;
    std::uint8_t flags = 0;
    std::uint8_t layer = 0;  // fhlayer: of the ground it stood on last
    bool on_ground = true;   // as the original starts everything; the first tick finds out
    bool can_drop = false;   // enablejd: there is ground not too far below
    state::Reserved<1> unused;

    bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    void set(std::uint8_t flag) { flags |= flag; }
    void clear(std::uint8_t flag) { flags &= static_cast<std::uint8_t>(~flag); }
};

constexpr auto fields_of(state::Type<PhysicsObject>) {
    using state::Blend;
    using state::field;
    // clang-format off
    return state::fields("PhysicsObject",
        field("position", &PhysicsObject::position, {.low = -16384, .high = 16384, .precision = 0.0625, .blend = Blend::linear, .unit = "px"}),
        field("velocity", &PhysicsObject::velocity, {.low = -32, .high = 32, .precision = 0.001, .blend = Blend::linear, .unit = "px/tick"}),
        field("drop_height", &PhysicsObject::drop_height, {.low = -16384, .high = 16384, .precision = 0.0625, .unit = "px"}),
        field("foothold", &PhysicsObject::foothold),
        field("type", &PhysicsObject::type, {.labels = motion_type_names}),
        field("flags", &PhysicsObject::flags, {.low = 0, .high = MotionFlags::all}),
        field("layer", &PhysicsObject::layer),
        field("on_ground", &PhysicsObject::on_ground),
        field("can_drop", &PhysicsObject::can_drop),
        field("unused", &PhysicsObject::unused));
    // clang-format on
}

// Faults of the reference. All on: faithful. All off: as players want it.
struct MotionQuirks {
    WallTest walls = WallTest::as_stored;  // a wall drawn upwards lets through objects lower than its top
    bool void_teleport = true;     // an object that steps off into nothing is put at x1 of its last foothold
    bool air_drops_forces = true;  // in mid-air forces on a NORMAL object are lost
    bool ice_stands_still = true;  // ICE has no physics
    bool drops_anywhere = true;    // ground that forbids it can be dropped through all the same
    bool loose_joints = true;      // some steep joints between footholds let an object slip through
    double ice_friction = 1;       // of NORMAL friction, where ICE has physics
    double fastest_fall = std::numeric_limits<double>::infinity();  // of NORMAL and ICE, px/tick
};

inline constexpr MotionQuirks no_quirks{.walls = WallTest::tall_columns,
                                        .void_teleport = false,
                                        .air_drops_forces = false,
                                        .ice_stands_still = false,
                                        .drops_anywhere = false,
                                        .loose_joints = false};

// One tick (move_object). `force` acts in this tick only.
void move_object(PhysicsObject& object, math::Vec2 force, const FootholdSet& ground,
                 const MotionQuirks& quirks);

// --- Its parts, which may be asked for alone ---------------------------------------------------------------

// (A) Finds the foothold below or under the feet, holds feet to slopes, decides whether the object stands
// (update_fh). Gives the slope under it.
double find_footing(PhysicsObject& object, const FootholdSet& ground, const MotionQuirks& quirks);

// What friction takes off a speed on a slope in one tick (of move_normal).
[[nodiscard]] constexpr double ground_friction(double speed, double slope) {
    const double inertia = speed / foothold_ground_slip;
    const double bounded = slope > foothold_steepest_friction    ? foothold_steepest_friction
                           : slope < -foothold_steepest_friction ? -foothold_steepest_friction
                                                                 : slope;
    return (foothold_friction + foothold_slope_factor * (1 + bounded * -inertia)) * inertia;
}

// (B) Forces, friction and gravity change the velocity (move_normal, move_flying, move_swimming).
void apply_forces(PhysicsObject& object, math::Vec2 force, double slope, const MotionQuirks& quirks);

// (C) Walls, edges, ground and borders stop it (limit_movement).
void limit_movement(PhysicsObject& object, const FootholdSet& ground, const MotionQuirks& quirks);

}  // namespace instep::worlds::foothold
