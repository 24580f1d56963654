// SPDX-License-Identifier: MIT
// What hurts a player (falls, traps, mobs), what a hit does, and how the dead come back.
#include <foothold/combat.h>
#include <foothold/drop.h>
#include <foothold/foothold.h>
#include <foothold/mob.h>
#include <foothold/trap.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>
#include <tests/support/property.h>

#include <instep/contract/players.h>

using namespace instep;
using namespace instep::worlds::foothold;
using test::add_trap;
using test::FootholdMatch;
using test::home_at;
using test::plain_setup;
using test::settle;

TEST_CASE("foothold harm: a long fall hurts, by a tenth for each 500 px, and never kills") {
    std::vector<worlds::foothold::FootholdSegment> cliff{{1, 1, 0, -300, -1300, 0, -1300, 0, 0, false},
                                                         {2, 1, 0, -600, 0, 600, 0, 0, 0, false}};
    FootholdMatch match(test::foothold_setup(game, cliff));
    Player& player = match.join(0);
    place(player, {-40, -1310}, match.setup);
    player.health = 15;
    match.run(60);
    match.inputs[0].right = true;
    bool was_hurt = false;
    for (int i = 0; i < 500; ++i) {
        match.step();
        was_hurt = was_hurt || match.count(EventKind::hurt) > 0;
    }
    CHECK(was_hurt);
    CHECK(player.health == 1);
    CHECK(player.alive());
}

TEST_CASE("foothold harm: a player that falls out of the map starts again") {
    std::vector<worlds::foothold::FootholdSegment> island{{1, 1, 0, -100, 0, 100, 0, 0, 0, false},
                                                          {2, 1, 0, 900, 0, 1000, 0, 0, 0, false}};
    FootholdMatch match(test::foothold_setup(game, island));
    Player& player = settle(match);
    match.inputs[0].right = true;
    bool fell = false;
    for (int i = 0; i < 600 && !fell; ++i) {
        match.step();
        fell = match.count(EventKind::fell_out) > 0;
    }
    CHECK(fell);
    CHECK(player.body.position.y < 0);
    CHECK(player.health < match.setup.rules.most_health);
}

TEST_CASE("foothold harm: the touch box is lower and wider for a player that lies or sits") {
    Player player;
    player.stance = Stance::stand;
    CHECK(touch_box(player, {0, 0}).top == -50);
    CHECK(touch_box(player, {0, 0}).right == 12);
    player.stance = Stance::prone;
    CHECK(touch_box(player, {0, 0}).top == -28);
    CHECK(touch_box(player, {0, 0}).left == -18);
}

TEST_CASE("foothold harm: a fast player cannot pass through a trap between two ticks") {
    Setup setup = plain_setup();
    setup.rules.fall_speed_cap = 0;  // no fall of the game is as fast as this one
    complete(setup);
    add_trap(setup, {0, -100}, 5, {-2, -2, 2, 2});
    FootholdMatch match(setup);
    Player& player = match.join(0);
    place(player, {0, -180}, match.setup);
    player.body.velocity = {0, 200};  // from above it to below it in one tick
    player.hurt_at = 0;
    match.step();
    CHECK(player.health == match.setup.rules.most_health - 5);
}

TEST_CASE("foothold harm: damage respects invincibility, whatever the order of traps and mobs") {
    test::for_each_seed(60, [](math::Random& random) {
        Setup setup = plain_setup();
        const int traps = 1 + static_cast<int>(random.below(4));
        for (int i = 0; i < traps; ++i)
            add_trap(setup, {random.uniform(-30, 30), -20}, 1 + static_cast<std::int32_t>(random.below(9)));
        for (std::uint32_t i = 0; i < random.below(4); ++i)
            home_at(setup, {.touch_attack = 1 + static_cast<std::int32_t>(random.below(9))},
                    {random.uniform(-30, 30), 0}, 2);
        FootholdMatch match(setup, random.next());
        Player& player = match.join(0);
        place(player, {0, -1}, match.setup);
        int hits = 0;
        int last = -1000;
        for (int tick = 0; tick < 1500; ++tick) {
            match.inputs[0].left = random.below(2) == 0;
            match.inputs[0].right = random.below(2) == 0;
            match.step();
            const int now = match.count(EventKind::hurt);
            REQUIRE(now <= 1);
            if (now == 1) {
                REQUIRE(tick - last >= 250);  // 2000 ms
                last = tick;
                ++hits;
            }
            if (player.body.on_ground) place(player, {0, -1}, match.setup);
        }
        CHECK(hits > 0);
    });
}

TEST_CASE("foothold harm: a hit throws a player away from what hit it, and off its feet") {
    for (const double side : {-10.0, 10.0}) {
        FootholdMatch match(plain_setup());
        Player& player = settle(match);
        contract::Events<Event> events(match.room);
        const Moment moment{match.setup, Clock::of(match.state, match.setup), events};
        CHECK(hurt(player, 7, player.body.position.x + side, moment));
        CHECK(player.health == match.setup.rules.most_health - 7);
        CHECK(player.body.velocity == Vec2{side > 0 ? -1.5 : 1.5, -3.5});
        CHECK(!player.body.on_ground);
        CHECK(!hurt(player, 7, 0, moment));
        CHECK(player.health == match.setup.rules.most_health - 7);
    }
}

TEST_CASE("foothold harm: a player knocked off the ground is in the air until it lands, once") {
    for (const Rules& rules : {game, faithful_web}) {
        Setup setup = plain_setup(rules);
        add_trap(setup, {-100, -20}, 5);
        FootholdMatch match(setup);
        Player& player = match.join(0);
        place(player, {-40, -1}, match.setup);
        match.run(30);
        REQUIRE(player.body.on_ground);
        match.inputs[0].left = true;
        for (int i = 0; i < 200 && match.count(EventKind::hurt) == 0; ++i) match.step();
        REQUIRE(match.count(EventKind::hurt) == 1);
        match.inputs[0] = {};
        int landings = 0;
        int ticks_in_air = 0;
        for (int i = 0; i < 100; ++i) {
            match.step();
            landings += match.count(EventKind::landed);
            if (landings > 0) continue;
            ++ticks_in_air;
            REQUIRE(player.stance == Stance::fall);
        }
        CHECK(landings == 1);
        CHECK(ticks_in_air > 15);
    }
}

TEST_CASE("foothold harm: scores stop long before they could overflow, upwards and downwards") {
    Setup setup = plain_setup();
    setup.rules.death_cost = 10'000;
    home_at(setup, {.health = 1, .score = 10'000, .touch_hurts = false}, {40, 0}, 2);
    FootholdMatch match(setup);
    Player& player = settle(match);
    contract::Events<Event> events(match.room);
    const Moment moment{match.setup, Clock::of(match.state, match.setup), events};
    player.score = contract::most_score - 1;
    match.inputs[0].attack = true;
    match.step();
    CHECK(!match.state.mobs[0].alive());
    CHECK(player.score == contract::most_score);
    leave_drop(match.state, {0, 0}, 10'000, moment);
    match.inputs[0] = {};
    match.run(150);
    match.inputs[0].pick_up = true;
    match.step();
    CHECK(match.count(EventKind::picked_up) == 1);
    CHECK(player.score == contract::most_score);
    player.score = 1 - contract::most_score;
    hurt(player, 1'000'000, 0, moment);
    CHECK(player.score == -contract::most_score);
    CHECK(worlds::foothold::validate(match.state, match.setup));
}

TEST_CASE("foothold harm: after a hit no ladder can be taken for 600 ms") {
    Setup setup = plain_setup();
    setup.ladders.push_back({0, -200, 295, false, {}});
    FootholdMatch match(setup);
    Player& player = settle(match);
    player.hurt_at = static_cast<std::uint32_t>(match.state.head->tick);
    match.inputs[0].up = true;
    match.run(70);
    CHECK(!player.climbing());
    match.run(10);
    CHECK(player.climbing());
}

TEST_CASE("foothold harm: the dead come back after a while with all of their health") {
    Setup setup = plain_setup();
    setup.rules.death_cost = 3;
    FootholdMatch match(setup);
    Player& player = settle(match);
    contract::Events<Event> events(match.room);
    hurt(player, 100'000, 0, {match.setup, Clock::of(match.state, match.setup), events});
    CHECK(!player.alive());
    CHECK(player.score == -3);
    match.run(380);
    CHECK(player.alive());
    CHECK(player.health == match.setup.rules.most_health);
}

TEST_CASE("foothold harm: a trap with a direction pushes that way from either side, reversed by flip") {
    for (const int push : {-1, 0, 1})
        for (const bool flip : {false, true})
            for (const double side : {-10.0, 10.0}) {
                Setup setup = plain_setup();
                setup.spawns = {{-250, -10}};
                add_trap(setup, {0, -10}, 5);
                setup.trap_kinds[0].push = push;
                setup.traps[0].flip = flip;
                FootholdMatch match(setup);
                Player& player = match.join(0);
                place(player, {side, -10}, match.setup);
                match.step();
                REQUIRE(match.count(EventKind::hurt) == 1);
                const int expected = push == 0 ? (side > 0 ? 1 : -1) : flip ? -push : push;
                CHECK(player.body.velocity.x * expected > 0);
            }
}

TEST_CASE(
    "foothold harm: a turning trap hurts where it has turned to in the game, and stands still in the "
    "originals") {
    for (const Rules& rules : {game, faithful, faithful_web}) {
        Setup setup = plain_setup(rules);
        add_trap(setup, {0, -300}, 5, {10, -4, 90, 4});  // an arm to the right of its origin
        setup.trap_kinds[0].turn_period = 4000;
        const Trap& trap = setup.traps[0];
        const Box begin = box_of(trap, setup, 0);
        CHECK(begin.right == 90);
        const Box quarter = box_of(trap, setup, 1000);  // a quarter of a turn on: it points down
        CHECK(quarter.bottom == doctest::Approx(rules.traps_turn ? -300 + 90 : -300 + 4));
        CHECK(quarter.right == doctest::Approx(rules.traps_turn ? 4 : 90));
        const Box whole = box_of(trap, setup, 8000);
        CHECK(whole.right == doctest::Approx(90));
    }
}
