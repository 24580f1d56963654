// SPDX-License-Identifier: MIT
// Addresses of servers, as clients dial them and as `moved` carries them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace instep::net {

inline constexpr std::size_t max_server_address = 200;  // bytes

// "ws://HOST", "wss://HOST:PORT": a scheme, a host and perhaps a port, and nothing else, so that an address
// can bring neither a path nor a password with it. HOST is a name of ASCII letters, digits, "-" and ".", an
// IPv4 address, or an IPv6 address in brackets.
struct ServerAddress {
    bool tls = false;
    std::string host;        // without brackets
    std::uint16_t port = 0;  // 80 or 443 if the text has none
};
std::optional<ServerAddress> parse_server_address(std::string_view text);
inline bool is_server_address(std::string_view text) { return parse_server_address(text).has_value(); }

// A client that plays over TLS is never sent to a server without it.
bool may_follow(std::string_view from, std::string_view to);

}  // namespace instep::net
