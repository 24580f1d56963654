// SPDX-License-Identifier: MIT
// Instep's engine filled from a scene, for the native and the WebAssembly benchmarks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <instep/rigid/standalone_space.h>

namespace instep::bench {

// One line of a scene: a body and its definition.
struct BodySpec {
    bool dynamic = false;
    rigid::Hull hull{};
    rigid::Material material{};
    rigid::BodyOptions options{};
    math::Vec2 position{};  // of the shape's origin
    math::Vec2 velocity{};
};

class SceneSpace {
public:
    SceneSpace(math::Vec2 gravity, const std::vector<BodySpec>& bodies)
        : sim_(setup_for(gravity, bodies)), image_(sim_.layout.max_image_size) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            rigid::Body body;
            body.def = body_def_index_[i];
            body.position = bodies[i].position - rigid::def_of(body, sim_.setup).origin;
            body.velocity = bodies[i].velocity;
            sim_.bodies.add(body);
        }
    }

    void push(std::uint32_t body, math::Vec2 force, double torque, double dt) {
        rigid::apply_force(sim_.bodies[body], sim_.setup, force, dt);
        rigid::apply_torque(sim_.bodies[body], sim_.setup, torque, dt);
    }
    void step(double dt) { sim_.step(dt); }
    const rigid::Body& operator[](std::uint32_t body) const { return sim_.bodies[body]; }
    const rigid::BodyDef& body_def(std::uint32_t body) const {
        return rigid::def_of(sim_.bodies[body], sim_.setup);
    }
    std::uint32_t bodies() const { return sim_.bodies.size(); }
    std::uint32_t contacts() const { return sim_.space.contacts.size(); }
    double energy() const { return rigid::kinetic_energy(sim_.space); }

    std::size_t image_size() const { return state::image_size(sim_.layout, sim_.block.data()); }
    void save() { state::save(sim_.layout, sim_.block.data(), std::span(image_).first(image_size())); }
    void restore() { sim_.restore(image_); }
    std::uint64_t hash() const { return sim_.hash(); }

private:
    static bool has_same_definition(const BodySpec& a, const BodySpec& b) {
        return a.dynamic == b.dynamic && a.hull.count == b.hull.count && a.hull.radius == b.hull.radius &&
               a.hull.points == b.hull.points && a.material.density == b.material.density &&
               a.material.friction == b.material.friction &&
               a.material.restitution == b.material.restitution &&
               a.options.linear_damping == b.options.linear_damping &&
               a.options.angular_damping == b.options.angular_damping && a.options.bullet == b.options.bullet;
    }

    // Equal bodies share a definition.
    rigid::Setup setup_for(math::Vec2 gravity, const std::vector<BodySpec>& bodies) {
        rigid::Setup setup;
        setup.config.gravity = gravity;
        setup.config.sleep_ticks = 0;
        std::vector<const BodySpec*> kinds;
        for (const BodySpec& body : bodies) {
            const auto like = std::find_if(kinds.begin(), kinds.end(), [&](const BodySpec* kind) {
                return has_same_definition(*kind, body);
            });
            body_def_index_.push_back(static_cast<std::uint16_t>(like - kinds.begin()));
            if (like != kinds.end()) continue;
            kinds.push_back(&body);
            rigid::Shape shape;
            shape.hull = body.hull;
            shape.material = body.material;
            const auto type = body.dynamic ? rigid::BodyType::dynamic : rigid::BodyType::fixed;
            setup.body_defs.push_back(*rigid::make_body_def(type, {shape}, body.options));
        }
        setup.max_bodies = static_cast<std::uint32_t>(bodies.size());
        setup.max_contacts = std::max(1024U, 4 * setup.max_bodies);
        return setup;
    }

    std::vector<std::uint16_t> body_def_index_;
    rigid::StandaloneSpace sim_;
    std::vector<std::byte> image_;
};

}  // namespace instep::bench
