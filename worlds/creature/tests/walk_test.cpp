// SPDX-License-Identifier: MIT
// An hour of ticks, with every law of the body looked at in every one of them.
#include <creature/creature.h>

#include <creature/tests/laws.h>
#include <creature/tests/room.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace instep;
using namespace instep::test;

namespace {

constexpr int hour = 60 * 3600;  // ticks

// What the constraint phase of the next tick makes of a body.
Body after_constraints(Body creature, const Room& room) {
    const BodyPlan& plan = room.plan_of(creature);
    glide(creature, plan, room.size(creature), room.setup, room.state.head->tick);
    hold_together(creature, plan, room.size(creature), room.setup.rules);
    return creature;
}

// Bones between the joints of limbs; with three joints or more, one that is brought to its side may be torn
// from the next, as in the original.
double worst_limb(const Body& creature, const BodyPlan& plan) {
    double worst = 0;
    for (const PlanLimb& limb : plan.limbs)
        for (std::uint32_t i = 1; i < limb.joint_count && limb.joint_count <= 2; ++i)
            worst = std::max(worst, std::abs(distance(creature.nodes[limb.joints[i - 1]].position,
                                                      creature.nodes[limb.joints[i]].position) -
                                             limb.bones[i].length));
    return worst;
}

struct Walk {
    double way = 0;  // of all heads
    int steps = 0;   // of all feet
    bool planted_feet_stay = true;

    void see(const Body& before, const Body& creature, const BodyPlan& plan) {
        way += distance(before.nodes[plan.head].position, creature.nodes[plan.head].position);
        for (std::size_t i = 0; i < plan.limbs.size(); ++i) {
            const Foot& was = before.feet[i];
            const Foot& is = creature.feet[i];
            if (is.phase != worlds::creature::FootPhase::planted) continue;
            if (was.phase == worlds::creature::FootPhase::stepping) ++steps;
            if (was.phase == worlds::creature::FootPhase::planted && !(was.from == is.from))
                planted_feet_stay = false;
        }
    }
};

// An hour in which a player, if there is one, points somewhere else every other second. `outside` is how far
// beyond the walls a node may be.
Walk walk_for_an_hour(Room& room, double outside) {
    Walk walk;
    auto random = math::Random::from_seed(1);
    const motion::Box walls = room.setup.walls().shrunk(-outside);
    const motion::Box edge = room.setup.edge();
    std::vector<Body> before;
    for (int tick = 0; tick < hour; ++tick) {
        if (tick % 120 == 0) {
            const double x = random.uniform(edge.low.x, edge.high.x);
            const double y = random.uniform(edge.low.y, edge.high.y);
            room.inputs[0].pointer = {x, y};
        }
        before.assign(room.state.creatures.begin(), room.state.creatures.end());
        room.step();
        for (std::uint32_t place = 0; place < room.state.creatures.size(); ++place) {
            const Body& creature = room.body(place);
            const BodyPlan& plan = room.plan_of(creature);
            walk.see(before[place], creature, plan);
            const Body held = after_constraints(creature, room);
            REQUIRE(worst_strain(held, plan, room.size(held)) < 1e-12);
            REQUIRE(worst_bend(held, plan, room.size(held)) < 1e-9);
            REQUIRE(worst_limb(creature, plan) < 1e-9);
            for (std::uint32_t i = 0; i < room.size(creature).nodes; ++i)
                if (plan.nodes[i].kind != NodeKind::limb) REQUIRE(walls.contains(creature.nodes[i].position));
        }
        room.check_legal();
    }
    CHECK(walk.planted_feet_stay);
    return walk;
}

// Scenes that are not ours to ship, in the folder that INSTEP_SCENES names.
std::vector<std::filesystem::path> scenes_from_elsewhere() {
    std::vector<std::filesystem::path> scenes;
    const char* const folder = std::getenv("INSTEP_SCENES");
    if (!folder) return scenes;
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".json") scenes.push_back(file.path());
    REQUIRE_MESSAGE(!scenes.empty(), "no scene is in the folder of INSTEP_SCENES");
    return scenes;
}

}  // namespace

TEST_CASE("creature walk: each plan of ours walks for an hour with every law holding") {
    for (const std::string_view plan : {"lizard", "snake", "spider", "fish"}) {
        CAPTURE(plan);
        Room room(wild(plan, 1, R"("faithful")"));
        const Walk walk = walk_for_an_hour(room, 0);
        CHECK(walk.way > 100'000);
        if (!room.plan_of(room.body()).limbs.empty()) CHECK(walk.steps > 10'000);
    }
}

TEST_CASE(
    "creature walk: a scene in the words of the original is loaded as it is and lives for an hour with every "
    "law holding") {
    Room room(setup_of(text_of(source_dir() / "worlds/creature/tests/scenes/pond.json")));
    CHECK(room.setup.scene_creatures == 6);
    room.join(0);
    const Walk walk = walk_for_an_hour(room, 30);  // circles may push each other through a wall for a tick
    CHECK(walk.way > 1'000'000);
    CHECK(walk.steps > 10'000);
    for (const std::filesystem::path& scene : scenes_from_elsewhere()) {
        CAPTURE(scene);
        Room other(setup_of(text_of(scene)));
        if (other.setup.playground.most_players > 0) other.join(0);
        CHECK(walk_for_an_hour(other, 30).way > 1000);
    }
}
