// SPDX-License-Identifier: MIT
#include <instep/match/match.h>
#include <instep/match/registry.h>
#include <instep/match/tick_builder.h>
#include <instep/state/hash.h>

#include <doctest/doctest.h>

#include <string>

using namespace instep;
using match::load_builtin_setup;
using match::load_setup;

namespace {

bool mentions(const std::string& message, std::string_view words) {
    return message.find(words) != std::string::npos;
}

template <class T>
std::string error_of(const state::Result<T>& result) {
    REQUIRE(!result);
    return result.error().text();
}

}  // namespace

TEST_CASE("match: an unknown world is refused with the names of those there are") {
    CHECK(mentions(error_of(match::find_world("chess")), "\"chess\""));
    CHECK(mentions(error_of(match::find_world("chess")), "bounce"));
    CHECK(mentions(error_of(load_setup(R"({"world": "chess", "name": "x"})", "x.json")), "x.json: world"));
}

TEST_CASE("match: an unknown level is refused with the names of those there are") {
    const std::string message = error_of(load_builtin_setup("bounce", "moon"));
    CHECK(mentions(message, "\"moon\""));
    CHECK(mentions(message, "box"));
}

TEST_CASE("match: a level that is cut off or lacks its world or name is refused") {
    CHECK(mentions(error_of(load_setup(R"({"world": "bounce", )", "a.json")), "a.json"));
    CHECK(mentions(error_of(load_setup(R"({"name": "x"})", "a.json")), "\"world\""));
    CHECK(mentions(error_of(load_setup(R"({"world": "bounce"})", "a.json")), "\"name\""));
    CHECK(mentions(error_of(load_setup("[]", "a.json")), "expected an object, got an array"));
}

TEST_CASE("match: a file without a world is loaded as the world asked for, named after the file") {
    constexpr std::string_view scene = R"({"nodes": [{"position": [0, 0]}]})";
    const auto setup = load_setup(scene, "scenes/one.node.json", "creature");
    REQUIRE_MESSAGE(setup, setup.error().text());
    CHECK((*setup)->world->name == "creature");
    CHECK((*setup)->level == "one.node");
    CHECK(!load_setup(scene, "one.json"));
    CHECK(mentions(error_of(load_setup(scene, "a b.json", "creature")), "a b.json: name"));
    CHECK(mentions(error_of(load_setup("[]", "a.json", "creature")), "expected an object"));
    CHECK(
        mentions(error_of(load_setup(R"({"world": "chess", "name": "x"})", "a.json", "creature")), "chess"));
}

TEST_CASE("match: levels that differ in any rule have different fingerprints, and the same one has one") {
    const std::string start = R"({"world": "bounce", "name": "a", "rules": {"base": "game", "drag": )";
    const auto one = load_setup(start + "0.5}}", "a");
    const auto again = load_setup(start + "0.5}}", "b");
    const auto other = load_setup(start + "0.25}}", "a");
    REQUIRE(one);
    REQUIRE(again);
    REQUIRE(other);
    CHECK((*one)->fingerprint == (*again)->fingerprint);
    CHECK((*one)->fingerprint != (*other)->fingerprint);
}

TEST_CASE("match: rules have one hash however a level spells them, and another if one number differs") {
    const auto hash_of = [](const std::string& rules) {
        const auto setup = load_setup(R"({"world": "bounce", "name": "a", "rules": )" + rules + "}", "a");
        REQUIRE(setup);
        const match::WorldTable& world = *(*setup)->world;
        state::Hasher hasher;
        hasher.add(*world.rules, world.rules_of((*setup)->value.get()), 1);
        return hasher.finish();
    };
    CHECK(hash_of(R"("game")") == hash_of(R"({"base": "game"})"));
    CHECK(hash_of(R"({"base": "game", "drag": 0.5})") != hash_of(R"({"base": "game", "drag": 0.25})"));
}

TEST_CASE("match: a level's name can be part of a file's name and be printed") {
    const auto named = [](const std::string& name) {
        return load_setup(R"({"world": "bounce", "name": ")" + name + R"(", "rules": "game"})", "a.json");
    };
    CHECK(named("Old_town-2.1"));
    for (const std::string name : {"", ".", "..", "-x", "../secret", "a b", R"(\u001b[2J)", "t\xC3\xB6wn"})
        CHECK(mentions(error_of(named(name)), "a.json: name"));
    CHECK(!named(std::string(65, 'a')));
}

TEST_CASE("match: impossible joins and leaves are refused before the step") {
    const auto setup = *load_builtin_setup("bounce", "billiards");
    match::Match match(setup, 1);
    match::TickBuilder tick(*setup);
    tick.join({.slot = 2});
    tick.join({.slot = 0});
    CHECK(tick.bytes().joins[0].slot == 0);
    REQUIRE(match.check(tick.bytes()));
    match.step(tick.bytes());
    CHECK(match.live_slots() == 0b101);

    CHECK(mentions(error_of(match.check(tick.bytes())), "taken"));
    tick.begin();
    tick.join({.slot = 4});
    CHECK(mentions(error_of(match.check(tick.bytes())), "slot 4"));
    tick.begin();
    tick.leave(1);
    CHECK(mentions(error_of(match.check(tick.bytes())), "is empty"));
    tick.begin();
    tick.leave(0);
    tick.leave(0);
    CHECK(!match.check(tick.bytes()));
    tick.begin();
    tick.leave(2);
    tick.join({.slot = 2});
    CHECK(match.check(tick.bytes()));
    const match::TickBytes no_rows{};
    CHECK(mentions(error_of(match.check(no_rows)), "inputs"));
}

TEST_CASE("match: the seed determines the start of a match") {
    const auto setup = *load_builtin_setup("bounce", "box");
    CHECK(match::Match(setup, 1).hash() == match::Match(setup, 1).hash());
    CHECK(match::Match(setup, 1).hash() != match::Match(setup, 2).hash());
}

// Bounce with one thing wrong that the compiler cannot see.
TEST_CASE("match: a world that names a missing pool, or whose players own nothing, does not start") {
    const auto error_after = [](auto change) {
        match::Setup bent = **load_builtin_setup("bounce", "box");
        const std::vector<state::PoolLayout> pools = bent.layout.pools;
        state::StructInfo player = *pools[0].element;
        state::StructInfo event = *bent.world->event;
        match::WorldTable table = *bent.world;
        bent.layout.pools[0].element = &player;
        table.event = &event;
        bent.world = &table;
        REQUIRE(match::check_setup(bent, "box.json"));
        change(bent.layout.pools, player, event);
        return error_of(match::check_setup(bent, "box.json"));
    };
    using Pools = std::vector<state::PoolLayout>;
    using Struct = state::StructInfo;
    const auto rules_of = [](Struct& info, std::string_view path) -> state::Rules& {
        for (state::Field& field : info.fields)
            if (field.path == path) return field.rules;
        FAIL("no such field");
        std::abort();
    };
    CHECK(mentions(error_after([](Pools& pools, Struct&, Struct&) { std::swap(pools[0], pools[1]); }),
                   "the first pool in the world's parts_of must be \"players\""));
    CHECK(mentions(error_after([](Pools& pools, Struct&, Struct&) {
                       for (state::PoolLayout& pool : pools) pool.kind.owner = {};
                   }),
                   "nothing in this world belongs to a player"));
    CHECK(mentions(error_after([](Pools& pools, Struct&, Struct&) { pools[1].kind.owner = {}; }),
                   "nothing that has a position belongs to a player"));
    CHECK(mentions(error_after([](Pools& pools, Struct&, Struct&) { pools[1].kind.position = "place"; }),
                   "the pool \"balls\" names as its position \"place\", which is no Vec2"));
    CHECK(mentions(error_after([](Pools& pools, Struct&, Struct&) { pools[1].kind.owner = "ovner"; }),
                   "as its owner \"ovner\", which is no field"));
    CHECK(mentions(
        error_after([&](Pools&, Struct& player, Struct&) { rules_of(player, "ball.id").pool = "bals"; }),
        "names the pool \"bals\", which is not in parts_of: expected \"players\" or \"balls\""));
    CHECK(mentions(
        error_after([&](Pools&, Struct& player, Struct&) { rules_of(player, "score").pool = "balls"; }),
        "the field \"score\" of Player names the pool \"balls\", but it is no Handle"));
    CHECK(mentions(error_after([&](Pools&, Struct&, Struct& event) { rules_of(event, "kind").labels = {}; }),
                   "the kinds of events have no names"));
}
