// SPDX-License-Identifier: MIT
// What the operator sees of one room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace instep::server {

struct RoomReport {
    struct Member {
        std::uint64_t id = 0;    // of a watcher's connection
        std::uint32_t slot = 0;  // of a player
        std::string name;
        std::string address;
        bool is_connected = true;
        std::uint64_t bytes_waiting = 0;           // to be sent
        std::optional<std::uint64_t> last_played;  // the last tick for which an input came in time
    };
    using Numbers = std::vector<std::pair<std::string, double>>;  // metrics by name, without "instep_room_"

    std::vector<Member> players;
    std::vector<Member> watchers;
    Numbers numbers;
};

}  // namespace instep::server
