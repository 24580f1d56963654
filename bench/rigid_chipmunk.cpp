// SPDX-License-Identifier: MIT
// Debian's Chipmunk 7 as a peer; built if chipmunk-dev is installed. It has no continuous collision.
#include <bench/rigid_scene.h>

#include <chipmunk/chipmunk.h>

namespace instep::bench {
namespace {

// Chipmunk's damping belongs to the whole space; here every body has its own, as in the other engines.
struct Damping {
    double linear = 0;
    double angular = 0;
};

void change_velocity(cpBody* body, cpVect gravity, cpFloat, cpFloat dt) {
    cpBodyUpdateVelocity(body, gravity, 1, dt);
    const auto* damping = static_cast<const Damping*>(cpBodyGetUserData(body));
    cpBodySetVelocity(body, cpvmult(cpBodyGetVelocity(body), 1 / (1 + dt * damping->linear)));
    cpBodySetAngularVelocity(body, cpBodyGetAngularVelocity(body) / (1 + dt * damping->angular));
}

class ChipmunkEngine : public RigidEngine {
public:
    explicit ChipmunkEngine(const Scene& scene) : space_(cpSpaceNew()), damping_(scene.bodies.size()) {
        cpSpaceSetGravity(space_, cpv(scene.gravity.x, scene.gravity.y));
        cpSpaceSetIterations(space_, 8);
        for (const SceneBody& body : scene.bodies) add(body);
    }
    ChipmunkEngine(const ChipmunkEngine&) = delete;
    ChipmunkEngine& operator=(const ChipmunkEngine&) = delete;
    ~ChipmunkEngine() override {
        for (cpShape* shape : shapes_) {
            cpSpaceRemoveShape(space_, shape);
            cpShapeFree(shape);
        }
        for (cpBody* body : bodies_) {
            cpSpaceRemoveBody(space_, body);
            cpBodyFree(body);
        }
        cpSpaceFree(space_);
    }
    void push(std::uint32_t body, Vec2 force, double torque) override {
        cpBodySetForce(bodies_[body], cpv(force.x, force.y));
        cpBodySetTorque(bodies_[body], torque);
    }
    void step() override { cpSpaceStep(space_, step_seconds); }
    Kinetics look(std::uint32_t number) const override {
        cpBody* body = bodies_[number];
        const cpVect at = cpBodyLocalToWorld(body, cpBodyGetCenterOfGravity(body));
        const cpVect velocity = cpBodyGetVelocity(body);
        return {{at.x, at.y}, {velocity.x, velocity.y}, cpBodyGetAngle(body), cpBodyGetAngularVelocity(body)};
    }

private:
    void add(const SceneBody& given) {
        cpBody* body = cpSpaceAddBody(space_, given.dynamic ? cpBodyNew(0, 0) : cpBodyNewStatic());
        cpShape* shape = nullptr;
        if (given.shape == 'c') {
            shape = cpCircleShapeNew(body, given.size.x, cpvzero);
        } else if (given.shape == 'b') {
            shape = cpBoxShapeNew(body, 2 * given.size.x, 2 * given.size.y, 0);
        } else {
            cpVect corners[3];
            for (int i = 0; i < 3; ++i) corners[i] = cpv(ship_corners[i].x, ship_corners[i].y);
            shape = cpPolyShapeNew(body, 3, corners, cpTransformIdentity, 0);
        }
        cpSpaceAddShape(space_, shape);
        if (given.dynamic) cpShapeSetDensity(shape, given.density);
        cpShapeSetFriction(shape, given.friction);
        cpShapeSetElasticity(shape, given.restitution);
        cpBodySetPosition(body, cpv(given.position.x, given.position.y));
        if (!given.dynamic) cpSpaceReindexShapesForBody(space_, body);
        if (given.dynamic) cpBodySetVelocity(body, cpv(given.velocity.x, given.velocity.y));
        if (given.linear_damping > 0 || given.angular_damping > 0) {
            damping_[bodies_.size()] = {given.linear_damping, given.angular_damping};
            cpBodySetUserData(body, &damping_[bodies_.size()]);
            cpBodySetVelocityUpdateFunc(body, change_velocity);
        }
        bodies_.push_back(body);
        shapes_.push_back(shape);
    }

    cpSpace* space_;
    std::vector<Damping> damping_;
    std::vector<cpBody*> bodies_;
    std::vector<cpShape*> shapes_;
};

const EngineEntry entry{
    {"Chipmunk 7", [](const Scene& scene) { return std::make_unique<ChipmunkEngine>(scene); }}};

}  // namespace
}  // namespace instep::bench
