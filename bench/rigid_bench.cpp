// SPDX-License-Identifier: MIT
// Rigid bodies against the engines that Debian packages: the quality of each in the scenes, then the time of
// a step, engines in turns; then saving and restoring, which the others lack; then how the cost grows with
// the bodies.
#include <bench/harness.h>
#include <bench/rigid_instep.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>

namespace instep::bench {
namespace {

// --- Quality

double energy_of(const RigidEngine& engine, const Scene& scene, const SceneSpace& space) {
    double energy = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        const Kinetics now = engine.look(i);
        energy += 0.5 * (space.body_def(i).mass * math::length_squared(now.velocity) +
                         space.body_def(i).inertia * now.angular_velocity * now.angular_velocity);
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
    const SceneSpace space = make_space(scene);
    Player player(scene, kind);
    const double energy = energy_of(player.engine(), scene, space);
    for (int i = 0; i < scene.steps; ++i) player.step();
    const RigidEngine& engine = player.engine();
    std::printf("  %-10s after %d steps of %-8s ", kind.name.c_str(), scene.steps, scene.name.c_str());
    if (scene.name == "arena" || scene.name == "elastic") {
        std::printf("%d shots escaped, %.3f of the energy left\n", escaped(engine, scene),
                    energy_of(engine, scene, space) / energy);
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

// --- Speed

// Every engine repeats the scene, with so many steps a sample that even the fastest is long against the
// clock's resolution.
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

// --- Rollback

void compare_rollback(Bench& bench) {
    const std::string titles[] = {"arena, save", "arena, restore", "arena, hash",
                                  "arena, restore and 8 steps"};
    if (std::ranges::none_of(titles, [&](const std::string& title) { return bench.wants(title); })) return;
    const Scene scene = load_scene("arena");
    if (scene.bodies.empty()) return;
    SceneSpace space = make_space(scene);
    for (int i = 0; i < 600; ++i) space.step(step_seconds);
    space.save();
    std::printf("  Instep     after 600 steps of arena: an image of %zu bytes\n", space.image_size());
    const auto limit = [](double microseconds) {
        return Alternative{std::to_string(static_cast<int>(microseconds)) + " us",
                           [microseconds] { spend_microseconds(microseconds); }};
    };
    bench.compare(
        {.name = titles[0], .reference = limit(5), .alternatives = {{"Instep", [&] { space.save(); }, 1}}});
    bench.compare({.name = titles[1],
                   .reference = limit(5),
                   .alternatives = {{"Instep", [&] { space.restore(); }, 1}}});
    bench.compare({.name = titles[2],
                   .reference = limit(5),
                   .alternatives = {{"Instep", [&] { keep(space.hash()); }, 1}}});
    bench.compare({.name = titles[3],
                   .reference = limit(250),
                   .alternatives = {{"Instep",
                                     [&] {
                                         space.restore();
                                         for (int i = 0; i < 8; ++i) space.step(step_seconds);
                                     },
                                     1}}});
}

// --- Scaling

BodySpec wall(Vec2 size, Vec2 at) {
    BodySpec body;
    body.hull = *rigid::make_box(size.x, size.y);
    body.position = at;
    return body;
}

// So many balls in a box, packed closely from the start: a larger falling pile would fall farther, and
// continuous collision of fast bodies would enter the measurement.
SceneSpace pile_of(int balls) {
    constexpr double radius = 0.25;
    const int side = static_cast<int>(std::ceil(std::sqrt(balls)));
    const double half = 1.002 * radius * side;
    const double row_height = 1.001 * std::sqrt(3.0) * radius;
    std::vector<BodySpec> bodies{wall({half + 2, 1}, {0, -1}), wall({1, 2 * half}, {-half - 1, 2 * half}),
                                 wall({1, 2 * half}, {half + 1, 2 * half})};
    for (int row = 0, left = balls; left > 0; ++row)
        for (int i = 0; i < side - row % 2 && left > 0; ++i, --left) {
            BodySpec ball;
            ball.dynamic = true;
            ball.hull = *rigid::make_circle(radius);
            ball.position = {(2 * i + 1 + row % 2) * 1.002 * radius - half, radius + row_height * row};
            bodies.push_back(ball);
        }
    SceneSpace space({0, -10}, bodies);
    for (int i = 0; i < 60; ++i) space.step(step_seconds);
    return space;
}

// So many boxes in a row on one floor, added in scattered order: one body has many contacts.
SceneSpace row_of(int boxes) {
    constexpr int stride = 7919;  // a prime
    std::vector<BodySpec> bodies{wall({0.3 * boxes + 2, 1}, {0, -1})};
    for (int i = 0; i < boxes; ++i) {
        BodySpec box;
        box.dynamic = true;
        box.hull = *rigid::make_box(0.25, 0.25);
        box.position = {0.55 * (static_cast<double>(static_cast<long>(i) * stride % boxes) - 0.5 * boxes),
                        0.25};
        bodies.push_back(box);
    }
    SceneSpace space({0, -10}, bodies);
    for (int i = 0; i < 60; ++i) space.step(step_seconds);
    return space;
}

// The time of a step per body, against a tenth of the bodies; n log n allows factors of 1.5 and 1.33.
void compare_growth(Bench& bench, const std::string& what, SceneSpace (*make)(int)) {
    const auto title = [&](const char* count) { return what + ", " + count + " of them, a body"; };
    if (!bench.wants(title("1,000")) && !bench.wants(title("10,000"))) return;
    struct Size {
        int bodies;
        const char* text;
        double at_most;
    };
    std::unique_ptr<SceneSpace> smaller;
    int smaller_bodies = 0;
    for (const Size& size : {Size{100, "100", 0}, Size{1000, "1,000", 1.5}, Size{10000, "10,000", 1.34}}) {
        auto space = std::make_unique<SceneSpace>(make(size.bodies));
        space->save();
        // Both run the same number of body-steps, from the same moment of the pile.
        const auto run = [](SceneSpace& pile, int steps) {
            return [&pile, steps] {
                pile.restore();
                for (int i = 0; i < steps; ++i) pile.step(step_seconds);
            };
        };
        if (smaller)
            bench.compare(
                {.name = title(size.text),
                 .operations = static_cast<double>(size.bodies),
                 .reference = {std::to_string(smaller_bodies), run(*smaller, size.bodies / smaller_bodies)},
                 .alternatives = {{"Instep", run(*space, 1), size.at_most}}});
        smaller = std::move(space);
        smaller_bodies = size.bodies;
    }
}

const Benchmark rigid{"rigid bodies", [](Bench& bench) {
                          compare_steps(bench, "arena", 20, 1);
                          compare_steps(bench, "elastic", 20, 1);
                          compare_steps(bench, "pyramid", 4, 1);
                          compare_steps(bench, "circles", 4, 1);
                          compare_rollback(bench);
                          compare_growth(bench, "a pile of balls", pile_of);
                          compare_growth(bench, "a row of boxes", row_of);
                      }};

}  // namespace
}  // namespace instep::bench
