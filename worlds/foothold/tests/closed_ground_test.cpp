// SPDX-License-Identifier: MIT
// In the game no object leaves ground that is closed: a chain of slopes, steps and pits from one side of the
// map to the other. Taps at the lips of steps and pits are where it used to happen.
#include <foothold/combat.h>
#include <foothold/mob.h>

#include <doctest/doctest.h>

#include <foothold/tests/maps.h>
#include <foothold/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace instep;
using namespace instep::worlds::foothold;
using test::between;
using test::FootholdMatch;

namespace {

// How many taps the property makes: a sample, or as many as INSTEP_TAPS says.
std::uint64_t taps_asked_for() {
    const char* asked = std::getenv("INSTEP_TAPS");
    return asked ? std::strtoull(asked, nullptr, 10) : 50'000;
}

struct ClosedMap {
    std::vector<FootholdSegment> segments;
    std::vector<Vec2> lips;  // the upper ends of its walls, and its joints

    // The lowest ground at x: of the two at a wall the lower one.
    double depth_at(double x) const {
        double depth = -1e9;
        for (const FootholdSegment& s : segments) {
            if (s.group != 0 || s.x1 == s.x2 || x < s.x1 || x > s.x2) continue;
            depth = std::max(depth, s.y1 + (s.y2 - s.y1) * (x - s.x1) / (s.x2 - s.x1));
        }
        return depth;
    }
};

// From narrow to wide, so that a step of one tick passes some footholds.
std::int32_t any_size(math::Random& random) {
    switch (random.below(4)) {
        case 0: return between(random, 1, 3);
        case 1: return between(random, 4, 30);
        default: return between(random, 31, 120);
    }
}

ClosedMap closed_map(math::Random& random) {
    ClosedMap map;
    std::int32_t x = -500, y = 0;
    const bool loose_links = random.below(4) == 0;  // ends that meet without knowing of each other
    bool was_wall = true;
    while (x < 500) {
        FootholdSegment s{.id = static_cast<std::int32_t>(map.segments.size()) + 1, .layer = 1};
        s.no_drop = true;
        s.x1 = x, s.y1 = y;
        if (!was_wall && random.below(3) == 0) {
            y += (random.below(2) == 0 ? -1 : 1) * any_size(random);
        } else {
            const std::int32_t width = any_size(random);
            x += width;
            if (random.below(2) == 0) y += between(random, -2 * width, 2 * width);
        }
        was_wall = s.x1 == x;
        s.x2 = x, s.y2 = y;
        s.prev = s.id - 1;
        s.next = x < 500 ? s.id + 1 : 0;
        if (!map.segments.empty() && loose_links && random.below(4) == 0)
            s.prev = map.segments.back().next = 0;
        map.lips.push_back({s.x1 * 1.0, std::min(s.y1, s.y2) * 1.0});
        if (was_wall && random.below(2) == 0) std::swap(s.y1, s.y2);  // drawn from the other end
        map.segments.push_back(s);
    }
    const std::size_t chain = map.segments.size();
    for (std::uint32_t i = random.below(5); i > 0; --i) {  // platforms above it, in its pits too
        const Vec2 lip = map.lips[random.below(static_cast<std::uint32_t>(map.lips.size()))];
        const auto left = static_cast<std::int32_t>(lip.x) + between(random, -40, 40);
        const std::int32_t right = left + between(random, 2, 90);
        double highest = 1e9;
        for (std::size_t k = 0; k < chain; ++k) {
            const FootholdSegment& s = map.segments[k];
            if (s.x2 >= left && s.x1 <= right) highest = std::min({highest, s.y1 * 1.0, s.y2 * 1.0});
        }
        if (left < -460 || right > 460) continue;
        const std::int32_t height = static_cast<std::int32_t>(highest) - between(random, 1, 40);
        map.segments.push_back({static_cast<std::int32_t>(map.segments.size()) + 1, 2, 1, left, height, right,
                                height, 0, 0, false});
    }
    return map;
}

// Players near lips press keys at random, and now and then one is knocked about.
void tap_at_lips(math::Random& random, int taps) {
    const ClosedMap map = closed_map(random);
    Setup setup = test::foothold_setup(game, map.segments);
    if (random.below(6) == 0) setup.map.swim = true;
    if (random.below(6) == 0) setup.map.friction = 0.2;
    if (random.below(6) == 0) setup.rules.speed_stat = random.uniform(130, 1000);
    setup.rules.fall_damage = false;
    complete(setup);
    test::home_at(setup, {.speed = 0, .health = 1000, .can_jump = true, .touch_hurts = false},
                  {random.uniform(-400, 400), setup.ground.extent_y().low - 20}, 0);
    FootholdMatch match(setup, random.next());
    Player& player = match.join(0);
    const Mob& mob = match.state.mobs[0];
    Input& input = match.inputs[0];
    for (int tap = 0; tap < taps; ++tap) {
        if (tap % 8 == 0) {
            const Vec2 lip = map.lips[random.below(static_cast<std::uint32_t>(map.lips.size()))];
            const double x = std::clamp(lip.x + random.uniform(-8, 8), -470.0, 470.0);
            double highest = 1e9;  // above both grounds of a wall
            for (const double near : {x - 1, x, x + 1}) highest = std::min(highest, map.depth_at(near));
            place(player, {x, std::min(highest, lip.y) - random.uniform(0, 30)}, match.setup);
        }
        const std::uint32_t key = random.below(8);
        input = {.left = key < 3,
                 .right = key >= 2 && key < 6,
                 .up = random.below(6) == 0,
                 .down = random.below(8) == 0,
                 .jump = random.below(3) == 0};
        if (random.below(30) == 0) knock(player, random.below(2) == 0, match.setup);
        for (std::int32_t ticks = between(random, 1, 14); ticks > 0; --ticks) {
            match.step();
            CAPTURE(tap);
            CAPTURE(player.body.position.x);
            REQUIRE(match.count(EventKind::fell_out) == 0);
            REQUIRE(match.count(EventKind::mob_respawned) == 0);
            REQUIRE(player.body.position.y <= map.depth_at(player.body.position.x) + 1e-6);
            REQUIRE(mob.body.position.y <= map.depth_at(mob.body.position.x) + 1e-6);
        }
    }
}

// A player of a level that begins here, stands still, and taps one key and then the other.
void tap_both_ways(const std::string& level, Vec2 spawn, bool left_first, int first, int second) {
    auto setup = load(
        {}, test::read_json_file(test::source_dir() / "worlds/foothold/levels" / (level + ".json")), level);
    REQUIRE_MESSAGE(setup, setup.error().text());
    setup->mobs.clear();
    setup->traps.clear();
    setup->spawns = {spawn};
    FootholdMatch match(std::move(*setup));
    Player& player = match.join(0);
    double lowest = 0;
    for (int tick = 1; tick < 400; ++tick) {
        const bool goes = tick >= first;
        const bool is_first = tick < second;
        match.inputs[0] = {.left = goes && is_first == left_first, .right = goes && is_first != left_first};
        match.step();
        lowest = std::max(lowest, player.body.position.y);
        REQUIRE(match.count(EventKind::fell_out) == 0);
    }
    CHECK(lowest <= 681);
    CHECK(player.body.on_ground);
}

}  // namespace

TEST_CASE("foothold closed ground: a tap back at the lip of a pit does not lead through the ground") {
    tap_both_ways("town", {1206, 595}, true, 60, 70);
    for (int second = 61; second < 90; ++second) tap_both_ways("town", {1206, 595}, true, 60, second);
}

TEST_CASE("foothold closed ground: a tap back at the lip of a stair does not lead through the ground") {
    tap_both_ways("town", {-426, 520}, false, 60, 70);
    for (int second = 61; second < 90; ++second) tap_both_ways("town", {-426, 520}, false, 60, second);
}

TEST_CASE("foothold closed ground: no object leaves it, whatever keys are tapped at its lips") {
    constexpr int taps_a_map = 40;
    test::for_each_seed((taps_asked_for() + taps_a_map - 1) / taps_a_map,
                        [](math::Random& random) { tap_at_lips(random, taps_a_map); });
}
