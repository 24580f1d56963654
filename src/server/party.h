// SPDX-License-Identifier: MIT
// Friends that come one after the other and want to play in one room: the first of them holds seats for all.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace instep::server {

inline constexpr std::uint32_t fewest_in_party = 2;
inline constexpr std::uint32_t most_in_party = 64;         // contract::most_slots
inline constexpr std::chrono::seconds seats_held_for{10};  // since the first of them came

// What a client says of its party. Empty id: it comes alone.
struct Party {
    std::string id;  // a secret of its members, as the key of a player
    std::uint32_t size = 1;
    std::string address;  // of the client, which counts for the limit
};

}  // namespace instep::server
