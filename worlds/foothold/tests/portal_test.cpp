// SPDX-License-Identifier: MIT
// Portals and the developer's flight: both put a player somewhere else, and nothing in between notices.
#include <foothold/foothold.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

using namespace instep;
using namespace instep::worlds::foothold;
using test::add_trap;
using test::FootholdMatch;
using test::home_at;
using test::plain_setup;
using test::settle;

namespace {

constexpr Vec2 upstairs{-200, 0};
constexpr Vec2 downstairs{400, 300};

Setup two_portals() {
    Setup setup = plain_setup();
    setup.portals = {{.name = Name::of("a"), .to = Name::of("b"), .position = upstairs},
                     {.name = Name::of("b"), .to = Name::of("a"), .position = downstairs}};
    setup.portal_ends = {1, 0};
    return setup;
}

}  // namespace

TEST_CASE(
    "foothold portal: a portal leads to its other end on the press of up, and not again while it is held") {
    FootholdMatch match(two_portals());
    Player& player = settle(match, {-200, -5});
    match.inputs[0].up = true;
    match.step();
    CHECK(match.count(EventKind::took_portal) == 1);
    CHECK(player.body.position == downstairs);
    match.run(200);
    CHECK(player.body.position.x == downstairs.x);
}

TEST_CASE("foothold portal: a portal rests after each use for as long as the rules say") {
    for (const double pause : {600.0, 1600.0}) {
        Setup setup = two_portals();
        setup.rules.portal_pause = pause;
        FootholdMatch match(setup);
        Player& player = settle(match, {-200, -5});
        match.inputs[0].up = true;
        match.step();
        REQUIRE(player.body.position == downstairs);
        int ticks = 0;
        do {  // pressed again and again
            match.inputs[0].up = !match.inputs[0].up;
            match.step();
            ++ticks;
        } while (match.count(EventKind::took_portal) == 0 && ticks < 1000);
        CHECK(ticks >= pause / 8);
        CHECK(ticks <= pause / 8 + 2);
    }
}

TEST_CASE("foothold portal: traps between two portals do not hurt a player that takes one") {
    Setup setup = two_portals();
    add_trap(setup, {100, 100}, 5, {-150, -80, 150, 80});
    home_at(setup, {.touch_attack = 9, .motion = MobMotion::stands}, {100, 300}, 4);
    FootholdMatch match(setup);
    Player& player = settle(match, {-200, -5});
    match.inputs[0].up = true;
    match.step();
    REQUIRE(match.count(EventKind::took_portal) == 1);
    CHECK(match.count(EventKind::hurt) == 0);
    CHECK(player.health == match.setup.rules.most_health);
}

TEST_CASE("foothold portal: a trap at the end of a portal hurts a player that comes out there") {
    Setup setup = two_portals();
    add_trap(setup, downstairs, 5);
    FootholdMatch match(setup);
    settle(match, {-200, -5});
    match.inputs[0].up = true;
    match.step();
    CHECK(match.count(EventKind::hurt) == 1);
}

TEST_CASE("foothold portal: the developer's flight works where it is allowed and nowhere else") {
    for (const bool allowed : {true, false}) {
        Setup setup = plain_setup();
        setup.rules.fly_allowed = allowed;
        FootholdMatch match(setup);
        Player& player = settle(match);
        Input input{.pointer_x = 123, .pointer_y = -77, .fly = true};
        CHECK(worlds::foothold::sanitize(input, match.setup));
        CHECK(input.fly == allowed);
        match.inputs[0] = input;
        match.step();
        CHECK((player.body.position == Vec2{123, -77}) == allowed);
    }
}

TEST_CASE("foothold portal: the developer's flight leads over traps unhurt") {
    Setup setup = plain_setup();
    setup.rules.fly_allowed = true;
    add_trap(setup, {100, -40}, 5);
    FootholdMatch match(setup);
    Player& player = settle(match);
    match.inputs[0] = {.pointer_x = 250, .pointer_y = -60, .fly = true};
    match.step();
    CHECK(player.body.position == Vec2{250, -60});
    CHECK(match.count(EventKind::hurt) == 0);
}
