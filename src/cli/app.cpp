// SPDX-License-Identifier: MIT
// A game's program: its arguments and help. Only this file includes CLI11, which takes seconds to compile.
// In a footer `instep` stands for the program, and {world} and {level} for names of the game's own.
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>

#include <CLI/CLI.hpp>

#include <instep/cli/commands.h>
#include <instep/cli/game.h>
#include <instep/match/match.h>
#include <instep/match/registry.h>
#include <instep/math/float_rules.h>
#include <instep/server/settings.h>
#include <instep/state/plain_name.h>

namespace {

using namespace instep::cli;

constexpr const char* exit_codes = R"(
Exit codes:
  0  success
  1  a check found a difference
  2  wrong usage, or invalid contents of a file
  3  a file could not be read or written

`instep COMMAND --help` has examples.)";

// An option whose text is parsed by `parse`, which returns a Result. CLI11 puts the option's name in front of
// the error.
template <class Target, class Parse>
CLI::Option* add_parsed(CLI::App* app, const std::string& name, Target& into, const std::string& text,
                        const std::string& kind, Parse parse) {
    const auto check = [parse](const std::string& given) {
        const auto value = parse(given);
        return value ? std::string() : value.error().text();
    };
    const auto store = [&into, parse](const std::string& given) {
        if (const auto value = parse(given)) into = static_cast<typename Target::value_type>(*value);
    };
    return app->add_option_function<std::string>(name, store, text)->check(check)->type_name(kind);
}

template <class Number>
CLI::Option* add_integer(CLI::App* app, const std::string& name, std::optional<Number>& into,
                         const std::string& text, std::uint64_t low, std::uint64_t high) {
    return add_parsed(app, name, into, text, "N",
                      [low, high](const std::string& given) { return parse_integer(given, low, high); });
}

void add_level_and_seed(CLI::App* app, std::string& level, const std::string& default_level,
                        std::optional<std::uint64_t>& seed) {
    app->add_option("--level", level,
                    "a level's name, or a file that ends in .json (default: " + default_level + ")")
        ->type_name("NAME|FILE");
    add_integer(app, "--seed", seed, "seed of all random numbers", 0,
                std::numeric_limits<std::uint64_t>::max());
}

// An unset shell variable must not silently become the default.
std::string is_not_empty(const std::string& text) {
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

void add_types(CLI::App& app, Command& command) {
    CLI::App* types =
        app.add_subcommand("types", "Write a world's fields as TypeScript declarations, for pages");
    auto options = std::make_shared<TypesOptions>();
    types->add_option("world", options->world, "a world's name")->type_name("WORLD")->required();
    types->add_option("-o,--out", options->out, "output file (default: stdout)")
        ->type_name("FILE")
        ->check(is_not_empty);
    types->footer(R"(
Examples:
  instep types {world} -o {world}.d.ts
  instep types {world} | grep -A9 'interface Player')");
    types->callback([&command, options] { command = [options] { return run_types(*options); }; });
}

void add_simulate(CLI::App& app, Command& command) {
    CLI::App* simulate = app.add_subcommand(
        "simulate", "Run a match of bots or of a script as fast as possible, and write its states");
    auto options = std::make_shared<SimulateOptions>();
    simulate->add_option("world", options->world, "a world's name; optional if --inputs names it")
        ->type_name("WORLD");
    add_level_and_seed(simulate, options->level, "the first with game rules", options->seed);
    add_integer(simulate, "--ticks", options->ticks,
                "length of the match (default: " + std::to_string(default_ticks) + ", or the script's)", 1,
                most_ticks);
    add_integer(simulate, "--bots", options->bots,
                "number of bots (default: " + std::to_string(default_bots) + ")", 0, 64);
    simulate->add_option("--inputs", options->inputs, "a script of joins, leaves and inputs, as JSON")
        ->type_name("FILE");
    add_parsed(simulate, "--format", options->format,
               "jsonl: an object per tick; csv: a row for each element of a pool; none\n(default: csv for "
               "--out *.csv or --pool, none with --plot alone, else jsonl)",
               "jsonl|csv|none", parse_format);
    simulate->add_option("--pool", options->pool, "csv: which pool (default: the first with a position)")
        ->type_name("NAME");
    add_integer(simulate, "--every", options->every, "write every N-th tick only", 1, most_ticks);
    simulate->add_flag("--events", options->events, "jsonl: include the events of each tick that is written");
    simulate->add_option("--out", options->out, "output file (default: stdout)")
        ->type_name("FILE")
        ->check(is_not_empty);
    simulate->add_option("--plot", options->plot, "draw the paths of all entities as SVG")
        ->type_name("FILE")
        ->check(is_not_empty);
    add_parsed(simulate, "--size", options->size, "size of the plot in pixels (default: 1280 wide)", "WxH",
               parse_size);
    simulate->footer(R"(
Examples:
  instep simulate {world} --ticks 600 --plot match.svg
  instep simulate {world} --level {level} --bots 8 --every 60 | jq -c '[.tick, .hash]'
  instep simulate {world} --format csv --out players.csv --pool players
  instep simulate --inputs script.json --events
  instep simulate {world} --ticks 100000 --format none     (measures the speed)

A script: {"world": "{world}", "seed": 1, "ticks": 600, "inputs": [
             {"tick": 1, "join": {"slot": 0, "name": "Ann"}},
             {"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 0}}},
             {"tick": 90, "leave": 0}]})");
    simulate->callback([&command, options] { command = [options] { return run_simulate(*options); }; });
}

void add_play(CLI::App& app, Command& command) {
    CLI::App* play = app.add_subcommand("play", "Watch a match of bots in the terminal");
    auto options = std::make_shared<PlayOptions>();
    play->add_option("world", options->world, "a world's name (default: the first other than the example)")
        ->type_name("WORLD");
    add_level_and_seed(play, options->level, "the first with game rules", options->seed);
    add_integer(play, "--bots", options->bots,
                "number of bots (default: " + std::to_string(default_bots) + ")", 0, 64);
    add_parsed(play, "--seconds", options->seconds,
               "duration (default: until q or Ctrl-C; 10 without a terminal)", "S",
               [](const std::string& given) { return parse_real(given, 0.1, most_seconds); });
    play->footer(R"(
Examples:
  instep play
  instep play {world} --bots 12
  instep play {world} --seconds 5 > frames.txt     (no terminal: a few frames and a summary))");
    play->callback([&command, options] { command = [options] { return run_play(*options); }; });
}

void add_parity(CLI::App& app, Command& command) {
    CLI::App* parity =
        app.add_subcommand("parity", "Compare worlds with recordings of the original programs");
    auto options = std::make_shared<ParityOptions>();
    parity->add_option("files", options->files, "recordings; for those in DIR, DIR.json has the tolerances")
        ->type_name("FILE");
    parity->footer(R"(
Prints the largest difference of each file with its column, tick, expected and actual value.

Examples:
  instep parity vectors/circle.json
  instep parity vectors/*.json)");
    parity->callback([&command, options] { command = [options] { return run_parity(*options); }; });
}

void add_chronicle(CLI::App& app, Command& command) {
    CLI::App* chronicle =
        app.add_subcommand("chronicle", "Check that a build computes the recorded states bit for bit");
    chronicle->require_subcommand(1);
    chronicle->footer(R"(
Examples:
  instep chronicle check
  instep chronicle record {world}                    (after an intended change of it)
  chronicle_produce > other.txt && instep chronicle check --produced other.txt --build "clang -O0")");
    auto options = std::make_shared<ChronicleOptions>();
    options->dir = game().chronicles;
    CLI::App* check =
        chronicle->add_subcommand("check", "Compare the recorded chronicles with this build or another");
    CLI::App* record =
        chronicle->add_subcommand("record", "Record the chronicles again, after an intended change");
    for (CLI::App* either : {check, record}) {
        either
            ->add_option("--dir", options->dir,
                         "the folder of the chronicles; * is the world (default: " + options->dir + ")")
            ->type_name("DIR");
        either->add_option("world", options->worlds, "only these worlds (default: all)")->type_name("WORLD");
    }
    check->add_option("--produced", options->produced, "the output of another build's chronicle_produce")
        ->type_name("FILE");
    check->add_option("--build", options->build, "name of that build in messages")->type_name("NAME");
    check->footer(R"(
Prints one line per level. A difference names the first tick and, at the next hundredth tick, the first field.

Examples:
  instep chronicle check
  instep chronicle check {world}
  instep chronicle check --produced other.txt --build "clang -O0")");
    record->footer(R"(
Examples:
  instep chronicle record
  instep chronicle record {world} --dir chronicles)");
    check->callback([&command, options] { command = [options] { return run_chronicle_check(*options); }; });
    record->callback([&command, options] { command = [options] { return run_chronicle_record(*options); }; });
}

void add_import(CLI::App& app, Command& command) {
    CLI::App* import = app.add_subcommand("import", "Make a level from a map of another program");
    auto options = std::make_shared<ImportOptions>();
    import->add_option("--world", options->world, "the level's world (default: the one that imports maps)")
        ->type_name("WORLD");
    import->add_option("file", options->file, "a map editor's .img.xml, or Tiled's .tmj")->type_name("FILE");
    import->add_option("-o,--out", options->out, "the level's file (default: stdout)")->type_name("FILE");
    import->add_option("--catalog", options->catalog, "describes mobs and objects, which maps only name")
        ->type_name("FILE");
    import->add_option("--name", options->name, "the level's name (default: that of the file)")
        ->type_name("NAME");
    import->footer(R"(
Irregularities of the map are reported on stderr, one line for each kind.

Examples:
  instep import 000000042.img.xml -o yard.json --catalog objects.json
  instep import town.tmj -o town.json --catalog objects.json
  instep simulate --level yard.json --plot yard.svg)");
    import->callback([&command, options] { command = [options] { return run_import(*options); }; });
}

void add_check(CLI::App& app, Command& command) {
    CLI::App* check = app.add_subcommand("check", "Try the laws that every world keeps on every level");
    auto options = std::make_shared<CheckOptions>();
    check->add_option("world", options->worlds, "only these worlds (default: all)")->type_name("WORLD");
    add_integer(check, "--seed", options->seed, "seed of the matches (default: 1)", 0,
                std::numeric_limits<std::uint64_t>::max());
    add_integer(check, "--rounds", options->rounds, "matches a law and level (default: 3)", 1, 10'000);
    check->footer(R"(
Prints one line per law and level. A law that is broken says how, with the seed that shows it again.

Examples:
  instep check
  instep check {world} --rounds 100 --seed 7)");
    check->callback([&command, options] { command = [options] { return run_check(*options); }; });
}

void add_dev(CLI::App& app, Command& command) {
    CLI::App* dev =
        app.add_subcommand("dev", "Play the game while it is edited: builds and reloads what is saved");
    auto options = std::make_shared<DevOptions>();
    dev->add_option("--address", options->address,
                    "address to listen on (default: 127.0.0.1; for phones too: 0.0.0.0)")
        ->type_name("IP");
    add_integer(dev, "--port", options->port, "(default: 8080; 0: any free port)", 0, 65535);
    add_integer(dev, "--bots", options->bots, "bots fill every room up to this many players (default: 0)", 0,
                instep::contract::most_slots);
    dev->footer(R"(
Watches the folder of the game's sources. What is saved there is built, natively and for the page; then a new server takes
the rooms and players of the old one over, and open pages load the new module. Errors are shown here and in the pages.

Examples:
  instep dev
  instep dev --bots 3 --address 0.0.0.0)");
    dev->callback([&command, options] { command = [options] { return run_dev(*options); }; });
}

void add_new(CLI::App& app, Command& command) {
    CLI::App* make =
        app.add_subcommand("new", "Begin a game of your own: a folder that builds, plays and tests");
    auto options = std::make_shared<NewOptions>();
    make->add_option("name", options->name, "of the game and its folder")->type_name("NAME")->required();
    make->add_option("--template", options->from, "what to begin with (default: blank)")
        ->type_name("blank|tag|platformer|workshop");
    make->footer(R"(
Examples:
  instep new chase
  instep new chase --template tag && cd chase && ./run)");
    make->callback([&command, options] { command = [options] { return run_new(*options); }; });
}

void add_netsim(CLI::App& app, Command& command) {
    CLI::App* netsim =
        app.add_subcommand("netsim", "Play a match of bots over a simulated network, or a campaign of them");
    auto options = std::make_shared<NetsimOptions>();
    netsim->add_option("world", options->world, "a world's name; a campaign without one plays all worlds")
        ->type_name("WORLD");
    add_level_and_seed(netsim, options->level, "the first with game rules; a campaign alternates",
                       options->seed);
    add_integer(
        netsim, "--players", options->players,
        "number of bots (default: " + std::to_string(default_net_players) + ", or the level's maximum)", 1,
        64);
    const auto add_real = [&](const char* name, std::optional<double>& into, const std::string& text,
                              const char* kind, double low, double high) {
        add_parsed(netsim, name, into, text, kind,
                   [low, high](const std::string& given) { return parse_real(given, low, high); });
    };
    add_real("--seconds", options->seconds, "length of a match (default: 60, in a campaign 300)", "S", 1,
             most_seconds);
    add_parsed(netsim, "--link", options->link,
               "ordered: like a WebSocket; datagram: lost messages are not sent again\n"
               "(default: ordered; a campaign alternates)",
               "ordered|datagram", parse_link);
    add_parsed(netsim, "--replication", options->replication,
               "snapshots: states and corrections; relay: inputs only\n"
               "(default: the level's; a campaign alternates)",
               "snapshots|relay", parse_replication);
    add_real("--rtt", options->round_trip, "round-trip time (default: 50)", "MS", 0, 2000);
    add_real("--jitter", options->jitter, "largest random delay in each direction (default: 0)", "MS", 0,
             1000);
    add_real("--loss", options->loss, "packets lost in each direction (default: 0)", "PERCENT", 0, 90);
    add_real("--pause-host", options->pause_host, "the server pauses once for so long (default: 0)", "S", 0,
             60);
    netsim->add_flag("--aim", options->aim,
                     "bots decide on what their screens show, and screens are compared with the server");
    netsim->add_flag("--bad", options->bad,
                     "a different bad link for each player: up to 300 ms and 20 % loss, bursts, duplicates,\n"
                     "drift, pauses, reconnects; 60 % loss for a fifth of the match; one match in four\n"
                     "pauses the server");
    add_integer(netsim, "--campaign", options->campaign, "number of --bad matches of each world", 1, 100'000);
    add_real("--limit", options->limit, "campaign: start no match after so many seconds", "S", 1,
             most_seconds);
    add_integer(netsim, "--from", options->from, "campaign: continue with match N (default: 1)", 1, 100'000);
    add_integer(netsim, "--threads", options->threads, "campaign: matches at a time (default: one per core)",
                1, 256);
    netsim->footer(R"(
Examples:
  instep netsim {world} --players 8 --seconds 10
  instep netsim {world} --level {level} --rtt 150 --loss 2 --link datagram --seconds 10
  instep netsim {world} --replication relay --seconds 10
  instep netsim {world} --bad --seed 7 --seconds 20
  instep netsim {world} --campaign 2 --seconds 10 --players 4
  instep netsim --campaign 200                  (takes hours)

A match that fails prints the command that repeats it. Exit code 1: a match failed.)");
    netsim->callback([&command, options] { command = [options] { return run_netsim(*options); }; });
}

// The name of a room, of a player, of a key or of a build.
std::string is_plain_name(const std::string& text) {
    const bool is_plain = !text.empty() && text.size() <= 64 && instep::state::is_plain_name(text);
    return is_plain ? "" : "expected 1 to 64 letters, digits, - and _, got \"" + text + "\"";
}

void add_serve(CLI::App& app, Command& command) {
    CLI::App* serve = app.add_subcommand("serve", "Serve matches over HTTP and WebSocket until Ctrl-C");
    auto options = std::make_shared<ServeOptions>();
    serve
        ->add_option("--address", options->address,
                     "address to listen on (default: 127.0.0.1; all: 0.0.0.0 or ::)")
        ->type_name("IP");
    add_integer(serve, "--port", options->port, "(default: 8080; 0: any free port)", 0, 65535);
    add_integer(serve, "--threads", options->threads, "(default: one per core)", 1, 256);
    serve->add_option("--certificate", options->certificate, "TLS certificate, a PEM file with its chain")
        ->type_name("FILE");
    serve->add_option("--private-key", options->private_key, "TLS private key, a PEM file")
        ->type_name("FILE");
    serve
        ->add_option("--origin", options->origins,
                     "origin whose pages may connect, besides the server's own; * for all")
        ->type_name("ORIGIN");
    add_parsed(serve, "--trust-proxy", options->trusted_proxies,
               "proxies that may name their client in X-Forwarded-For", "NETWORK[,NETWORK]",
               [](const std::string& text) { return instep::server::parse_networks(text); });
    serve->add_flag("--proxy-protocol", options->proxy_protocol,
                    "trusted proxies begin each connection with a PROXY header (version 1 or 2)");
    serve
        ->add_option(
            "--host", options->hosts,
            "name by which browsers reach this server, besides its addresses, localhost and those of "
            "the certificate; * for all")
        ->type_name("NAME");
    serve
        ->add_option("--secret", options->secret,
                     "a file of keys, one \"ID SECRET\" a line; players need a token signed with one; SIGHUP "
                     "reads it again")
        ->type_name("FILE");
    serve->add_option("--audience", options->audience, "this server's name in tokens (default: instep)")
        ->type_name("NAME");
    add_parsed(serve, "--replication", options->replication,
               "who may open a room with another replication mode than its level's: any client, those whose "
               "token says so (default), or none",
               "any|token|fixed", instep::server::parse_replication_choice);
    serve->add_option("--recordings", options->recordings, "record matches into this folder")
        ->type_name("DIR");
    add_integer(serve, "--recordings-mb", options->recordings_mb,
                "megabytes of recordings to keep, the newest (default: 1024)", 1, 1'000'000);
    add_integer(serve, "--bots", options->bots, "bots fill every room up to this many players (default: 0)",
                0, instep::contract::most_slots);
    add_parsed(serve, "--chat", options->chat, "whether players may write to each other (default: on)",
               "on|off", parse_on_off);
    serve->add_option("--page", options->page, "serve the built web page in this folder")->type_name("DIR");
    add_parsed(serve, "--admin", options->admin,
               "a second port for metrics, kicks and bans; HOST is 127.0.0.1 by default", "[HOST:]PORT",
               parse_admin_address);
    serve
        ->add_option("--admin-token", options->admin_token,
                     "a file with the token that admin requests must bear; required beyond loopback")
        ->type_name("FILE");
    serve
        ->add_option(
            "--public-address", options->public_address,
            "where clients reach this server (default: where it listens, unless that is every address "
            "or it has a certificate); needed to take the rooms of another")
        ->type_name("ws://HOST[:PORT]");
    serve
        ->add_option("--cluster", options->cluster,
                     "the Redis through which servers share rooms: redis://HOST[:PORT], rediss://...,\n"
                     "redis-sentinel://HOST,HOST.../NAME; rooms then outlive this process")
        ->type_name("URL");
    serve
        ->add_option("--cluster-login", options->cluster_login,
                     "a file with Redis's password, or user and password, in one line")
        ->type_name("FILE");
    serve
        ->add_option("--cluster-ca", options->cluster_ca,
                     "for rediss://: a file with the certificate that signs Redis's (default: the system's)")
        ->type_name("FILE");
    serve
        ->add_option("--on-redis-loss", options->on_redis_loss,
                     "what rooms do without Redis: pause (default), or continue unprotected")
        ->check(CLI::IsMember({"pause", "continue"}));
    serve
        ->add_option("--successor", options->successor,
                     "at SIGTERM, hand all rooms to the server with this admin port; its clients follow")
        ->type_name("URL");
    serve
        ->add_option(
            "--peer", options->peers,
            "public address of a server that rooms move to or come from: pages of both may connect to "
            "both; may be given several times")
        ->type_name("ws://HOST[:PORT]");
    // For `dev` and other programs that start servers.
    add_integer(
        serve, "--socket", options->socket,
        "a socket that listens already, inherited from the parent process; --address and --port describe it",
        3, 1023);
    add_integer(serve, "--admin-socket", options->admin_socket, "the same for --admin", 3, 1023);
    serve->add_option("--build", options->build, "name of this build; pages reload when it changes")
        ->type_name("NAME")
        ->check(is_plain_name);
    serve->add_option("--log-level", options->log_level, "what is logged: error or info (default: info)")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"error", "info"}));
    serve->add_option("--level", options->levels, "a further level; may be given several times")
        ->type_name("FILE");
    serve->add_option("--settings", options->settings, "a JSON object of the limits below, by name")
        ->type_name("FILE");
    const instep::server::Limits defaults;
    for (const instep::server::LimitInfo& limit : instep::server::limit_table()) {
        auto& into = options->limits[std::string(limit.name)];
        add_integer(serve, "--" + std::string(limit.name), into,
                    std::string(limit.text) + " (default: " + std::to_string(defaults.*limit.member) + ")",
                    limit.low, limit.high)
            ->group("Limits");
    }
    serve->footer(R"(
A limit may also be an environment variable: INSTEP_MOST_ROOMS=10. Flags override variables, which override the file.
Prints the address to stdout and logs to stderr, one JSON object per line. docs/server.md describes the server.

Examples:
  instep serve
  instep serve --address 0.0.0.0 --port 443 --certificate chain.pem --private-key key.pem
  instep serve --level mine.json --bots 6
  instep serve --port 0 --most-rooms 10 --idle-ms 5000)");
    serve->callback([&command, options] { command = [options] { return run_serve(*options); }; });
}

void add_token(CLI::App& app, Command& command) {
    CLI::App* token = app.add_subcommand("token", "Make a join token: valid once, for one room and player");
    auto options = std::make_shared<TokenOptions>();
    token->add_option("--secret", options->secret, "the server's file of keys")
        ->type_name("FILE")
        ->required();
    token->add_option("--key", options->key, "id of the key to sign with (default: the first)")
        ->type_name("ID")
        ->check(is_plain_name);
    token->add_option("--audience", options->audience, "the server's --audience (default: instep)")
        ->type_name("NAME");
    token->add_option("--role", options->role, "what the player may do (default: play)")
        ->type_name("play|watch")
        ->check(CLI::IsMember({"play", "watch"}));
    token->add_option("--room", options->room, "a room's name")
        ->type_name("NAME")
        ->required()
        ->check(is_plain_name);
    token->add_option("--world", options->world, "the room's world")->type_name("WORLD")->required();
    token->add_option("--level", options->level, "its level (default: the first with game rules)")
        ->type_name("NAME|FILE");
    token
        ->add_option("--replication", options->replication,
                     "the room may be opened with this mode (default: the level's only)")
        ->type_name("snapshots|relay")
        ->check(CLI::IsMember({"snapshots", "relay"}));
    token->add_option("--player", options->player, "the player's key, 16 to 64 letters, the same each time")
        ->type_name("KEY")
        ->required()
        ->check(is_plain_name);
    add_integer(token, "--seconds", options->seconds, "validity (default: 60)", 1, 300);
    token->footer(R"(
Examples:
  echo 2026-11 $(openssl rand -hex 32) >secret.txt
  instep token --secret secret.txt --room ours --world {world} --player ann-0123456789ab)");
    token->callback([&command, options] { command = [options] { return run_token(*options); }; });
}

void add_replay(CLI::App& app, Command& command) {
    CLI::App* replay = app.add_subcommand("replay", "Play a recorded match again and compare every hash");
    auto options = std::make_shared<ReplayOptions>();
    replay->add_option("file", options->file, "a file that a server wrote with --recordings")
        ->type_name("FILE")
        ->required();
    add_integer(replay, "--tick", options->tick, "go to this tick (default: the last)", 0,
                std::numeric_limits<std::uint32_t>::max());
    replay->add_option("--state", options->state, "write the state of that tick, as JSON; - for stdout")
        ->type_name("FILE")
        ->check(is_not_empty);
    add_integer(replay, "--resume", options->resume, "bots play on from there for so many ticks", 1,
                most_ticks);
    replay
        ->add_flag("--serve", options->serve,
                   "open a live room from there: bots go on for its players, and give up\n"
                   "their seats to people who join")
        ->excludes("--resume");
    replay->add_option("--address", options->address, "--serve: address to listen on (default: 127.0.0.1)")
        ->type_name("IP");
    add_integer(replay, "--port", options->port, "--serve: (default: 8080; 0: any free port)", 0, 65535);
    replay->add_option("--page", options->page, "--serve: the built web page in this folder")
        ->type_name("DIR");
    replay->footer(R"(
Examples:
  instep replay match.instep
  instep replay match.instep --tick 600 --state - | jq .players
  instep replay match.instep --tick 600 --resume 1000
  instep replay match.instep --tick 600 --serve --page web/dist

Exit code 1: a tick's hash differs from the recorded one.)");
    replay->callback([&command, options] { command = [options] { return run_replay(*options); }; });
}

void add_bots(CLI::App& app, Command& command) {
    CLI::App* bots = app.add_subcommand("bots", "Connect headless clients to a server");
    auto options = std::make_shared<NetBotsOptions>();
    bots->add_option("world", options->world, "a world's name")->type_name("WORLD");
    bots->add_option("--url", options->url, "server to connect to (default: ws://127.0.0.1:8080)")
        ->type_name("URL");
    bots->add_option("--also", options->others, "other servers of its cluster, to ask when one fails")
        ->type_name("URL");
    bots->add_option("--trace", options->trace,
                     "write every snapshot that a client applied: client, slot, seconds, tick, hash")
        ->type_name("FILE");
    add_level_and_seed(bots, options->level, "the first with game rules", options->seed);
    bots->add_option("--room", options->room, "a room's name (default: a quick match)")->type_name("NAME");
    bots->add_option("--secret", options->secret,
                     "the server's file of keys: the bots sign their own tokens, for --room")
        ->type_name("FILE");
    bots->add_option("--audience", options->audience, "the server's --audience (default: instep)")
        ->type_name("NAME");
    add_integer(bots, "--count", options->count,
                "number of clients (default: " + std::to_string(default_net_bots) + ")", 1, 100'000);
    const auto add_real = [&](const char* name, std::optional<double>& into, const char* text) {
        add_parsed(bots, name, into, text, "S",
                   [](const std::string& given) { return parse_real(given, 0.1, most_seconds); });
    };
    add_real("--seconds", options->seconds, "duration (default: until Ctrl-C)");
    add_real("--stay", options->stay, "average time before a client leaves and joins again");
    add_integer(bots, "--connects-per-second", options->connects_per_second, "(default: 200)", 1, 100'000);
    bots->add_flag("--thin", options->thin, "clients without prediction: more fit into one process");
    bots->footer(R"(
Examples:
  instep bots {world} --level {level}
  instep bots {world} --url wss://play.example.org --count 16 --seconds 60
  instep bots {world} --level {level} --thin --count 1000 --stay 30

Exit code 1: a client was refused, lost its connection, or received a malformed message.)");
    bots->callback([&command, options] { command = [options] { return run_net_bots(*options); }; });
}

// The examples of a command, and of those below it, with this game's names.
void name_examples(CLI::App& app) {
    std::string world = "WORLD", level = "LEVEL";
    if (!instep::match::worlds().empty()) {
        world = instep::match::worlds().front().get().name;
        level = instep::match::usual_level(world);
    }
    std::string footer = app.get_footer();
    const auto replace = [&footer](std::string_view from, const std::string& to) {
        for (std::size_t at = 0; (at = footer.find(from, at)) != std::string::npos; at += to.size())
            footer.replace(at, from.size(), to);
    };
    replace("{world}", world);
    replace("{level}", level);
    if (game().name != "instep") replace("instep ", std::string(game().name) + " ");
    app.footer(footer);
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        name_examples(*command);
}

// The command as far as it was parsed: "instep chronicle check" and the app of its last word.
std::pair<std::string, const CLI::App*> parsed_command(const CLI::App& app) {
    std::string words(game().name);
    const CLI::App* last = &app;
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
        words += " " + last->get_name();
    }
    return {words, last};
}

std::string usage_error(const CLI::App& last, const std::vector<std::string>& words,
                        const CLI::ParseError& error) {
    std::string known;
    for (const CLI::App* command : last.get_subcommands([](const CLI::App*) { return true; }))
        known += (known.empty() ? "" : ", ") + command->get_name();
    const std::string unknown = words.empty() ? "" : words.front();
    const std::string what = error.what();
    if (unknown.starts_with('-')) return "there is no option " + unknown;
    if (error.get_name() == "ArgumentMismatch") return what.substr(0, what.find(':')) + ": needs a value";
    if (known.empty()) return unknown.empty() ? what : "did not expect \"" + unknown + "\"";
    if (unknown.empty()) return "expected one of: " + known;
    return "there is no command \"" + unknown + "\"; there are: " + known;
}

int run(int argument_count, char** arguments) {
    CLI::App app(std::string(game().title), std::string(game().name));
    Command command;
    app.set_version_flag("--version", std::string(game().name) + " (Instep " INSTEP_VERSION ")");
    app.require_subcommand(1);
    app.footer(exit_codes);
    add_worlds(app, command);
    add_types(app, command);
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
    add_check(app, command);
    add_dev(app, command);
    add_new(app, command);
    name_examples(app);
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
        const auto [words, last] = parsed_command(app);
        std::fprintf(stderr, "%s: %s\n`%s --help` has examples.\n", std::string(game().name).c_str(),
                     printable(usage_error(*last, app.remaining(true), error)).c_str(), words.c_str());
        return bad_input;
    }
    return command();
}

}  // namespace

int instep::cli::run_game(const Game& what, int argument_count, char** arguments) {
    game() = what;
    // A reader may close the pipe; the write then fails with EPIPE, which Output handles.
    std::signal(SIGPIPE, SIG_IGN);
    if (!instep::math::arithmetic_is_sound())
        return report(
            {bad_input,
             "this process does not compute deterministically: a compiler flag or a linked library fuses or "
             "reorders arithmetic, flushes denormals to zero or changes the rounding mode"});
    if (!match::registration_error().empty()) return report({bad_input, match::registration_error()});
    if (match::worlds().empty())
        return report({bad_input, "this program has no world: one of its sources needs INSTEP_WORLD(World)"});
    try {
        return run(argument_count, arguments);
    } catch (const std::exception& error) {
        return report({bad_input, std::string("internal error: ") + error.what()});
    }
}
