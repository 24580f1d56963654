// SPDX-License-Identifier: MIT
#include <instep/rigid/batches.h>

#include <algorithm>
#include <map>
#include <set>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::RigidRoom;

TEST_CASE("no two contacts of a batch share a body that can be pushed, and each has a lane of its own") {
    test::for_each_seed(40, [](math::Random& random) {
        constexpr std::uint32_t bodies = 40;
        const std::uint32_t fixed = random.below(bodies);  // those below nothing can push
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
        Batches batches(bodies, 300);
        batches.clear(bodies);
        for (const Touch& touch : touches)
            batches.count(touch.a, touch.a >= fixed, touch.b, touch.b >= fixed, touch.points);
        batches.open(bodies);
        std::map<std::uint32_t, std::set<std::uint32_t>> pushed;
        std::set<std::pair<std::uint32_t, std::uint32_t>> lanes;
        for (const Touch& touch : touches) {
            const LanePlace place = batches.next();
            REQUIRE(place.batch < batches.all().size());
            REQUIRE(place.lane < lane_count);
            CHECK(lanes.emplace(place.batch, place.lane).second);
            CHECK(batches[place.batch].points == touch.points);
            if (touch.a >= fixed) CHECK(pushed[place.batch].insert(touch.a).second);
            if (touch.b >= fixed) CHECK(pushed[place.batch].insert(touch.b).second);
        }
        CHECK(lanes.size() == touches.size());
    });
}

TEST_CASE("a raft that is hit by more balls than there are colours keeps the momentum of all") {
    Setup setup = test::ground_setup(0.5, 0.5);
    setup.rules.gravity = {};
    setup.rules.position_iterations = 0;
    setup.forms.push_back(test::form(BodyType::dynamic, make_box(60, 0.5), {1, 0.5, 0.5}));
    RigidRoom room(setup);
    const Handle raft = room.add(3, {0, 0});
    for (int i = 0; i < 100; ++i) room.add(test::ball, {1.1 * i - 55, 1.05}, {0.5, -4});
    const Vec2 before = momentum(room.space, room.setup);
    const double angular_before = angular_momentum(room.space, room.setup);
    room.step(2);
    CHECK(room.space.contacts.size() == 100);
    room.step(20);
    CHECK(room[raft].velocity.y < -0.1);
    CHECK(math::distance(momentum(room.space, room.setup), before) < 1e-8);
    CHECK(std::fabs(angular_momentum(room.space, room.setup) - angular_before) < 1e-6);
}
