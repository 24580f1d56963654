// SPDX-License-Identifier: MIT
// Our own engine with a state of nothing but bodies and contacts, for the benchmarks natively and in
// WebAssembly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <instep/rigid/step.h>

namespace instep::bench {

struct RoomHead {
    std::uint64_t tick = 0;
};
constexpr auto fields_of(state::Type<RoomHead>) {
    return state::fields("RoomHead", state::field("tick", &RoomHead::tick));
}

struct RoomState {
    state::Single<RoomHead> head;
    state::Pool<rigid::Body> bodies;
    state::Pool<rigid::Contact> contacts;
};
constexpr auto parts_of(state::Type<RoomState>) {
    return state::parts(
        state::head(&RoomState::head),
        state::pool("bodies", &RoomState::bodies, [](const rigid::Setup& setup) { return setup.max_bodies; }),
        state::pool("contacts", &RoomState::contacts,
                    [](const rigid::Setup& setup) { return setup.max_contacts; }));
}

// A body and what it is made of, as a line of a scene says.
struct RoomBody {
    bool dynamic = false;
    rigid::Hull hull{};
    rigid::Material material{};
    rigid::FormOptions options{};
    math::Vec2 position{};  // of the shape's origin
    math::Vec2 velocity{};
};

class RigidRoom {
public:
    RigidRoom(math::Vec2 gravity, const std::vector<RoomBody>& bodies)
        : setup_(setup_for(gravity, bodies)),
          layout_(state::make_layout<RoomState>(setup_)),
          block_(layout_),
          scratch_(setup_),
          image_(layout_.max_image_size) {
        const RoomState bound = state::bind<RoomState>(layout_, block_.data());
        space_ = {bound.bodies, bound.contacts};
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            rigid::Body body;
            body.form = form_of_body_[i];
            body.position = bodies[i].position - rigid::form_of(body, setup_).origin;
            body.velocity = bodies[i].velocity;
            space_.bodies.add(body);
        }
    }

    void push(std::uint32_t body, math::Vec2 force, double torque, double dt) {
        rigid::push(space_.bodies[body], setup_, force, dt);
        rigid::turn(space_.bodies[body], setup_, torque, dt);
    }
    void step(double dt) { rigid::step(space_, setup_, dt, scratch_); }
    const rigid::Body& operator[](std::uint32_t body) const { return space_.bodies[body]; }
    const rigid::Form& form(std::uint32_t body) const { return rigid::form_of(space_.bodies[body], setup_); }
    std::uint32_t bodies() const { return space_.bodies.size(); }
    std::uint32_t contacts() const { return space_.contacts.size(); }
    double energy() const { return rigid::kinetic_energy(space_, setup_); }

    std::size_t image_size() const { return state::image_size(layout_, block_.data()); }
    void save() { state::save(layout_, block_.data(), std::span(image_).first(image_size())); }
    void restore() { state::restore(layout_, image_, block_.data()); }
    std::uint64_t hash() const { return state::hash(layout_, block_.data()); }

private:
    static bool is_made_like(const RoomBody& a, const RoomBody& b) {
        return a.dynamic == b.dynamic && a.hull.count == b.hull.count && a.hull.radius == b.hull.radius &&
               a.hull.points == b.hull.points && a.material.density == b.material.density &&
               a.material.friction == b.material.friction &&
               a.material.restitution == b.material.restitution &&
               a.options.linear_damping == b.options.linear_damping &&
               a.options.angular_damping == b.options.angular_damping && a.options.bullet == b.options.bullet;
    }

    // Bodies that are made alike share a form.
    rigid::Setup setup_for(math::Vec2 gravity, const std::vector<RoomBody>& bodies) {
        rigid::Setup setup;
        setup.rules.gravity = gravity;
        setup.rules.sleep_ticks = 0;
        std::vector<const RoomBody*> kinds;
        for (const RoomBody& body : bodies) {
            const auto like = std::find_if(kinds.begin(), kinds.end(),
                                           [&](const RoomBody* kind) { return is_made_like(*kind, body); });
            form_of_body_.push_back(static_cast<std::uint16_t>(like - kinds.begin()));
            if (like != kinds.end()) continue;
            kinds.push_back(&body);
            rigid::Shape shape;
            shape.hull = body.hull;
            shape.material = body.material;
            const auto type = body.dynamic ? rigid::BodyType::dynamic : rigid::BodyType::fixed;
            setup.forms.push_back(*rigid::make_form(type, {shape}, body.options));
        }
        setup.max_bodies = static_cast<std::uint32_t>(bodies.size());
        setup.max_contacts = std::max(1024U, 4 * setup.max_bodies);
        return setup;
    }

    std::vector<std::uint16_t> form_of_body_;
    rigid::Setup setup_;
    state::Layout layout_;
    state::Block block_;
    rigid::Scratch scratch_;
    rigid::Space space_;
    std::vector<std::byte> image_;
};

}  // namespace instep::bench
