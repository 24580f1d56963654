// SPDX-License-Identifier: MIT
// The data of the engine: a setup (config, body definitions, fixed bodies), which never changes, and a state
// (bodies and contacts). A world has the bodies in pools of its own and the contacts in one more; its state
// is saved, restored and hashed as a whole. Nothing else is kept from step to step, so nothing else has to be
// saved.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <instep/math/units.h>
#include <instep/rigid/body_pools.h>
#include <instep/rigid/joint.h>
#include <instep/state/layout.h>
#include <instep/state/pool.h>

namespace instep::rigid {

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
    std::vector<Body> fixed_bodies;  // level geometry: costs nothing in a state; has the lowest ids
    std::uint32_t max_bodies = 256;  // the fixed ones and the capacities of all pools
    std::uint32_t max_contacts = 1024;
    std::vector<JointDef> joint_defs;
    std::uint32_t max_joints = 0;
};

inline constexpr std::uint32_t body_limit = 1 << 20;
inline constexpr std::uint32_t contact_limit = 1 << 22;
inline constexpr std::uint32_t joint_limit = 1 << 20;
inline constexpr std::size_t body_def_limit = 1 << 16;

// Two shapes that touch or are about to, with the impulses of the last step, from which the next one starts;
// or a sensor and a shape inside it. Contacts are in the order of contact_key().
struct Contact {
    Handle a;  // the body with the lower id
    Handle b;
    std::array<double, 2> normal_impulse{};
    std::array<double, 2> tangent_impulse{};
    std::array<std::uint16_t, 2> feature{};  // identifies the edges that made the point
    std::uint8_t shape_a = 0;                // index in its body's definition
    std::uint8_t shape_b = 0;
    std::uint8_t points = 0;  // 1 or 2; 0: one of the two is a sensor
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

// Views of the pools, which are in a world's state. The setup must outlive it.
struct Space {
    Space() = default;
    Space(const Setup& setup, const state::Pool<Contact>& contact_pool,
          const state::Pool<Joint>& joint_pool = no_joints())
        : bodies(setup.body_defs, setup.fixed_bodies), contacts(contact_pool), joints(joint_pool) {}

    BodyPools bodies;
    state::Pool<Contact> contacts;
    state::Pool<Joint> joints;

    // For a world without joints.
    static state::Pool<Joint> no_joints();
};

// A joint of two bodies as they are now, at a point of the world; `a` may be empty: the world.
[[nodiscard]] Joint make_joint(const Space& space, std::uint16_t def, Handle a, Handle b, Vec2 point);
[[nodiscard]] Joint make_joint(const Space& space, std::uint16_t def, Handle a, Vec2 point_a, Handle b,
                               Vec2 point_b);

// The force and torque of a joint on b in the last step of `dt` seconds.
[[nodiscard]] Reaction reaction_of(const Space& space, const Setup& setup, const Joint& joint, double dt);

// Wakes the bodies of a joint: call it after changing its motor, target or definition, and on removing it.
void wake_bodies(const Space& space, const Joint& joint);

[[nodiscard]] inline const BodyDef& def_of(const Body& body, const Setup& setup) {
    return setup.body_defs[body.def];
}

// A force through the centre of mass, or a torque, during one step of `dt` seconds. It changes the velocity
// at once, in planck.js's order of operations, so a state has no forces to save.
void apply_force(Body& body, const Setup& setup, Vec2 force, double dt);
void apply_torque(Body& body, const Setup& setup, double torque, double dt);
void apply_impulse(Body& body, const Setup& setup, Vec2 impulse, Vec2 point);

// Wakes the bodies that a body touches: call it after setting a position by hand.
void wake_touching(const Space& space, Handle body);

// Gives a body another definition, so other shapes, and wakes it and the bodies it touches.
void change_body_def(const Space& space, Handle body, std::uint16_t def);

// Removes the element that has a body, and wakes the bodies it touched. Contacts of bodies and shapes that
// are gone end in the next step.
template <class T>
void remove_body(const Space& space, state::Pool<T>& pool, Handle body) {
    T* found = space.bodies.find(pool, body);
    if (!found) return;
    wake_touching(space, body);
    pool.remove_at(static_cast<std::uint32_t>(found - pool.begin()));
}

// Whether a setup is valid; called once, when it is made.
state::Result<void> check(const Setup& setup);

// Whether a step, followed by changes of bodies, could have left these bodies and contacts:
// checked for every loaded image before it is stepped.
state::Result<void> validate(const Space& space, const Setup& setup);

[[nodiscard]] double kinetic_energy(const Space& space);
[[nodiscard]] Vec2 momentum(const Space& space);
[[nodiscard]] double angular_momentum(const Space& space);  // about the origin

}  // namespace instep::rigid
