// SPDX-License-Identifier: MIT
// The laws of a body, each on the phase that promises it.
#include <creature/body.h>

#include <creature/tests/laws.h>
#include <creature/tests/room.h>
#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <algorithm>

using namespace instep;
using namespace instep::test;

namespace {

// The phases before walls and others, with the head led to `pointer`.
void move(Room& room, Body& creature, Vec2 pointer) {
    const BodyPlan& plan = room.plan_of(creature);
    move_anchors(creature, plan, room.setup, &pointer, 0, {});
    glide(creature, plan, room.size(creature), room.setup, room.state.head->tick);
    hold_together(creature, plan, room.size(creature), room.setup.rules);
}

Rules with_solver(Solver solver) {
    Rules rules = faithful;
    rules.solver = solver;
    return rules;
}

Vec2 momentum(const Body& creature, std::uint32_t count) {
    Vec2 sum;
    for (std::uint32_t i = 0; i < count; ++i) sum += creature.nodes[i].velocity;
    return sum;
}

Vec2 somewhere(math::Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size)};
}

// A lizard that follows the pointer: a spine, and two legs that bend to opposite sides.
Scene walker() {
    Scene scene = chain_scene(8, 30, 0.6, Movement::follow_target);
    scene.nodes[0].movement_speed = 6;
    for (const double side : {1.0, -1.0}) {
        SceneLimb leg{.body = 2, .where = "leg"};
        std::uint32_t before = 2;
        for (int i = 0; i < 2; ++i) {
            SceneNode joint;
            joint.kind = NodeKind::limb;
            joint.position = joint.previous = scene.nodes[before].position + Vec2{0, 30 * side};
            joint.angle_min = -2.5;
            joint.angle_max = 2.5;
            const auto index = static_cast<std::uint32_t>(scene.nodes.size());
            scene.nodes.push_back(joint);
            scene.edges.push_back({30, before, index});
            leg.joints.push_back(index);
            before = index;
        }
        leg.bends = {side > 0, false};
        leg.style.max_reach = 45;
        leg.style.target_direction_offset = -2 * side;
        scene.limbs.push_back(leg);
    }
    return scene;
}

Scene mirrored(Scene scene) {
    const auto flip = [](Vec2& v) { v.x = -v.x; };
    for (SceneNode& node : scene.nodes) {
        flip(node.position);
        flip(node.previous);
        flip(node.acceleration);
        flip(node.constant_acceleration);
        const double low = node.angle_min;
        node.angle_min = -node.angle_max;
        node.angle_max = -low;
    }
    for (SceneLimb& limb : scene.limbs) {
        limb.style.target_direction_offset = -limb.style.target_direction_offset;
        limb.bends.resize(limb.joints.size());
        limb.bends.flip();
    }
    return scene;
}

}  // namespace

TEST_CASE(
    "creature body: after the forward pass no bone is stretched and no joint bent too far, however the head "
    "is led") {
    test::for_each_seed(20, [](math::Random& random) {
        Scene scene = chain_scene(12, 20, random.uniform(0.1, 1.5), Movement::follow_target);
        Room room(setup_with(scene));
        Body& creature = room.body();
        for (int tick = 0; tick < 300; ++tick) {
            move(room, creature, somewhere(random, 500));
            REQUIRE(worst_strain(creature, room.plan_of(creature), room.size(creature)) < 1e-12);
            REQUIRE(worst_bend(creature, room.plan_of(creature), room.size(creature)) < 1e-9);
        }
    });
}

TEST_CASE(
    "creature body: the iterated solver keeps bones within a quarter of their length, and all bends within "
    "their limits") {
    test::for_each_seed(100, [](math::Random& random) {
        Scene scene = chain_scene(12, 20, random.uniform(0.1, 1.5), Movement::follow_target);
        scene.nodes[0].movement_speed = 6;
        Room room(setup_with(scene, with_solver(Solver::iterated)));
        Body& creature = room.body();
        Vec2 pointer;
        for (int tick = 0; tick < 600; ++tick) {
            if (tick % 60 == 0) pointer = somewhere(random, 500);
            move(room, creature, pointer);
            REQUIRE(worst_strain(creature, room.plan_of(creature), room.size(creature)) < 0.25);
            REQUIRE(worst_bend(creature, room.plan_of(creature), room.size(creature)) < 1e-9);
        }
    });
}

TEST_CASE("creature body: a body at rest stays at rest") {
    for (const Solver solver : {Solver::forward_pass, Solver::iterated}) {
        Room room(setup_with(chain_scene(12, 20, 0.8), with_solver(solver)));
        const Body before = room.body();
        for (int tick = 0; tick < 1000; ++tick) room.step();
        for (std::uint32_t i = 0; i < 12; ++i)
            CHECK(distance(room.body().nodes[i].position, before.nodes[i].position) < 1e-9);
    }
}

TEST_CASE("creature body: each tick the momentum of a free chain is multiplied by the air damping") {
    for (const Solver solver : {Solver::forward_pass, Solver::iterated}) {
        test::for_each_seed(50, [solver](math::Random& random) {
            // Free of limits as well: to straighten a bend takes hold of one side only.
            Scene scene = chain_scene(10, 25, math::pi);
            scene.nodes[0].kind = NodeKind::normal;
            for (SceneNode& node : scene.nodes) node.previous = node.position - somewhere(random, 2);
            Room room(setup_with(scene, with_solver(solver)));
            for (int tick = 0; tick < 100; ++tick) {
                const Vec2 expected = momentum(room.body(), 10) * faithful.air_damping;
                room.step();
                CHECK(length(momentum(room.body(), 10) - expected) < 1e-10);
            }
        });
    }
}

TEST_CASE("creature body: mirrored inputs and bend flags give mirrored motion, to the last bit") {
    for (const Solver solver : {Solver::forward_pass, Solver::iterated}) {
        test::for_each_seed(10, [solver](math::Random& random) {
            Scene scene = walker();
            for (SceneNode& node : scene.nodes) {
                node.position += somewhere(random, 3);
                node.previous = node.position;
            }
            Room room(setup_with(scene, with_solver(solver)));
            Room mirror(setup_with(mirrored(scene), with_solver(solver)));
            room.join(0);
            mirror.join(0);
            for (int tick = 0; tick < 600; ++tick) {
                if (tick % 40 == 0) {
                    const Vec2 pointer = somewhere(random, 800);
                    room.inputs[0].pointer = pointer;
                    mirror.inputs[0].pointer = {-pointer.x, pointer.y};
                }
                room.step();
                mirror.step();
                for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
                    const Vec2 here = room.body().nodes[i].position;
                    REQUIRE(mirror.body().nodes[i].position == Vec2{-here.x, here.y});
                }
            }
        });
    }
}

TEST_CASE("creature body: a planted foot stays where it is while the body walks past, and feet do step") {
    Room room(setup_with(walker()));
    room.join(0);
    room.inputs[0].pointer = {1500, 300};
    int steps = 0;
    for (int tick = 0; tick < 200; ++tick) {
        const Body before = room.body();
        room.step();
        for (std::size_t i = 0; i < 2; ++i) {
            const Foot& foot = room.body().feet[i];
            const bool stayed = before.feet[i].phase == worlds::creature::FootPhase::planted &&
                                foot.phase == worlds::creature::FootPhase::planted;
            if (stayed) CHECK(foot.from == before.feet[i].from);
            if (before.feet[i].phase == worlds::creature::FootPhase::stepping &&
                foot.phase == worlds::creature::FootPhase::planted)
                ++steps;
        }
    }
    CHECK(steps > 10);
}

TEST_CASE("creature body: where limbs may not cross walls no foot is ever set beyond one") {
    Setup setup = setup_with(walker());
    setup.rules.limbs_cross_walls = false;
    Room room(std::move(setup));
    room.join(0);
    room.inputs[0].pointer = {-5000, -5000};  // into the corner
    for (int tick = 0; tick < 900; ++tick) {
        room.step();
        for (std::size_t i = 0; i < room.plan_of(room.body()).limbs.size(); ++i)
            REQUIRE(room.setup.walls().contains(room.body().feet[i].to));
    }
    CHECK(distance(room.body().nodes[0].position, room.setup.walls().low) < 300);
}

TEST_CASE("creature body: legs reach their feet, wherever these can be reached") {
    Room room(setup_with(walker()));
    room.join(0);
    auto random = math::Random::from_seed(4);
    int reached = 0;
    int looked_at = 0;
    for (int tick = 0; tick < 600; ++tick) {
        if (tick % 50 == 0) room.inputs[0].pointer = somewhere(random, 800);
        room.step();
        const BodyPlan& plan = room.plan_of(room.body());
        for (std::size_t i = 0; i < plan.limbs.size(); ++i) {
            const PlanLimb& limb = plan.limbs[i];
            const Vec2 goal = worlds::creature::position_of(room.body().feet[i], limb.gait);
            const double far = distance(goal, room.body().nodes[limb.body].position);
            if (far > 55 || far < 15) continue;
            ++looked_at;
            if (distance(goal, room.body().nodes[limb.joints[1]].position) <= limb.tolerance) ++reached;
        }
    }
    CHECK(looked_at > 500);
    CHECK(reached > looked_at * 9 / 10);  // angle limits are in the way of the others
}

TEST_CASE("creature body: a body that grows is whole at every length") {
    Scene scene = chain_scene(20, 15, 0.5, Movement::follow_target);
    scene.born = 5;
    scene.name = "snake";
    Rules rules = faithful;
    rules.motes_per_node = 4;
    Setup setup = setup_with(scene, rules);
    Room room(setup);
    Body& creature = room.body();
    const BodyPlan& plan = room.plan_of(creature);
    auto random = math::Random::from_seed(9);
    for (std::uint32_t meals = 0; meals <= room.setup.most_meals(plan); ++meals) {
        resize(creature, meals, plan, room.setup.rules);
        const Size size = room.size(creature);
        CHECK(size.nodes == 5 + (meals + 3) / 4);
        for (int tick = 0; tick < 5; ++tick) {
            move(room, creature, somewhere(random, 300));
            REQUIRE(worst_strain(creature, plan, size) < 1e-12);
            REQUIRE(worst_bend(creature, plan, size) < 1e-9);
        }
        for (std::uint32_t i = size.nodes; i < most_nodes; ++i) CHECK(creature.nodes[i] == Particle{});
    }
    resize(creature, 0, plan, room.setup.rules);
    for (std::uint32_t i = 5; i < most_nodes; ++i) CHECK(creature.nodes[i] == Particle{});
}

TEST_CASE("creature body: an anchor gets to its target at its speed and stays there") {
    Scene scene = chain_scene(3, 20, 1, Movement::follow_target);
    scene.nodes[0].movement_speed = 10;
    Room room(setup_with(scene));
    room.join(0);
    room.inputs[0].pointer = {300, 400};
    room.step();
    const double before = distance(room.body().nodes[0].position, {300, 400});
    room.step();
    CHECK(distance(room.body().nodes[0].position, {300, 400}) == doctest::Approx(before - 10));
    for (int tick = 0; tick < 100; ++tick) room.step();
    CHECK(distance(room.body().nodes[0].position, {300, 400}) < 0.1);
    const Vec2 there = room.body().nodes[0].position;
    room.step();
    CHECK(room.body().nodes[0].position == there);
}

TEST_CASE(
    "creature body: a path is walked around the position that the plan gives it, wherever the creature was "
    "born") {
    Scene scene = chain_scene(2, 20, 1, Movement::procedural);
    scene.nodes[0].path = Path::circle;
    scene.nodes[0].path_amplitude = {50, 30};
    scene.nodes[0].movement_speed = 1000;
    Setup setup = setup_with(scene);
    setup.residents[0].at = {200, 100};
    Room room(setup);
    for (int tick = 0; tick < 400; ++tick) {
        room.step();
        const Vec2 at = room.body().nodes[0].position - Vec2{200, 100};
        CHECK(at.x * at.x / 2500 + at.y * at.y / 900 == doctest::Approx(1).epsilon(1e-9));
    }
}

TEST_CASE("creature body: an acceleration for the first tick acts once") {
    Scene scene;
    SceneNode node;
    node.acceleration = {3600, 0};
    scene.nodes.push_back(node);
    Room room(setup_with(scene));
    room.step();
    CHECK(room.body().nodes[0].velocity.x == doctest::Approx(1));
    room.step();
    CHECK(room.body().nodes[0].velocity.x == doctest::Approx(0.98));
}
