// SPDX-License-Identifier: MIT
// The data of the engine: a setup (config and body definitions), which never changes, and a state (bodies and
// contacts). A world puts the two pools into its own state, which is then saved, restored and hashed as a
// whole. Nothing else is kept from step to step, so nothing else has to be saved.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <instep/math/units.h>
#include <instep/rigid/body_def.h>
#include <instep/state/layout.h>
#include <instep/state/pool.h>

namespace instep::rigid {

using state::Handle;

struct Config {
    Vec2 gravity{};                      // units/s²
    double max_translation = 2;          // units per step
    double max_rotation = math::pi / 2;  // rad per step
    double restitution_threshold = 1;    // units/s; slower impacts don't bounce
    double hit_speed = 1;                // units/s; slower impacts make no hit event
    double sleep_speed = 0.05;           // units/s; a body slower than both of these ...
    double sleep_turn = 0.035;           // rad/s
    std::uint16_t sleep_ticks = 30;      // ... for so many ticks may fall asleep; 0: never
    std::uint16_t velocity_iterations = 8;
    std::uint16_t position_iterations = 3;
    bool elastic_loses_nothing = true;  // a bounce with restitution 1 has no friction (solver.h)
    state::Reserved<1> unused{};
};

constexpr auto fields_of(state::Type<Config>) {
    using state::field;
    return state::fields(
        "Config", field("gravity", &Config::gravity, {.low = -1000, .high = 1000, .unit = "units/s²"}),
        field("max_translation", &Config::max_translation,
              {.low = 0.01, .high = 1000, .unit = "units a step"}),
        field("max_rotation", &Config::max_rotation,
              {.low = 0.01, .high = math::pi / 2, .unit = "rad a step"}),
        field("restitution_threshold", &Config::restitution_threshold,
              {.low = 0, .high = 1000, .unit = "units/s"}),
        field("hit_speed", &Config::hit_speed, {.low = 0, .high = 1000, .unit = "units/s"}),
        field("sleep_speed", &Config::sleep_speed, {.low = 0, .high = 10, .unit = "units/s"}),
        field("sleep_turn", &Config::sleep_turn, {.low = 0, .high = 10, .unit = "rad/s"}),
        field("sleep_ticks", &Config::sleep_ticks, {.low = 0, .high = 10000}),
        field("velocity_iterations", &Config::velocity_iterations, {.low = 1, .high = 100}),
        field("position_iterations", &Config::position_iterations, {.low = 0, .high = 100}),
        field("elastic_loses_nothing", &Config::elastic_loses_nothing), field("unused", &Config::unused));
}

struct Setup {
    Config config;
    std::vector<BodyDef> body_defs;
    std::uint32_t max_bodies = 256;
    std::uint32_t max_contacts = 1024;
};

inline constexpr std::uint32_t body_limit = 1 << 20;
inline constexpr std::uint32_t contact_limit = 1 << 22;
inline constexpr std::size_t body_def_limit = 1 << 16;
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

// Two shapes that touch or are about to, with the impulses of the last step, from which the next one starts.
// Contacts are in the order of contact_key().
struct Contact {
    Handle a;  // the body with the lower id
    Handle b;
    std::array<double, 2> normal_impulse{};
    std::array<double, 2> tangent_impulse{};
    std::array<std::uint16_t, 2> feature{};  // identifies the edges that made the point
    std::uint8_t shape_a = 0;                // index in its body's definition
    std::uint8_t shape_b = 0;
    std::uint8_t points = 0;  // 1 or 2
    bool touching = false;    // its begin event has been reported
};

constexpr auto fields_of(state::Type<Contact>) {
    using state::field;
    return state::fields("Contact", field("a", &Contact::a), field("b", &Contact::b),
                         field("normal_impulse", &Contact::normal_impulse),
                         field("tangent_impulse", &Contact::tangent_impulse),
                         field("feature", &Contact::feature), field("shape_a", &Contact::shape_a),
                         field("shape_b", &Contact::shape_b), field("points", &Contact::points),
                         field("touching", &Contact::touching));
}

// Orders contacts by ids, which are part of the state, never by addresses.
[[nodiscard]] constexpr std::uint64_t contact_key(std::uint32_t id_a, std::uint8_t shape_a,
                                                  std::uint32_t id_b, std::uint8_t shape_b) {
    return std::uint64_t{id_a} << 36 | std::uint64_t{shape_a} << 28 | std::uint64_t{id_b} << 8 | shape_b;
}
[[nodiscard]] constexpr std::uint64_t key_of(const Contact& contact) {
    return contact_key(contact.a.id, contact.shape_a, contact.b.id, contact.shape_b);
}

// Views of the pools, which are in a world's state.
struct Space {
    state::Pool<Body> bodies;
    state::Pool<Contact> contacts;
};

[[nodiscard]] inline const BodyDef& def_of(const Body& body, const Setup& setup) {
    return setup.body_defs[body.def];
}
[[nodiscard]] inline Pose pose_of(const Body& body) {
    return {body.position, math::Rotation::from_angle(body.angle)};
}

// A body that is not active is not solved, and has no pairs until an active body comes near.
[[nodiscard]] inline bool is_active(const Body& body, const BodyDef& def) {
    if (def.type == BodyType::dynamic) return !body.asleep;
    return def.type == BodyType::kinematic && (body.velocity != Vec2{} || body.angular_velocity != 0);
}

inline void wake(Body& body) {
    body.asleep = false;
    body.still_ticks = 0;
}

// A force through the centre of mass, or a torque, during one step of `dt` seconds. It changes the velocity
// at once, in planck.js's order of operations, so a state has no forces to save.
void apply_force(Body& body, const Setup& setup, Vec2 force, double dt);
void apply_torque(Body& body, const Setup& setup, double torque, double dt);
void apply_impulse(Body& body, const Setup& setup, Vec2 impulse, Vec2 point);

// Removes a body and wakes the bodies it touched. Its contacts end in the next step.
void remove_body(Space& space, Handle body);

// Gives a body another definition, so other shapes, and wakes it and the bodies it touches. Contacts of
// shapes that it no longer has end in the next step.
void change_body_def(Space& space, Handle body, std::uint16_t def);

// Wakes the bodies that a body touches: call it after setting a position by hand.
void wake_touching(Space& space, Handle body);

// Whether a setup is valid; called once, when it is made.
state::Result<void> check(const Setup& setup);

// Whether a step, followed by remove_body() and change_body_def(), could have left these bodies and contacts:
// checked for every loaded image before it is stepped.
state::Result<void> validate(const Space& space, const Setup& setup);

[[nodiscard]] double kinetic_energy(const Space& space, const Setup& setup);
[[nodiscard]] Vec2 momentum(const Space& space, const Setup& setup);
[[nodiscard]] double angular_momentum(const Space& space, const Setup& setup);  // about the origin

}  // namespace instep::rigid
