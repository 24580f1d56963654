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
// ws://host:port/target or wss://; port and target are optional.
state::Result<Url> parse_url(std::string_view text);
// As net::is_server_address has it: without the target.
std::string server_address(const Url& url);
// Percent-encodes everything but unreserved characters (RFC 3986, 2.3).
std::string escape_query(std::string_view text);

}  // namespace instep::headless
