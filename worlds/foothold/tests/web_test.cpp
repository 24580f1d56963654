// SPDX-License-Identifier: MIT
// The web client's model where no recording in ../vectors reaches.
#include <foothold/mob.h>
#include <foothold/physics_web.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

#include <vector>

using namespace instep;
using namespace instep::worlds::foothold;
using test::FootholdMatch;
using test::home_at;
using test::plain_setup;

TEST_CASE(
    "foothold web: a player that walks off the lower end of a slope keeps its height, and falls from the "
    "next step on") {
    // A recorded case: the foothold ends at x = -9 without a link, and a step of 1/60 s leads from x = -9.76
    // to -7.90.
    FootholdMatch match(test::foothold_setup(
        faithful_web, {{1, 1, 0, -17, 147, -9, 154, 0, 0}, {2, 1, 0, -600, 300, 600, 300, 0, 0}}));
    Player& player = match.join(0);
    const Foothold& slope = match.setup.ground[1];
    player.body = {.position = {-9.76, web::height_on(slope, -9.76)},
                   .velocity = {1.86 * match.setup.rules.tick_rate, 0},
                   .foothold = 1};
    const double height = player.body.position.y;
    PhysicsObject walker = player.body;
    web::walk(walker, match.setup.ground, match.setup.dt);
    CHECK(walker.position.x == doctest::Approx(-7.90));
    CHECK(walker.position.y == height);
    CHECK(!walker.on_ground);
    CHECK(walker.velocity.y == 0);

    match.inputs[0].right = true;  // friction takes a little of the speed: still past the end
    match.step();
    REQUIRE(player.body.position.x > -8);
    CHECK(!player.body.on_ground);
    CHECK(player.body.position.y == height);
    CHECK(player.body.velocity.y == 0);
    match.step();
    const double gravity = foothold_gravity * match.setup.dt * web::ticks_per_second * web::ticks_per_second;
    CHECK(player.body.velocity.y == doctest::Approx(gravity));
    CHECK(player.body.position.y > height);
    match.run(120);
    CHECK(player.body.position.y == 300);
}

TEST_CASE("foothold web: a mob goes and stands by turns, as the document's timers have it") {
    Setup setup = plain_setup(faithful_web);
    home_at(setup, {.name = Name::of("slime"), .speed = -30, .can_jump = true}, {0, 0}, 2);
    FootholdMatch match(setup);
    const Mob& mob = match.state.mobs[0];
    std::vector<MobStance> stances{mob.stance};
    std::vector<std::uint32_t> until{mob.until};
    for (int tick = 0; tick < 60 * 60 * 10; ++tick) {
        match.step();
        if (mob.until == until.back()) continue;
        stances.push_back(mob.stance);
        until.push_back(mob.until);
    }
    REQUIRE(stances.size() > 100);
    for (std::size_t i = 0; i < stances.size(); ++i) {
        CAPTURE(i);
        REQUIRE(stances[i] == (i % 2 == 0 ? MobStance::stand : MobStance::move));
    }
}
