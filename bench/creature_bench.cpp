// SPDX-License-Identifier: MIT
// Creatures against what was promised: a chain of twelve nodes at twelve million node-steps a second, three
// hundred lizards of 22 nodes with legs and collisions within a millisecond, a cost that grows as their
// number does, and a full room's worth of the longest bodies in one heap within a tick.
#include <bench/harness.h>

#include <creature/creature.h>
#include <instep/match/builtin_levels.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace instep::bench {
namespace {

using namespace worlds::creature;

// --- Who is measured ---------------------------------------------------------------------------------------

SceneNode node_at(Vec2 position, double radius, double limit) {
    SceneNode node;
    node.position = node.previous = node.target = position;
    node.radius = radius;
    node.angle_min = -limit;
    node.angle_max = limit;
    return node;
}

// Led round an ellipse, so that its bends keep changing.
Scene chain(std::uint32_t nodes) {
    Scene scene{.name = "chain", .born = nodes};
    for (std::uint32_t i = 0; i < scene.born; ++i) {
        scene.nodes.push_back(node_at({-20.0 * i, 0}, 5, 0.7853982));
        if (i > 0) scene.edges.push_back({20, i - 1, i});
    }
    SceneNode& head = scene.nodes[0];
    head.kind = NodeKind::anchor;
    head.movement = Movement::procedural;
    head.path = Path::circle;
    head.path_amplitude = {150, 90};
    head.movement_speed = 6;
    return scene;
}

// The lizard of the garden with three nodes of its tail come out: a wanderer, with a spine of fourteen nodes
// and four legs of two joints.
Scene lizard() {
    constexpr std::uint32_t nodes = 22;
    const auto levels = match::builtin_levels();
    const auto garden = std::find_if(levels.begin(), levels.end(), [](const match::BuiltinLevel& level) {
        return level.world == "creature" && level.name == "garden";
    });
    const auto level = state::parse_json(garden->json, "garden");
    auto scene = read_scene(level->find("plans")->array()->front(), "plans[0]", UnknownFields::are_errors);
    scene->nodes.resize(nodes);
    std::erase_if(scene->edges, [](const SceneEdge& edge) { return std::max(edge.a, edge.b) >= nodes; });
    scene->born = nodes;
    return *scene;
}

constexpr double garden_ground = 2560.0 * 1440 / 32;  // u² for each, as 32 have in the garden

// So many of them in rows, each with so much ground.
Setup crowd_of(const Scene& scene, std::uint32_t count, double ground) {
    Setup setup{.rules = faithful};
    auto plans = make_plans(scene, scene.name, false);
    if (!plans) {
        std::cerr << plans.error().text() << "\n";
        std::abort();
    }
    setup.plans = std::move(*plans);
    setup.player_plans = 1;
    const double side = std::sqrt(ground * count) / 2;
    setup.playground = {
        .half_width = side * 1.25, .half_height = side / 1.25, .most_players = 1, .most_creatures = count};
    const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
    math::Random random = math::Random::from_seed(7);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto part = [columns](std::uint32_t place) { return (2 * place + 1.0) / columns - 1; };
        const Vec2 at{part(i % columns) * setup.playground.half_width * 0.9,
                      part(i / columns) * setup.playground.half_height * 0.9};
        setup.residents.push_back({0, at, random.uniform(-math::pi, math::pi)});
    }
    return setup;
}

struct Crowd {
    Setup setup;
    state::Layout layout;
    state::Block block;
    State state;
    std::array<Event, 16> event_room{};
    std::array<Input, 1> inputs{};

    Crowd(const Scene& scene, std::uint32_t count, double ground = garden_ground)
        : setup(crowd_of(scene, count, ground)),
          layout(state::make_layout<State>(setup)),
          block(layout),
          state(state::bind<State>(layout, block.data())) {
        *state.head = {};
        worlds::creature::start(state, setup);
        for (int tick = 0; tick < 300; ++tick) step();  // until they have spread and walk
    }
    void step() {
        contract::Events<Event> events(event_room);
        worlds::creature::step(state, setup, {{}, {}, inputs}, events);
    }
};

// --- Comparisons -------------------------------------------------------------------------------------------

void compare_chain(Bench& bench) {
    constexpr int ticks = 100;
    Crowd one(chain(12), 1);
    bench.compare({.name = "a chain of 12, a node-step",
                   .operations = 12 * ticks,
                   .reference = {"12 M a second", [] { spend_microseconds(ticks); }},
                   .alternatives = {{"step",
                                     [&] {
                                         for (int i = 0; i < ticks; ++i) one.step();
                                     },
                                     1}}});
}

void compare_crowd(Bench& bench) {
    Crowd crowd(lizard(), 300);
    bench.compare({.name = "300 lizards of 22 nodes, a tick",
                   .reference = {"1 ms", [] { spend_microseconds(1000); }},
                   .alternatives = {{"step", [&] { crowd.step(); }, 1}}});
}

void compare_heap(Bench& bench) {
    Crowd heap(chain(64), 32, garden_ground / 40);
    bench.compare({.name = "32 bodies of 64 nodes in one heap, a tick",
                   .reference = {"a tick at 60 Hz", [] { spend_microseconds(1e6 / 60); }},
                   .alternatives = {{"step", [&] { heap.step(); }, 1}}});
}

// The cost of one lizard among 30, 300 and 3,000, each beside the one among 300.
void compare_sizes(Bench& bench) {
    const auto few = std::make_shared<Crowd>(lizard(), 30);
    const auto some = std::make_shared<Crowd>(lizard(), 300);
    const auto many = std::make_shared<Crowd>(lizard(), 3000);
    const auto ten = [](const std::shared_ptr<Crowd>& crowd, int ticks) {
        return [crowd, ticks] {
            for (int i = 0; i < ticks; ++i) crowd->step();
        };
    };
    bench.compare({.name = "a lizard's tick, in a crowd of",
                   .operations = 3000,
                   .reference = {"300", ten(some, 10)},
                   .alternatives = {{"30", ten(few, 100)}, {"3,000", ten(many, 1), 1.5}}});
}

const Benchmark creature{"creature", [](Bench& bench) {
                             compare_chain(bench);
                             compare_crowd(bench);
                             compare_heap(bench);
                             compare_sizes(bench);
                         }};

}  // namespace
}  // namespace instep::bench
