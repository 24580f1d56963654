// SPDX-License-Identifier: MIT
// Addresses of WebSocket servers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <instep/state/result.h>

namespace instep::headless {

struct Url {
    bool tls = false;
    std::string host;
    std::uint16_t port = 0;
    std::string target;  // "/play?world=flail"
};
// ws://host:port/target or wss://; the port may be left out, and so may the target.
state::Result<Url> parse_url(std::string_view text);
// What is not plain in a query is written %XX.
std::string escape_query(std::string_view text);

}  // namespace instep::headless
