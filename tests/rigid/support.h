// SPDX-License-Identifier: MIT
// A rigid space by itself, with the few forms that tests are made of.
#pragma once

#include <doctest/doctest.h>

#include <instep/rigid/step.h>

#include <utility>
#include <vector>

namespace instep::test {

using math::Vec2;

struct LoneHead {
    std::uint64_t tick = 0;
};
constexpr auto fields_of(state::Type<LoneHead>) {
    return state::fields("LoneHead", state::field("tick", &LoneHead::tick));
}

struct LoneState {
    state::Single<LoneHead> head;
    state::Pool<rigid::Body> bodies;
    state::Pool<rigid::Contact> contacts;
};
constexpr auto parts_of(state::Type<LoneState>) {
    return state::parts(
        state::head(&LoneState::head),
        state::pool("bodies", &LoneState::bodies, [](const rigid::Setup& setup) { return setup.max_bodies; }),
        state::pool("contacts", &LoneState::contacts,
                    [](const rigid::Setup& setup) { return setup.max_contacts; }));
}

inline rigid::Form form(rigid::BodyType type, const state::Result<rigid::Hull>& hull,
                        rigid::Material material = {}, const rigid::FormOptions& options = {}) {
    REQUIRE(hull.has_value());
    auto made = rigid::make_form(type, {rigid::Shape{*hull, material, {}}}, options);
    REQUIRE(made.has_value());
    return *made;
}

struct RigidRoom {
    static constexpr double dt = 1.0 / 60;

    rigid::Setup setup;
    state::Layout layout;
    state::Block block;
    rigid::Space space;
    rigid::Scratch scratch;

    explicit RigidRoom(rigid::Setup given)
        : setup(std::move(given)),
          layout(state::make_layout<LoneState>(setup)),
          block(layout),
          scratch(setup) {
        REQUIRE(rigid::check(setup).has_value());
        const LoneState bound = state::bind<LoneState>(layout, block.data());
        space = {bound.bodies, bound.contacts};
    }
    RigidRoom(const RigidRoom&) = delete;
    RigidRoom& operator=(const RigidRoom&) = delete;

    rigid::Handle add(std::uint16_t form, Vec2 position, Vec2 velocity = {}, double angle = 0,
                      double angular_velocity = 0) {
        rigid::Body body;
        body.form = form;
        body.position = position;
        body.velocity = velocity;
        body.angle = angle;
        body.angular_velocity = angular_velocity;
        const rigid::Body* added = space.bodies.add(body);
        REQUIRE(added != nullptr);
        return space.bodies.handle_of(*added);
    }
    rigid::Body& operator[](rigid::Handle handle) {
        rigid::Body* found = space.bodies.find(handle);
        REQUIRE(found != nullptr);
        return *found;
    }
    void step(int times = 1) {
        for (int i = 0; i < times; ++i) rigid::step(space, setup, dt, scratch);
    }
    std::uint64_t hash() const { return state::hash(layout, block.data()); }
    std::vector<std::byte> save() const {
        std::vector<std::byte> image(state::image_size(layout, block.data()));
        state::save(layout, block.data(), image);
        return image;
    }
    void restore(const std::vector<std::byte>& image) { state::restore(layout, image, block.data()); }
    double energy() const { return rigid::kinetic_energy(space, setup); }
    std::size_t events_of(rigid::Event::Kind kind) const {
        std::size_t count = 0;
        for (const rigid::Event& event : scratch.events) count += event.kind == kind ? 1 : 0;
        return count;
    }
};

// The forms of ground_setup(), by their places.
inline constexpr std::uint16_t ground = 0;
inline constexpr std::uint16_t box = 1;
inline constexpr std::uint16_t ball = 2;

// A ground of 200 by 2 whose top is at y = 0 if it stands at (0, -1), unit boxes and balls, and gravity.
inline rigid::Setup ground_setup(double friction = 0.6, double restitution = 0) {
    const rigid::Material material{1, friction, restitution};
    rigid::Setup setup;
    setup.rules.gravity = {0, -10};
    setup.forms = {form(rigid::BodyType::fixed, rigid::make_box(100, 1), material),
                   form(rigid::BodyType::dynamic, rigid::make_box(0.5, 0.5), material),
                   form(rigid::BodyType::dynamic, rigid::make_circle(0.5), material)};
    setup.max_bodies = 512;
    setup.max_contacts = 2048;
    return setup;
}

// A pyramid of boxes, the bottom row of `rows` first.
inline void add_pyramid(RigidRoom& room, int rows) {
    room.add(ground, {0, -1});
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < rows - row; ++i) room.add(box, {1.1 * (i - 0.5 * (rows - row - 1)), 0.5 + row});
}

}  // namespace instep::test
