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
#include <instep/server/settings.h>
#include <instep/state/plain_name.h>

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
    add_level_and_seed(simulate, options->level, "the world's first game", options->seed);
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
    for (CLI::App* either : {check, record}) {
        either->add_option("--dir", options->dir, "the folder of the chronicles (default: tests/chronicles)")
            ->type_name("DIR");
        either->add_option("world", options->worlds, "only these worlds (default: all)")->type_name("WORLD");
    }
    check->add_option("--produced", options->produced, "what another build's chronicle_produce printed")
        ->type_name("FILE");
    check->add_option("--build", options->build, "what to call that build")->type_name("NAME");
    check->footer(R"(
Prints a line a level. A difference names the first tick and, at the next hundredth, the first field.

Examples:
  instep chronicle check
  instep chronicle check bounce flail
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
    add_level_and_seed(netsim, options->level, "the world's first game; a campaign takes turns",
                       options->seed);
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
    add_parsed(netsim, "--replication", options->room,
               "snapshots, or relay: inputs only (default: as the level has it; a campaign takes turns)",
               "snapshots|relay", parse_room);
    add_real("--rtt", options->round_trip, "round trip (default: 50)", "MS", 0, 2000);
    add_real("--jitter", options->jitter, "by up to so much later, each way (default: 0)", "MS", 0, 1000);
    add_real("--loss", options->loss, "part of packets lost, each way (default: 0)", "PERCENT", 0, 90);
    add_real("--pause-host", options->pause_host, "the server stands still once for so long (default: 0)",
             "S", 0, 60);
    netsim->add_flag(
        "--bad", options->bad,
        "each link bad in its own way: up to 300 ms, up to 20 % loss, bursts, duplicates, drift,\n"
        "pauses, reconnects; 60 % loss for a fifth of the match; one in four pauses the server");
    add_whole(netsim, "--campaign", options->campaign, "so many --bad matches of each world", 1, 100'000);
    add_real("--limit", options->limit, "of a campaign: begin no match after so many seconds", "S", 1,
             most_seconds);
    add_whole(netsim, "--from", options->from, "of a campaign: go on with its match N (default: 1)", 1,
              100'000);
    add_whole(netsim, "--threads", options->threads,
              "of a campaign: matches at a time (default: one for each core)", 1, 256);
    netsim->footer(R"(
Examples:
  instep netsim orbit --players 32 --seconds 10
  instep netsim flail --level pit --rtt 150 --loss 2 --link datagram --seconds 10
  instep netsim bounce --replication relay --seconds 10
  instep netsim orbit --bad --seed 7 --seconds 20
  instep netsim flail --campaign 2 --seconds 10 --players 4
  instep netsim --campaign 200                  (the whole of it: hours)

A match that fails prints the command that plays it again. Exit code 1: something failed.)");
    netsim->callback([&command, options] { command = [options] { return run_netsim(*options); }; });
}

void add_serve(CLI::App& app, Command& command) {
    CLI::App* serve = app.add_subcommand("serve", "Serve matches over HTTP and WebSocket until Ctrl-C");
    auto options = std::make_shared<ServeOptions>();
    serve
        ->add_option("--address", options->address,
                     "where to listen (default: 127.0.0.1; all: 0.0.0.0 or ::)")
        ->type_name("IP");
    add_whole(serve, "--port", options->port, "(default: 8080; 0: any that is free)", 0, 65535);
    add_whole(serve, "--threads", options->threads, "(default: one for each core)", 1, 256);
    serve->add_option("--certificate", options->certificate, "of TLS, a PEM file with its chain")
        ->type_name("FILE");
    serve->add_option("--private-key", options->private_key, "of that certificate, a PEM file")
        ->type_name("FILE");
    serve->add_option("--origin", options->origins, "whose pages may connect, besides our own; * for all")
        ->type_name("ORIGIN");
    serve
        ->add_option("--secret", options->secret,
                     "a file; nobody comes in without a token signed with what is in it")
        ->type_name("FILE");
    serve->add_option("--recordings", options->recordings, "record matches into this folder")
        ->type_name("DIR");
    add_whole(serve, "--recordings-mb", options->recordings_mb,
              "of recordings to keep, the newest (default: 1024)", 1, 1'000'000);
    add_whole(serve, "--bots", options->bots,
              "play in every room while people are fewer than so many (default: 0)", 0,
              instep::contract::most_slots);
    serve->add_option("--page", options->page, "serve the built web page in this folder")->type_name("DIR");
    serve->add_option("--level", options->levels, "a level besides those built in; may be given again")
        ->type_name("FILE");
    serve->add_option("--settings", options->settings, "a JSON object of the limits below, by name")
        ->type_name("FILE");
    const instep::server::Limits defaults;
    for (const instep::server::LimitInfo& limit : instep::server::limit_table()) {
        auto& into = options->limits[std::string(limit.name)];
        add_whole(serve, "--" + std::string(limit.name), into,
                  std::string(limit.text) + " (default: " + std::to_string(defaults.*limit.member) + ")",
                  limit.low, limit.high)
            ->group("Limits");
    }
    serve->footer(R"(
A limit may also be a variable: INSTEP_MOST_ROOMS=10. Flags come before variables, and those before the file.
The address goes to stdout; logs, a JSON object a line, go to stderr. docs/server.md has all of it.

Examples:
  instep serve
  instep serve --address 0.0.0.0 --port 443 --certificate chain.pem --private-key key.pem
  instep serve --level my-arena.json --bots 6
  instep serve --port 0 --most-rooms 10 --idle-ms 5000)");
    serve->callback([&command, options] { command = [options] { return run_serve(*options); }; });
}

// What tokens are made of has no dots and no spaces in it.
std::string is_plain_name(const std::string& text) {
    const bool is_plain = !text.empty() && text.size() <= 64 && instep::state::is_plain_name(text);
    return is_plain ? "" : "expected 1 to 64 letters, digits, - and _, got \"" + text + "\"";
}

void add_token(CLI::App& app, Command& command) {
    CLI::App* token = app.add_subcommand("token", "Make a token that lets one player into one room, once");
    auto options = std::make_shared<TokenOptions>();
    token->add_option("--secret", options->secret, "the file that the server was given")
        ->type_name("FILE")
        ->required();
    token->add_option("--room", options->room, "a room's name")
        ->type_name("NAME")
        ->required()
        ->check(is_plain_name);
    token->add_option("--player", options->player, "who it is, 16 to 64 letters that stay the same")
        ->type_name("KEY")
        ->required()
        ->check(is_plain_name);
    add_whole(token, "--seconds", options->seconds, "how long it is good for (default: 60)", 1, 300);
    token->footer(R"(
Examples:
  instep token --secret secret.txt --room ours --player ann-0123456789ab)");
    token->callback([&command, options] { command = [options] { return run_token(*options); }; });
}

void add_replay(CLI::App& app, Command& command) {
    CLI::App* replay = app.add_subcommand("replay", "Play a recorded match again and compare every hash");
    auto options = std::make_shared<ReplayOptions>();
    replay->add_option("file", options->file, "what a server with --recordings wrote")
        ->type_name("FILE")
        ->required();
    add_whole(replay, "--tick", options->tick, "go to this tick (default: the last)", 0,
              std::numeric_limits<std::uint32_t>::max());
    replay->add_option("--state", options->state, "write the state of that tick, as JSON; - for stdout")
        ->type_name("FILE")
        ->check(is_given);
    add_whole(replay, "--resume", options->resume, "let bots play on from there for so many ticks", 1,
              most_ticks);
    replay->footer(R"(
Examples:
  instep replay match.instep
  instep replay match.instep --tick 600 --state - | jq .players
  instep replay match.instep --tick 600 --resume 1000

Exit code 1: a tick came out otherwise than it was recorded.)");
    replay->callback([&command, options] { command = [options] { return run_replay(*options); }; });
}

void add_bots(CLI::App& app, Command& command) {
    CLI::App* bots = app.add_subcommand("bots", "Let headless players join a server");
    auto options = std::make_shared<NetBotsOptions>();
    bots->add_option("world", options->world, "a world's name")->type_name("WORLD");
    bots->add_option("--url", options->url, "of the server (default: ws://127.0.0.1:8080)")->type_name("URL");
    add_level_and_seed(bots, options->level, "the world's first game", options->seed);
    bots->add_option("--room", options->room, "a room's name (default: a quick match)")->type_name("NAME");
    add_whole(bots, "--count", options->count, "how many (default: " + std::to_string(default_net_bots) + ")",
              1, 100'000);
    const auto add_real = [&](const char* name, std::optional<double>& into, const char* text) {
        add_parsed(bots, name, into, text, "S",
                   [](const std::string& given) { return parse_real(given, 0.1, most_seconds); });
    };
    add_real("--seconds", options->seconds, "how long (default: until Ctrl-C)");
    add_real("--stay", options->stay, "how long one stays, on average, before it leaves and comes in anew");
    add_whole(bots, "--connects-per-second", options->connects_per_second, "(default: 200)", 1, 100'000);
    bots->add_flag("--thin", options->thin, "speak the wire without predicting: many fit into one process");
    bots->footer(R"(
Examples:
  instep bots flail --level plain
  instep bots orbit --url wss://play.example.org --count 16 --seconds 60
  instep bots flail --level plain --thin --count 1000 --stay 30

Exit code 1: somebody was refused, lost its line, or was told nonsense.)");
    bots->callback([&command, options] { command = [options] { return run_net_bots(*options); }; });
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
    const std::string what = error.what();
    if (stranger.starts_with('-')) return "there is no option " + stranger;
    if (error.get_name() == "ArgumentMismatch") return what.substr(0, what.find(':')) + ": needs a value";
    if (known.empty()) return stranger.empty() ? what : "did not expect \"" + stranger + "\"";
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
    add_serve(app, command);
    add_bots(app, command);
    add_token(app, command);
    add_replay(app, command);
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
                     printable(complaint(*last, app.remaining(true), error)).c_str(), words.c_str());
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
