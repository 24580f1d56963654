// SPDX-License-Identifier: MIT
// Instep's engine (src/rigid) behind the interface of the benchmark.
#include <bench/rigid_instep.h>

#include <array>

namespace instep::bench {
namespace {

rigid::Hull hull_of(const SceneBody& body) {
    if (body.shape == 'c') return *rigid::make_circle(body.size.x);
    if (body.shape == 'b') return *rigid::make_box(body.size.x, body.size.y);
    return *rigid::make_polygon(ship_corners);
}

class InstepEngine : public RigidEngine {
public:
    explicit InstepEngine(const Scene& scene) : space_(make_space(scene)) {}
    void push(std::uint32_t body, Vec2 force, double torque) override {
        space_.push(body, force, torque, step_seconds);
    }
    void step() override { space_.step(step_seconds); }
    Kinetics look(std::uint32_t number) const override {
        const rigid::Body& body = space_[number];
        return {body.position, body.velocity, body.angle, body.angular_velocity};
    }

private:
    SceneSpace space_;
};

const EngineEntry entry{{"Instep", [](const Scene& scene) { return std::make_unique<InstepEngine>(scene); }}};

}  // namespace

SceneSpace make_space(const Scene& scene) {
    std::vector<BodySpec> bodies;
    for (const SceneBody& body : scene.bodies) {
        BodySpec made;
        made.dynamic = body.dynamic;
        made.hull = hull_of(body);
        made.material = {body.density, body.friction, body.restitution};
        made.options.linear_damping = body.linear_damping;
        made.options.angular_damping = body.angular_damping;
        made.options.bullet = body.is_shot();
        made.position = body.position;
        made.velocity = body.velocity;
        bodies.push_back(made);
    }
    return SceneSpace(scene.gravity, bodies);
}

}  // namespace instep::bench
