// SPDX-License-Identifier: MIT
#include <instep/server/settings.h>

#include <array>
#include <charconv>
#include <limits>

namespace instep::server {

using state::refuse;
using state::Result;

std::span<const LimitInfo> limit_table() {
    constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint32_t day = 86'400'000;  // ms
    static constexpr std::array table{
        LimitInfo{"most-connections", &Limits::most_connections, 1, 1'000'000, "connections in all"},
        LimitInfo{"most-connections-per-address", &Limits::most_connections_per_address, 1, 1'000'000,
                  "connections from one address"},
        LimitInfo{"most-rooms", &Limits::most_rooms, 1, 100'000, "rooms at a time"},
        LimitInfo{"most-rooms-per-address", &Limits::most_rooms_per_address, 1, 100'000,
                  "rooms at a time that one address opened"},
        LimitInfo{"most-watchers", &Limits::most_watchers, 0, 64, "watchers of one room"},
        LimitInfo{"most-held-seats-per-address", &Limits::most_held_seats_per_address, 0, 1'000'000,
                  "seats that parties of one address hold for members that have not come"},
        LimitInfo{"upgrades-per-second", &Limits::upgrades_per_second, 1, 1'000'000,
                  "WebSockets that one address opens; 30 seconds' worth at once"},
        LimitInfo{"hellos-per-second", &Limits::hellos_per_second, 1, 1'000'000,
                  "joins from one address; 30 seconds' worth at once"},
        LimitInfo{"requests-per-second", &Limits::requests_per_second, 1, 1'000'000,
                  "HTTP requests from one address; 30 seconds' worth at once"},
        LimitInfo{"messages-per-second", &Limits::messages_per_second, 1, 1'000'000,
                  "from one connection; twice as many at once"},
        LimitInfo{"bytes-per-second", &Limits::bytes_per_second, 1024, any,
                  "from one connection; twice as many at once"},
        LimitInfo{"message-bytes", &Limits::message_bytes, 256, 1 << 20, "the largest message accepted"},
        LimitInfo{"request-bytes", &Limits::request_bytes, 1024, 1 << 20,
                  "the largest header and the largest body of a request"},
        LimitInfo{"buffered-bytes", &Limits::buffered_bytes, 1024, 64 << 20,
                  "waiting for one client before it is disconnected"},
        LimitInfo{"handshake-ms", &Limits::handshake_ms, 50, day,
                  "until a request, or a hello, must be complete"},
        LimitInfo{"idle-ms", &Limits::idle_ms, 50, day, "of silence until a client is disconnected"},
        LimitInfo{"slow-ms", &Limits::slow_ms, 50, day, "that a message may wait until the client reads it"},
        LimitInfo{"resume-ms", &Limits::resume_ms, 0, day, "that a disconnected player's seat is kept"},
        LimitInfo{"empty-room-ms", &Limits::empty_room_ms, 0, day, "that an empty room stays open"},
        LimitInfo{"tick-budget-percent", &Limits::tick_budget_percent, 1, 1000,
                  "of a tick's time that a room may use; it ends after a second above it"},
        LimitInfo{"slow-tick-percent", &Limits::slow_tick_percent, 1, 100'000,
                  "of a tick's time after which a tick is logged with its parts"},
        LimitInfo{"hand-over-ms", &Limits::hand_over_ms, 0, day,
                  "that SIGTERM offers rooms again that the successor did not take"},
        LimitInfo{"drain-ms", &Limits::drain_ms, 0, day,
                  "that SIGTERM waits for the ends of matches that no other server takes"},
    };
    return table;
}

namespace {

Result<std::uint32_t> within_bounds(const LimitInfo& limit, std::uint64_t value, bool is_whole,
                                    const std::string& where, const std::string& got) {
    if (is_whole && value >= limit.low && value <= limit.high) return static_cast<std::uint32_t>(value);
    return refuse(where, "expected a whole number from " + std::to_string(limit.low) + " to " +
                             std::to_string(limit.high) + ", got " + got);
}

}  // namespace

Result<ReplicationChoice> parse_replication_choice(std::string_view text) {
    constexpr std::string_view names[] = {"any", "token", "fixed"};  // in the order of the values
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (names[i] == text) return static_cast<ReplicationChoice>(i);
    return refuse("", "expected " + state::one_of(names) + ", got \"" + std::string(text) + "\"");
}

Result<void> read_limits(const state::Json& file, const std::string& where, Limits& into) {
    if (!file.object()) return refuse(where, "expected an object, got " + std::string(file.kind_name()));
    std::vector<std::string_view> known;
    for (const LimitInfo& limit : limit_table()) known.push_back(limit.name);
    for (const auto& [key, value] : *file.object()) {
        const LimitInfo* found = nullptr;
        for (const LimitInfo& limit : limit_table())
            if (limit.name == key) found = &limit;
        if (!found) return state::refuse_key(where, key, known);
        std::uint64_t number = 0;
        const bool is_whole = value.is_number() && value.to_integer(number);
        const auto read = within_bounds(*found, number, is_whole, where + ": " + key, value.summary());
        if (!read) return std::unexpected(read.error());
        into.*found->member = *read;
    }
    return {};
}

std::string variable_of(std::string_view limit) {
    std::string name = "INSTEP_";
    for (const char c : limit) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    return name;
}

Result<void> read_environment(const char* (*lookup)(const char* name), Limits& into) {
    for (const LimitInfo& limit : limit_table()) {
        const std::string name = variable_of(limit.name);
        const char* found = lookup(name.c_str());
        if (!found) continue;
        const std::string_view text = found;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool is_whole = error == std::errc() && end == text.data() + text.size();
        const auto read = within_bounds(limit, number, is_whole, name, "\"" + std::string(text) + "\"");
        if (!read) return std::unexpected(read.error());
        into.*limit.member = *read;
    }
    return {};
}

}  // namespace instep::server
