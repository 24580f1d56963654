// SPDX-License-Identifier: MIT
// Mobs: where they stay, how they jump, what they chase and for how long, and when they come back.
#include <foothold/mob.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace instep;
using namespace instep::worlds::foothold;
using test::FootholdMatch;
using test::home_at;
using test::plain_setup;
using test::settle;

namespace {

// A match with one mob at x on the upper platform and a player beside it that hits it without killing it.
struct Fight {
    FootholdMatch match;
    Player& player;
    Mob& mob;

    explicit Fight(double mob_x, double player_x = 0)
        : match(made(mob_x)), player(settle(match, {player_x, -5})), mob(match.state.mobs[0]) {
        contract::Events<Event> events(match.room);
        hit_mob(mob, 1, player, {match.setup, Clock::of(match.state, match.setup), events});
    }
    static Setup made(double mob_x) {
        Setup setup = plain_setup();
        setup.rules.mobs_wander = false;
        home_at(setup, {.health = 1000, .touch_hurts = false}, {mob_x, 0}, 2);
        return setup;
    }
    int ticks(double milliseconds) const {
        return static_cast<int>(std::ceil(milliseconds * match.setup.rules.tick_rate / 1000));
    }
};

}  // namespace

TEST_CASE(
    "foothold mob: mobs turn at edges and keep to their patrol, and those that stand stay where they are") {
    Setup setup = plain_setup();
    home_at(setup, {.name = Name::of("walker")}, {0, 0}, 2);
    home_at(setup, {.name = Name::of("patroller"), .can_jump = true}, {200, 0}, 3);
    setup.mobs[1].spawn.left = 150;
    setup.mobs[1].spawn.right = 250;
    home_at(setup, {.name = Name::of("post"), .motion = MobMotion::stands}, {-250, 0}, 1);
    FootholdMatch match(setup);
    double leftmost = 0, rightmost = 0;
    for (int tick = 0; tick < 20'000; ++tick) {
        match.step();
        const Vec2 walker = match.state.mobs[0].body.position;
        leftmost = std::min(leftmost, walker.x);
        rightmost = std::max(rightmost, walker.x);
        REQUIRE(std::abs(walker.x) <= 301);
        REQUIRE(walker.y <= 0);
        const double patroller = match.state.mobs[1].body.position.x;
        REQUIRE(patroller > 100);
        REQUIRE(patroller <= 301);
        REQUIRE(match.state.mobs[2].body.position == Vec2{-250, 0});
    }
    CHECK(leftmost < -100);
    CHECK(rightmost > 100);
}

TEST_CASE("foothold mob: flyers and swimmers go about, keep to their height and do not sink when they rest") {
    for (const MobMotion motion : {MobMotion::flies, MobMotion::swims}) {
        CAPTURE(static_cast<int>(motion));
        for (const bool wanders : {true, false}) {
            Setup setup = plain_setup();
            setup.rules.mobs_wander = wanders;
            if (motion == MobMotion::swims) setup.water.push_back({-600, -400, 600, 290});
            home_at(setup, {.fly_speed = -50, .motion = motion}, {0, -100}, 0);
            FootholdMatch match(setup);
            const Mob& mob = match.state.mobs[0];
            double leftmost = 0, rightmost = 0, farthest = 0;
            for (int tick = 0; tick < 10'000; ++tick) {
                match.step();
                leftmost = std::min(leftmost, mob.body.position.x);
                rightmost = std::max(rightmost, mob.body.position.x);
                farthest = std::max(farthest, std::abs(mob.body.position.y + 100));
            }
            if (wanders) {
                CHECK(rightmost - leftmost > 100);
                CHECK(farthest > 20);
                CHECK(farthest < 150);
            } else {
                CHECK(mob.body.position == Vec2{0, -100});
            }
        }
    }
}

TEST_CASE(
    "foothold mob: a mob that can jump does so, never twice before it lands, and one that cannot does not") {
    for (const bool can_jump : {true, false}) {
        Setup setup = plain_setup();
        for (int i = 0; i < 6; ++i)
            home_at(setup, {.speed = -30, .can_jump = can_jump}, {-50.0 + i * 20, 0}, 2);
        FootholdMatch match(setup);
        double highest = 0;
        int jumps = 0;
        std::array<double, 6> takeoff{};  // speeds of those that jumped a tick ago, else 0
        for (int tick = 0; tick < 30'000; ++tick) {
            match.step();
            for (const Mob& mob : match.state.mobs) {
                double& fastest = takeoff[mob.home];
                const double speed = std::abs(mob.body.velocity.x);
                if (fastest > 0) REQUIRE(speed <= fastest);  // nothing to push against in the air
                fastest = mob.stance == MobStance::jump ? speed : 0;
                jumps += mob.stance == MobStance::jump;
                highest = std::min(highest, mob.body.position.y);
            }
        }
        // A push of 5 px/tick against a gravity of 0.14 px/tick² leads 5²/(2·0.14) = 89 px high.
        CHECK((jumps > 20) == can_jump);
        CHECK((highest < -80) == can_jump);
        CHECK(highest > -95);
    }
}

TEST_CASE("foothold mob: a hit mob chases its attacker, to either side") {
    for (const double side : {-1.0, 1.0}) {
        CAPTURE(side);
        Fight fight(0, side * 200);
        fight.match.run(fight.ticks(fight.match.setup.rules.stagger_time) + 60);
        CHECK(fight.mob.prey == 0);
        CHECK(fight.mob.facing_right == (side > 0));
        const double before = fight.mob.body.position.x;
        fight.match.run(60);
        CHECK((fight.mob.body.position.x - before) * side > 20);
    }
}

TEST_CASE("foothold mob: a mob is angry for as long as the rules say and no longer") {
    Fight fight(0, 200);
    const Rules& rules = fight.match.setup.rules;
    const int angry = fight.ticks(rules.stagger_time + rules.aggro_time);
    fight.match.run(angry - 1);
    CHECK(fight.mob.prey == 0);
    fight.match.run(2);
    CHECK(fight.mob.prey == no_player);
}

TEST_CASE(
    "foothold mob: a beaten mob fades, is gone for its pause, and comes back home with all of its health") {
    for (const std::uint32_t pause : {400u, 2000u}) {
        Setup setup = Fight::made(30);
        setup.mobs[0].spawn.respawn = pause;
        setup.mob_kinds[0].health = 1;
        FootholdMatch match(setup);
        Player& player = settle(match);
        player.facing_right = true;
        match.inputs[0].attack = true;
        match.step();
        match.inputs[0] = {};
        const Mob& mob = match.state.mobs[0];
        REQUIRE(mob.stance == MobStance::die);
        int ticks = 0;
        for (; ticks < 2000 && match.count(EventKind::mob_respawned) == 0; ++ticks) match.step();
        const double expected = (match.setup.rules.death_fade + pause) * match.setup.rules.tick_rate / 1000;
        CHECK(ticks == doctest::Approx(expected).epsilon(0.02));
        CHECK(mob.health == 1);
        CHECK(mob.body.position == match.setup.mobs[0].position);
    }
}

TEST_CASE("foothold mob: an angry mob at an edge waits there, facing a prey beyond it") {
    for (const Rules& rules : {faithful, faithful_web, game}) {
        CAPTURE(static_cast<int>(rules.model));
        Setup setup = plain_setup(rules);
        setup.rules.mobs_wander = false;
        setup.rules.aggro_time = 60'000;
        home_at(setup, {.health = 1000, .touch_hurts = false}, {200, 0}, 3);
        FootholdMatch match(setup);
        Player& player = match.join(0);
        place(player, {500, 290},
              match.setup);  // below and far to the right of the platform, which ends at 300
        match.run(100);
        Mob& mob = match.state.mobs[0];
        contract::Events<Event> events(match.room);
        hit_mob(mob, 1, player, {match.setup, Clock::of(match.state, match.setup), events});
        match.run(200);
        int turns = 0;
        for (int tick = 0; tick < 700; ++tick) {
            const bool faced_right = mob.facing_right;
            match.step();
            turns += mob.facing_right != faced_right;
        }
        CHECK(mob.prey == 0);
        CHECK(turns <= 1);
        CHECK(mob.facing_right);
        CHECK(mob.body.position.x == 300);
        // It goes on as soon as its prey is elsewhere.
        place(player, {-400, 290}, match.setup);
        match.run(200);
        CHECK(!mob.facing_right);
        CHECK(mob.body.position.x < 290);
    }
}

TEST_CASE("foothold mob: an angry mob near its prey turns at an edge and comes back") {
    Fight fight(250, 200);
    fight.match.setup.rules.aggro_time = 60'000;
    fight.mob.angry_until = 1'000'000;
    double leftmost = 300;
    for (int tick = 0; tick < 1500; ++tick) {
        fight.match.step();
        leftmost = std::min(leftmost, fight.mob.body.position.x);
    }
    CHECK(leftmost < 150);  // past its prey, by more than it keeps
    CHECK(fight.mob.prey == 0);
}
