// SPDX-License-Identifier: MIT
// A space that is all there is: for a game that wants rigid bodies and no world around them, for tests and
// for benchmarks.
//
//     rigid::Setup setup;
//     setup.rules.gravity = {0, -10};
//     setup.forms = {*make_form(BodyType::fixed, {{.hull = *make_box(20, 1)}}),
//                    *make_form(BodyType::dynamic, {{.hull = *make_circle(0.5)}})};
//     rigid::LoneSpace room(setup);
//     room.space.bodies.add({.position = {0, -1}, .form = 0});
//     room.space.bodies.add({.position = {0, 10}, .form = 1});
//     room.step(1.0 / 60);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <instep/rigid/step.h>

namespace instep::rigid {

struct LoneHead {
    std::uint64_t tick = 0;  // its owner's: a step does not look at it
};
constexpr auto fields_of(state::Type<LoneHead>) {
    return state::fields("LoneHead", state::field("tick", &LoneHead::tick));
}

struct LoneState {
    state::Single<LoneHead> head;
    state::Pool<Body> bodies;
    state::Pool<Contact> contacts;
};
constexpr auto parts_of(state::Type<LoneState>) {
    return state::parts(
        state::head(&LoneState::head),
        state::pool("bodies", &LoneState::bodies, [](const Setup& setup) { return setup.max_bodies; }),
        state::pool("contacts", &LoneState::contacts, [](const Setup& setup) { return setup.max_contacts; }));
}

struct LoneSpace {
    Setup setup;
    state::Layout layout;
    state::Block block;
    Scratch scratch;
    Space space;  // windows onto the block

    // Of a setup that check() accepts.
    explicit LoneSpace(Setup given)
        : setup(std::move(given)),
          layout(state::make_layout<LoneState>(setup)),
          block(layout),
          scratch(setup) {
        const LoneState bound = state::bind<LoneState>(layout, block.data());
        space = {bound.bodies, bound.contacts};
    }
    LoneSpace(LoneSpace&&) = default;
    LoneSpace& operator=(LoneSpace&&) = default;

    void step(double dt) { rigid::step(space, setup, dt, scratch); }

    std::uint64_t hash() const { return state::hash(layout, block.data()); }
    std::vector<std::byte> save() const {
        std::vector<std::byte> image(state::image_size(layout, block.data()));
        state::save(layout, block.data(), image);
        return image;
    }
    // What save() gave.
    void restore(std::span<const std::byte> image) { state::restore(layout, image, block.data()); }
    // What somebody else gave; after a refusal the space is not to be stepped.
    state::Result<void> load(std::span<const std::byte> image) {
        if (auto legal = state::load(layout, image, block.data()); !legal) return legal;
        return validate(space, setup);
    }
};

}  // namespace instep::rigid
