// SPDX-License-Identifier: MIT
#include <orbit/flight.h>
#include <orbit/orbit.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

#include <bit>
#include <cstring>
#include <limits>

using namespace instep;
using namespace instep::worlds::orbit;
using test::orbit::default_world;
using test::orbit::game_world;
using test::orbit::Room;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// A room with one ship far from everything, at rest.
Room quiet_room(std::vector<Vec2> pallets, Rules rules = faithful) {
    Space space;
    space.sun = {.position = {0, 0}, .mass = 0, .radius = 50};
    space.start.position = {1000, 0};
    Room room(make_setup(rules, space, std::move(pallets)));
    room.join(0);
    return room;
}

Rules without_rounds(Rules rules) {
    rules.round_ticks = 0;
    rules.round_goal = 0;
    return rules;
}

Rules without_recharge(Rules rules) {
    rules.recharge = 0;
    return rules;
}

}  // namespace

// --- Pallets

TEST_CASE("orbit step: a pallet is collected at its radius exactly, and not a hair farther") {
    Room room = quiet_room({{1015, 0}, {1000, -15.0000001}});
    CHECK(!room.state.pallets[0].active);
    CHECK(room.state.pallets[1].active);
    CHECK(room.count(EventKind::collected) == 1);
    CHECK(room.player(0).score == 1);
}

TEST_CASE(
    "orbit step: a faithful pallet restores 25, the tank holds 100, and a collected pallet never comes "
    "back") {
    Room room = quiet_room({{2000, 0}, {3000, 0}, {4000, 0}});
    room.player(0).energy = 40;
    room.ship(0).position = {2000, 3};
    room.step();
    CHECK(room.player(0).energy == 65);
    room.player(0).energy = 90;
    room.ship(0).position = {3000, 3};
    room.step();
    CHECK(room.player(0).energy == 100);
    room.ship(0).position = {2000, 3};
    room.player(0).energy = 10;
    room.step(5000);
    CHECK(room.player(0).energy == 10);
    CHECK(room.active_pallets() == 1);
}

TEST_CASE(
    "orbit step: in the game a collected pallet comes back after its pause, as far from the sun as before") {
    Room room(make_setup(without_rounds(game), game_world().space, {{300, 0}, {0, 400}}));
    room.join(0);
    test::for_each_seed(50, [&](math::Random& random) {
        room.state.head->random = random;
        room.ship(0) = {room.state.pallets[1].position, {}};
        room.step();
        REQUIRE(!room.state.pallets[1].active);
        REQUIRE(room.count(EventKind::collected) == 1);
        for (std::uint32_t tick = 1; tick < room.setup.rules.pallet_pause; ++tick) {
            room.ship(0) = {{1000, 1000}, {}};
            room.step();
            REQUIRE(!room.state.pallets[1].active);
            REQUIRE(room.count(EventKind::returned) == 0);
        }
        room.step();
        CHECK(room.state.pallets[1].active);
        CHECK(room.count(EventKind::returned) == 1);
        CHECK(length(room.state.pallets[1].position) == doctest::Approx(400));
        CHECK(room.state.pallets[0].active);
        CHECK(room.state.pallets[0].position == Vec2{300, 0});
    });
}

TEST_CASE("orbit step: a pallet comes back to its first position where pallets do not wander") {
    Rules rules = game;
    rules.pallets_wander = false;
    Room room(make_setup(rules, game_world().space, {{0, 400}}));
    room.join(0);
    room.ship(0) = {{0, 400}, {}};
    room.step();
    CHECK(room.active_pallets() == 0);
    room.ship(0) = {{1000, 1000}, {}};
    room.step(static_cast<int>(rules.pallet_pause));
    CHECK(room.active_pallets() == 1);
    CHECK(room.state.pallets[0].position == Vec2{0, 400});
}

TEST_CASE("orbit step: of two ships that reach a pallet together the nearer gets it, and only one does") {
    for (const bool second_is_nearer : {false, true}) {
        Room room(game_world({{300, 0}}));
        room.join(0);
        room.join(1);
        room.ship(0) = {{300, 10}, {}};
        room.ship(1) = {{300, second_is_nearer ? -9.0 : -11.0}, {}};
        room.step();
        CHECK(room.count(EventKind::collected) == 1);
        CHECK(room.player(0).score == (second_is_nearer ? 0 : 1));
        CHECK(room.player(1).score == (second_is_nearer ? 1 : 0));
    }
}

// --- The document's end of a match

TEST_CASE("orbit step: the last pallet wins, and that comes before the sun") {
    Room room = quiet_room({{40, 0}});
    room.ship(0).position = {45, 0};  // in the sun and in reach of the pallet
    room.step();
    CHECK(room.state.head->over);
    CHECK(room.state.head->won);
    CHECK(room.count(EventKind::won) == 1);
    CHECK(room.count(EventKind::lost) == 0);
}

TEST_CASE("orbit step: the sun loses, touching it exactly as well") {
    for (const double x : {50.0, 30.0}) {
        Room room = quiet_room({{2000, 0}});
        room.ship(0).position = {x, 0};
        room.step();
        CHECK(room.state.head->over);
        CHECK(!room.state.head->won);
        CHECK(room.count(EventKind::lost) == 1);
    }
    Room room = quiet_room({{2000, 0}});
    room.ship(0).position = {50.0000001, 0};
    room.step();
    CHECK(!room.state.head->over);
}

TEST_CASE("orbit step: without pallets no player can win") {
    Room room = quiet_room({});
    room.step(100);
    CHECK(!room.state.head->over);
}

TEST_CASE("orbit step: a sun without a radius loses only in its very centre") {
    Space space;
    space.sun.radius = 0;
    space.start.position = {0, 0};
    Room room(make_setup(faithful, space, {}));
    room.join(0);
    CHECK(room.state.head->over);
    CHECK(room.ship(0) == Particle{});

    space.start.position = {0, 1e-9};
    Room beside(make_setup(faithful, space, {}));
    beside.join(0);
    CHECK(!beside.state.head->over);
}

TEST_CASE("orbit step: once it is over all but the tick stands still, whatever is asked for") {
    test::for_each_seed(20, [](math::Random& random) {
        Room room = quiet_room({{2000, 0}});
        room.ship(0) = {{45, 0}, {13, 7}};
        room.step();
        REQUIRE(room.state.head->over);
        const std::uint64_t tick = room.state.head->tick;
        const std::vector<std::byte> before = room.image();
        for (int i = 0; i < 50; ++i) {
            room.inputs[0] = {static_cast<float>(random.uniform()),
                              static_cast<float>(random.uniform(-1, 1))};
            room.step();
            CHECK(room.events.all().empty());
        }
        CHECK(room.state.head->tick == tick + 50);
        room.state.head->tick = tick;
        CHECK(room.image() == before);
    });
}

TEST_CASE(
    "orbit step: the first player to enter a finished room starts a new match, with every pallet back") {
    Room room(default_world());
    room.join(0);
    CHECK(room.active_pallets() == 9);
    room.ship(0).position = {10, 0};
    room.step();
    REQUIRE(room.state.head->over);
    room.leave(0);
    CHECK(room.state.head->over);
    const contract::Join join{.slot = 0};
    room.step({&join, 1});
    CHECK(!room.state.head->over);
    CHECK(room.active_pallets() == 9);  // all ten, of which the first lies at the start
    CHECK(room.player(0).score == 1);
    for (std::uint32_t i = 0; i < 10; ++i) CHECK(room.state.pallets[i].position == room.setup.pallets[i]);
}

TEST_CASE("orbit step: the game never ends, neither without pallets nor in the sun") {
    Room room(game_world({{300, 0}}));
    room.join(0);
    room.ship(0) = {{300, 0}, {}};
    room.step();
    CHECK(room.active_pallets() == 0);
    room.ship(0) = {{1, 0}, {}};
    room.step(10);
    CHECK(!room.state.head->over);
}

// --- The game's players

TEST_CASE("orbit step: falling into the sun costs score and a pause, then the ship flies again") {
    Room room(game_world());
    room.join(3);
    room.join(5);
    const Vec2 start = room.ship(3).position;
    room.player(3).score = 10;
    room.player(3).energy = 5;
    room.ship(3) = {{59, 0}, {}};
    room.step();
    CHECK(room.count(EventKind::died) == 1);
    CHECK(room.player(3).score == 7);
    CHECK(!room.player(3).alive());
    for (std::uint32_t tick = 1; tick < room.setup.rules.respawn_pause; ++tick) {
        room.step();
        REQUIRE(!room.player(3).alive());
        REQUIRE(room.player(3).score == 7);
        REQUIRE(room.events.all().empty());
    }
    room.step();
    CHECK(room.count(EventKind::respawned) == 1);
    CHECK(room.player(3).alive());
    CHECK(room.player(3).energy == 100);
    CHECK(distance(room.ship(3).position, start) < 3);
    CHECK(room.player(5).score == 0);
}

TEST_CASE("orbit step: the dead collect nothing and do not move") {
    Room room(game_world({{300, 0}}));
    room.join(0);
    room.player(0).respawn_pause = 10;
    room.ship(0) = {{300, 0}, {50, 50}};
    room.step(5);
    CHECK(room.active_pallets() == 1);
    CHECK(room.ship(0).position == Vec2{300, 0});
}

TEST_CASE(
    "orbit step: beyond the edge of space a ship starts again and keeps its score, and faithful space has no "
    "edge") {
    Room room(game_world());
    room.join(0);
    room.player(0).score = 4;
    room.ship(0) = {{2990, 0}, {}};
    room.step();
    CHECK(room.count(EventKind::strayed) == 0);
    room.ship(0) = {{0, -3001}, {0, -10}};
    room.step();
    CHECK(room.count(EventKind::strayed) == 1);
    CHECK(length(room.ship(0).position) == doctest::Approx(500));
    CHECK(room.player(0).score == 4);

    Room endless(default_world());
    endless.join(0);
    endless.ship(0) = {{1e6, 0}, {1000, 0}};
    endless.step(300);
    CHECK(endless.ship(0).position.x > 1.009e6);
}

TEST_CASE("orbit step: joins and leaves are events, and a slot starts afresh") {
    Room room(game_world());
    room.join(7);
    CHECK(room.count(EventKind::joined) == 1);
    room.player(7).score = 9;
    room.leave(7);
    CHECK(room.count(EventKind::left) == 1);
    CHECK(room.state.players.empty());
    room.join(7);
    CHECK(room.player(7).score == 0);
    CHECK(room.player(7).energy == 100);
}

TEST_CASE("orbit step: 32 ships fly together exactly as each would alone") {
    Room together(game_world());
    auto random = math::Random::from_seed(4);
    std::vector<Room> alone;
    for (Slot slot = 0; slot < most_ships; ++slot) {
        together.join(slot);
        together.ship(slot).position.x += 1;
        alone.emplace_back(game_world());
        alone.back().join(slot);
    }
    for (Slot slot = 0; slot < most_ships; ++slot) alone[slot].player(slot) = together.player(slot);
    for (int tick = 0; tick < 300; ++tick) {
        for (Slot slot = 0; slot < most_ships; ++slot)
            together.inputs[slot] = alone[slot].inputs[slot] = {static_cast<float>(random.below(2)),
                                                                static_cast<float>(random.uniform(-1, 1))};
        together.step();
        for (Slot slot = 0; slot < most_ships; ++slot) {
            alone[slot].step();
            REQUIRE(together.ship(slot) == alone[slot].ship(slot));
            REQUIRE(together.player(slot).energy == alone[slot].player(slot).energy);
        }
    }
}

TEST_CASE("orbit step: a score stops at a thousand million either way") {
    Rules rules = without_rounds(without_recharge(game));
    rules.pallet_score = rules.sun_cost = 1000;
    Room room(make_setup(rules, game_world().space, {{300, 0}}));
    room.join(0);
    room.player(0).score = 999'999'999;
    room.ship(0) = {{300, 0}, {}};
    room.step();
    CHECK(room.player(0).score == 1'000'000'000);
    room.player(0).score = -999'999'999;
    room.ship(0) = {{10, 0}, {}};
    room.step();
    CHECK(room.player(0).score == -1'000'000'000);
    CHECK(worlds::orbit::validate(room.state, room.setup));
}

// --- Inputs

TEST_CASE("orbit step: an input beyond its range counts as the end of it") {
    const Input wild[] = {{7, 3}, {-2, -9}, {infinity, -infinity}, {0.5f, 1.5f}};
    const Input tame[] = {{1, 1}, {0, -1}, {1, -1}, {0.5f, 1}};
    for (int i = 0; i < 4; ++i) {
        Room a(game_world());
        Room b(game_world());
        a.join(0);
        b.join(0);
        a.inputs[0] = wild[i];
        b.inputs[0] = tame[i];
        a.step(10);
        b.step(10);
        CHECK(a.image() == b.image());
        Input sanitized = wild[i];
        CHECK(worlds::orbit::sanitize(sanitized, a.setup));
        CHECK(sanitized.thrust == tame[i].thrust);
        CHECK(sanitized.turn == tame[i].turn);
    }
}

TEST_CASE("orbit step: sanitizing refuses NaN, and changes nothing the second time") {
    const Setup setup = default_world();
    Input no_thrust{not_a_number, 0};
    Input no_turn{0, not_a_number};
    CHECK(!worlds::orbit::sanitize(no_thrust, setup));
    CHECK(!worlds::orbit::sanitize(no_turn, setup));
    test::for_each_seed(10'000, [&](math::Random& random) {
        auto input = std::bit_cast<Input>(random.next());
        if (!worlds::orbit::sanitize(input, setup)) return;
        Input again = input;
        CHECK(worlds::orbit::sanitize(again, setup));
        CHECK(std::memcmp(&again, &input, sizeof input) == 0);
        CHECK(input.thrust >= 0);
        CHECK(input.thrust <= 1);
        CHECK(std::abs(input.turn) <= 1);
    });
}

// --- States from outside

namespace {

// Rounds every field of every player to its precision, as the wire would.
void quantise(Room& room) {
    for (Player& player : room.state.players) {
        auto* bytes = reinterpret_cast<std::byte*>(&player);
        for (const state::Field& field : state::describe<Player>().fields) {
            const state::Rules& rules = field.rules;
            if (rules.precision == 0) continue;
            const double value = number_at(field, bytes);
            if (!(value >= rules.low && value <= rules.high)) continue;
            const double rounded =
                rules.low + std::round((value - rules.low) / rules.precision) * rules.precision;
            const auto narrow = static_cast<float>(rounded);
            if (field.kind == state::FieldKind::f64)
                std::memcpy(bytes + field.offset, &rounded, sizeof rounded);
            else
                std::memcpy(bytes + field.offset, &narrow, sizeof narrow);
        }
    }
}

}  // namespace

TEST_CASE("orbit step: a state rounded to the precision of its fields is legal and steps to the same facts") {
    std::vector<Vec2> pallets;
    for (int i = 0; i < 40; ++i) pallets.push_back({300 + 15.0 * i, 40.0 * (i % 5)});
    test::for_each_seed(20, [&](math::Random& random) {
        Room exact(game_world(pallets));
        for (Slot slot = 0; slot < most_ships; ++slot) exact.join(slot);
        for (std::uint32_t n = random.below(500); n > 0; --n) {
            for (Slot slot = 0; slot < most_ships; ++slot)
                if (random.below(10) == 0)
                    exact.inputs[slot] = {static_cast<float>(random.below(2)),
                                          static_cast<float>(random.below(3)) - 1};
            exact.step();
        }
        Room rounded(exact.setup);
        state::restore(rounded.layout, exact.image(), rounded.block.data());
        rounded.inputs = exact.inputs;
        quantise(rounded);
        const auto legal = worlds::orbit::validate(rounded.state, rounded.setup);
        REQUIRE_MESSAGE(legal, legal.error().text());
        exact.step();
        rounded.step();
        const auto still_legal = worlds::orbit::validate(rounded.state, rounded.setup);
        REQUIRE_MESSAGE(still_legal, still_legal.error().text());
        for (Slot slot = 0; slot < most_ships; ++slot) {
            const Player& a = exact.player(slot);
            const Player& b = rounded.player(slot);
            CHECK(a.alive() == b.alive());
            CHECK(a.energy ==
                  b.energy);  // sixteenths come through whole, so the engine starts and stops alike
            CHECK(is_thrusting(a, exact.setup) == is_thrusting(b, rounded.setup));
            CHECK(distance(a.ship.position, b.ship.position) < 0.02);
        }
    });
}

TEST_CASE("orbit step: no state is legal that the step could not go on from") {
    Room room(game_world({{300, 0}}));
    room.join(0);
    room.join(1);
    REQUIRE(worlds::orbit::validate(room.state, room.setup));
    const std::vector<std::byte> good = room.image();
    const auto refused = [&](auto&& spoil) {
        state::restore(room.layout, good, room.block.data());
        spoil();
        const auto legal = worlds::orbit::validate(room.state, room.setup);
        return !legal && !legal.error().text().empty();
    };
    CHECK(refused([&] { room.player(1).slot = 0; }));
    CHECK(refused([&] { room.player(1).slot = 32; }));
    CHECK(refused([&] { room.ship(0).position.x = std::nan(""); }));
    CHECK(refused([&] { room.ship(0).velocity.y = 1e101; }));
    CHECK(refused([&] { room.player(0).rotation = -1; }));
    CHECK(refused([&] { room.player(0).rotation = 7; }));
    CHECK(refused([&] { room.player(0).energy = not_a_number; }));
    CHECK(refused([&] { room.player(0).input.thrust = 2; }));
    CHECK(refused([&] { room.player(0).input.turn = not_a_number; }));
    CHECK(refused([&] { room.player(0).score = std::numeric_limits<std::int32_t>::min(); }));
    CHECK(refused([&] { room.player(0).respawn_pause = 61; }));
    CHECK(refused([&] { room.state.pallets[0].pause = 5; }));
    CHECK(refused([&] { room.state.pallets[0].active = false; }));
    CHECK(refused([&] { room.state.pallets[0].position.x = std::nan(""); }));
    CHECK(refused([&] { room.state.pallets.remove_at(0); }));
    CHECK(refused([&] { room.state.head->over = true; }));
    CHECK(refused([&] { room.state.head->won = true; }));
    CHECK(refused([&] { room.state.head->random.gamma = 2; }));
}

TEST_CASE("orbit step: faithful pallets stay where the level has them") {
    Room room(default_world());
    REQUIRE(worlds::orbit::validate(room.state, room.setup));
    room.state.pallets[4].position.x += 0.001;
    CHECK(!worlds::orbit::validate(room.state, room.setup));
}

// --- Rounds

TEST_CASE("orbit round: the first to reach the goal wins, and the next round begins with nothing") {
    Room room(game_world({{300, 0}}));
    room.join(3);
    room.join(5);
    const Vec2 start = room.ship(3).position;
    room.step(100);
    room.player(5).score = room.setup.rules.round_goal - 1;
    room.player(3).score = 4;
    room.ship(5) = {{300, 0}, {}};
    room.step();
    CHECK(room.count(EventKind::won) == 1);
    CHECK(room.state.head->over);
    CHECK(room.state.head->winner == 5);
    REQUIRE(validate(room.state, room.setup));

    const Vec2 shown = room.ship(5).position;
    room.inputs[5] = {.thrust = 1};
    room.step(static_cast<int>(room.setup.rules.restart_pause) - 1);
    CHECK(room.state.head->over);
    CHECK(room.ship(5).position == shown);
    CHECK(room.player(5).score == room.setup.rules.round_goal);
    room.step();
    CHECK(room.count(EventKind::restarted) == 1);
    CHECK(!room.state.head->over);
    CHECK(room.state.head->winner == contract::no_player);
    CHECK(room.state.head->ticks_left == room.setup.rules.round_ticks);
    CHECK(room.player(5).score == 0);
    CHECK(room.player(3).score == 0);
    CHECK(room.player(3).energy == 100);
    CHECK(room.active_pallets() == 1);
    CHECK(distance(room.ship(3).position, start) < 3);
    REQUIRE(validate(room.state, room.setup));
}

TEST_CASE("orbit round: when time is up the best score wins, and equal ones are a draw") {
    for (const std::int32_t second : {2, 7}) {
        Room room(game_world());
        room.join(0);
        room.join(1);
        room.player(0).score = 7;
        room.player(1).score = second;
        room.step(static_cast<int>(room.setup.rules.round_ticks) - 3);
        CHECK(!room.state.head->over);
        CHECK(room.state.head->ticks_left == 1);
        room.step();
        CHECK(room.state.head->over);
        CHECK(room.count(second == 7 ? EventKind::drawn : EventKind::won) == 1);
        CHECK(room.state.head->winner == (second == 7 ? contract::no_player : 0));
    }
}

TEST_CASE("orbit round: the clock of an empty room stands still, and its next player begins a round") {
    Room room(game_world({{300, 0}}));
    room.join(0);
    room.step(500);
    room.leave(0);
    const std::uint32_t left = room.state.head->ticks_left;
    room.step(300);
    CHECK(room.state.head->ticks_left == left);
    room.join(0);
    CHECK(room.state.head->ticks_left == room.setup.rules.round_ticks - 1);
}

TEST_CASE("orbit round: a lost match of the original begins again where the level says so") {
    worlds::orbit::Setup setup = default_world();
    setup.rules.restart_pause = 150;
    Room room(setup);
    room.join(0);
    room.ship(0) = {{10, 0}, {}};
    room.step();
    REQUIRE(room.state.head->over);
    room.step(149);
    CHECK(room.state.head->over);
    room.step();
    CHECK(!room.state.head->over);
    CHECK(room.active_pallets() == 10);
    CHECK(room.ship(0).position == room.setup.space.start.position);
    CHECK(room.player(0).score == 0);
    room.step();
    CHECK(room.active_pallets() == 9);  // the first lies at the start
}
