// SPDX-License-Identifier: MIT
// The settings of a server. Each limit is one row of the table in settings.cpp, from which follow its flag,
// its environment variable (INSTEP_MOST_ROOMS), its key in the settings file and its line in the help.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <instep/server/ip_address.h>
#include <instep/server/room_directory.h>
#include <instep/server/token.h>
#include <instep/state/json.h>

namespace instep::server {

// Times in milliseconds, sizes in bytes.
struct Limits {
    std::uint32_t most_connections = 4096;
    std::uint32_t most_connections_per_address = 256;
    std::uint32_t most_rooms = 256;
    std::uint32_t most_rooms_per_address = 16;
    std::uint32_t most_watchers = 16;
    std::uint32_t most_held_seats_per_address = 32;
    std::uint32_t upgrades_per_second = 20;
    std::uint32_t hellos_per_second = 20;
    std::uint32_t requests_per_second = 200;
    std::uint32_t messages_per_second = 250;
    std::uint32_t bytes_per_second = 64 * 1024;
    std::uint32_t message_bytes = 64 * 1024;
    std::uint32_t request_bytes = 16 * 1024;
    std::uint32_t buffered_bytes = 256 * 1024;
    std::uint32_t handshake_ms = 5'000;
    std::uint32_t idle_ms = 15'000;
    std::uint32_t slow_ms = 5'000;
    std::uint32_t resume_ms = 30'000;
    std::uint32_t empty_room_ms = 30'000;
    std::uint32_t tick_budget_percent = 100;
    std::uint32_t slow_tick_percent = 100;
    std::uint32_t hand_over_ms = 20'000;
    std::uint32_t drain_ms = 0;
};

struct LimitInfo {
    std::string_view name;  // the key in a file; the flag has "--" before it
    std::uint32_t Limits::* member;
    std::uint32_t low;
    std::uint32_t high;
    std::string_view text;
};
std::span<const LimitInfo> limit_table();

struct Settings {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;  // 0: any free port
    std::optional<int> socket;  // listens already, shared with other processes; address and port are its own
    std::uint32_t threads = 0;  // 0: one for each core
    std::string certificate;    // files for TLS, PEM; empty: no TLS
    std::string private_key;
    std::vector<std::string> origins;  // other sites whose pages may connect; "*": any
    std::vector<std::string> hosts;    // names under which clients may reach the server; host_names.h
    IpNetworks trusted_proxies;        // they may name the client that they connect for
    bool proxy_protocol = false;       // connections from them begin with a PROXY header
    Limits limits;
};

// Who may open a room with another replication mode than the level's.
enum class ReplicationChoice : std::uint8_t {
    any,    // every client
    token,  // a client whose token names the mode; without tokens, none
    fixed,  // none
};
state::Result<ReplicationChoice> parse_replication_choice(std::string_view text);

// What a listener need not know.
struct ServerSettings : Settings {
    KeyList keys;  // players need a token signed with one of them; empty: they need none
    std::string audience{default_audience};  // what tokens call this server
    ReplicationChoice replication = ReplicationChoice::token;
    std::string recordings;  // the folder to record matches to; empty: they are not recorded
    std::uint32_t recordings_mb = 1024;
    std::uint32_t bots = 0;  // fill empty seats of every room, up to so many players in all
    bool has_chat = true;    // players may write to each other
    std::string page;        // the folder of a built web page; empty: no page
    std::string admin_address = "127.0.0.1";
    std::optional<std::uint16_t> admin_port;  // empty: no admin port; 0: any free port
    std::string admin_token;  // that its requests must bear; empty: none, which only loopback may have
    std::optional<int> admin_socket;  // as `socket`, for the admin port
    std::string build;                // what `dev` calls this build; empty: nothing is being edited
    std::string public_address;       // "ws://HOST:PORT", where clients reach it; empty: it takes no rooms
    std::string successor;            // the admin port that takes this server's rooms at SIGTERM; empty: none
    std::vector<std::string> peers;   // servers that rooms move to and come from, as public addresses
    // In a cluster:
    MakeDirectory make_directory;  // empty: this process is alone
    std::string cluster_secret;    // signs resume tickets of a server without keys; the same in all processes
};

// Reads an object whose keys are the names in the table. `where` is what errors call it.
state::Result<void> read_limits(const state::Json& file, const std::string& where, Limits& into);
// "INSTEP_MOST_ROOMS" for "most-rooms".
std::string variable_of(std::string_view limit);
// Reads the variables that are set. `lookup` is std::getenv, or a test's function.
state::Result<void> read_environment(const char* (*lookup)(const char* name), Limits& into);

}  // namespace instep::server
