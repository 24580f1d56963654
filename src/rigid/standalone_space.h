// SPDX-License-Identifier: MIT
// A space with its own memory: for a game that wants rigid bodies and no game world, for tests and
// benchmarks.
//
//     rigid::Setup setup;
//     setup.config.gravity = {0, -10};
//     setup.body_defs = {*make_body_def(BodyType::fixed, {{.hull = *make_box(20, 1)}}),
//                        *make_body_def(BodyType::dynamic, {{.hull = *make_circle(0.5)}})};
//     rigid::StandaloneSpace simulation(setup);
//     simulation.bodies.add({.position = {0, -1}, .def = 0});
//     simulation.bodies.add({.position = {0, 10}, .def = 1});
//     simulation.step(1.0 / 60);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <instep/rigid/step.h>

namespace instep::rigid {

struct StandaloneHead {
    std::uint64_t tick = 0;  // for the owner: a step does not read it
};
constexpr auto fields_of(state::Type<StandaloneHead>) {
    return state::fields("StandaloneHead", state::field("tick", &StandaloneHead::tick));
}

struct StandaloneState {
    state::Single<StandaloneHead> head;
    state::Pool<Body> bodies;
    state::Pool<Contact> contacts;
    state::Pool<Joint> joints;
};
inline auto parts_of(state::Type<StandaloneState>) {
    return state::parts(
        state::head(&StandaloneState::head),
        state::pool("bodies", &StandaloneState::bodies,
                    [](const Setup& setup) {
                        return setup.max_bodies - static_cast<std::uint32_t>(setup.fixed_bodies.size());
                    }),
        state::pool("contacts", &StandaloneState::contacts,
                    [](const Setup& setup) { return setup.max_contacts; }),
        state::pool("joints", &StandaloneState::joints, [](const Setup& setup) { return setup.max_joints; }));
}

struct StandaloneSpace {
    Setup setup;
    state::Layout layout;
    state::Block block;
    Scratch scratch;
    state::Pool<Body> bodies;  // views of the block
    Space space;

    // check() must accept the setup.
    explicit StandaloneSpace(Setup given)
        : setup(std::move(given)),
          layout(state::make_layout<StandaloneState>(setup)),
          block(layout),
          scratch(setup) {
        bind();
    }
    StandaloneSpace(StandaloneSpace&& other) noexcept
        : setup(std::move(other.setup)),
          layout(std::move(other.layout)),
          block(std::move(other.block)),
          scratch(std::move(other.scratch)) {
        bind();
    }
    StandaloneSpace& operator=(StandaloneSpace&&) = delete;

    void step(double dt) { rigid::step(space, setup, dt, scratch); }

    std::uint64_t hash() const { return state::hash(layout, block.data()); }
    std::vector<std::byte> save() const {
        std::vector<std::byte> image(state::image_size(layout, block.data()));
        state::save(layout, block.data(), image);
        return image;
    }
    // An image that save() made.
    void restore(std::span<const std::byte> image) { state::restore(layout, image, block.data()); }
    // An image from outside; after an error the space must not be stepped.
    state::Result<void> load(std::span<const std::byte> image) {
        if (auto loaded = state::load(layout, image, block.data()); !loaded) return loaded;
        return validate(space, setup);
    }

private:
    void bind() {
        const StandaloneState bound = state::bind<StandaloneState>(layout, block.data());
        bodies = bound.bodies;
        space = Space(setup, bound.contacts, bound.joints);
        space.bodies.add(bodies);
    }
};

}  // namespace instep::rigid
