// SPDX-License-Identifier: MIT
// What there is: a setup (rules and forms, which never change) and a state (bodies and contacts, which do). A
// world puts the two pools among its own, and saving, restoring and hashing them come with it. Nothing else
// is kept from step to step, so nothing else has to be saved.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <instep/math/units.h>
#include <instep/rigid/form.h>
#include <instep/state/layout.h>
#include <instep/state/pool.h>

namespace instep::rigid {

using state::Handle;

struct Rules {
    Vec2 gravity{};                         // units/s²
    double max_translation = 2;             // units a step
    double max_rotation = math::pi / 2;     // rad a step
    double restitution_threshold = 1;       // units/s; what comes nearer more slowly does not bounce
    double hit_speed = 1;                   // units/s; what begins to touch more slowly is no hit event
    double sleep_speed = 0.05;              // units/s; what is slower than both of these ...
    double sleep_turn = 0.035;              // rad/s
    std::uint16_t sleep_ticks = 30;         // ... for so long may fall asleep; 0: never
    std::uint16_t velocity_iterations = 8;  // over all contacts
    std::uint16_t position_iterations = 3;
    bool elastic_loses_nothing = true;  // what bounces with restitution 1 does not rub meanwhile (solver.h)
    state::Reserved<1> unused{};
};

constexpr auto fields_of(state::Type<Rules>) {
    using state::field;
    return state::fields(
        "Rules", field("gravity", &Rules::gravity, {.low = -1000, .high = 1000, .unit = "units/s²"}),
        field("max_translation", &Rules::max_translation,
              {.low = 0.01, .high = 1000, .unit = "units a step"}),
        field("max_rotation", &Rules::max_rotation,
              {.low = 0.01, .high = math::pi / 2, .unit = "rad a step"}),
        field("restitution_threshold", &Rules::restitution_threshold,
              {.low = 0, .high = 1000, .unit = "units/s"}),
        field("hit_speed", &Rules::hit_speed, {.low = 0, .high = 1000, .unit = "units/s"}),
        field("sleep_speed", &Rules::sleep_speed, {.low = 0, .high = 10, .unit = "units/s"}),
        field("sleep_turn", &Rules::sleep_turn, {.low = 0, .high = 10, .unit = "rad/s"}),
        field("sleep_ticks", &Rules::sleep_ticks, {.low = 0, .high = 10000}),
        field("velocity_iterations", &Rules::velocity_iterations, {.low = 1, .high = 100}),
        field("position_iterations", &Rules::position_iterations, {.low = 0, .high = 100}),
        field("elastic_loses_nothing", &Rules::elastic_loses_nothing), field("unused", &Rules::unused));
}

struct Setup {
    Rules rules;
    std::vector<Form> forms;
    std::uint32_t max_bodies = 256;
    std::uint32_t max_contacts = 1024;
};

inline constexpr std::uint32_t most_bodies = 1 << 20;
inline constexpr std::uint32_t most_contacts = 1 << 22;
inline constexpr std::size_t most_forms = 1 << 16;
// The bounds of a legal state, at which a step holds what would leave them.
inline constexpr double farthest = 1e6;        // units from the origin, units/s and rad/s
inline constexpr double farthest_turn = 1e12;  // rad

struct Body {
    Vec2 position{};  // of the centre of mass; Form::origin says where its shapes' own origin is
    Vec2 velocity{};
    double angle = 0;  // rad, never wrapped
    double angular_velocity = 0;
    std::uint16_t form = 0;
    std::uint16_t group = 0;        // bodies of one group don't touch each other; 0: of none
    std::uint16_t still_ticks = 0;  // how long it has been slow enough to sleep
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
        field("form", &Body::form), field("group", &Body::group), field("still_ticks", &Body::still_ticks),
        field("asleep", &Body::asleep), field("unused", &Body::unused));
}

// Two shapes that touch or are about to, with the impulses that held them apart in the last step: where the
// next step begins to look for its own. Contacts stand in the order of contact_key().
struct Contact {
    Handle a;  // the body with the lower id
    Handle b;
    std::array<double, 2> normal_impulse{};
    std::array<double, 2> tangent_impulse{};
    std::array<std::uint16_t, 2> feature{};  // which edges and ends made the point
    std::uint8_t shape_a = 0;                // within its body's form
    std::uint8_t shape_b = 0;
    std::uint8_t points = 0;  // 1 or 2
    bool touching = false;    // its begin event has been told
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

// Orders contacts by ids, which are part of the state, and never by where anything lies.
[[nodiscard]] constexpr std::uint64_t contact_key(std::uint32_t id_a, std::uint8_t shape_a,
                                                  std::uint32_t id_b, std::uint8_t shape_b) {
    return std::uint64_t{id_a} << 36 | std::uint64_t{shape_a} << 28 | std::uint64_t{id_b} << 8 | shape_b;
}
[[nodiscard]] constexpr std::uint64_t key_of(const Contact& contact) {
    return contact_key(contact.a.id, contact.shape_a, contact.b.id, contact.shape_b);
}

// Windows onto the pools, which lie in a world's state.
struct Space {
    state::Pool<Body> bodies;
    state::Pool<Contact> contacts;
};

[[nodiscard]] inline const Form& form_of(const Body& body, const Setup& setup) {
    return setup.forms[body.form];
}
[[nodiscard]] inline Pose pose_of(const Body& body) {
    return {body.position, math::Rotation::from_angle(body.angle)};
}

// Whether it moves, or may: what is not active is neither solved nor looked at until something touches it.
[[nodiscard]] inline bool is_active(const Body& body, const Form& form) {
    if (form.type == BodyType::dynamic) return !body.asleep;
    return form.type == BodyType::kinematic && (body.velocity != Vec2{} || body.angular_velocity != 0);
}

inline void wake(Body& body) {
    body.asleep = false;
    body.still_ticks = 0;
}

// A force during one step of `dt` seconds, through the centre of mass. It goes straight into the velocity, in
// planck's order of operations, so that a state has no forces to carry.
void push(Body& body, const Setup& setup, Vec2 force, double dt);
void turn(Body& body, const Setup& setup, double torque, double dt);
void strike(Body& body, const Setup& setup, Vec2 impulse, Vec2 at);

// Takes a body out and wakes what it touched. Its contacts end in the next step.
void remove_body(Space& space, Handle body);

// Gives a body another form, which means other shapes, and wakes it and what it touches. Contacts of shapes
// that it no longer has end in the next step.
void change_form(Space& space, Handle body, std::uint16_t form);

// Wakes what a body touches: for when it is moved by hand.
void wake_touching(Space& space, Handle body);

// Whether a setup can be run at all; asked once, when it is made.
state::Result<void> check(const Setup& setup);

// Whether a step, and whoever took bodies out or changed their forms since, could have left these bodies and
// contacts: what a loaded image is asked before it is run.
state::Result<void> validate(const Space& space, const Setup& setup);

[[nodiscard]] double kinetic_energy(const Space& space, const Setup& setup);
[[nodiscard]] Vec2 momentum(const Space& space, const Setup& setup);
[[nodiscard]] double angular_momentum(const Space& space, const Setup& setup);  // about the origin

}  // namespace instep::rigid
