// SPDX-License-Identifier: MIT
// Our own engine filled as a scene says, for the benchmarks natively and in WebAssembly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <instep/rigid/lone_space.h>

namespace instep::bench {

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
        : room_(setup_for(gravity, bodies)), image_(room_.layout.max_image_size) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            rigid::Body body;
            body.form = form_of_body_[i];
            body.position = bodies[i].position - rigid::form_of(body, room_.setup).origin;
            body.velocity = bodies[i].velocity;
            room_.space.bodies.add(body);
        }
    }

    void push(std::uint32_t body, math::Vec2 force, double torque, double dt) {
        rigid::push(room_.space.bodies[body], room_.setup, force, dt);
        rigid::turn(room_.space.bodies[body], room_.setup, torque, dt);
    }
    void step(double dt) { room_.step(dt); }
    const rigid::Body& operator[](std::uint32_t body) const { return room_.space.bodies[body]; }
    const rigid::Form& form(std::uint32_t body) const {
        return rigid::form_of(room_.space.bodies[body], room_.setup);
    }
    std::uint32_t bodies() const { return room_.space.bodies.size(); }
    std::uint32_t contacts() const { return room_.space.contacts.size(); }
    double energy() const { return rigid::kinetic_energy(room_.space, room_.setup); }

    std::size_t image_size() const { return state::image_size(room_.layout, room_.block.data()); }
    void save() { state::save(room_.layout, room_.block.data(), std::span(image_).first(image_size())); }
    void restore() { room_.restore(image_); }
    std::uint64_t hash() const { return room_.hash(); }

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
    rigid::LoneSpace room_;
    std::vector<std::byte> image_;
};

}  // namespace instep::bench
