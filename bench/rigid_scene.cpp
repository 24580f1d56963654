// SPDX-License-Identifier: MIT
#include <bench/rigid_scene.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace instep::bench {
namespace {

std::vector<EngineKind>& registry() {
    static std::vector<EngineKind> kinds;
    return kinds;
}

std::filesystem::path scene_file(const std::string& name) {
    std::error_code unreadable;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
    for (std::filesystem::path folder : {std::filesystem::current_path(), program.parent_path()})
        for (; folder.has_relative_path(); folder = folder.parent_path())
            if (auto file = folder / "bench/scenes" / (name + ".txt"); std::filesystem::exists(file))
                return file;
    return {};
}

// A ship thrusts in the next of eight directions every second, and its torque changes sign every half second.
void steer(const Scene& scene, int step, RigidEngine& engine) {
    constexpr double half_root = 0.70710678118654757;
    constexpr Vec2 directions[] = {{1, 0},  {half_root, half_root},   {0, 1},  {-half_root, half_root},
                                   {-1, 0}, {-half_root, -half_root}, {0, -1}, {half_root, -half_root}};
    for (std::uint32_t i = 0; i < scene.ships.size(); ++i) {
        const auto second = static_cast<std::uint32_t>(step / 60);
        const auto half_second = static_cast<std::uint32_t>(step / 30);
        const double torque = (i + half_second) % 2 == 1 ? 0.5 : -0.5;
        engine.push(scene.ships[i], 8 * directions[(i + second) % 8], torque);
    }
}

}  // namespace

EngineEntry::EngineEntry(EngineKind kind) { registry().push_back(std::move(kind)); }

std::vector<EngineKind> all_engines() {
    std::vector<EngineKind> kinds = registry();
    std::ranges::stable_sort(kinds, {}, [](const EngineKind& kind) { return kind.name != "Instep"; });
    return kinds;
}

Scene load_scene(const std::string& name) {
    Scene scene;
    scene.name = name;
    std::ifstream file(scene_file(name));
    for (std::string line, word; std::getline(file, line);) {
        std::istringstream words(line);
        words >> word;
        if (word == "world") {
            words >> scene.gravity.x >> scene.gravity.y >> scene.steps;
            continue;
        }
        SceneBody body;
        int type = 0;
        words >> body.tag >> type >> body.position.x >> body.position.y >> body.velocity.x >>
            body.velocity.y >> body.linear_damping >> body.angular_damping >> body.shape >> body.size.x >>
            body.size.y >> body.density >> body.friction >> body.restitution;
        body.dynamic = type == 1;
        if (body.tag == "ship") scene.ships.push_back(static_cast<std::uint32_t>(scene.bodies.size()));
        scene.bodies.push_back(body);
    }
    return scene;
}

Player::Player(const Scene& scene, EngineKind kind)
    : scene_(&scene), kind_(std::move(kind)), engine_(kind_.make(scene)) {}

void Player::step() {
    if (next_ == scene_->steps) {
        engine_ = kind_.make(*scene_);
        next_ = 0;
    }
    steer(*scene_, next_++, *engine_);
    engine_->step();
}

}  // namespace instep::bench
