// SPDX-License-Identifier: MIT
// A world that defines nothing but a step: what the engine does for it.
#include <instep/game.h>
#include <instep/match/tick_builder.h>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

namespace plain {

using namespace instep;
using math::Vec2;
using state::field;
using state::fields;

struct Rules {
    double radius = 2;
    std::uint32_t tick_rate = 50;
    std::uint32_t crates = 3;
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("radius", &Rules::radius, {.low = 1, .high = 9}),
                  field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 100}),
                  field("crates", &Rules::crates, {.low = 0, .high = 9, .body = "crate"}));
}
using Setup = contract::RulesOnly<Rules>;

struct Input {
    Vec2 move;
    double aim = 0;
    bool fire = false;
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Input>) {
    return fields("Input",
                  field("move", &Input::move, {.low = -1, .high = 1, .control = state::Control::stick}),
                  field("aim", &Input::aim, {.low = -4, .high = 4}), field("fire", &Input::fire),
                  field("unused", &Input::unused));
}

using Player = contract::BasicPlayer<Input, "things">;

struct Thing {
    Vec2 position;
    state::Handle next;
    contract::Slot owner = contract::no_player;
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Thing>) {
    return fields("Thing", field("position", &Thing::position, {.low = 0, .high = 80}),
                  field("next", &Thing::next), field("owner", &Thing::owner),
                  field("unused", &Thing::unused));
}

struct State {
    state::Single<contract::Head> head;
    state::Pool<Player> players;
    state::Pool<Thing> things;
};
inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup&) { return 4u; }, {.owner = &Player::slot}),
        state::pool("things", &State::things, [](const Setup&) { return 8u; },
                    {.position = &Thing::position, .owner = &Thing::owner}));
}

struct World : contract::WorldTypes<Setup, Input, State> {
    static constexpr std::string_view name = "plain";
    static constexpr std::string_view summary = "a test";
};

void join(State& state, const Setup&, Player& player, contract::Events<World::Event>&) {
    const Thing* thing = state.things.add({.position = {40, 40}, .owner = player.slot});
    if (thing) player.own = state.things.handle_of(*thing);
}
void step(State& state, const Setup&, contract::Events<World::Event>&) {
    for (const Player& player : state.players)
        for (Thing& thing : state.things)
            if (thing.owner == player.slot) thing.position += player.input.move;
}

}  // namespace plain

using namespace instep;
using plain::Input;

namespace {

struct Room {
    match::WorldTable table = match::make_table<plain::World>();
    std::shared_ptr<const void> setup;
    state::Layout layout;
    state::Block block;
    std::array<std::byte, 1024> memory{};
    match::EventBytes events{memory};

    explicit Room(std::string_view level = "{}") {
        setup = *table.load(table.context, *state::parse_json(level, "level"), "level");
        layout = table.layout(setup.get());
        block = state::Block(layout);
        table.start(setup.get(), layout, block.data(), 1);
    }
    void step(std::span<const contract::Slot> leaves, std::span<const contract::Join> joins, Input input) {
        std::array<Input, 4> inputs;
        inputs.fill(input);
        table.step(setup.get(), layout, block.data(), {leaves, joins, std::as_bytes(std::span(inputs))},
                   events);
    }
    plain::State state() { return state::bind<plain::State>(layout, block.data()); }
};

std::string load_error(std::string_view level) {
    const match::WorldTable table = match::make_table<plain::World>();
    const auto setup = table.load(table.context, *state::parse_json(level, "level"), "level");
    return setup ? std::string() : setup.error().text();
}

}  // namespace

TEST_CASE("defaults: a level's rules are read, in their ranges, and other keys are refused") {
    CHECK(load_error(R"({})").empty());
    CHECK(load_error(R"({"world": "plain", "name": "a", "rules": "game"})").empty());
    CHECK(load_error(R"({"rules": {"radius": 3}})").empty());
    CHECK(load_error(R"({"rules": {"base": "game", "radius": 3}})").empty());
    CHECK(load_error(R"({"rules": {"radius": 30}})").find("rules.radius") != std::string::npos);
    CHECK(load_error(R"({"rules": "hard"})").find("\"game\"") != std::string::npos);
    CHECK(load_error(R"({"ruls": {}})").find("ruls") != std::string::npos);
    CHECK(load_error(R"([])").find("expected an object") != std::string::npos);
}

TEST_CASE("defaults: facts follow from the rules, the players' pool and the first position") {
    Room room;
    const contract::Facts facts = room.table.facts(room.setup.get());
    CHECK(facts.tick_rate == 50);
    CHECK(facts.snapshot_every == 2);
    CHECK(facts.most_players == 4);
    CHECK(facts.view_high == math::Vec2{80, 80});
}

TEST_CASE("defaults: an input is brought into range, a stick to length 1, and NaN is refused") {
    Room room;
    const auto sanitized = [&](Input input) {
        const bool legal = room.table.sanitize(room.setup.get(), reinterpret_cast<std::byte*>(&input));
        return std::pair(legal, input);
    };
    CHECK(sanitized({.move = {3, 4}}).second.move == math::Vec2{0.6, 0.8});
    CHECK(sanitized({.move = {0.5, 0}}).second.move == math::Vec2{0.5, 0});
    CHECK(sanitized({.aim = 9}).second.aim == 4);
    CHECK(sanitized({.aim = -4}).second.aim == -4);
    CHECK(!sanitized({.move = {NAN, 0}}).first);
    CHECK(!sanitized({.aim = INFINITY}).first);
    CHECK(sanitized({.move = {0, NAN}, .aim = 3}).second.aim == 0);
}

TEST_CASE("defaults: players join, are given their inputs, leave, and the tick counts") {
    Room room;
    const contract::Join join{.slot = 2};
    room.step({}, {&join, 1}, {.move = {1, 0}});
    CHECK(room.events.count == 1);
    REQUIRE(room.state().players.size() == 1);
    CHECK(room.state().players[0].input.move == math::Vec2{1, 0});
    CHECK(room.state().things[0].position == math::Vec2{41, 40});
    CHECK(room.state().head->tick == 1);
    const contract::Slot slot = 2;
    room.step({&slot, 1}, {}, {});
    CHECK(room.state().players.empty());
    CHECK(room.state().head->tick == 2);
}

TEST_CASE("defaults: a leaving player takes along what belongs to it, and nothing else") {
    Room room;
    const contract::Join joins[] = {{.slot = 0}, {.slot = 2}};
    room.step({}, joins, {});
    room.state().things.add({.position = {10, 10}});
    room.state().things.add({.position = {20, 20}, .owner = 2});
    const contract::Slot slot = 2;
    room.step({&slot, 1}, {}, {});
    REQUIRE(room.state().things.size() == 2);
    for (const plain::Thing& thing : room.state().things) CHECK(thing.owner != 2);
    const auto legal = room.table.validate(room.setup.get(), room.layout, room.block.data());
    CHECK_MESSAGE(legal, legal.error().text());
}

TEST_CASE("defaults: a level has one more of what a number of its rules counts") {
    const match::WorldTable table = match::make_table<plain::World>();
    const auto with_crate = [&](std::string_view level) {
        const auto more = table.with_body(table.context, *state::parse_json(level, "level"), "crate", {});
        return more ? write_json(*more) : more.error().text();
    };
    CHECK(with_crate(R"({})") == R"({"rules":{"crates":4}})");
    CHECK(with_crate(R"({"rules": "game"})") == R"({"rules":{"base":"game","crates":4}})");
    CHECK(with_crate(R"({"rules": {"radius": 3, "crates": 8}})") == R"({"rules":{"radius":3,"crates":9}})");
    CHECK(with_crate(R"({"rules": {"crates": 90}})").find("crates") != std::string::npos);
}

TEST_CASE(
    "defaults: a state with a number that is not finite, an unknown owner or an illegal input is refused") {
    const auto error_after = [](auto change) {
        Room room;
        const contract::Join join{.slot = 1};
        room.step({}, {&join, 1}, {});
        REQUIRE(room.table.validate(room.setup.get(), room.layout, room.block.data()));
        plain::State state = room.state();
        change(state);
        const auto legal = room.table.validate(room.setup.get(), room.layout, room.block.data());
        return legal ? std::string() : legal.error().text();
    };
    CHECK(error_after([](plain::State& state) { state.things[0].position.y = NAN; }).find("finite") !=
          std::string::npos);
    CHECK(error_after([](plain::State& state) { state.things[0].owner = 3; }).find("not there") !=
          std::string::npos);
    CHECK(error_after([](plain::State& state) { state.things[0].owner = 200; }).find("not there") !=
          std::string::npos);
    CHECK(error_after([](plain::State& state) { state.players[0].input.aim = 5; }).find("sanitize") !=
          std::string::npos);
    CHECK(error_after([](plain::State& state) { state.players[0].score = 2'000'000'000; }).find("score") !=
          std::string::npos);
    CHECK(error_after([](plain::State& state) { state.things[0].owner = contract::no_player; }).empty());
}

TEST_CASE("defaults: a handle that names its pool refers to an element there or to nothing") {
    const auto error_after = [](auto change) {
        Room room;
        const contract::Join join{.slot = 1};
        room.step({}, {&join, 1}, {});
        plain::State state = room.state();
        change(state);
        const auto legal = room.table.validate(room.setup.get(), room.layout, room.block.data());
        return legal ? std::string() : legal.error().text();
    };
    CHECK(error_after([](plain::State& state) { state.players[0].own = {}; }).empty());
    const std::string expected = R"(players: "own" of one refers to no element of "things")";
    CHECK(error_after([](plain::State& state) { ++state.players[0].own.generation; }) == expected);
    CHECK(error_after([](plain::State& state) { state.players[0].own.id = 1; }) == expected);
    CHECK(error_after([](plain::State& state) { state.things.remove_at(0); }) == expected);
    // Without a pool, a handle may outlive its element.
    CHECK(error_after([](plain::State& state) { state.things[0].next = {7, 7}; }).empty());
}

TEST_CASE("defaults: what has a position is drawn, in its owner's colour, and bots ask for legal inputs") {
    Room room;
    const contract::Join join{.name = contract::PlayerName::of("Ann"), .slot = 1};
    room.step({}, {&join, 1}, {});
    contract::DrawList list;
    room.table.view(room.setup.get(), room.layout, room.block.data(), {}, list);
    bool is_drawn = false, is_named = false;
    for (const contract::Shape& shape : list.shapes) {
        is_drawn |= shape.kind == contract::ShapeKind::disc && shape.size == 2 &&
                    list.points_of(shape)[0] == math::Vec2{40, 40};
        is_named |= shape.kind == contract::ShapeKind::label && list.text_of(shape) == "Ann";
    }
    CHECK(is_drawn);
    CHECK(is_named);
    int moving = 0;
    for (int i = 0; i < 200; ++i) {
        Input input;
        room.table.bot(room.setup.get(), room.layout, room.block.data(), 1,
                       reinterpret_cast<std::byte*>(&input));
        const Input before = input;
        CHECK(room.table.sanitize(room.setup.get(), reinterpret_cast<std::byte*>(&input)));
        CHECK(std::memcmp(&before, &input, sizeof input) == 0);
        moving += length_squared(input.move) > 0 ? 1 : 0;
        room.step({}, {}, {});
    }
    CHECK(moving > 50);
}

TEST_CASE("registry: a second world of one name is refused") {
    const match::WorldTable twin = match::worlds().front();
    const auto added = match::add_world(twin);
    REQUIRE(!added);
    CHECK(added.error().text().find("twice") != std::string::npos);
    match::WorldTable odd = twin;
    odd.name = "a world/with spaces";
    CHECK(!match::add_world(odd));
}
