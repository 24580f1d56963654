// SPDX-License-Identifier: MIT
// Rigid bodies beside the engines that Debian packages: first how well each plays the scenes, then how fast,
// step against step in turns; then what only ours can do, saving and restoring; then how cost grows.
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

// --- How well

double energy_of(const RigidEngine& engine, const Scene& scene, const RigidRoom& forms) {
    double energy = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        const Kinetics now = engine.look(i);
        energy += 0.5 * (forms.form(i).mass * math::length_squared(now.velocity) +
                         forms.form(i).inertia * now.angular_velocity * now.angular_velocity);
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
    const RigidRoom forms = room_for(scene);
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

// --- What only ours can do

void compare_rollback(Bench& bench) {
    const std::string titles[] = {"arena, save", "arena, restore", "arena, hash",
                                  "arena, restore and 8 steps"};
    if (std::ranges::none_of(titles, [&](const std::string& title) { return bench.wants(title); })) return;
    const Scene scene = load_scene("arena");
    if (scene.bodies.empty()) return;
    RigidRoom room = room_for(scene);
    for (int i = 0; i < 600; ++i) room.step(step_seconds);
    room.save();
    std::printf("  Instep     after 600 steps of arena: an image of %zu bytes\n", room.image_size());
    const auto limit = [](double microseconds) {
        return Alternative{std::to_string(static_cast<int>(microseconds)) + " us",
                           [microseconds] { spend_microseconds(microseconds); }};
    };
    bench.compare(
        {.name = titles[0], .reference = limit(5), .alternatives = {{"Instep", [&] { room.save(); }, 1}}});
    bench.compare(
        {.name = titles[1], .reference = limit(5), .alternatives = {{"Instep", [&] { room.restore(); }, 1}}});
    bench.compare({.name = titles[2],
                   .reference = limit(5),
                   .alternatives = {{"Instep", [&] { keep(room.hash()); }, 1}}});
    bench.compare({.name = titles[3],
                   .reference = limit(250),
                   .alternatives = {{"Instep",
                                     [&] {
                                         room.restore();
                                         for (int i = 0; i < 8; ++i) room.step(step_seconds);
                                     },
                                     1}}});
}

// --- How cost grows

RoomBody wall(Vec2 size, Vec2 at) {
    RoomBody body;
    body.hull = *rigid::make_box(size.x, size.y);
    body.position = at;
    return body;
}

// So many balls in a box, packed closely from the beginning: one that fell would fall the farther the larger
// it is, and sweep what falls fast.
RigidRoom pile_of(int balls) {
    constexpr double radius = 0.25;
    const int side = static_cast<int>(std::ceil(std::sqrt(balls)));
    const double half = 1.002 * radius * side;
    const double row_height = 1.001 * std::sqrt(3.0) * radius;
    std::vector<RoomBody> bodies{wall({half + 2, 1}, {0, -1}), wall({1, 2 * half}, {-half - 1, 2 * half}),
                                 wall({1, 2 * half}, {half + 1, 2 * half})};
    for (int row = 0, left = balls; left > 0; ++row)
        for (int i = 0; i < side - row % 2 && left > 0; ++i, --left) {
            RoomBody ball;
            ball.dynamic = true;
            ball.hull = *rigid::make_circle(radius);
            ball.position = {(2 * i + 1 + row % 2) * 1.002 * radius - half, radius + row_height * row};
            bodies.push_back(ball);
        }
    RigidRoom room({0, -10}, bodies);
    for (int i = 0; i < 60; ++i) room.step(step_seconds);
    return room;
}

// So many boxes beside each other on one floor, dealt out in no order: what touches one body is many.
RigidRoom row_of(int boxes) {
    constexpr int stride = 7919;  // a prime
    std::vector<RoomBody> bodies{wall({0.3 * boxes + 2, 1}, {0, -1})};
    for (int i = 0; i < boxes; ++i) {
        RoomBody box;
        box.dynamic = true;
        box.hull = *rigid::make_box(0.25, 0.25);
        box.position = {0.55 * (static_cast<double>(static_cast<long>(i) * stride % boxes) - 0.5 * boxes),
                        0.25};
        bodies.push_back(box);
    }
    RigidRoom room({0, -10}, bodies);
    for (int i = 0; i < 60; ++i) room.step(step_seconds);
    return room;
}

// Ten times the bodies, and by n log n that times 1.5 and 1.33: a body's step against one among fewer.
void compare_growth(Bench& bench, const std::string& what, RigidRoom (*make)(int)) {
    const auto title = [&](const char* count) { return what + ", " + count + " of them, a body"; };
    if (!bench.wants(title("1,000")) && !bench.wants(title("10,000"))) return;
    struct Size {
        int bodies;
        const char* text;
        double at_most;
    };
    std::unique_ptr<RigidRoom> smaller;
    int smaller_bodies = 0;
    for (const Size& size : {Size{100, "100", 0}, Size{1000, "1,000", 1.5}, Size{10000, "10,000", 1.34}}) {
        auto room = std::make_unique<RigidRoom>(make(size.bodies));
        room->save();
        // As many body-steps each, from the same moment of the pile.
        const auto run = [](RigidRoom& pile, int steps) {
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
                 .alternatives = {{"Instep", run(*room, 1), size.at_most}}});
        smaller = std::move(room);
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
