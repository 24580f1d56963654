// SPDX-License-Identifier: MIT
// The world around the physics: joins, leaves and spawns, the map, inputs and levels.
#include <flail/flail.h>
#include <instep/math/trig.h>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace instep;
using namespace instep::worlds::flail;
using test::FlailRoom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Rules with_nodes(Rules rules, std::uint32_t nodes) {
    rules.rope_nodes = nodes;
    return rules;
}

// Everyone steers at random and presses buttons at random.
void steer_at_random(FlailRoom& room, math::Random& random) {
    for (Input& input : room.inputs)
        input = {.angle = random.uniform(-math::pi, math::pi),
                 .moving = random.below(4) != 0,
                 .letting_go = random.below(8) == 0};
}

}  // namespace

TEST_CASE(
    "flail: a faithful player starts with body, rope and flail in the origin, at rest, and never at -0") {
    for (std::uint32_t nodes = 2; nodes <= most_rope_nodes; ++nodes) {
        FlailRoom room(with_nodes(faithful, nodes));
        room.join(3, "Ada");
        const Player& player = room.player(3);
        CHECK(player.name.view() == "Ada");
        CHECK(player.flail_size == 1000);
        CHECK(player.flail_angle == 0);
        for (const Particle& node : player.rope) {
            CHECK(node == Particle{});
            CHECK(!std::signbit(node.position.x));
            CHECK(!std::signbit(node.position.y));
        }
        CHECK(room.count(EventKind::joined) == 1);
    }
}

TEST_CASE("flail: a player of the game starts somewhere within the spread, its rope drawn out and at ease") {
    Vec2 last{infinity, 0};
    for (std::uint32_t nodes = 2; nodes <= most_rope_nodes; ++nodes) {
        FlailRoom room(with_nodes(game, nodes));
        room.state.head->random = math::Random::from_seed(nodes);
        room.join(0);
        const auto start = room.player(0).rope;
        CHECK(std::abs(start[0].position.x) <= game.spawn_spread);
        CHECK(std::abs(start[0].position.y) <= game.spawn_spread);
        CHECK(start[0].position != last);
        last = start[0].position;
        for (std::uint32_t i = 1; i < nodes; ++i)
            CHECK(distance(start[i - 1].position, start[i].position) == doctest::Approx(80).epsilon(1e-12));
        room.step();
        for (std::uint32_t i = 0; i < nodes; ++i)
            CHECK(distance(room.player(0).rope[i].position, start[i].position) < 1e-9);
    }
}

TEST_CASE("flail: nodes that a rope does not have stay untouched") {
    FlailRoom room(with_nodes(game, 4));
    room.join(0);
    auto random = math::Random::from_seed(3);
    for (int tick = 0; tick < 100; ++tick) {
        steer_at_random(room, random);
        room.step();
    }
    for (std::size_t i = 4; i < most_rope_nodes; ++i) CHECK(room.player(0).rope[i] == Particle{});
}

TEST_CASE(
    "flail: a leaving player takes rope and score along, and the next player in the slot starts afresh") {
    FlailRoom room(game);
    room.join(0);
    room.join(7);
    room.player(7).score = 9;
    room.player(7).flail_size = 2500;
    room.leave(7);
    CHECK(room.count(EventKind::left) == 1);
    CHECK(room.state.players.size() == 1);
    room.join(7);
    CHECK(room.player(7).score == 0);
    CHECK(room.player(7).flail_size == 1000);
}

TEST_CASE("flail: a leave from an empty slot and a join into a taken slot change nothing") {
    FlailRoom room(faithful);
    room.join(2, "first");
    room.leave(5);
    CHECK(room.events.all().empty());
    room.join(2, "second");
    CHECK(room.events.all().empty());
    CHECK(room.player(2).name.view() == "first");
    CHECK(room.state.players.size() == 1);
}

TEST_CASE("flail: a room takes 64 players, and a smaller map's limit is kept") {
    FlailRoom room(game);
    for (int slot = 0; slot < 64; ++slot) room.join(static_cast<Slot>(slot));
    CHECK(room.state.players.size() == 64);
    CHECK(worlds::flail::validate(room.state, room.setup));

    FlailRoom small(Setup{.rules = game, .map = {.most_players = 2}});
    const contract::Join joins[] = {{.slot = 0}, {.slot = 1}, {.slot = 2}};
    small.step(joins);
    CHECK(small.state.players.size() == 2);
    CHECK(small.count(EventKind::joined) == 2);
}

TEST_CASE("flail: the game's map holds bodies in, and lets flails swing over its edge") {
    test::for_each_seed(10, [](math::Random& random) {
        FlailRoom room(Setup{.rules = game, .map = {.size = 800, .most_players = 8}});
        room.setup.rules.spawn_spread = 300;
        for (Slot slot = 0; slot < 8; ++slot) room.join(slot);
        for (int tick = 0; tick < 400; ++tick) {
            steer_at_random(room, random);
            room.step();
            for (const Player& player : room.state.players) {
                REQUIRE(std::abs(player.body().position.x) <= 400);
                REQUIRE(std::abs(player.body().position.y) <= 400);
            }
        }
    });
}

TEST_CASE("flail: a body at the edge loses the speed into it and keeps the speed along it") {
    FlailRoom room(game);
    room.join(0);
    room.player(0).body() = {.position = {4249, 0}, .velocity = {9, 5}};
    room.step();
    CHECK(room.player(0).body().position.x == 4250);
    CHECK(room.player(0).body().velocity.x == 0);
    CHECK(room.player(0).body().velocity.y == 5 * room.setup.kept);
}

TEST_CASE("flail: the faithful map has a size but does not hold bodies") {
    FlailRoom room(faithful);
    const contract::Facts facts = worlds::flail::facts(room.setup);
    CHECK(facts.view_low == Vec2{-4250, -4250});
    CHECK(facts.view_high == Vec2{4250, 4250});
    CHECK(facts.tick_rate == 40);
    CHECK(facts.snapshot_every == 2);
    CHECK(!facts.y_up);
    room.join(0);
    room.inputs[0] = {.angle = math::pi / 4, .moving = true};
    for (int tick = 0; tick < 700; ++tick) room.step();
    CHECK(room.player(0).body().position.x > 4250);
    CHECK(room.player(0).body().position.y > 4250);
    CHECK(worlds::flail::validate(room.state, room.setup));
}

TEST_CASE("flail: players do not affect each other under the document's physics") {
    test::for_each_seed(20, [](math::Random& random) {
        FlailRoom crowd(faithful);
        FlailRoom alone(faithful);
        alone.join(5);
        crowd.join(5);
        for (Slot slot = 0; slot < 5; ++slot) crowd.join(slot);
        for (int tick = 0; tick < 5; ++tick) alone.step();
        for (int tick = 0; tick < 100; ++tick) {
            steer_at_random(crowd, random);
            alone.inputs[5] = crowd.inputs[5];
            crowd.step();
            alone.step();
        }
        CHECK(crowd.player(5).rope == alone.player(5).rope);
    });
}

TEST_CASE(
    "flail: an input without a number for its angle is refused, any other is made legal once and for all") {
    const Setup setup;
    for (const double angle : {not_a_number, infinity, -infinity}) {
        Input input{.angle = angle};
        CHECK(!worlds::flail::sanitize(input, setup));
    }
    test::for_each_seed(2000, [&](math::Random& random) {
        const double scales[] = {1, math::pi, 10, 1e6, 1e300};
        const double scale = scales[random.below(5)];
        Input input{.angle = random.uniform(-1, 1) * scale, .moving = true};
        if (random.below(20) == 0) input.angle = random.below(2) == 0 ? math::pi : -math::pi;
        const Input asked = input;
        REQUIRE(worlds::flail::sanitize(input, setup));
        CHECK(std::abs(input.angle) <= math::pi);
        CHECK(input.moving);
        if (std::abs(asked.angle) <= math::pi) CHECK(input.angle == asked.angle);
        const double once = input.angle;
        REQUIRE(worlds::flail::sanitize(input, setup));
        CHECK(input.angle == once);
    });
}

TEST_CASE("flail: a state with a player twice, far off, or of impossible health is not legal") {
    FlailRoom room(game);
    room.join(0);
    room.join(1);
    CHECK(worlds::flail::validate(room.state, room.setup));
    const auto error_with = [&](auto change) {
        const Player before = room.player(1);
        change(room.player(1));
        const auto legal = worlds::flail::validate(room.state, room.setup);
        room.state.players[1] = before;
        return legal ? std::string() : legal.error().text();
    };
    CHECK(error_with([](Player& p) { p.slot = 0; }).find("slot 0") != std::string::npos);
    CHECK(error_with([](Player& p) { p.slot = 64; }).find("slot 64") != std::string::npos);
    CHECK(error_with([](Player& p) { p.body().position.x = not_a_number; }).find("nowhere") !=
          std::string::npos);
    CHECK(error_with([](Player& p) { p.rope[2].velocity.y = infinity; }).find("nowhere") !=
          std::string::npos);
    CHECK(error_with([](Player& p) { p.flail_angle = not_a_number; }).find("angle") != std::string::npos);
    CHECK(error_with([](Player& p) { p.input.angle = 100; }).find("angle") != std::string::npos);
    CHECK(error_with([](Player& p) { p.health = -1; }).find("health") != std::string::npos);
    CHECK(error_with([](Player& p) { p.flail_size = 1'000'000; }).find("flail") != std::string::npos);
    CHECK(error_with([](Player& p) { p.health = game.most_health + 1; }).find("health") != std::string::npos);
    CHECK(error_with([](Player& p) { p.hit_pause = game.hit_pause + 1; }).find("pause") != std::string::npos);
    CHECK(error_with([](Player& p) { p.respawn_pause = 4'000'000'000; }).find("pause") != std::string::npos);
    CHECK(error_with([](Player& p) { p.rope[15].position.x = 1; }).find("more rope") != std::string::npos);
    room.state.head->random.gamma = 2;
    CHECK(!worlds::flail::validate(room.state, room.setup));
}

TEST_CASE("flail: where rules have no combat, no state is legal that only a fight leads to") {
    FlailRoom room(faithful);
    room.join(0);
    CHECK(worlds::flail::validate(room.state, room.setup));
    Player& player = room.player(0);
    const Player unharmed = player;
    player.loose = true;
    CHECK(!worlds::flail::validate(room.state, room.setup));
    player = unharmed;
    player.hit_pause = 1;
    CHECK(!worlds::flail::validate(room.state, room.setup));
    player = unharmed;
    player.respawn_pause = 1;
    CHECK(!worlds::flail::validate(room.state, room.setup));
}

TEST_CASE(
    "flail: a bot near the border runs inward, and in a minute of bots flails are let go and called back") {
    Setup setup{.rules = game, .map = {.size = 2000, .most_players = 8}, .kept = 1 / game.drag_divisor};
    setup.rules.spawn_spread = 800;
    FlailRoom room(setup);
    for (Slot slot = 0; slot < 8; ++slot) room.join(slot);
    int let_go = 0;
    int called_back = 0;
    for (int tick = 0; tick < 2400; ++tick) {
        for (Slot slot = 0; slot < 8; ++slot)
            room.inputs[slot] = worlds::flail::bot(room.state, room.setup, slot);
        room.step();
        let_go += room.count(EventKind::let_go);
        called_back += room.count(EventKind::called_back);
    }
    CHECK(let_go > 5);
    CHECK(called_back > 5);
    for (const Vec2 border : {Vec2{990, 100}, Vec2{-990, -100}, Vec2{50, 990}, Vec2{-50, -990}}) {
        room.player(0).respawn_pause = 0;
        room.player(0).body().position = border;
        const math::SinCos heading = math::sincos(worlds::flail::bot(room.state, room.setup, 0).angle);
        CHECK(dot(Vec2{heading.cos, heading.sin}, border) < 0);
    }
}

TEST_CASE("flail: bots chase each other, and a bot that is not there asks for nothing") {
    FlailRoom room(game);
    room.join(0);
    room.join(1);
    room.player(0).body().position = {-1000, 0};
    room.player(1).body().position = {1000, 0};
    for (int tick = 0; tick < 120; ++tick) {
        for (Slot slot = 0; slot < 2; ++slot) {
            room.inputs[slot] = worlds::flail::bot(room.state, room.setup, slot);
            REQUIRE(worlds::flail::sanitize(room.inputs[slot], room.setup));
        }
        room.step();
    }
    CHECK(distance(room.player(0).body().position, room.player(1).body().position) < 1000);
    const Input nothing = worlds::flail::bot(room.state, room.setup, 9);
    CHECK(!nothing.moving);
    CHECK(!nothing.letting_go);
}

TEST_CASE("flail: living players are drawn with their names, dead ones are not") {
    FlailRoom room(game);
    room.join(0, "Ada");
    room.join(1, "Bob");
    room.player(1).respawn_pause = 10;
    contract::DrawList list;
    worlds::flail::view(room.state, room.setup, {}, list);
    CHECK(list.letters == "Ada");
    const auto discs =
        std::count_if(list.shapes.begin(), list.shapes.end(),
                      [](const contract::Shape& shape) { return shape.kind == contract::ShapeKind::disc; });
    CHECK(discs == 3);  // body, eye, heart of the flail
}

TEST_CASE(
    "flail: the levels of the two rule sets differ in what the document calls quirks and in the game's "
    "additions") {
    CHECK(faithful.spawn_together);
    CHECK(!game.spawn_together);
    CHECK(!faithful.map_holds_bodies);
    CHECK(game.map_holds_bodies);
    CHECK(!faithful.combat);
    CHECK(game.combat);
    for (const Rules& rules : {faithful, game}) {
        CHECK(!rules.rope_pulls_body);
        CHECK(!rules.spring_pushes);
        CHECK(rules.push == 1);
        CHECK(rules.drag_divisor == 1.1);
        CHECK(rules.rope_stiffness == 0.1);
        CHECK(rules.rope_rest_length == 80);
        CHECK(rules.rope_nodes == 3);
    }
}

TEST_CASE("flail: a faulty level is refused with the reason") {
    const auto error_of = [](std::string_view text) {
        const auto json = state::parse_json(text, "pit.json");
        REQUIRE_MESSAGE(json, json.error().text());
        const auto setup = worlds::flail::load({}, *json, "pit.json");
        return setup ? std::string("no error") : setup.error().text();
    };
    CHECK(error_of(R"({"rules": "game"})") == "no error");
    CHECK(error_of(R"({"rules": "hard"})") ==
          R"(pit.json: rules: expected "faithful" or "game", got "hard")");
    CHECK(error_of(R"({})").find("rules") != std::string::npos);
    CHECK(error_of(R"({"rules": "game", "mapp": {}})").find("\"mapp\"") != std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "rope_nodes": 1}})").find("rules.rope_nodes") !=
          std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "rope_nodes": 17}})").find("rules.rope_nodes") !=
          std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "ropes": 3}})").find("\"ropes\"") != std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "push": "hard"}})").find("rules.push") != std::string::npos);
    CHECK(error_of(R"({"rules": "game", "map": {"size": -1}})").find("map.size") != std::string::npos);
    CHECK(error_of(R"({"rules": "game", "map": {"most_players": 65}})").find("map.most_players") !=
          std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "flail_size": 3001}})").find("rules.flail_size") !=
          std::string::npos);
    CHECK(error_of(R"({"rules": "game", "map": {"size": 1000}})").find("rules.spawn_spread") !=
          std::string::npos);
}

TEST_CASE("flail: a level's drag is what its players feel") {
    const auto json = state::parse_json(R"({"rules": {"base": "faithful", "drag_divisor": 2}})", "slow.json");
    const auto setup = worlds::flail::load({}, *json, "slow.json");
    REQUIRE(setup);
    FlailRoom room(*setup);
    room.inputs[0] = {.angle = 0, .moving = true};
    room.join(0);
    CHECK(room.player(0).body().velocity.x == 0.5);
}
