// SPDX-License-Identifier: MIT
// The other end of the wire: a WebSocket to a server, for bots and for tests of the server.
#pragma once

#include <memory>
#include <string>

#include <instep/server/wire.h>

namespace instep::server {

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

// The visitor is told what becomes of it: opened, or closed at once. A certificate is taken as it is unless
// `check_certificate`.
void dial(Loop& loop, const Url& url, std::unique_ptr<Visitor> visitor, bool check_certificate = false);

}  // namespace instep::server
