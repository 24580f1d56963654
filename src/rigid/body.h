// SPDX-License-Identifier: MIT
// A body as a state keeps it. A world puts it into an element of its own, beside what else the element has
// (struct Crate { rigid::Body body; Slot owner; ... }); see body_pools.h.
#pragma once

#include <cstdint>

#include <instep/math/rotation.h>
#include <instep/rigid/body_def.h>
#include <instep/state/field.h>

namespace instep::rigid {

// The bounds of a valid state; a step clamps to them.
inline constexpr double max_coordinate = 1e6;  // units from the origin, units/s and rad/s
inline constexpr double max_angle = 1e12;      // rad

struct Body {
    Vec2 position{};  // of the centre of mass; see BodyDef::origin
    Vec2 velocity{};
    double angle = 0;  // rad, never wrapped
    double angular_velocity = 0;
    std::uint16_t def = 0;          // index in Setup::body_defs
    std::uint16_t group = 0;        // bodies of the same group don't collide; 0: no group
    std::uint16_t still_ticks = 0;  // for how many ticks it has been slow enough to sleep
    bool asleep = false;
    state::Reserved<1> unused{};
};

constexpr auto fields_of(state::Type<Body>) {
    using state::Blend;
    using state::field;
    return state::fields(
        "Body", field("position", &Body::position, {.blend = Blend::linear, .unit = "units"}),
        field("velocity", &Body::velocity, {.blend = Blend::linear, .unit = "units/s"}),
        field("angle", &Body::angle, {.blend = Blend::angle, .unit = "rad"}),
        field("angular_velocity", &Body::angular_velocity, {.blend = Blend::linear, .unit = "rad/s"}),
        field("def", &Body::def), field("group", &Body::group), field("still_ticks", &Body::still_ticks),
        field("asleep", &Body::asleep), field("unused", &Body::unused));
}

[[nodiscard]] inline Pose pose_of(const Body& body) {
    return {body.position, math::Rotation::from_angle(body.angle)};
}

inline void wake(Body& body) {
    body.asleep = false;
    body.still_ticks = 0;
}

}  // namespace instep::rigid
