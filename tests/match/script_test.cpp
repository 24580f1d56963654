// SPDX-License-Identifier: MIT
#include <instep/match/script.h>

#include <doctest/doctest.h>

#include <string>

using namespace instep;
using match::Match;
using match::parse_script;
using match::ScriptEntry;
using match::ScriptPlayer;

namespace {

std::string script_of(const std::string& inputs, const std::string& more = "") {
    return R"({"world": "bounce", "level": "box", )" + more + "\"inputs\": [" + inputs + "]}";
}

constexpr const char* ann_joins = R"({"tick": 1, "join": {"slot": 0, "name": "Ann", "seed": 7}})";

// The text of the error that parsing ends with; empty if it is a script.
std::string refusal(const std::string& text) {
    const auto script = parse_script(text, "s.json");
    return script ? "" : script.error().text();
}

bool mentions(const std::string& text, const std::string& what) {
    INFO("said: " << text << "\nexpected it to mention: " << what);
    const bool found = text.find(what) != std::string::npos;
    CHECK(found);
    return found;
}

// Plays a script for `ticks` ticks; gives the hash, or the text of the error that ended it.
std::string play(const std::string& text, int ticks) {
    const auto script = parse_script(text, "s.json");
    REQUIRE_MESSAGE(script, script.error().text());
    Match match(*match::load_builtin_setup("bounce", script->level), script->seed.value_or(1));
    ScriptPlayer player(*script, match);
    for (int i = 0; i < ticks; ++i) {
        const auto inputs = player.next();
        if (!inputs) return inputs.error().text();
        match.step(*inputs);
    }
    return std::to_string(match.hash());
}

}  // namespace

TEST_CASE("script: a script has world, level, seed, ticks and the inputs of its players") {
    const auto script = parse_script(
        R"({"world": "bounce", "level": "box", "seed": 18446744073709551615, "ticks": 600, "inputs": [
            {"tick": 90, "leave": 3},
            {"tick": 1, "join": {"slot": 3, "name": "Zoë", "seed": 7}},
            {"tick": 5, "slot": 3, "input": {"push": {"x": 1, "y": 0}}}]})",
        "s.json");
    REQUIRE(script);
    CHECK(script->world->name == "bounce");
    CHECK(script->level == "box");
    CHECK(script->seed == 18446744073709551615u);
    CHECK(script->ticks == 600);
    REQUIRE(script->entries.size() == 3);
    CHECK(script->entries[0].kind == ScriptEntry::Kind::join);
    CHECK(script->entries[0].join.name.view() == "Zoë");
    CHECK(script->entries[0].join.seed == 7);
    CHECK(script->entries[0].join.slot == 3);
    CHECK(script->entries[1].kind == ScriptEntry::Kind::input);
    CHECK(script->entries[2].kind == ScriptEntry::Kind::leave);
    CHECK(script->entries[2].slot == 3);
}

TEST_CASE("script: entries are played by tick, and those of one tick in the order of the text") {
    const std::string early = R"({"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 0}}})";
    const std::string late = R"({"tick": 9, "slot": 0, "input": {"push": {"x": 0, "y": 1}}})";
    const std::string join = ann_joins;
    CHECK(play(script_of(join + "," + early + "," + late), 20) ==
          play(script_of(late + "," + early + "," + join), 20));

    const std::string same_tick = R"({"tick": 5, "slot": 0, "input": {"push": {"x": 0, "y": -1}}})";
    const std::string first_then_second = play(script_of(join + "," + early + "," + same_tick), 20);
    CHECK(first_then_second == play(script_of(join + "," + same_tick), 20));
    CHECK(first_then_second != play(script_of(join + "," + same_tick + "," + early), 20));
}

TEST_CASE("script: an input is held until it changes") {
    const std::string join = ann_joins;
    const std::string push = R"("slot": 0, "input": {"push": {"x": 0.5, "y": -0.25}}})";
    std::string every_tick = join;
    for (int tick = 3; tick <= 20; ++tick) every_tick += ",{\"tick\": " + std::to_string(tick) + "," + push;
    CHECK(play(script_of(join + ",{\"tick\": 3," + push), 20) == play(script_of(every_tick), 20));

    const std::string released = R"(,{"tick": 10, "slot": 0, "input": {}})";  // what is left out is zero
    CHECK(play(script_of(join + ",{\"tick\": 3," + push + released), 20) !=
          play(script_of(join + ",{\"tick\": 3," + push), 20));
}

TEST_CASE("script: a leaving player takes its input along, and the slot is free again") {
    const std::string again = R"({"tick": 9, "join": {"slot": 0, "name": "Ann"}})";
    const std::string push = R"({"tick": 2, "slot": 0, "input": {"push": [1, 0]}})";
    const std::string leave = R"({"tick": 8, "leave": 0})";
    const std::string swap = R"({"tick": 9, "leave": 0})";
    CHECK(mentions(play(script_of(std::string(ann_joins) + "," + again), 20),
                   "s.json: tick 9: slot 0: is taken"));
    CHECK(play(script_of(std::string(ann_joins) + "," + push + "," + leave + "," + again), 20).find(':') ==
          std::string::npos);
    // In one tick, leaves come before joins.
    CHECK(play(script_of(std::string(ann_joins) + "," + again + "," + swap), 20).find(':') ==
          std::string::npos);
}

TEST_CASE("script: an entry that a match would refuse is refused with its position in the file") {
    const std::string join = ann_joins;
    mentions(play(script_of(R"({"tick": 5, "slot": 0, "input": {}})"), 9),
             "inputs[0]: slot 0 is empty at tick 5");
    mentions(play(script_of(R"({"tick": 4, "leave": 7})"), 9),
             "s.json: tick 4: slot 7: leaves, but it is empty");
    mentions(play(script_of(R"({"tick": 1, "join": {"slot": 63}})"), 9), "takes 16 players");
    std::string crowd = join;
    for (int i = 0; i < 64; ++i) crowd += std::string(",") + ann_joins;
    mentions(play(script_of(crowd), 9), "more than 64 joins or leaves");
}

TEST_CASE("script: an input that sanitize would change is refused") {
    const std::string both =
        std::string(ann_joins) + R"(,{"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 1}}})";
    const std::string said = play(script_of(both), 9);
    mentions(said, "s.json: inputs[1].input.push.x");
    mentions(said, "1 would become 0.707");
    // Within the rules' own slack nothing is bent, so nothing is said.
    CHECK(
        play(script_of(std::string(ann_joins) + R"(,{"tick": 5, "slot": 0, "input": {"push": [0.6, 0.8]}})"),
             9)
            .find(':') == std::string::npos);
}

TEST_CASE("script: every refusal of a script names the file, the path and what was expected") {
    const auto one = [](const std::string& entry) { return refusal(script_of(entry)); };
    mentions(refusal("{\"world\": \"bounce\", \"inputs\": ["), "s.json");
    mentions(refusal("[]"), "s.json: expected an object");
    mentions(refusal(R"({"inputs": []})"), "expected \"world\" to be a string");
    mentions(refusal(R"({"world": "bonce", "inputs": []})"), "s.json: world: there is no world \"bonce\"");
    mentions(refusal(R"({"world": "bounce"})"), "expected \"inputs\" to be an array");
    mentions(refusal(R"({"world": "bounce", "inputs": {}})"), "expected \"inputs\" to be an array");
    mentions(refusal(R"({"world": "bounce", "input": []})"), "\"input\"");
    mentions(refusal(R"({"world": "bounce", "level": 3, "inputs": []})"), "\"level\" to be a string");
    mentions(refusal(script_of("", "\"seed\": -1, ")), "\"seed\" to be a whole number");
    mentions(refusal(script_of("", "\"ticks\": 0, ")), "\"ticks\" to be a whole number from 1");
    mentions(refusal(script_of("", "\"ticks\": 2000000000, ")), "10000000");
    mentions(refusal(script_of("", "\"ticks\": 1.5, ")), "got 1.5");
    mentions(refusal(script_of(R"({"tick": 9, "leave": 0})", "\"ticks\": 5, ")),
             "after the end of the script");
    mentions(one("7"), "s.json: inputs[0]: expected an object");
    mentions(one(R"({"leave": 0})"), "inputs[0]: expected \"tick\"");
    mentions(one(R"({"tick": 0, "leave": 0})"), "got 0");
    mentions(one(R"({"tick": 10000001, "leave": 0})"), "to 10000000, got 10000001");
    mentions(one(R"({"tick": 1})"), "expected one of \"join\", \"leave\" and \"input\"");
    mentions(one(R"({"tick": 1, "leave": 0, "join": {"slot": 1}})"), "expected one of");
    mentions(one(R"({"tick": 1, "leave": 0, "slot": 1})"), "\"slot\" goes with \"input\"");
    mentions(one(R"({"tick": 1, "leave": "Ann"})"), "inputs[0]: expected \"leave\" to be a whole number");
    mentions(one(R"({"tick": 1, "leave": 64})"), "from 0 to 63, got 64");
    mentions(one(R"({"tick": 1, "join": 0})"), "inputs[0].join");
    mentions(one(R"({"tick": 1, "join": {"name": "Ann"}})"), "inputs[0].join: expected \"slot\"");
    mentions(one(R"({"tick": 1, "join": {"slot": 300}})"), "inputs[0].join");
    mentions(one(R"({"tick": 1, "join": {"slot": 0, "name": "a name that is longer than 24 bytes"}})"),
             "name");
    mentions(one(R"({"tick": 1, "join": {"slot": 0, "colour": "red"}})"), "colour");
    mentions(one(R"({"tick": 1, "input": {"push": [0, 1]}})"), "expected \"slot\"");
    mentions(one(R"({"tick": 1, "slot": 0, "input": {"pull": [0, 1]}})"), "inputs[0].input");
    mentions(one(R"({"tick": 1, "slot": 0, "input": {"push": {"x": "left"}}})"), "push.x");
    mentions(one(R"({"tick": 1, "slot": 0, "input": {"push": {"x": 2}}})"), "push.x");
    mentions(one(R"({"tick": 1, "slot": 0, "input": {"push": {"x": NaN}}})"), "s.json");
    mentions(one(R"({"tick": 1, "slot": 0, "input": {"push": {"x": 1e999}}})"), "s.json");
}

TEST_CASE("script: entries after the last tick are known to be left") {
    const auto script =
        parse_script(script_of(std::string(ann_joins) + R"(,{"tick": 50, "leave": 0})"), "s.json");
    REQUIRE(script);
    Match match(*match::load_builtin_setup("bounce", "box"), 1);
    ScriptPlayer player(*script, match);
    for (int i = 0; i < 10; ++i) match.step(*player.next());
    CHECK(player.entries_left() == 1);
}
