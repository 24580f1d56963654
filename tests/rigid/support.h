// SPDX-License-Identifier: MIT
// A standalone space with the body definitions and helpers that the tests share.
#pragma once

#include <doctest/doctest.h>

#include <instep/rigid/standalone_space.h>

#include <utility>

namespace instep::test {

using math::Vec2;

inline rigid::BodyDef body_def(rigid::BodyType type, const state::Result<rigid::Hull>& hull,
                               rigid::Material material = {}, const rigid::BodyOptions& options = {}) {
    REQUIRE(hull.has_value());
    auto made = rigid::make_body_def(type, {rigid::Shape{*hull, material, {}}}, options);
    REQUIRE(made.has_value());
    return *made;
}

struct TestSpace : rigid::StandaloneSpace {
    static constexpr double dt = 1.0 / 60;

    explicit TestSpace(rigid::Setup given) : StandaloneSpace(std::move(given)) {
        REQUIRE(rigid::check(setup).has_value());
    }

    rigid::Handle add(std::uint16_t def, Vec2 position, Vec2 velocity = {}, double angle = 0,
                      double angular_velocity = 0) {
        rigid::Body body;
        body.def = def;
        body.position = position;
        body.velocity = velocity;
        body.angle = angle;
        body.angular_velocity = angular_velocity;
        const rigid::Body* added = bodies.add(body);
        REQUIRE(added != nullptr);
        return bodies.handle_of(*added);
    }
    rigid::Body& operator[](rigid::Handle handle) {
        rigid::Body* found = bodies.find(handle);
        REQUIRE(found != nullptr);
        return *found;
    }
    void step(int times = 1) {
        for (int i = 0; i < times; ++i) StandaloneSpace::step(dt);
    }
    double energy() const { return rigid::kinetic_energy(space); }
    std::size_t events_of(rigid::ContactEvent::Kind kind) const {
        std::size_t count = 0;
        for (const rigid::ContactEvent& event : scratch.events) count += event.kind == kind ? 1 : 0;
        return count;
    }
};

// Indices of the body definitions of ground_setup().
inline constexpr std::uint16_t ground = 0;
inline constexpr std::uint16_t box = 1;
inline constexpr std::uint16_t ball = 2;

// A ground of 200 by 2 units (its top is at y = 0 if it is at (0, -1)), unit boxes, balls, and gravity.
inline rigid::Setup ground_setup(double friction = 0.6, double restitution = 0) {
    const rigid::Material material{1, friction, restitution};
    rigid::Setup setup;
    setup.config.gravity = {0, -10};
    setup.body_defs = {body_def(rigid::BodyType::fixed, rigid::make_box(100, 1), material),
                       body_def(rigid::BodyType::dynamic, rigid::make_box(0.5, 0.5), material),
                       body_def(rigid::BodyType::dynamic, rigid::make_circle(0.5), material)};
    setup.max_bodies = 512;
    setup.max_contacts = 2048;
    return setup;
}

// A pyramid of boxes, the bottom row of `rows` first.
inline void add_pyramid(TestSpace& sim, int rows) {
    sim.add(ground, {0, -1});
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row; ++i) sim.add(box, {1.1 * (i - 0.5 * (rows - row - 1)), 0.5 + row});
}

}  // namespace instep::test
