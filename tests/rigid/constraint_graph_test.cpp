// SPDX-License-Identifier: MIT
#include <instep/rigid/constraint_graph.h>

#include <algorithm>
#include <map>
#include <set>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

TEST_CASE("constraint graph: contacts of one constraint share no dynamic body, each has its own lane") {
    test::for_each_seed(40, [](math::Random& random) {
        constexpr std::uint32_t bodies = 40;
        const std::uint32_t fixed = random.below(bodies);  // bodies below this index are not dynamic
        struct Touch {
            std::uint32_t a, b, points;
        };
        std::vector<Touch> touches;
        const std::uint32_t count = random.below(300);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t a = random.below(bodies - 1);
            const std::uint32_t b = a + 1 + random.below(bodies - 1 - a);
            if (b >= fixed) touches.push_back({a, b, 1 + random.below(2)});
        }
        ConstraintGraph graph(bodies, 300);
        graph.clear(bodies);
        for (const Touch& touch : touches)
            graph.add(touch.a, touch.a >= fixed, touch.b, touch.b >= fixed, touch.points);
        graph.allocate(bodies);
        std::map<std::uint32_t, std::set<std::uint32_t>> pushed;
        std::set<std::pair<std::uint32_t, std::uint32_t>> lanes;
        for (const Touch& touch : touches) {
            const ConstraintLane lane = graph.next_lane();
            REQUIRE(lane.constraint < graph.all().size());
            REQUIRE(lane.lane < simd_width);
            CHECK(lanes.emplace(lane.constraint, lane.lane).second);
            CHECK(graph[lane.constraint].points == touch.points);
            if (touch.a >= fixed) CHECK(pushed[lane.constraint].insert(touch.a).second);
            if (touch.b >= fixed) CHECK(pushed[lane.constraint].insert(touch.b).second);
        }
        CHECK(lanes.size() == touches.size());
    });
}

TEST_CASE("constraint graph: a raft hit by more balls than there are colours keeps the momentum") {
    Setup setup = test::ground_setup(0.5, 0.5);
    setup.config.gravity = {};
    setup.config.position_iterations = 0;
    setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(60, 0.5), {1, 0.5, 0.5}));
    TestSpace sim(setup);
    const Handle raft = sim.add(3, {0, 0});
    for (int i = 0; i < 100; ++i) sim.add(test::ball, {1.1 * i - 55, 1.05}, {0.5, -4});
    const Vec2 before = momentum(sim.space);
    const double angular_before = angular_momentum(sim.space);
    sim.step(2);
    CHECK(sim.space.contacts.size() == 100);
    sim.step(20);
    CHECK(sim[raft].velocity.y < -0.1);
    CHECK(math::distance(momentum(sim.space), before) < 1e-8);
    CHECK(std::fabs(angular_momentum(sim.space) - angular_before) < 1e-6);
}
