// SPDX-License-Identifier: MIT
// Joints against what mechanics says of them: drift, limits, motors, springs, momentum, energy, breaking.
#include <instep/rigid/step.h>

#include <algorithm>
#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

constexpr Handle world{};
constexpr double g = 10;

Setup setup_with(std::vector<JointDef> defs, Vec2 gravity = {0, -g}) {
    Setup setup = test::ground_setup();
    setup.config.gravity = gravity;
    setup.config.sleep_ticks = 0;
    setup.joint_defs = std::move(defs);
    setup.max_joints = 128;
    return setup;
}

Joint& join(TestSpace& sim, std::uint16_t def, Handle a, Handle b, Vec2 point) {
    Joint* added = sim.space.joints.add(make_joint(sim.space, def, a, b, point));
    REQUIRE(added != nullptr);
    return *added;
}
Joint& join(TestSpace& sim, std::uint16_t def, Handle a, Vec2 at_a, Handle b, Vec2 at_b) {
    Joint* added = sim.space.joints.add(make_joint(sim.space, def, a, at_a, b, at_b));
    REQUIRE(added != nullptr);
    return *added;
}

Vec2 anchor_of(const TestSpace& sim, Handle body, Vec2 anchor) {
    const auto found = sim.space.bodies.find(body);
    return found ? found->pose().to_world(anchor) : anchor;
}

// The greatest distance of the anchors of joints that pin them together.
double drift(const TestSpace& sim) {
    double most = 0;
    for (const Joint& joint : sim.space.joints)
        most = std::max(most, math::distance(anchor_of(sim, joint.a, joint.anchor_a),
                                             anchor_of(sim, joint.b, joint.anchor_b)));
    return most;
}

double potential_energy(const TestSpace& sim) {
    double sum = 0;
    for (const Body& body : sim.bodies) sum += def_of(body, sim.setup).mass * g * body.position.y;
    return sum;
}

// A chain from the origin to the right; returns its last body.
Handle add_chain(TestSpace& sim, std::uint16_t link_def, int links) {
    Handle last = world;
    for (int i = 0; i < links; ++i) {
        const Handle link = sim.add(link_def, {0.5 + i, 0});
        join(sim, 0, last, link, {1.0 * i, 0});
        last = link;
    }
    return last;
}

constexpr JointDef revolute{.type = JointType::revolute};

}  // namespace

TEST_CASE("joint: an element and its row take at most 96 bytes of an image") {
    CHECK(sizeof(Joint) + sizeof(state::PoolIndex) <= 96);
}

TEST_CASE("joint: a pendulum keeps its pin, its energy and its period") {
    TestSpace sim(setup_with({revolute}));
    const Handle ball = sim.add(test::ball, {2, 0});  // released level with the pin
    join(sim, 0, world, ball, {0, 0});
    const double before = sim.energy() + potential_energy(sim);
    int crossings = 0;
    double first = 0;
    double last = 0;
    for (int i = 1; i <= 1200; ++i) {
        const double x = sim[ball].position.x;
        sim.step();
        REQUIRE(drift(sim) < 1e-4);
        const double energy = sim.energy() + potential_energy(sim);
        REQUIRE(std::fabs(energy - before) < 0.05 * 2 * g * sim.setup.body_defs[test::ball].mass);
        if (x > 0 && sim[ball].position.x <= 0) {
            (crossings == 0 ? first : last) = i * TestSpace::dt;
            ++crossings;
        }
    }
    // T = 2 pi sqrt(I / m g l) times 1.18034 for an amplitude of 90 degrees; I = m l² + m r²/2.
    const double period = 2 * math::pi * std::sqrt((4 + 0.125) / (g * 2)) * 1.18034;
    REQUIRE(crossings > 3);
    CHECK((last - first) / (crossings - 1) == doctest::Approx(period).epsilon(0.02));
}

TEST_CASE("joint: a chain of 20 links carries a ball of a hundred times a link's mass") {
    Setup setup = setup_with({revolute});
    setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(0.5, 0.125), {.density = 4}));
    setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_circle(1), {.density = 100 / math::pi}));
    TestSpace sim(setup);
    constexpr std::uint16_t link_def = 3;
    constexpr std::uint16_t ball_def = 4;
    const Handle link = add_chain(sim, link_def, 20);
    const Handle ball = sim.add(ball_def, {20.5, 0});
    join(sim, 0, link, ball, {20, 0});
    CHECK(sim.setup.body_defs[ball_def].mass == doctest::Approx(100 * sim.setup.body_defs[link_def].mass));
    double longest = 0;
    for (int i = 0; i < 1200; ++i) {
        sim.step();
        const auto& last = sim.space.joints[20];
        longest = std::max(longest, math::length(anchor_of(sim, last.b, last.anchor_b)));
        REQUIRE(drift(sim) < 0.05);
    }
    CHECK(longest < 20 * 1.005);
    CHECK(sim[ball].position.y < 0);
}

TEST_CASE("joint: bodies that only joints connect keep their momentum and angular momentum") {
    test::for_each_seed(20, [](math::Random& random) {
        TestSpace sim(setup_with({revolute,
                                  {.type = JointType::weld},
                                  {.type = JointType::prismatic, .axis = {0, 1}},
                                  {.type = JointType::distance, .length = 1},
                                  {.type = JointType::weld, .spring = {4, 0.5}, .angular = {4, 0.5}},
                                  {.type = JointType::wheel, .axis = {0, 1}, .spring = {3, 0.7}},
                                  {.type = JointType::motor,
                                   .spring = {2, 1},
                                   .angular = {2, 1},
                                   .max_force = 5,
                                   .max_torque = 5}},
                                 {}));
        std::vector<Handle> bodies;
        for (int i = 0; i < 12; ++i)
            bodies.push_back(sim.add(i % 2 ? test::box : test::ball, {1.5 * i, random.uniform(-1, 1)},
                                     {random.uniform(-2, 2), random.uniform(-2, 2)}, random.uniform(-3, 3),
                                     random.uniform(-2, 2)));
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            const auto def = static_cast<std::uint16_t>(random.below(7));
            const Handle other = bodies[random.below(static_cast<std::uint32_t>(i))];
            const Vec2 point{1.5 * static_cast<double>(i) - 0.75, 0};
            join(sim, def, other, point, bodies[i], def == 3 ? point + Vec2{1, 0} : point);
        }
        const Vec2 before = momentum(sim.space);
        const double angular_before = angular_momentum(sim.space);
        for (int i = 0; i < 120; ++i) {
            sim.step();
            REQUIRE(math::distance(momentum(sim.space), before) < 1e-6);
            // Correcting a position moves a body and not its velocity, which changes position × momentum. The
            // parts of the sum are about 200 in all.
            REQUIRE(std::fabs(angular_momentum(sim.space) - angular_before) < 0.4);
        }
    });
}

TEST_CASE("joint: a chain that swings freely gains no energy") {
    TestSpace sim(setup_with({revolute}));
    add_chain(sim, test::box, 6);
    const double before = potential_energy(sim);
    for (int i = 0; i < 3000; ++i) {
        sim.step();
        REQUIRE(sim.energy() + potential_energy(sim) < before + 0.02 * 6 * 6 * g);
        REQUIRE(drift(sim) < 0.02);
    }
}

TEST_CASE("joint: a spring hangs by g / omega² and swings at its frequency") {
    TestSpace sim(setup_with({{.type = JointType::distance, .length = 2, .spring = {1, 0.3}},
                              {.type = JointType::wheel, .axis = {0, 1}, .spring = {2, 0.7}},
                              {.type = JointType::prismatic, .axis = {0, 1}, .spring = {2, 0.7}}}));
    const Handle ball = sim.add(test::ball, {0, -2});
    join(sim, 0, world, {0, 0}, ball, {0, -2});
    const Handle wheel = sim.add(test::ball, {5, 0});
    join(sim, 1, world, wheel, {5, 0});
    const Handle slider = sim.add(test::box, {9, 0});
    join(sim, 2, world, slider, {9, 0});
    sim.step(1200);
    const double omega = 2 * math::pi;
    CHECK(sim[ball].position.y == doctest::Approx(-2 - g / (omega * omega)).epsilon(1e-3));
    CHECK(sim[wheel].position.y == doctest::Approx(-g / (4 * omega * omega)).epsilon(1e-3));
    CHECK(sim[slider].position.y == doctest::Approx(-g / (4 * omega * omega)).epsilon(1e-3));
    CHECK(sim[wheel].position.x == doctest::Approx(5));
    CHECK(sim[slider].angle == doctest::Approx(0));
}

TEST_CASE("joint: a rope is slack below its length and never longer") {
    TestSpace sim(setup_with({{.type = JointType::distance, .has_limit = true, .lower = 0, .upper = 3}}));
    const Handle ball = sim.add(test::ball, {1, 0});
    join(sim, 0, world, {0, 0}, ball, {1, 0});
    sim.step(20);
    CHECK(sim[ball].velocity.y == doctest::Approx(-g * 20 / 60.0));  // falls freely
    CHECK(sim[ball].velocity.x == 0);
    for (int i = 0; i < 600; ++i) {
        sim.step();
        REQUIRE(math::length(sim[ball].position) < 3 + 0.01);
    }
    CHECK(math::length(sim[ball].position) > 2.5);
}

TEST_CASE("joint: a rigid distance keeps its length while its ends swing") {
    TestSpace sim(setup_with({{.type = JointType::distance, .length = 2}}));
    const Handle a = sim.add(test::ball, {2, 0});
    const Handle b = sim.add(test::box, {4, 0}, {0, 3}, 0, 5);
    join(sim, 0, world, {0, 0}, a, {2, 0});
    join(sim, 0, a, {2, 0}, b, {4, 0});
    for (int i = 0; i < 600; ++i) {
        sim.step();
        REQUIRE(math::length(sim[a].position) == doctest::Approx(2).epsilon(1e-3));
        REQUIRE(math::distance(sim[a].position, sim[b].position) == doctest::Approx(2).epsilon(1e-3));
    }
}

TEST_CASE("joint: a revolute motor accelerates by torque / inertia up to its speed") {
    TestSpace sim(setup_with({{.type = JointType::revolute, .max_torque = 2}}, {}));
    const Handle box = sim.add(test::box, {3, 3});
    join(sim, 0, world, box, {3, 3}).motor_speed = 4;
    const double acceleration = 2 / sim.setup.body_defs[test::box].inertia;
    for (int i = 1; i <= 120; ++i) {
        sim.step();
        REQUIRE(sim[box].angular_velocity ==
                doctest::Approx(std::min(4.0, acceleration * i * TestSpace::dt)).epsilon(1e-6));
    }
    CHECK(reaction_of(sim.space, sim.setup, sim.space.joints[0], TestSpace::dt).torque ==
          doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("joint: a prismatic motor lifts with its force less the weight, and slides along its axis alone") {
    TestSpace sim(setup_with({{.type = JointType::prismatic, .axis = {0.6, 0.8}, .max_force = 30}}));
    const Handle box = sim.add(test::box, {1, 1}, {}, 0.4);
    join(sim, 0, world, box, {1, 1}).motor_speed = 100;
    sim.step(60);
    // The box has a mass of 1: along the axis 30 - 10 * 0.8.
    CHECK(math::dot(sim[box].velocity, Vec2{0.6, 0.8}) == doctest::Approx(22).epsilon(1e-4));
    CHECK(std::fabs(math::cross(sim[box].position - Vec2{1, 1}, Vec2{0.6, 0.8})) < 1e-6);
    CHECK(sim[box].angle == doctest::Approx(0.4).epsilon(1e-6));
}

TEST_CASE("joint: limits hold an angle, a slide and a length") {
    TestSpace sim(setup_with(
        {{.type = JointType::revolute, .has_limit = true, .lower = -0.5, .upper = 0.7},
         {.type = JointType::prismatic, .axis = {0, 1}, .has_limit = true, .lower = -1, .upper = 2},
         {.type = JointType::wheel, .axis = {0, 1}, .has_limit = true, .lower = -0.5, .upper = 0.5}}));
    const Handle swing = sim.add(test::box, {2, 0});
    join(sim, 0, world, swing, {0, 0});
    const Handle slider = sim.add(test::box, {6, 0}, {0, 30});
    join(sim, 1, world, slider, {6, 0});
    const Handle wheel = sim.add(test::ball, {9, 0});
    join(sim, 2, world, wheel, {9, 0});
    double highest = 0;
    for (int i = 0; i < 600; ++i) {
        sim.step();
        REQUIRE(sim[swing].angle > -0.5 - 0.01);
        REQUIRE(sim[slider].position.y > -1 - 0.01);
        REQUIRE(sim[slider].position.y < 2 + 0.01);
        REQUIRE(sim[wheel].position.y > -0.5 - 0.01);
        highest = std::max(highest, sim[slider].position.y);
    }
    CHECK(highest > 1.95);
    CHECK(sim[swing].angle == doctest::Approx(-0.5).epsilon(0.02));
    CHECK(sim[slider].position.y == doctest::Approx(-1).epsilon(0.01));
    CHECK(sim[wheel].position.y == doctest::Approx(-0.5).epsilon(0.01));
}

TEST_CASE("joint: two welded boxes fall and turn as one body") {
    TestSpace sim(setup_with({{.type = JointType::weld}}));
    const Handle a = sim.add(test::box, {-0.5, 5}, {0, 1}, 0, 3);
    const Handle b = sim.add(test::box, {0.5, 5}, {0, 4}, 0, 3);  // as a rotation about (0, 5) has it
    join(sim, 0, a, b, {0, 5});
    for (int i = 0; i < 200; ++i) {
        sim.step();
        REQUIRE(sim[b].angle - sim[a].angle == doctest::Approx(0).epsilon(1e-4));
        REQUIRE(math::distance(sim[a].position, sim[b].position) == doctest::Approx(1).epsilon(1e-4));
    }
    CHECK(sim[a].angular_velocity == doctest::Approx(3).epsilon(1e-3));
    CHECK(0.5 * (sim[a].velocity.y + sim[b].velocity.y) == doctest::Approx(2.5 - g * 200 / 60).epsilon(1e-6));
}

TEST_CASE("joint: a hand draws a body to its point with at most its force") {
    TestSpace sim(setup_with({{.type = JointType::motor, .spring = {5, 1}, .max_force = 20}}, {}));
    const Handle box = sim.add(test::box, {0, 0});
    Joint& hand = join(sim, 0, world, box, {0, 0});
    hand.anchor_a = {10, 0};  // the pointer moves away
    sim.step(6);
    CHECK(math::length(sim[box].velocity) == doctest::Approx(20 * 6 / 60.0).epsilon(0.05));
    sim.step(600);
    CHECK(math::distance(anchor_of(sim, box, hand.anchor_b), Vec2{10, 0}) < 0.01);
}

TEST_CASE("joint: a motor joint holds a pose relative to another body") {
    TestSpace sim(setup_with({{.type = JointType::motor,
                               .spring = {4, 1},
                               .angular = {4, 1},
                               .max_force = 1000,
                               .max_torque = 1000}},
                             {}));
    const Handle a = sim.add(test::box, {0, 0}, {1, 0});
    const Handle b = sim.add(test::box, {0, 3}, {1, 0});
    Joint& joint = join(sim, 0, a, b, {0, 3});
    joint.angle = 1;
    joint.anchor_a = {2, 3};
    sim.step(300);
    CHECK(sim[b].angle - sim[a].angle == doctest::Approx(1).epsilon(0.01));
    const Vec2 expected = pose_of(sim[a]).to_world({2, 3});
    CHECK(math::distance(sim[b].position, expected) < 0.01);
}

TEST_CASE("joint: reports the weight that it carries, and breaks at its limit with an event") {
    for (const bool strong : {true, false}) {
        const double weight = math::pi * 0.25 * g;
        TestSpace sim(
            setup_with({{.type = JointType::revolute, .break_force = weight * (strong ? 1.1 : 0.9)}}));
        const Handle ball = sim.add(test::ball, {0, -1});
        const Handle handle = sim.space.joints.handle_of(join(sim, 0, world, ball, {0, 0}));
        std::size_t broken = 0;
        for (int i = 0; i < 60; ++i) {
            sim.step();
            for (const JointEvent& event : sim.scratch.joint_events) {
                ++broken;
                CHECK(event.kind == JointEvent::Kind::broke);
                CHECK(event.joint == handle);
                CHECK(event.b == ball);
                CHECK(event.force > weight * 0.9);
            }
        }
        CHECK(broken == (strong ? 0 : 1));
        CHECK(sim.space.joints.size() == (strong ? 1 : 0));
        if (!strong) {
            CHECK(sim[ball].velocity.y < -5);
            continue;
        }
        const Reaction reaction = reaction_of(sim.space, sim.setup, sim.space.joints[0], TestSpace::dt);
        CHECK(reaction.force.y == doctest::Approx(weight).epsilon(1e-3));
        CHECK(std::fabs(reaction.force.x) < 1e-6);
    }
}

TEST_CASE("joint: a torque breaks a weld") {
    TestSpace sim(setup_with({{.type = JointType::weld, .break_torque = 5}}));
    const Handle box = sim.add(test::box, {2, 0});  // a weight of 10 on an arm of 2
    join(sim, 0, world, box, {0, 0});
    sim.step();
    REQUIRE(sim.scratch.joint_events.size() == 1);
    CHECK(sim.scratch.joint_events[0].torque > 5);
    CHECK(sim.space.joints.empty());
}

TEST_CASE("joint: joined bodies collide only if their joint says so") {
    for (const bool collide : {true, false}) {
        TestSpace sim(setup_with({{.type = JointType::filter, .collide_connected = collide}}, {}));
        const Handle a = sim.add(test::ball, {0, 0});
        const Handle b = sim.add(test::ball, {0.6, 0});
        join(sim, 0, a, b, {0, 0});
        sim.step(60);
        CHECK((math::distance(sim[a].position, sim[b].position) > 0.9) == collide);
    }
}

TEST_CASE("joint: a joint of a removed body ends with an event") {
    TestSpace sim(setup_with({revolute}));
    const Handle a = sim.add(test::ball, {0, 0});
    const Handle b = sim.add(test::ball, {2, 0});
    join(sim, 0, a, b, {1, 0});
    sim.step(5);
    remove_body(sim.space, sim.bodies, a);
    CHECK(validate(sim.space, sim.setup).has_value());
    sim.step();
    REQUIRE(sim.scratch.joint_events.size() == 1);
    CHECK(sim.scratch.joint_events[0].kind == JointEvent::Kind::orphaned);
    CHECK(sim.space.joints.empty());
    sim.step();
    CHECK(sim.scratch.joint_events.empty());
}

TEST_CASE("joint: what hangs at rest sleeps, and wakes as one") {
    Setup setup = setup_with({revolute});
    setup.config.sleep_ticks = 30;
    for (BodyDef& def : setup.body_defs) def.options.linear_damping = def.options.angular_damping = 2;
    TestSpace sim(setup);
    const Handle a = sim.add(test::ball, {0, -1});
    const Handle b = sim.add(test::ball, {0, -3});
    join(sim, 0, world, a, {0, 0});
    join(sim, 0, a, b, {0, -2});
    sim.step(200);
    REQUIRE(sim[a].asleep);
    REQUIRE(sim[b].asleep);
    apply_impulse(sim[b], sim.setup, {1, 0}, sim[b].position);
    sim.step();
    CHECK(!sim[a].asleep);
    CHECK(drift(sim) < 1e-4);
}

namespace {

// A bridge with boxes on it, a car, a weak rope with a ball, and a loop.
struct Yard : TestSpace {
    static Setup yard_setup() {
        Setup setup =
            setup_with({revolute,
                        {.type = JointType::wheel, .axis = {0, 1}, .spring = {4, 0.7}, .max_torque = 10},
                        {.type = JointType::distance, .length = 2, .break_force = 40},
                        {.type = JointType::weld, .spring = {6, 0.5}, .angular = {6, 0.5}}});
        setup.config.sleep_ticks = 30;
        setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(0.5, 0.1), {1, 0.6, 0}));
        return setup;
    }
    Yard() : TestSpace(yard_setup()) {
        add(test::ground, {0, -6});
        Handle last;
        for (int i = 0; i < 12; ++i) {
            const Handle plank = add(3, {-5.5 + i, 0});
            join(*this, 0, last, plank, {-6.0 + i, 0});
            last = plank;
        }
        join(*this, 0, world, last, {6, 0});  // closes a loop through the world
        for (int i = 0; i < 6; ++i) add(i % 2 ? test::box : test::ball, {-3.0 + i, 2.0 + 0.3 * i});
        const Handle car = add(test::box, {10, -3});
        for (const double x : {9.5, 10.5}) {
            const Handle wheel = add(test::ball, {x, -4});
            join(*this, 1, car, wheel, {x, -4}).motor_speed = -3;
        }
        const Handle ball = add(test::ball, {-12, 0}, {0, -8});
        join(*this, 2, world, {-10, 0}, ball, {-12, 0});
        const Handle a = add(test::box, {15, 0});
        const Handle b = add(test::box, {16, 0});
        const Handle c = add(test::box, {15.5, 1});
        join(*this, 3, a, b, {15.5, 0});
        join(*this, 0, b, c, {16, 0.5});
        join(*this, 0, c, a, {15, 0.5});
    }
};

}  // namespace

TEST_CASE("rollback: a yard of joints continues to the same bits after save and restore at every tick") {
    Yard yard;
    Yard other;
    std::size_t broken = 0;
    for (int tick = 0; tick < 200; ++tick) {
        const auto image = yard.save();
        yard.step();
        broken += yard.scratch.joint_events.size();
        const std::uint64_t first = yard.hash();
        const auto loaded = other.load(image);
        REQUIRE_MESSAGE(loaded, loaded.error().text());
        Scratch untouched(other.setup);
        rigid::step(other.space, other.setup, TestSpace::dt, untouched);
        REQUIRE(other.hash() == first);
        REQUIRE(validate(yard.space, yard.setup).has_value());
        for (const Body& body : yard.bodies) REQUIRE(std::fabs(body.position.x) < 100);
    }
    CHECK(broken == 1);
}

TEST_CASE("rollback: joints may be added, removed and broken between save and restore") {
    test::for_each_seed(10, [](math::Random& random) {
        Yard yard;
        yard.step(static_cast<int>(random.below(80)));
        const auto image = yard.save();
        yard.step(20);
        const std::uint64_t expected = yard.hash();
        yard.restore(image);
        for (int i = 0; i < 8; ++i) {
            yard.space.joints.remove_at(random.below(yard.space.joints.size()));
            const Handle a = yard.bodies.handle_at(13 + random.below(6));
            const Handle b = yard.bodies.handle_at(1 + random.below(12));
            join(yard, 2, a, b, yard[a].position);
            if (i == 4) remove_body(yard.space, yard.bodies, yard.bodies.handle_at(5));
            yard.step();
            REQUIRE(validate(yard.space, yard.setup).has_value());
        }
        yard.restore(image);
        yard.step(20);
        REQUIRE(yard.hash() == expected);
    });
}

TEST_CASE("step: allocates nothing with joints") {
    Yard yard;
    for (int i = 0; i < 100; ++i) {
        const test::AllocationCount allocations;
        yard.step();
        CHECK(allocations.so_far() == 0);
    }
}

TEST_CASE("validate: a corrupt joint, or a definition that cannot be, is refused with a reason") {
    Yard yard;
    const auto image = yard.save();
    const auto refusal_after = [&](auto change) {
        yard.restore(image);
        change(yard.space.joints[2]);
        const auto valid = validate(yard.space, yard.setup);
        REQUIRE(!valid.has_value());
        return valid.error().text();
    };
    CHECK(refusal_after([](Joint& joint) { joint.def = 9; }).find("joints[2].def") == 0);
    CHECK(refusal_after([](Joint& joint) { joint.b = {}; }).find("body") != std::string::npos);
    CHECK(refusal_after([](Joint& joint) { joint.a = joint.b; }).find("itself") != std::string::npos);
    CHECK(refusal_after([](Joint& joint) { joint.anchor_a.x = std::nan(""); }).find("anchor") !=
          std::string::npos);
    CHECK(refusal_after([](Joint& joint) { joint.impulse[1] = std::nanf(""); }).find("impulse") !=
          std::string::npos);

    const auto refused = [](const JointDef& def) { return !check(setup_with({def})).has_value(); };
    CHECK(refused({.axis = {1, 1}}));
    CHECK(refused({.spring = {-1, 1}}));
    CHECK(refused({.lower = 2, .upper = 1}));
    CHECK(refused({.has_limit = true, .lower = -4, .upper = 1}));
    CHECK(refused({.break_force = std::nan("")}));
    CHECK(!refused({}));
}
