// SPDX-License-Identifier: MIT
// The scenes of the rigid-body benchmark (bench/scenes/README.md) and the interface of an engine. Each engine
// is one file, bench/rigid_<engine>.cpp, and registers itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <instep/math/vec2.h>

namespace instep::bench {

using math::Vec2;

inline constexpr double step_seconds = 1.0 / 60;

struct SceneBody {
    std::string tag;
    bool dynamic = false;
    Vec2 position{};
    Vec2 velocity{};
    double linear_damping = 0;
    double angular_damping = 0;
    char shape =
        'c';  // 'c' a circle of radius `size.x`, 'b' a box of half extents `size`, 't' the ship's triangle
    Vec2 size{};
    double density = 1;
    double friction = 0;
    double restitution = 0;

    bool is_shot() const {
        return tag == "shot";
    }  // a bullet: continuous collision against dynamic bodies too
};

struct Scene {
    std::string name;
    Vec2 gravity{};
    int steps = 0;
    std::vector<SceneBody> bodies;
    std::vector<std::uint32_t> ships;  // indices among the bodies
};

inline constexpr Vec2 ship_corners[] = {{0, 1}, {-0.5, -0.5}, {0.5, -0.5}};

struct Kinetics {
    Vec2 position{};  // of the centre of mass
    Vec2 velocity{};
    double angle = 0;
    double angular_velocity = 0;
};

// One world of one engine. Sleeping is off; continuous collision is on if the engine has it.
class RigidEngine {
public:
    virtual ~RigidEngine() = default;
    virtual void push(std::uint32_t body, Vec2 force, double torque) = 0;  // for the next step
    virtual void step() = 0;
    virtual Kinetics look(std::uint32_t body) const = 0;
};

struct EngineKind {
    std::string name;
    std::function<std::unique_ptr<RigidEngine>(const Scene&)> make;
};

// Engines register themselves; Instep's is the first.
struct EngineEntry {
    explicit EngineEntry(EngineKind kind);
};
std::vector<EngineKind> all_engines();

// Reads bench/scenes/<name>.txt from the tree that this program was started or built in; no bodies if the
// file is missing.
Scene load_scene(const std::string& name);

// A scene that an engine repeats from its start.
class Player {
public:
    Player(const Scene& scene, EngineKind kind);

    void step();
    int next_step() const { return next_; }
    const RigidEngine& engine() const { return *engine_; }

private:
    const Scene* scene_;
    EngineKind kind_;
    std::unique_ptr<RigidEngine> engine_;
    int next_ = 0;
};

}  // namespace instep::bench
