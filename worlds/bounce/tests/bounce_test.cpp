// SPDX-License-Identifier: MIT
#include <bounce/bounce.h>
#include <instep/match/registry.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <array>
#include <cmath>

using namespace instep;
using namespace instep::worlds::bounce;

namespace {

const match::WorldTable& bounce_table() { return **match::find_world("bounce"); }

// A room whose state is open to the test.
struct Room {
    Setup setup;
    state::Layout layout = state::make_layout<State>(setup);
    state::Block block{layout};
    State state = state::bind<State>(layout, block.data());
    std::array<Input, 64> inputs{};
    std::array<Event, 256> event_room{};
    match::EventBytes events{std::as_writable_bytes(std::span(event_room))};

    explicit Room(Setup chosen) : setup(chosen) {
        *state.head = {};
        state.head->random = math::Random::from_seed(1);
    }
    void start() { bounce_table().start(&setup, layout, block.data(), 1); }
    void step(std::span<const contract::Join> joins = {}, std::span<const Slot> leaves = {}) {
        bounce_table().step(&setup, layout, block.data(), {leaves, joins, std::as_bytes(std::span(inputs))},
                            events);
    }
    state::Result<void> validate() const { return bounce_table().validate(&setup, layout, block.data()); }
    void join(Slot slot) {
        const contract::Join join{.slot = slot};
        step({&join, 1});
    }
    Player& player(Slot slot) {
        for (Player& player : state.players)
            if (player.slot == slot) return player;
        FAIL("no such player");
        std::abort();
    }
    Ball& ball_of(Slot slot) { return *state.balls.find(player(slot).own); }
    int count(EventKind kind) const {
        int found = 0;
        for (std::uint32_t i = 0; i < events.count; ++i) found += event_room[i].kind == kind ? 1 : 0;
        return found;
    }
};

Setup ideal_table() {
    return {faithful, {.width = 400, .height = 300, .loose_balls = 20, .most_players = 4}};
}

Vec2 momentum(const State& state) {
    Vec2 sum;
    for (const Ball& ball : state.balls) sum += ball.velocity;
    return sum;
}

double energy(const State& state) {
    double sum = 0;
    for (const Ball& ball : state.balls) sum += length_squared(ball.velocity) / 2;
    return sum;
}

void scatter(Room& room, math::Random& random) {
    for (int i = 0; i < 20; ++i)
        room.state.balls.add({.position = {random.uniform(120, 280), random.uniform(80, 220)},
                              .velocity = {random.uniform(-60, 60), random.uniform(-60, 60)}});
}

}  // namespace

TEST_CASE("bounce: an impact keeps momentum, whatever the restitution") {
    test::for_each_seed(200, [](math::Random& random) {
        Setup setup = ideal_table();
        setup.rules.restitution = random.uniform();
        Room room(setup);
        scatter(room, random);
        const Vec2 before = momentum(room.state);
        for (int tick = 0; tick < 30; ++tick) {
            room.step();
            if (room.count(EventKind::wall) > 0) return;  // a wall takes momentum: the law ends here
            const Vec2 now = momentum(room.state);
            CHECK(now.x == doctest::Approx(before.x).epsilon(1e-12));
            CHECK(now.y == doctest::Approx(before.y).epsilon(1e-12));
        }
    });
}

TEST_CASE("bounce: faithful balls keep their energy for ever and game balls never gain any") {
    test::for_each_seed(50, [](math::Random& random) {
        Room ideal(ideal_table());
        scatter(ideal, random);
        const double before = energy(ideal.state);
        for (int tick = 0; tick < 600; ++tick) ideal.step();
        CHECK(energy(ideal.state) == doctest::Approx(before).epsilon(1e-9));

        Setup lossy = ideal_table();
        lossy.rules = game;
        Room room(lossy);
        scatter(room, random);
        double last = energy(room.state);
        for (int tick = 0; tick < 300; ++tick) {
            room.step();
            const double now = energy(room.state);
            CHECK(now <= last);
            last = now;
        }
    });
}

TEST_CASE("bounce: a mirrored box moves in mirror image") {
    test::for_each_seed(50, [](math::Random& random) {
        const Setup setup = ideal_table();
        Room room(setup);
        scatter(room, random);
        Room mirror(setup);
        for (const Ball& ball : room.state.balls)
            mirror.state.balls.add({.position = {setup.box.width - ball.position.x, ball.position.y},
                                    .velocity = {-ball.velocity.x, ball.velocity.y}});
        for (int tick = 0; tick < 20; ++tick) {
            room.step();
            mirror.step();
        }
        for (std::uint32_t i = 0; i < room.state.balls.size(); ++i) {
            CHECK(mirror.state.balls[i].position.x ==
                  doctest::Approx(setup.box.width - room.state.balls[i].position.x).epsilon(1e-6));
            CHECK(mirror.state.balls[i].position.y ==
                  doctest::Approx(room.state.balls[i].position.y).epsilon(1e-6));
        }
    });
}

TEST_CASE("bounce: nothing ever leaves the box, however hard it is pushed") {
    Setup setup{game, {.width = 40, .height = 40, .loose_balls = 10, .most_players = 4}};
    setup.rules.push = 10'000;
    Room room(setup);
    room.start();
    for (Slot slot = 0; slot < 4; ++slot) room.join(slot);
    auto random = math::Random::from_seed(5);
    for (int tick = 0; tick < 1000; ++tick) {
        for (Slot slot = 0; slot < 4; ++slot) {
            room.inputs[slot] = {{random.uniform(-1, 1), random.uniform(-1, 1)}};
            bounce_table().sanitize(&setup, reinterpret_cast<std::byte*>(&room.inputs[slot]));
        }
        room.step();
        for (const Ball& ball : room.state.balls)
            REQUIRE(motion::Box{{3, 3}, {37, 37}}.contains(ball.position));
        const auto legal = room.validate();
        REQUIRE_MESSAGE(legal, legal.error().text());
    }
}

TEST_CASE("bounce: a push moves the player's own ball and no other") {
    Room room({game, {.width = 400, .height = 300, .loose_balls = 0, .most_players = 2}});
    room.join(0);
    room.join(1);
    room.ball_of(0).position = {100, 100};
    room.ball_of(1).position = {300, 200};
    room.inputs[0] = {{1, 0}};
    for (int tick = 0; tick < 30; ++tick) room.step();
    CHECK(room.ball_of(0).position.x > 110);
    CHECK(room.ball_of(0).position.y == 100);
    CHECK(room.ball_of(1).position == Vec2{300, 200});
}

TEST_CASE(
    "bounce: a fast knock against a loose ball scores once, a slow touch and another player's ball do not") {
    const auto collide_at = [](double speed, Slot target_owner) {
        Room room({game, {.width = 400, .height = 300, .loose_balls = 1, .most_players = 2}});
        room.join(0);
        room.ball_of(0) = {.position = {100, 100}, .velocity = {speed, 0}, .owner = 0};
        room.state.balls.add({.position = {106.01, 100}, .owner = target_owner});
        for (int tick = 0; tick < 10; ++tick) room.step();
        return room.player(0).score;
    };
    CHECK(collide_at(30, no_player) == 1);
    CHECK(collide_at(5, no_player) == 0);
    CHECK(collide_at(30, 1) == 0);
}

TEST_CASE("bounce: a leaving player takes its ball along, and the next player in the slot starts afresh") {
    Room room({game, {.loose_balls = 0, .most_players = 2}});
    room.join(1);
    const state::Handle first = room.player(1).own;
    room.player(1).score = 9;
    const Slot leaving = 1;
    room.step({}, {&leaving, 1});
    CHECK(room.count(EventKind::left) == 1);
    CHECK(room.state.players.empty());
    CHECK(room.state.balls.empty());
    room.join(1);
    CHECK(room.count(EventKind::joined) == 1);
    CHECK(room.event_room[0].position == room.ball_of(1).position);
    CHECK(room.player(1).score == 0);
    CHECK(room.state.balls.find(first) == nullptr);
}

TEST_CASE("bounce: balls at the same position part instead of becoming NaN") {
    Room room({game, {.loose_balls = 2, .most_players = 1}});
    for (int i = 0; i < 2; ++i) room.state.balls.add({.position = {50, 50}});
    for (int tick = 0; tick < 5; ++tick) room.step();
    CHECK(room.validate());
    CHECK(distance(room.state.balls[0].position, room.state.balls[1].position) >= 5.99);
}

TEST_CASE("bounce: a state that no match reaches is refused, with the reason") {
    const auto error_after = [](auto change) {
        Room room({game, {.loose_balls = 1, .most_players = 2}});
        room.start();
        room.join(0);
        REQUIRE(room.validate());
        change(room);
        const auto legal = room.validate();
        return legal ? std::string("no error") : legal.error().text();
    };
    const auto says = [](const std::string& text, std::string_view words) {
        return text.find(words) != std::string::npos;
    };
    CHECK(says(error_after([](Room& room) { room.ball_of(0).velocity.x = INFINITY; }), "not finite"));
    CHECK(says(error_after([](Room& room) { room.player(0).slot = 2; }), "does not exist"));
    CHECK(says(error_after([](Room& room) { room.player(0).input.push = {3, 0}; }), "sanitize"));
    CHECK(says(error_after([](Room& room) { room.player(0).score = -2'000'000'000; }), "score"));
    CHECK(says(error_after([](Room& room) { room.ball_of(0).owner = 1; }), "not there"));
    CHECK(says(error_after([](Room& room) { room.state.head->random.gamma = 2; }), "generator"));
    CHECK(says(error_after([](Room& room) { ++room.player(0).own.generation; }), "no element of \"balls\""));
    CHECK(says(error_after([](Room& room) { room.player(0).own.id = 40; }), "ball"));
    CHECK(says(error_after([](Room& room) { room.player(0).own = {}; }), "no error"));
}

TEST_CASE("bounce: a faulty level is refused with the reason") {
    const auto error_of = [](std::string_view text) {
        const auto json = state::parse_json(text, "box.json");
        REQUIRE(json);
        const auto setup = bounce_table().load(nullptr, *json, "box.json");
        REQUIRE(!setup);
        return setup.error().text();
    };
    CHECK(error_of(R"({"rules": "hard"})") ==
          R"(box.json: rules: expected "faithful" or "game", got "hard")");
    CHECK(error_of(R"({"rules": "game", "bx": {}})").find("\"bx\"") != std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "drag": "slow"}})").find("rules.drag") != std::string::npos);
    CHECK(error_of(R"({"rules": "game", "box": {"width": -1}})").find("box.width") != std::string::npos);
    CHECK(error_of(R"({"rules": {"base": "game", "radius": 60}})").find("smaller than one ball") !=
          std::string::npos);
}

TEST_CASE("bounce: the sandbox gets a level with one loose ball more") {
    const auto level = state::parse_json(R"({"rules": "game", "box": {"loose_balls": 3}})", "level");
    const match::WorldTable& table = bounce_table();
    const bool has_bodies = table.bodies != nullptr;
    REQUIRE(has_bodies);
    CHECK(table.bodies(table.context, *level) == std::vector<std::string>{"loose ball"});
    const auto more = table.with_body(table.context, *level, "loose ball", {});
    REQUIRE(more);
    CHECK(write_json(*more) == R"({"rules":"game","box":{"loose_balls":4}})");
    const auto refused = table.with_body(table.context, *level, "goat", {});
    REQUIRE(!refused);
    CHECK(refused.error().text() == R"(goat: expected "loose ball")");
}
