// SPDX-License-Identifier: MIT
// Players, mobs, drops, traps and portals, one behaviour at a time.
#include <foothold/combat.h>
#include <foothold/drop.h>
#include <foothold/foothold.h>
#include <foothold/mob.h>
#include <foothold/trap.h>
#include <instep/present/interpolation.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>
#include <tests/support/property.h>

#include <instep/contract/players.h>

#include <algorithm>
#include <cmath>

using namespace instep;
using namespace instep::worlds::foothold;
using test::FootholdMatch;
using test::home_at;
using test::plain_setup;
using test::settle;

TEST_CASE("foothold step: a player walks while a key is held and stops when it is not") {
    for (const Rules& rules : {faithful, faithful_web, game}) {
        FootholdMatch match(plain_setup(rules));
        Player& player = settle(match);
        match.inputs[0].right = true;
        match.run(100);
        CHECK(player.body.position.x > 50);
        CHECK(player.facing_right);
        CHECK(player.stance == Stance::walk);
        match.inputs[0].right = false;
        match.run(60);
        CHECK(player.body.velocity.x == 0);
        CHECK(player.stance == Stance::stand);
    }
}

TEST_CASE(
    "foothold step: a jump takes a player off the ground and brings it back, once a press in the reference") {
    for (const Rules& rules : {faithful, game}) {
        FootholdMatch match(plain_setup(rules));
        Player& player = settle(match);
        match.inputs[0].jump = true;
        double highest = 0;
        int jumps = 0;
        for (int i = 0; i < 300; ++i) {
            match.step();
            jumps += match.count(EventKind::jumped);
            highest = std::min(highest, player.body.position.y);
        }
        CHECK(highest < -60);
        CHECK(player.body.on_ground);
        CHECK(jumps == 1);
    }
}

TEST_CASE("foothold step: down and jump drops through a platform, and not through ground that forbids it") {
    for (const bool forbidden : {false, true}) {
        auto segments = test::two_storeys();
        for (auto& segment : segments) segment.no_drop = forbidden;
        FootholdMatch match(test::foothold_setup(game, segments));
        Player& player = settle(match);
        match.inputs[0].down = true;
        match.run(20);
        CHECK(player.stance == Stance::prone);
        match.inputs[0].jump = true;
        match.run(200);
        CHECK(player.body.position.y == (forbidden ? 0 : 300));
    }
}

TEST_CASE("foothold step: a ladder is climbed up and down, and a jump leads off it") {
    for (const Rules& rules : {faithful, game}) {
        Setup setup = plain_setup(rules);
        setup.ladders.push_back({0, 2, 295, false, {}});
        FootholdMatch match(setup);
        Player& player = settle(match, {4, 290});
        match.inputs[0].up = true;
        match.run(600);
        CHECK(player.body.position.y == 0);
        CHECK(player.body.position.x == 0);
        match.inputs[0] = {.down = true};
        match.run(100);
        CHECK(player.stance == Stance::ladder);
        CHECK(player.body.position.y > 50);
        match.inputs[0] = {.right = true, .jump = true};
        match.run(2);
        CHECK(player.stance == Stance::fall);
        CHECK(player.body.velocity.x > 0);
        match.inputs[0] = {.up = true};
        match.run(20);
        CHECK(!player.climbing());  // not again for a second
    }
}

TEST_CASE("foothold step: in water a player swims, and leaves it at the surface") {
    Setup setup = plain_setup();
    setup.water.push_back({-600, 100, 600, 400});
    FootholdMatch match(setup);
    Player& player = match.join(0);
    place(player, {400, 90}, match.setup);
    match.run(60);
    CHECK(player.stance == Stance::swim);
    CHECK(player.body.velocity.y < 1);
    match.inputs[0].up = true;
    double highest = 1000;
    for (int i = 0; i < 400; ++i) {
        match.step();
        highest = std::min(highest, player.body.position.y);
    }
    CHECK(highest < 100);
    CHECK(highest > 40);
}

TEST_CASE(
    "foothold step: an attack hits the nearest mob in reach, which staggers, chases, dies, drops something "
    "and returns") {
    Setup setup = plain_setup();
    setup.rules.mobs_wander = false;
    home_at(setup, {.health = 20, .score = 4, .drop_value = 3, .touch_hurts = false}, {90, 0}, 2);
    home_at(setup, {.health = 20, .touch_hurts = false}, {-60, 0}, 2);
    FootholdMatch match(setup);
    Player& player = settle(match);
    player.facing_right = true;
    match.inputs[0].attack = true;
    match.step();
    Mob& mob = match.state.mobs[0];
    CHECK(mob.stance == MobStance::hit);
    CHECK(mob.health < 20);
    CHECK(match.state.mobs[1].health == 20);  // nearer, but behind
    match.inputs[0] = {};
    const double before = mob.body.position.x;
    match.run(31);
    CHECK(mob.body.position.x - before == doctest::Approx(27).epsilon(0.05));
    match.run(200);
    CHECK(mob.prey == 0);
    CHECK(mob.body.position.x < before + 27);
    match.inputs[0].attack = true;
    for (int i = 0; i < 600 && mob.alive(); ++i) {
        player.facing_right = mob.body.position.x > player.body.position.x;
        match.step();
    }
    CHECK(!mob.alive());
    CHECK(player.score == 4);
    CHECK(match.state.drops.size() == 1);
    match.inputs[0] = {};
    match.run(1200);
    CHECK(mob.alive());
    CHECK(mob.health == 20);
}

TEST_CASE("foothold step: a drop comes to rest, bobs, and is picked up on request") {
    FootholdMatch match(plain_setup());
    Player& player = settle(match);
    contract::Events<Event> events(match.room);
    const Moment moment{match.setup, Clock::of(match.state, match.setup), events};
    leave_drop(match.state, {0, 0}, 5, moment);
    REQUIRE(match.state.drops.size() == 1);
    match.run(150);
    CHECK(match.state.drops[0].stance == DropStance::floating);
    CHECK(std::abs(match.state.drops[0].body.position.y) < 6);
    match.inputs[0].pick_up = true;
    match.run(2);
    CHECK(player.score == 5);
    CHECK(match.state.drops[0].stance == DropStance::picked_up);
    const auto way_left = [&] {
        return math::distance(match.state.drops[0].body.position, player.body.position - Vec2{0, 25});
    };
    match.inputs[0] = {.right = true};  // away from it
    const double first = way_left();
    match.run(40);
    CHECK(player.body.position.x > 20);
    CHECK(way_left() < first / 2);
    match.run(20);
    CHECK(match.state.drops.empty());
}

TEST_CASE("foothold step: at the limit of drops the oldest is removed") {
    Setup setup = plain_setup();
    setup.map.most_drops = 3;
    FootholdMatch match(setup);
    for (std::int32_t value = 1; value <= 5; ++value) {
        contract::Events<Event> events(match.room);
        leave_drop(match.state, {0, 0}, value, {match.setup, Clock::of(match.state, match.setup), events});
        match.step();
    }
    std::int32_t least = 100;
    for (const Drop& drop : match.state.drops) least = std::min(least, drop.value);
    CHECK(match.state.drops.size() == 3);
    CHECK(least == 3);
}

TEST_CASE("foothold step: a player sits until it moves") {
    FootholdMatch match(plain_setup());
    Player& player = settle(match);
    match.inputs[0].sit = true;
    match.run(10);
    CHECK(player.stance == Stance::sit);
    CHECK(touch_box(player, {0, 0}).top == -28);
    match.inputs[0] = {.right = true};
    match.run(10);
    CHECK(player.stance == Stance::walk);
}

TEST_CASE("foothold step: a slippery map is ice in the game: as fast, but slower to start and to stop") {
    const auto run = [](double friction) {
        Setup setup = plain_setup();
        setup.map.friction = friction;
        complete(setup);
        FootholdMatch match(setup);
        Player& player = settle(match, {-250, -5});
        match.inputs[0].right = true;
        match.run(30);
        const double soon = player.body.velocity.x;
        match.run(400);
        const double fast = player.body.velocity.x;
        match.inputs[0] = {};
        match.run(20);
        return std::array{soon, fast, player.body.velocity.x};
    };
    const auto ground = run(1);
    const auto ice = run(0.2);
    CHECK(ice[0] < 0.8 * ground[0]);
    CHECK(ice[1] == doctest::Approx(ground[1]).epsilon(0.05));
    CHECK(ice[2] > 2 * ground[2]);
}

TEST_CASE(
    "foothold step: a trap's box is mirrored by flip, falls back to its sprite, and is harmless when faint "
    "or tiny") {
    const TrapFrame boxed{.box = {-10, -20, 30, 0}, .sprite = {50, 50}};
    CHECK(box_of(boxed, false).left == -10);
    CHECK(box_of(boxed, true).left == -30);
    CHECK(box_of(boxed, true).right == 10);
    const TrapFrame sprite{.sprite = {40, 30}, .origin = {10, 30}};
    CHECK(box_of(sprite, false).right == 30);
    CHECK(box_of(sprite, true).left == -30);
    CHECK(box_of(TrapFrame{.sprite = {4, 30}}, false).is_empty());
    CHECK(box_of(TrapFrame{.box = {0, 0, 9, 9}, .opacity = 25}, false).is_empty());
    CHECK(!box_of(TrapFrame{.box = {0, 0, 9, 9}, .opacity = 26}, false).is_empty());
}

TEST_CASE("foothold step: between two ticks entities are drawn between their two positions") {
    Setup setup = plain_setup();
    home_at(setup, {.speed = -50, .touch_hurts = false}, {-150, 0}, 1);
    FootholdMatch match(setup);
    Player& player = settle(match);
    Mob& mob = match.state.mobs[0];
    match.inputs[0].right = true;
    match.run(50);
    mob.stance = MobStance::move;
    mob.until = 1'000'000;
    match.run(20);
    state::Block before_block(match.layout);
    std::vector<std::byte> image(state::image_size(match.layout, match.block.data()));
    state::save(match.layout, match.block.data(), image);
    state::restore(match.layout, image, before_block.data());
    state::Block between(match.layout);
    const double from = player.body.position.x;
    const double mob_from = mob.body.position.x;
    match.step();
    const double to = player.body.position.x;
    const double mob_way = mob.body.position.x - mob_from;
    REQUIRE(to > from);
    REQUIRE(std::abs(mob_way) > 0.05);
    constexpr double head = 11;
    constexpr double eye = 0.12 * 40;  // of a body 40 px wide and high
    const auto disc_at = [&](double fraction, double size) {
        contract::DrawList list;
        present::blend_states(match.layout, before_block.data(), match.block.data(), fraction,
                              facts(match.setup).teleport_distance, between.data());
        const State blended = state::bind<State>(match.layout, between.data());
        view(blended, match.setup, {}, list);
        for (const contract::Shape& shape : list.shapes)
            if (shape.kind == contract::ShapeKind::disc && std::abs(shape.size - size) < 1e-9)
                return list.points_of(shape)[0].x;
        return -1e9;
    };
    CHECK(disc_at(0, head) == doctest::Approx(from));
    CHECK(disc_at(0.5, head) == doctest::Approx((from + to) / 2));
    CHECK(disc_at(1, head) == doctest::Approx(to));
    CHECK(disc_at(0.5, eye) - disc_at(0, eye) == doctest::Approx(mob_way / 2));
    CHECK(disc_at(1, eye) - disc_at(0, eye) == doctest::Approx(mob_way));
}

TEST_CASE("foothold step: a state rounded to its precision steps on with the same feet on the same ground") {
    test::for_each_seed(20, [](math::Random& random) {
        FootholdMatch match(plain_setup());
        std::vector<worlds::foothold::FootholdSegment> slopes{{1, 1, 0, -300, 0, -100, -70, 0, 2, false},
                                                              {2, 1, 0, -100, -70, 100, 37, 1, 3, false},
                                                              {3, 1, 0, 100, 37, 300, 0, 2, 0, false}};
        match.setup.ground = worlds::foothold::FootholdSet(slopes);
        Player& player = match.join(0);
        place(player, {random.uniform(-250, 250), -80}, match.setup);
        match.run(100);
        for (int i = 0; i < 300; ++i) {
            match.inputs[0].right = random.below(50) < 25;
            match.inputs[0].left = !match.inputs[0].right;
            const auto round_to = [](double& value, double step) { value = std::round(value / step) * step; };
            round_to(player.body.position.x, 0.0625);
            round_to(player.body.position.y, 0.0625);
            round_to(player.body.velocity.x, 0.001);
            const bool stood = player.body.on_ground && std::abs(player.body.position.x) < 290;
            match.step();
            if (stood) REQUIRE(player.body.on_ground);
        }
    });
}

TEST_CASE(
    "foothold step: a picture has rungs as long as they are few, and few however long the ladders are") {
    const auto shapes_with = [](std::size_t ladders, std::int32_t length) {
        Setup setup = plain_setup();
        for (std::size_t i = 0; i < ladders; ++i)
            setup.ladders.push_back({static_cast<std::int32_t>(i), -length / 2, length / 2, false, {}});
        FootholdMatch match(setup);
        contract::DrawList list;
        worlds::foothold::view(match.state, match.setup, {}, list);
        return list.shapes.size();
    };
    const std::size_t none = shapes_with(0, 0);
    CHECK(shapes_with(1, 160) == none + 2 + 10);
    CHECK(shapes_with(200, 200'000) <= none + 200 * 2 + 1000 + 200);
}

TEST_CASE(
    "foothold step: a jump pressed up to 100 ms before landing counts in the game, and an earlier one not") {
    const auto jumps_after = [](const Rules& rules, int ticks_before_landing) {
        FootholdMatch match(plain_setup(rules));
        Player& player = settle(match);
        const auto fall = [&] {
            place(player, {0, -60}, match.setup);
            int ticks = 0;
            for (; player.stance == Stance::fall; ++ticks) match.step();
            return ticks;
        };
        const int landing = fall();
        place(player, {0, -60}, match.setup);
        match.inputs[0] = {};
        int jumps = 0;
        for (int tick = 1; tick <= landing + 20; ++tick) {
            match.inputs[0].jump = tick == landing - ticks_before_landing;
            match.step();
            jumps += match.count(EventKind::jumped);
        }
        return jumps;
    };
    for (const int ticks : {0, 1, 6, 12}) CHECK(jumps_after(game, ticks) == 1);
    for (const int ticks : {13, 14, 20}) CHECK(jumps_after(game, ticks) == 0);
    for (const int ticks : {1, 6, 12}) CHECK(jumps_after(faithful, ticks) == 0);
}

TEST_CASE(
    "foothold step: no object falls faster than 670 px/s in the game, and any speed is reached in the "
    "original") {
    const std::vector<FootholdSegment> deep{{1, 1, 0, -600, 0, 600, 0, 0, 0},
                                            {2, 1, 0, -600, 9000, 600, 9000, 0, 0}};
    for (const Rules& rules : {game, faithful, faithful_web}) {
        Setup setup = test::foothold_setup(rules, deep);
        setup.rules.mobs_wander = false;
        home_at(setup, {.touch_hurts = false}, {100, 10}, 0);
        FootholdMatch match(setup);
        Player& player = match.join(0);
        place(player, {0, 5}, match.setup);
        double fastest = 0;
        double fastest_mob = 0;
        for (int tick = 0; tick < 600; ++tick) {
            match.step();
            fastest = std::max(fastest, player.body.velocity.y);
            fastest_mob = std::max(fastest_mob, match.state.mobs[0].body.velocity.y);
        }
        const double cap = speed_of(670.0 / 125, match.setup);
        CHECK((fastest <= cap * (1 + 1e-12)) == (rules.fall_speed_cap > 0));
        CHECK(fastest >= cap * (1 - 1e-12));
        CHECK((fastest_mob <= cap) ==
              (rules.fall_out));  // of the originals only the web client's player has one
    }
}

TEST_CASE(
    "foothold step: an NPC high above the ground stands on it, and one with no ground below is refused") {
    const auto loaded = [](const std::string& position) {
        const auto json = state::parse_json(R"({"world": "foothold", "name": "yard", "rules": "game",
            "footholds": [{"id": 1, "x1": -300, "y1": 0, "x2": 300, "y2": 60}],
            "spawns": [{"position": [0, -30]}],
            "npcs": [{"name": "the smith", "position": )" +
                                                position + "}]}",
                                            "yard.json");
        REQUIRE_MESSAGE(json, json.error().text());
        return load({}, *json, "yard.json");
    };
    for (const double height : {-20.0, -61.0, -500.0}) {
        const auto setup = loaded("[0, " + std::to_string(height) + "]");
        REQUIRE_MESSAGE(setup, setup.error().text());
        CHECK(setup->npcs[0].position.y == 30);
    }
    const auto refused = loaded("[0, 500]");
    REQUIRE(!refused);
    CHECK(refused.error().text().find("npcs[0].position: has no ground below it") != std::string::npos);
}
