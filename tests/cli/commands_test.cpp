// SPDX-License-Identifier: MIT
// The commands as functions: their output and exit codes. tests/scripts tests them through a shell.
#include <instep/cli/commands.h>

#include <algorithm>

#include <instep/cli/files.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/chronicle.h>
#include <instep/match/registry.h>

#include <doctest/doctest.h>
#include <tests/cli/scratch.h>

using namespace instep;
using namespace instep::cli;
using contract::Recording;
using state::Json;

namespace {

bool has(const std::string& text, const std::string& part) {
    INFO(text);
    const bool found = text.find(part) != std::string::npos;
    CHECK_MESSAGE(found, "expected it to mention: " << part);
    return found;
}

CommandResult simulate(const SimulateOptions& options) {
    return run_captured([&options] { return run_simulate(options); });
}

std::size_t line_count(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A world that halves x every tick, and one without a document to compare with.
state::Result<const match::WorldTable*> find_test_world(std::string_view name) {
    static const match::WorldTable halving{
        .name = "halving",
        .parity = [](const void*, const Json& file, const std::string&) -> state::Result<Recording> {
            Recording ours{{"x"}, {}};
            double x = file.find("header")->find("start")->number();
            for (std::size_t i = 0; i < file.find("rows")->array()->size(); ++i)
                ours.rows.push_back({x /= 2});
            return ours;
        }};
    static const match::WorldTable free_world{.name = "free"};
    if (name == "halving") return &halving;
    if (name == "free") return &free_world;
    return state::refuse("", "there is no world \"" + std::string(name) + "\"");
}

std::string recording(double last, const std::string& world = "halving") {
    return R"({"header": {"system": ")" + world +
           R"(", "start": 8}, "columns": ["t", "in_go", "x"], "rows": )" + "[[1, 0, 4], [2, 0, 2], [3, 1, " +
           shortest(last) + "]]}";
}

CommandResult parity(const std::vector<std::string>& files) {
    return run_captured([&files] { return run_parity({files}, find_test_world); });
}

CommandResult check(const ChronicleOptions& options) {
    return run_captured([&options] { return run_chronicle_check(options); });
}
// All chronicles of a folder, in the format of chronicle_produce.
std::string recorded_in(const std::string& dir) {
    std::string all;
    for (const match::BuiltinLevel& level : match::builtin_levels())
        all += *read_file(dir + "/" + std::string(level.world) + "-" + std::string(level.name) + ".txt");
    return all;
}
CommandResult record(const ChronicleOptions& options) {
    return run_captured([&options] { return run_chronicle_record(options); });
}

}  // namespace

// --- worlds -----------------------------------------------------------------------------------------------

TEST_CASE("worlds: every world is listed with its levels") {
    const CommandResult table = run_captured([] { return run_worlds({}); });
    CHECK(table.code == success);
    const CommandResult json = run_captured([] { return run_worlds({.json = true}); });
    CHECK(json.code == success);
    const auto list = state::parse_json(json.out, "worlds");
    REQUIRE(list);
    for (const match::BuiltinLevel& level : match::builtin_levels()) {
        has(table.out, std::string(level.name));
        has(json.out, "\"" + std::string(level.name) + "\"");
    }
    CHECK((*list->array())[0].find("tick_rate")->number() > 0);
}

// --- simulate ---------------------------------------------------------------------------------------------

TEST_CASE("simulate: writes one line per tick, and a summary to stderr") {
    const CommandResult result = simulate({.world = "bounce", .level = "box", .ticks = 20, .bots = 2});
    CHECK(result.code == success);
    CHECK(line_count(result.out) == 20);
    has(result.err, "bounce/box, seed 1: 20 ticks");
    has(result.err, "hash ");
    has(result.err, "score ");
    // The summary has the hash of the last line.
    const auto last =
        state::parse_json(result.out.substr(result.out.rfind('\n', result.out.size() - 2) + 1), "line");
    has(result.err, "hash " + *last->find("hash")->string());
}

TEST_CASE("simulate: --every writes every n-th tick only") {
    CHECK(line_count(simulate({.world = "bounce", .ticks = 20, .every = 6}).out) == 3);
    CHECK(line_count(simulate({.world = "bounce", .ticks = 20, .every = 21}).out) == 0);
}

TEST_CASE("simulate: the default format depends on the other options") {
    const ScratchFolder folder;
    CHECK(simulate({.world = "bounce", .ticks = 2, .pool = "balls"}).out.starts_with("tick,id,position.x"));
    CHECK(simulate({.world = "bounce", .ticks = 2, .plot = folder.file("a.svg")}).out.empty());
    CHECK(simulate({.world = "bounce", .ticks = 2, .format = Format::none}).out.empty());
    CHECK(line_count(
              simulate({.world = "bounce", .ticks = 2, .format = Format::jsonl, .plot = folder.file("a.svg")})
                  .out) == 2);
    CHECK(simulate({.world = "bounce", .ticks = 2, .out = folder.file("a.csv")}).code == success);
    CHECK(read_file(folder.file("a.csv"))->starts_with("tick,id,"));
    CHECK(read_file(folder.file("a.svg"))->starts_with("<svg "));
}

TEST_CASE("simulate: no bots and an empty script give the same states") {
    const ScratchFolder folder;
    const std::string script =
        folder.file("s.json", R"({"world": "bounce", "level": "box", "ticks": 30, "inputs": []})");
    const CommandResult idle = simulate({.world = "bounce", .level = "box", .ticks = 30, .bots = 0});
    const CommandResult scripted = simulate({.inputs = script});
    CHECK(scripted.code == success);
    CHECK(scripted.out == idle.out);
    // Options override the script.
    CHECK(simulate({.ticks = 10, .inputs = script}).out ==
          idle.out.substr(0, scripted.out.find("{\"tick\":11")));
    CHECK(simulate({.seed = 2, .inputs = script}).out != idle.out);
}

TEST_CASE("simulate: a script runs to its last entry, and skipped entries are reported") {
    const ScratchFolder folder;
    const std::string script =
        folder.file("s.json", R"({"world": "bounce", "inputs": [{"tick": 700, "join": {"slot": 0}}]})");
    has(simulate({.inputs = script, .format = Format::none}).err, "700 ticks");
    has(simulate({.ticks = 5, .inputs = script}).err, "1 of the script's entries come after tick 5");
}

TEST_CASE("simulate: a script that fails midway keeps the ticks before, and names the tick") {
    const ScratchFolder folder;
    const std::string script =
        folder.file("s.json", R"({"world": "bounce", "inputs": [{"tick": 5, "leave": 0}]})");
    const CommandResult result = simulate({.inputs = script});
    CHECK(result.code == bad_input);
    CHECK(line_count(result.out) == 4);
    has(result.err, script + ": tick 5: slot 0: leaves, but it is empty");
}

TEST_CASE("simulate: invalid options are refused, and the message lists the valid ones") {
    const ScratchFolder folder;
    const auto refused = [](const SimulateOptions& options, int code, const std::string& what) {
        const CommandResult result = simulate(options);
        CHECK(result.code == code);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with("instep: "));
        has(result.err, what);
    };
    refused({}, bad_input, "`instep worlds` lists them");
    refused({.world = "bonce"}, bad_input, "there is no world \"bonce\"; there are: arena, bounce");
    refused({.world = "bounce", .level = "bx"}, bad_input, "has no level \"bx\"; there are: billiards, box");
    refused({.world = "bounce", .level = "none.json"}, file_error, "none.json: No such file");
    refused({.world = "bounce", .level = folder.file("l.json", "{\"world\": ")}, bad_input, "l.json");
    refused({.world = "flail",
             .level = folder.file("l.json", R"({"world": "bounce", "name": "x", "rules": "game"})")},
            bad_input, "is a level of \"bounce\", not of \"flail\"");
    refused({.world = "bounce", .level = "billiards", .bots = 5}, bad_input,
            "takes at most 4 players, got 5");
    refused({.world = "bounce", .pool = "cubes"}, bad_input,
            "has no pool \"cubes\"; there are: players, balls");
    refused({.world = "bounce", .format = Format::jsonl, .pool = "balls"}, bad_input, "--pool");
    refused({.world = "bounce", .format = Format::csv, .events = true}, bad_input, "--events");
    refused({.inputs = folder.file("missing.json")}, file_error, "missing.json: No such file");
    refused({.inputs = folder.path.string()}, file_error, "is a directory");
    refused({.world = "flail", .inputs = folder.file("s.json", R"({"world": "bounce", "inputs": []})")},
            bad_input, "is a script for \"bounce\", not for \"flail\"");
    refused({.world = "bounce", .out = folder.file("no/such/folder")}, file_error,
            "no/such/folder: No such file");
    refused({.world = "bounce", .plot = folder.path.string()}, file_error, "Is a directory");
    refused({.world = "bounce", .out = "/dev/full"}, file_error, "No space left");
}

// --- parity -----------------------------------------------------------------------------------------------

TEST_CASE("parity: a match is ok, a difference names column, tick, expected and actual value") {
    const ScratchFolder folder;
    const std::string good = folder.file("v/halving/good.json", recording(1));
    const std::string bad = folder.file("v/halving/bad.json", recording(1.25));
    const CommandResult met = parity({good});
    CHECK(met.code == success);
    has(met.out, "ok     " + good + ": no difference (tolerance 1e-09; 3 rows of 1 columns)");
    const CommandResult missed = parity({good, bad});
    CHECK(missed.code == check_failed);
    has(missed.out, "DIFFER " + bad + ": largest difference 0.25 in x at tick 3: expected 1.25, got 1");
    CHECK(line_count(missed.out) == 2);
}

TEST_CASE("parity: the index beside a folder of recordings has the tolerances") {
    const ScratchFolder folder;
    folder.file("v/halving.json", R"([{"file": "loose.json", "tolerance": 0.5},
                                      {"file": "short.json", "tolerance": 1e-9, "rows": 2},
                                      {"file": "read.json", "tolerance": null}])");
    for (const char* name : {"loose", "short", "read", "unlisted"})
        folder.file("v/halving/" + std::string(name) + ".json", recording(1.25));
    const auto file = [&folder](const std::string& name) {
        return folder.file("v/halving/" + name + ".json");
    };
    CHECK(parity({file("loose")}).code == success);
    CHECK(parity({file("short")}).code == success);
    CHECK(parity({file("unlisted")}).code == check_failed);
    const CommandResult by_hand = parity({file("read")});
    CHECK(by_hand.code == success);
    has(by_hand.out, "skip   " + file("read"));
    // The index is found relative to the file, with any spelling of its path.
    CHECK(parity({folder.file("v/halving/../halving/./loose.json")}).code == success);

    folder.file("v/halving.json", "[{");
    CHECK(parity({file("loose")}).code == bad_input);
}

TEST_CASE("parity: an invalid recording is an error, and the others are still compared") {
    const ScratchFolder folder;
    const std::string good = folder.file("v/halving/good.json", recording(1));
    const std::string free_one = folder.file("v/free/a.json", recording(1, "free"));
    const std::string unknown = folder.file("v/moon/a.json", recording(1, "moon"));
    const std::string broken = folder.file("v/halving/broken.json", "{\"header\": ");
    const CommandResult result = parity({free_one, unknown, broken, good});
    CHECK(result.code == bad_input);
    has(result.err, free_one + ": world \"free\" follows no document");
    has(result.err, unknown + ": header.system: there is no world \"moon\"");
    has(result.err, broken);
    has(result.out, "ok     " + good);
    CHECK(parity({folder.file("v/nothing.json"), good}).code == file_error);
}

// --- chronicle --------------------------------------------------------------------------------------------

TEST_CASE("chronicle: a build passes the check of what it recorded") {
    const ScratchFolder folder;
    const ChronicleOptions options{.dir = folder.file("new/folder")};
    const CommandResult recorded = record(options);
    CHECK(recorded.code == success);
    CHECK(line_count(recorded.out) == match::builtin_levels().size());
    has(recorded.out, "new ");
    const CommandResult checked = check(options);
    CHECK(checked.code == success);
    CHECK(line_count(checked.out) == match::builtin_levels().size());
    has(record({.dir = options.dir, .worlds = {"bounce"}}).out, "unchanged ");
}

TEST_CASE("chronicle: one changed digit fails the check, which names level, tick and field") {
    const ScratchFolder folder;
    const ChronicleOptions options{.dir = folder.path.string(), .worlds = {"bounce"}};
    REQUIRE(record(options).code == success);
    const std::string file = folder.file("bounce-box.txt");
    std::string text = *read_file(file);
    const std::size_t tick = text.find("\n1234 ") + 6;
    text[tick] = text[tick] == '0' ? '1' : '0';
    const std::size_t field = text.find("  balls.velocity.x ", tick) + 19;
    text[field] = text[field] == '0' ? '1' : '0';
    REQUIRE(write_file(file, text));
    const CommandResult result = check({.dir = options.dir});
    CHECK(result.code == check_failed);
    has(result.out,
        "DIFFER bounce box: bounce box, this build: first differs at tick 1234; at the next hundredth tick "
        "the "
        "first field that differs is balls.velocity.x");
    has(result.out, "ok     bounce billiards");
    has(result.err, "`instep chronicle record --dir " + options.dir + "`");
}

TEST_CASE("chronicle: a missing and a superfluous file fail the check, which says what to run") {
    const ScratchFolder folder;
    const ChronicleOptions options{.dir = folder.path.string()};
    REQUIRE(record({.dir = options.dir, .worlds = {"bounce"}}).code == success);
    std::filesystem::remove(folder.path / "bounce-box.txt");
    folder.file("bounce-attic.txt", "chronicle bounce attic\n");
    const CommandResult result = check(options);
    CHECK(result.code == check_failed);
    has(result.out,
        "bounce-box.txt does not exist: run `instep chronicle record --dir " + options.dir + " bounce`");
    has(result.out, "bounce-attic.txt belongs to no level: run `git rm ");
    has(record({.dir = options.dir, .worlds = {"bounce"}}).err, "bounce-attic.txt belongs to no level");
    CHECK(check({.dir = folder.file("nowhere")}).code == file_error);
}

TEST_CASE("chronicle: the output of another build must have every level") {
    const ScratchFolder folder;
    const std::string dir = folder.file("recorded");
    REQUIRE(record({.dir = dir}).code == success);
    const std::string all = recorded_in(dir);
    const auto checked = [&](const std::string& text) {
        return check({.dir = dir, .produced = folder.file("p.txt", text), .build = "the other"});
    };
    CHECK(checked(all).code == success);

    const CommandResult without_first = checked(all.substr(all.find("\nchronicle ") + 1));
    CHECK(without_first.code == check_failed);
    has(without_first.out, "the other: has no chronicle of this level");
    const CommandResult more = checked(all + "chronicle moon base\n1 0000000000000000\n");
    CHECK(more.code == check_failed);
    has(more.out, "DIFFER moon base");
    std::string changed = all;
    changed[all.find("\n77 ") + 4] = 'x';
    const CommandResult different = checked(changed);
    CHECK(different.code == check_failed);
    has(different.out, "the other: first differs at tick 77");
    const CommandResult cut = checked(all.substr(0, all.size() - 4));
    CHECK(cut.code == check_failed);

    CHECK(checked("").code == bad_input);
    CHECK(checked("\x7F\x45LF\x01").code == bad_input);
    CHECK(checked(all + all).code == bad_input);
    CHECK(check({.dir = dir, .produced = folder.file("missing")}).code == file_error);
}

TEST_CASE("chronicle: an unknown world and an unwritable folder are refused") {
    const ScratchFolder folder;
    const CommandResult unknown = record({.dir = folder.path.string(), .worlds = {"bonce"}});
    CHECK(unknown.code == bad_input);
    has(unknown.err, "there is no world \"bonce\"");
    CHECK(record({.dir = folder.file("file", "text")}).code == file_error);
}

TEST_CASE("types: every world's structs, labels and pools become declarations") {
    for (const match::WorldTable& world : match::worlds()) {
        const CommandResult result =
            run_captured([&world] { return run_types({.world = std::string(world.name)}); });
        CHECK(result.code == success);
        CHECK(has(result.out, "import type { EntityOf"));
        CHECK(has(result.out, "players: EntityOf<Player>;"));
        CHECK(has(result.out, "event: Event;"));
        CHECK(has(result.out, "readonly kind: \""));
        CHECK(has(result.out,
                  "export interface Vec2 {\n    readonly x: number;\n    readonly y: number;\n}\n"));
    }
    CHECK(run_captured([] { return run_types({.world = "nowhere"}); }).code == bad_input);
}
