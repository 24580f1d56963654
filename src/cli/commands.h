// SPDX-License-Identifier: MIT
// The commands of the program. Each takes a struct of options, whose ranges app.cpp has checked, and returns
// the exit code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <instep/cli/failure.h>
#include <instep/cli/numbers.h>
#include <instep/match/script.h>
#include <instep/net/link_kind.h>
#include <instep/server/ip_address.h>
#include <instep/server/settings.h>

namespace instep::server {
struct ServerSettings;
class Levels;
struct RoomImage;
}  // namespace instep::server

namespace instep::cli {

struct WorldsOptions {
    bool json = false;
};
int run_worlds(const WorldsOptions& options);

struct TypesOptions {
    std::string world;
    std::string out = "-";  // stdout
};
int run_types(const TypesOptions& options);

inline constexpr std::uint64_t most_ticks = match::most_script_ticks;
inline constexpr std::uint64_t default_ticks = 600;
inline constexpr std::uint32_t default_bots = 4;

enum class Format : std::uint8_t { jsonl, csv, none };
state::Result<Format> parse_format(std::string_view text);

struct SimulateOptions {
    std::string world;  // may be empty if a script names it
    std::string level;  // a name, or a file that ends in .json; empty: the default level
    std::optional<std::uint64_t> seed;
    std::optional<std::uint64_t> ticks;
    std::optional<std::uint32_t> bots;
    std::string inputs;                  // a script file
    std::optional<Format> format;        // not given: chosen by the other options
    std::string pool;                    // for csv
    std::optional<std::uint64_t> every;  // keep every n-th tick only
    bool events = false;
    std::string out;
    std::string plot;
    std::optional<Size> size;
};
int run_simulate(const SimulateOptions& options);

inline constexpr double most_seconds = 86'400;

struct PlayOptions {
    std::string world;  // empty: the first world other than the example
    std::string level;
    std::optional<std::uint64_t> seed;
    std::optional<std::uint32_t> bots;
    std::optional<double> seconds;
};
int run_play(const PlayOptions& options);

struct ParityOptions {
    std::vector<std::string> files;
};
using WorldLookup = state::Result<const match::WorldTable*> (*)(std::string_view name);
// Tests pass a lookup of test worlds.
int run_parity(const ParityOptions& options, WorldLookup find_world);
int run_parity(const ParityOptions& options);

struct ImportOptions {
    std::string file;     // a map editor's XML, or Tiled's JSON
    std::string out;      // empty: stdout
    std::string catalog;  // describes mobs and objects
    std::string name;     // of the level; empty: the file's name
    std::string world;    // empty: the one that imports maps
};
int run_import(const ImportOptions& options);

inline constexpr std::uint32_t default_net_players = 16;
inline constexpr double default_net_seconds = 60;
inline constexpr double default_campaign_seconds = 300;

state::Result<net::LinkKind> parse_link(std::string_view text);
state::Result<net::ReplicationMode> parse_replication(std::string_view text);

struct NetsimOptions {
    std::string world;  // empty: a campaign plays all worlds
    std::string level;
    std::optional<std::uint64_t> seed;
    std::optional<std::uint32_t> players;
    std::optional<double> seconds;
    std::optional<net::LinkKind> link;
    std::optional<net::ReplicationMode> replication;
    std::optional<double> round_trip;       // ms
    std::optional<double> jitter;           // ms
    std::optional<double> loss;             // percent
    std::optional<double> pause_host;       // s that the server pauses, once
    bool aim = false;                       // bots decide on what their screens show
    bool bad = false;                       // a different bad link for each player, and a phase of heavy loss
    std::optional<std::uint32_t> campaign;  // number of bad matches of each world
    std::optional<double> limit;            // campaign: start no match after so many seconds
    std::optional<std::uint32_t> from;      // campaign: number of the first match to play
    std::optional<std::uint32_t> threads;   // campaign: matches at a time
};
int run_netsim(const NetsimOptions& options);

struct AdminAddress {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
};
state::Result<AdminAddress> parse_admin_address(std::string_view text);
state::Result<bool> parse_on_off(std::string_view text);

struct ServeOptions {
    std::string address = "127.0.0.1";
    std::optional<std::uint16_t> port;  // 0: any free port
    std::optional<std::uint32_t> threads;
    std::string certificate;
    std::string private_key;
    std::vector<std::string> origins;
    std::vector<std::string> hosts;
    std::string secret;    // a file of signing keys
    std::string audience;  // empty: the default
    std::optional<server::ReplicationChoice> replication;
    std::optional<server::IpNetworks> trusted_proxies;
    bool proxy_protocol = false;
    std::string recordings;  // a folder
    std::optional<std::uint32_t> recordings_mb;
    std::optional<std::uint32_t> bots;
    std::optional<bool> chat;
    std::string page;  // a folder
    std::optional<AdminAddress> admin;
    std::optional<int> socket;  // these two listen already, inherited from the parent process
    std::optional<int> admin_socket;
    std::string build;        // of a game that `dev` builds again and again
    std::string admin_token;  // a file
    std::string public_address;
    std::string successor;
    std::string cluster;        // Redis's address; empty: this process is alone
    std::string cluster_login;  // a file
    std::string cluster_ca;     // a file
    std::string on_redis_loss;  // pause or continue
    std::vector<std::string> peers;
    std::string log_level;
    std::vector<std::string> levels;                             // files
    std::string settings;                                        // a JSON file of limits
    std::map<std::string, std::optional<std::uint32_t>> limits;  // by name in server::limit_table
};
int run_serve(const ServeOptions& options);
// With one room, which stays open until then.
int serve_room(server::ServerSettings settings, server::Levels levels, const server::RoomImage& room);

inline constexpr std::uint32_t default_net_bots = 8;

struct NetBotsOptions {
    std::vector<std::string> others;  // servers of the same cluster
    std::string trace;                // a file for the snapshots that the clients applied
    std::string url = "ws://127.0.0.1:8080";
    std::string world;
    std::string level;
    std::string room;
    std::string secret;  // a file of signing keys: the bots make tokens for themselves
    std::string audience;
    std::optional<std::uint32_t> count;
    std::optional<double> seconds;  // not given: until Ctrl-C
    std::optional<double> stay;     // s on average before a bot leaves and joins again
    std::optional<std::uint32_t> connects_per_second;
    std::optional<std::uint64_t> seed;
    bool thin = false;
};
int run_net_bots(const NetBotsOptions& options);

struct TokenOptions {
    std::string secret;  // a file of signing keys
    std::string key;     // the id of one of them; empty: the first
    std::string audience;
    std::string role = "play";
    std::string room;
    std::string world;
    std::string level;  // empty: the world's default
    std::string player;
    std::string replication;  // empty: the level's mode only
    std::optional<std::uint32_t> seconds;
};
int run_token(const TokenOptions& options);
inline constexpr std::int64_t default_token_seconds = 60;
Outcome<server::KeyList> read_keys(const std::string& file);

struct ReplayOptions {
    std::string file;
    std::optional<std::uint64_t> tick;    // not given: the last tick
    std::string state;                    // file for the state of that tick, as JSON
    std::optional<std::uint64_t> resume;  // ticks that bots play on from there
    bool serve = false;                   // a live room from there, until a signal stops it
    std::string address = "127.0.0.1";    // of the server
    std::optional<std::uint16_t> port;
    std::string page;  // a folder
};
int run_replay(const ReplayOptions& options);

struct ChronicleOptions {
    std::string dir = "chronicles";   // `*` stands for the world's name
    std::string produced;             // check: output of another build; empty: of this build
    std::string build;                // check: name of that build in messages
    std::vector<std::string> worlds;  // empty: all worlds
};
int run_chronicle_check(const ChronicleOptions& options);
int run_chronicle_record(const ChronicleOptions& options);

struct CheckOptions {
    std::vector<std::string> worlds;  // empty: all worlds
    std::optional<std::uint64_t> seed;
    std::optional<std::uint32_t> rounds;
};
int run_check(const CheckOptions& options);

struct DevOptions {
    std::string address = "127.0.0.1";
    std::optional<std::uint16_t> port;
    std::optional<std::uint32_t> bots;
};
int run_dev(const DevOptions& options);

struct NewOptions {
    std::string name;
    std::string from = "blank";
};
int run_new(const NewOptions& options);

}  // namespace instep::cli
