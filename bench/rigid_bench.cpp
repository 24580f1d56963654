// SPDX-License-Identifier: MIT
// Rigid bodies beside the engines that Debian packages: first how well each plays the scenes, then how fast,
// step against step in turns; then what only ours can do, saving and restoring; then how cost grows.
#include <bench/harness.h>
#include <bench/rigid_instep.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

namespace instep::bench {
namespace {

// --- How well

double energy_of(const RigidEngine& engine, const Scene& scene, const rigid::Setup& forms) {
    double energy = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        const Kinetics now = engine.look(i);
        energy += 0.5 * (forms.forms[i].mass * math::length_squared(now.velocity) +
                         forms.forms[i].inertia * now.angular_velocity * now.angular_velocity);
    }
    return energy;
}

int escaped(const RigidEngine& engine, const Scene& scene) {
    int count = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec2 at = engine.look(i).position;
        const bool inside = std::fabs(at.x) <= 100.5 && std::fabs(at.y) <= 100.5;
        if (scene.bodies[i].is_shot() && !inside) ++count;
    }
    return count;
}

double greatest_speed(const RigidEngine& engine, const Scene& scene) {
    double most = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
        most = std::max(most, math::length(engine.look(i).velocity));
    return most;
}

double greatest_overlap(const RigidEngine& engine, const Scene& scene) {
    double most = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
        for (std::uint32_t k = 0; k < i; ++k) {
            if (scene.bodies[i].shape != 'c' || scene.bodies[k].shape != 'c') continue;
            const double radii = scene.bodies[i].size.x + scene.bodies[k].size.x;
            most = std::max(most, radii - math::distance(engine.look(i).position, engine.look(k).position));
        }
    return most;
}

void print_outcome(const Scene& scene, const EngineKind& kind) {
    const rigid::Setup forms = room_for(scene).setup();
    Player player(scene, kind);
    const double energy = energy_of(player.engine(), scene, forms);
    for (int i = 0; i < scene.steps; ++i) player.step();
    const RigidEngine& engine = player.engine();
    std::printf("  %-10s after %d steps of %-8s ", kind.name.c_str(), scene.steps, scene.name.c_str());
    if (scene.name == "arena" || scene.name == "elastic") {
        std::printf("%d shots escaped, %.3f of the energy left\n", escaped(engine, scene),
                    energy_of(engine, scene, forms) / energy);
    } else if (scene.name == "pyramid") {
        const auto top = static_cast<std::uint32_t>(scene.bodies.size() - 1);
        const Vec2 moved = engine.look(top).position - scene.bodies[top].position;
        std::printf("top box %.3f lower and %.3f to the side, greatest speed %.4f\n", -moved.y, moved.x,
                    greatest_speed(engine, scene));
    } else {
        std::printf("greatest overlap %.4f, greatest speed %.4f\n", greatest_overlap(engine, scene),
                    greatest_speed(engine, scene));
    }
    std::fflush(stdout);
}

// --- How fast

// Every engine goes through the scene again and again, so many steps at a time that even the fastest is long
// enough for the clock.
void compare_steps(Bench& bench, const std::string& name, int steps_a_run, double at_most) {
    const std::string title = name + ", a step";
    if (!bench.wants(title)) return;
    const Scene scene = load_scene(name);
    if (scene.bodies.empty()) {
        std::cerr << "  bench/scenes/" << name << ".txt is not there: left out.\n";
        return;
    }
    const auto run = [steps_a_run](const std::shared_ptr<Player>& player) {
        return [player, steps_a_run] {
            for (int i = 0; i < steps_a_run; ++i) player->step();
        };
    };
    const std::vector<EngineKind> kinds = all_engines();
    for (const EngineKind& kind : kinds) print_outcome(scene, kind);
    for (std::size_t i = 1; i < kinds.size(); ++i) {
        bench.compare(
            {.name = title,
             .operations = static_cast<double>(steps_a_run),
             .reference = {kinds[i].name, run(std::make_shared<Player>(scene, kinds[i]))},
             .alternatives = {{"Instep", run(std::make_shared<Player>(scene, kinds[0])), at_most}}});
    }
}

const Benchmark rigid{"rigid bodies", [](Bench& bench) {
                          compare_steps(bench, "arena", 20, 1);
                          compare_steps(bench, "elastic", 20, 1);
                          compare_steps(bench, "pyramid", 4, 1);
                          compare_steps(bench, "circles", 4, 1);
                      }};

}  // namespace
}  // namespace instep::bench
