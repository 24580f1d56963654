// SPDX-License-Identifier: MIT
// Debian's Box2D 2.4 as a peer; built if libbox2d-dev is installed.
#include <bench/rigid_scene.h>

#include <box2d/box2d.h>

namespace instep::bench {
namespace {

b2Vec2 to_box2d(Vec2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

class Box2dEngine : public RigidEngine {
public:
    explicit Box2dEngine(const Scene& scene) : world_(to_box2d(scene.gravity)) {
        world_.SetAllowSleeping(false);
        for (const SceneBody& body : scene.bodies) add(body);
    }
    void push(std::uint32_t body, Vec2 force, double torque) override {
        bodies_[body]->ApplyForceToCenter(to_box2d(force), true);
        bodies_[body]->ApplyTorque(static_cast<float>(torque), true);
    }
    void step() override { world_.Step(static_cast<float>(step_seconds), 8, 3); }
    Kinetics look(std::uint32_t number) const override {
        const b2Body& body = *bodies_[number];
        const b2Vec2 at = body.GetWorldCenter();
        const b2Vec2 velocity = body.GetLinearVelocity();
        return {{at.x, at.y}, {velocity.x, velocity.y}, body.GetAngle(), body.GetAngularVelocity()};
    }

private:
    void add(const SceneBody& body) {
        b2BodyDef definition;
        definition.type = body.dynamic ? b2_dynamicBody : b2_staticBody;
        definition.position = to_box2d(body.position);
        definition.linearVelocity = to_box2d(body.velocity);
        definition.linearDamping = static_cast<float>(body.linear_damping);
        definition.angularDamping = static_cast<float>(body.angular_damping);
        definition.bullet = body.is_shot();
        bodies_.push_back(world_.CreateBody(&definition));

        b2FixtureDef fixture;
        fixture.density = static_cast<float>(body.density);
        fixture.friction = static_cast<float>(body.friction);
        fixture.restitution = static_cast<float>(body.restitution);
        b2CircleShape circle;
        b2PolygonShape polygon;
        fixture.shape = &polygon;
        if (body.shape == 'c') {
            circle.m_radius = static_cast<float>(body.size.x);
            fixture.shape = &circle;
        } else if (body.shape == 'b') {
            polygon.SetAsBox(static_cast<float>(body.size.x), static_cast<float>(body.size.y));
        } else {
            b2Vec2 corners[3];
            for (int i = 0; i < 3; ++i) corners[i] = to_box2d(ship_corners[i]);
            polygon.Set(corners, 3);
        }
        bodies_.back()->CreateFixture(&fixture);
    }

    b2World world_;
    std::vector<b2Body*> bodies_;
};

const EngineEntry entry{
    {"Box2D 2.4", [](const Scene& scene) { return std::make_unique<Box2dEngine>(scene); }}};

}  // namespace
}  // namespace instep::bench
