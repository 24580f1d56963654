// SPDX-License-Identifier: MIT
// The program's arguments and its help, and nothing else. CLI11 takes seconds to compile and is included here
// alone.
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>

#include <CLI/CLI.hpp>

#include <instep/cli/commands.h>
#include <instep/math/float_rules.h>

namespace {

using namespace instep::cli;

constexpr const char* exit_codes = R"(
Exit codes:
  0  all is well
  1  a check found a difference
  2  wrong usage, or something wrong in a file
  3  a file could not be read or written

`instep COMMAND --help` has examples.)";

// An option whose text is parsed by `parse`, which returns a Result. What it refuses is refused here, with
// the option's name in front of the sentence.
template <class Target, class Parse>
CLI::Option* add_parsed(CLI::App* app, const std::string& name, Target& into, const std::string& text,
                        const std::string& kind, Parse parse) {
    const auto check = [parse](const std::string& given) {
        const auto value = parse(given);
        return value ? std::string() : value.error().text();
    };
    const auto take = [&into, parse](const std::string& given) {
        if (const auto value = parse(given)) into = static_cast<typename Target::value_type>(*value);
    };
    return app->add_option_function<std::string>(name, take, text)->check(check)->type_name(kind);
}

template <class Number>
CLI::Option* add_whole(CLI::App* app, const std::string& name, std::optional<Number>& into,
                       const std::string& text, std::uint64_t low, std::uint64_t high) {
    return add_parsed(app, name, into, text, "N",
                      [low, high](const std::string& given) { return parse_whole(given, low, high); });
}

void add_level_and_seed(CLI::App* app, std::string& level, const std::string& default_level,
                        std::optional<std::uint64_t>& seed) {
    app->add_option("--level", level,
                    "a level's name, or a file that ends in .json (default: " + default_level + ")")
        ->type_name("NAME|FILE");
    add_whole(app, "--seed", seed, "what chance is drawn from", 0, std::numeric_limits<std::uint64_t>::max());
}

// A variable that a script forgot to set must not quietly become the default.
std::string is_given(const std::string& text) {
    return text.empty() ? "expected the name of a file, got nothing" : "";
}

using Command = std::function<int()>;

CLI::App* add_worlds(CLI::App& app, Command& command) {
    CLI::App* worlds = app.add_subcommand("worlds", "List the worlds and their levels");
    auto options = std::make_shared<WorldsOptions>();
    worlds->add_flag("--json", options->json, "as a JSON array");
    worlds->footer(R"(
Examples:
  instep worlds
  instep worlds --json | jq -r '.[].name')");
    worlds->callback([&command, options] { command = [options] { return run_worlds(*options); }; });
    return worlds;
}

void add_simulate(CLI::App& app, Command& command) {
    CLI::App* simulate = app.add_subcommand(
        "simulate", "Run a match as fast as it goes, by bots or a script, and write down what happens");
    auto options = std::make_shared<SimulateOptions>();
    simulate->add_option("world", options->world, "a world's name; may be left out if --inputs names it")
        ->type_name("WORLD");
    add_level_and_seed(simulate, options->level, "the world's first", options->seed);
    add_whole(simulate, "--ticks", options->ticks,
              "how long (default: " + std::to_string(default_ticks) + ", or what the script says)", 1,
              most_ticks);
    add_whole(simulate, "--bots", options->bots,
              "how many play (default: " + std::to_string(default_bots) + ")", 0, 64);
    simulate
        ->add_option("--inputs", options->inputs, "a script of who joins, leaves and asks for what, as JSON")
        ->type_name("FILE");
    add_parsed(simulate, "--format", options->format,
               "jsonl: an object a tick; csv: a row for each element of a pool; none\n(default: csv for "
               "--out *.csv or "
               "--pool, none if only --plot is asked for, else jsonl)",
               "jsonl|csv|none", parse_format);
    simulate->add_option("--pool", options->pool, "csv: which pool (default: the first with a position)")
        ->type_name("NAME");
    add_whole(simulate, "--every", options->every, "keep every N-th tick only", 1, most_ticks);
    simulate->add_flag("--events", options->events, "jsonl: with the events of each tick that is kept");
    simulate->add_option("--out", options->out, "where to write instead of stdout")
        ->type_name("FILE")
        ->check(is_given);
    simulate->add_option("--plot", options->plot, "draw the paths of everything as SVG")
        ->type_name("FILE")
        ->check(is_given);
    add_parsed(simulate, "--size", options->size, "of the picture, in pixels (default: 1280 wide)", "WxH",
               parse_size);
    simulate->footer(R"(
Examples:
  instep simulate bounce --ticks 600 --plot bounce.svg
  instep simulate bounce --level box --bots 8 --every 60 | jq -c '[.tick, .hash]'
  instep simulate bounce --format csv --pool balls --out balls.csv
  instep simulate --inputs script.json --events
  instep simulate bounce --ticks 100000 --format none     (how fast is it?)

A script: {"world": "bounce", "seed": 1, "ticks": 600, "inputs": [
             {"tick": 1, "join": {"slot": 0, "name": "Ann"}},
             {"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 0}}},
             {"tick": 90, "leave": 0}]})");
    simulate->callback([&command, options] { command = [options] { return run_simulate(*options); }; });
}

void add_play(CLI::App& app, Command& command) {
    CLI::App* play = app.add_subcommand("play", "Watch a match of bots in the terminal");
    auto options = std::make_shared<PlayOptions>();
    play->add_option("world", options->world,
                     "a world's name (default: the first that is more than an example)")
        ->type_name("WORLD");
    add_level_and_seed(play, options->level, "the first with the rules of the game", options->seed);
    add_whole(play, "--bots", options->bots, "how many play (default: " + std::to_string(default_bots) + ")",
              0, 64);
    add_parsed(play, "--seconds", options->seconds,
               "how long (default: until q or Ctrl-C; 10 without a terminal)", "S",
               [](const std::string& given) { return parse_real(given, 0.1, most_seconds); });
    play->footer(R"(
Examples:
  instep play
  instep play bounce --bots 12
  instep play bounce --seconds 5 > frames.txt     (no terminal: a few frames and a summary))");
    play->callback([&command, options] { command = [options] { return run_play(*options); }; });
}

void add_parity(CLI::App& app, Command& command) {
    CLI::App* parity =
        app.add_subcommand("parity", "Compare worlds with recordings of the original programs");
    auto options = std::make_shared<ParityOptions>();
    parity
        ->add_option("files", options->files,
                     "recordings; index.json in the folder above says how close is enough")
        ->type_name("FILE");
    parity->footer(R"(
Prints for each file the largest difference and where it is: column, tick, expected, got.

Examples:
  instep parity vectors/flail/circle.json
  instep parity vectors/*/*.json)");
    parity->callback([&command, options] { command = [options] { return run_parity(*options); }; });
}

void add_chronicle(CLI::App& app, Command& command) {
    CLI::App* chronicle =
        app.add_subcommand("chronicle", "Check that this or another build computes the recorded bits");
    chronicle->require_subcommand(1);
    chronicle->footer(R"(
Examples:
  instep chronicle check
  instep chronicle record bounce                    (after an intended change of bounce)
  chronicle_produce > other.txt && instep chronicle check --produced other.txt --build "clang -O0")");
    auto options = std::make_shared<ChronicleOptions>();
    CLI::App* check =
        chronicle->add_subcommand("check", "Compare the recorded chronicles with this build or another");
    CLI::App* record =
        chronicle->add_subcommand("record", "Record the chronicles anew, after an intended change");
    for (CLI::App* either : {check, record})
        either->add_option("--dir", options->dir, "the folder of the chronicles (default: tests/chronicles)")
            ->type_name("DIR");
    check->add_option("--produced", options->produced, "what another build's chronicle_produce printed")
        ->type_name("FILE");
    check->add_option("--build", options->build, "what to call that build")->type_name("NAME");
    record->add_option("world", options->worlds, "only these worlds (default: all)")->type_name("WORLD");
    check->footer(R"(
Prints a line a level. A difference names the first tick and, at the next hundredth, the first field.

Examples:
  instep chronicle check
  instep chronicle check --produced other.txt --build "clang -O0")");
    record->footer(R"(
Examples:
  instep chronicle record
  instep chronicle record bounce --dir tests/chronicles)");
    check->callback([&command, options] { command = [options] { return run_chronicle_check(*options); }; });
    record->callback([&command, options] { command = [options] { return run_chronicle_record(*options); }; });
}

void add_import(CLI::App& app, Command& command) {
    CLI::App* import = app.add_subcommand("import", "Make a level of foothold from a map of another program");
    auto options = std::make_shared<ImportOptions>();
    import->add_option("file", options->file, "a map editor's .img.xml, or Tiled's .tmj")->type_name("FILE");
    import->add_option("-o,--out", options->out, "the level's file (default: stdout)")->type_name("FILE");
    import->add_option("--catalog", options->catalog, "what mobs and objects are, which maps do not say")
        ->type_name("FILE");
    import->add_option("--name", options->name, "the level's name (default: that of the file)")
        ->type_name("NAME");
    import->footer(R"(
What was odd about the map goes to stderr, a line for each kind of oddity.

Examples:
  instep import 000000042.img.xml -o yard.json --catalog objects.json
  instep import levels/foothold/town.tmj -o town.json --catalog levels/foothold/catalog/objects.json
  instep simulate --level yard.json foothold --plot yard.svg)");
    import->callback([&command, options] { command = [options] { return run_import(*options); }; });
}

void add_netsim(CLI::App& app, Command& command) {
    CLI::App* netsim =
        app.add_subcommand("netsim", "Play a match of bots over a simulated network, or a campaign of them");
    auto options = std::make_shared<NetsimOptions>();
    netsim->add_option("world", options->world, "a world's name; a campaign without one plays them all")
        ->type_name("WORLD");
    add_level_and_seed(netsim, options->level, "the world's first; a campaign takes turns", options->seed);
    add_whole(
        netsim, "--players", options->players,
        "how many bots (default: " + std::to_string(default_net_players) + ", or as many as the level takes)",
        1, 64);
    const auto add_real = [&](const char* name, std::optional<double>& into, const std::string& text,
                              const char* kind, double low, double high) {
        add_parsed(netsim, name, into, text, kind,
                   [low, high](const std::string& given) { return parse_real(given, low, high); });
    };
    add_real("--seconds", options->seconds, "how long a match is (default: 60, in a campaign 300)", "S", 1,
             most_seconds);
    add_parsed(netsim, "--link", options->link,
               "ordered: like WebSocket; datagram: what is lost stays lost\n(default: ordered; a campaign "
               "takes turns)",
               "ordered|datagram", parse_link);
    add_parsed(netsim, "--room", options->room,
               "snapshots, or relay: inputs only (default: snapshots; a campaign takes turns)",
               "snapshots|relay", parse_room);
    add_real("--rtt", options->round_trip, "round trip (default: 50)", "MS", 0, 2000);
    add_real("--jitter", options->jitter, "by up to so much later, each way (default: 0)", "MS", 0, 1000);
    add_real("--loss", options->loss, "part of packets lost, each way (default: 0)", "PERCENT", 0, 90);
    netsim->add_flag("--bad", options->bad,
                     "each line bad in its own way: up to 300 ms, up to 20 % loss, bursts, copies, drift,\n"
                     "pauses, broken lines; and 60 % loss for a fifth of the match");
    add_whole(netsim, "--campaign", options->campaign, "so many --bad matches of each world", 1, 100'000);
    add_real("--limit", options->limit, "of a campaign: begin no match after so many seconds", "S", 1,
             most_seconds);
    netsim->footer(R"(
Examples:
  instep netsim orbit --players 32 --seconds 10
  instep netsim flail --level pit --rtt 150 --loss 2 --link datagram --seconds 10
  instep netsim bounce --room relay --seconds 10
  instep netsim orbit --bad --seed 7 --seconds 20
  instep netsim flail --campaign 2 --seconds 10 --players 4
  instep netsim --campaign 200                  (the whole of it: hours)

A match that fails prints the command that plays it again. Exit code 1: something failed.)");
    netsim->callback([&command, options] { command = [options] { return run_netsim(*options); }; });
}

// The command as far as it was understood: "instep chronicle check" and the app that is the last word of it.
std::pair<std::string, const CLI::App*> understood(const CLI::App& app) {
    std::string words = "instep";
    const CLI::App* last = &app;
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
        words += " " + last->get_name();
    }
    return {words, last};
}

std::string complaint(const CLI::App& last, const std::vector<std::string>& words,
                      const CLI::ParseError& error) {
    std::string known;
    for (const CLI::App* command : last.get_subcommands([](const CLI::App*) { return true; }))
        known += (known.empty() ? "" : ", ") + command->get_name();
    const std::string stranger = words.empty() ? "" : words.front();
    if (known.empty() || stranger.starts_with('-')) return error.what();
    if (stranger.empty()) return "expected one of: " + known;
    return "there is no command \"" + stranger + "\"; there are: " + known;
}

int run(int argument_count, char** arguments) {
    CLI::App app("Deterministic 2D game physics with the multiplayer built in", "instep");
    Command command;
    app.set_version_flag("--version", "instep " INSTEP_VERSION);
    app.require_subcommand(1);
    app.footer(exit_codes);
    add_worlds(app, command);
    add_simulate(app, command);
    add_play(app, command);
    add_parity(app, command);
    add_chronicle(app, command);
    add_import(app, command);
    add_netsim(app, command);
    if (argument_count < 2) {
        std::fputs(app.help().c_str(), stderr);
        return bad_input;
    }
    try {
        app.parse(argument_count, arguments);
    } catch (const CLI::CallForHelp&) {
        std::string help = app.help();
        help.erase(help.find_last_not_of('\n') + 1);
        std::printf("%s\n", help.c_str());
        return success;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --version
        const auto [words, last] = understood(app);
        std::fprintf(stderr, "instep: %s\n`%s --help` has examples.\n",
                     printable(complaint(*last, last->remaining(), error)).c_str(), words.c_str());
        return bad_input;
    }
    return command();
}

}  // namespace

int main(int argument_count, char** arguments) {
    // A reader who has seen enough closes the pipe; writing then fails, and that is noticed where it is
    // written.
    std::signal(SIGPIPE, SIG_IGN);
    if (!instep::math::arithmetic_is_sound())
        return report(
            {bad_input,
             "this process computes other bits than it should: something it was built or linked with "
             "fuses or reorders arithmetic, flushes small numbers to zero or rounds another way"});
    try {
        return run(argument_count, arguments);
    } catch (const std::exception& error) {
        return report({bad_input, std::string("gave up: ") + error.what()});
    }
}
