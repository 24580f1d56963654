// SPDX-License-Identifier: MIT
// One HTTP request to another server, over a connection of its own. Nothing waits for it.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <string>

#include <instep/net/server_address.h>
#include <instep/server/loop.h>

namespace instep::server {

struct HttpPost {
    net::ServerAddress to;  // with TLS, its certificate is checked against the system's authorities
    std::string target;     // "/admin/hand-over"
    std::string token;      // Authorization: Bearer; empty: none
    std::string type = "application/json";
    std::string body;
    std::chrono::milliseconds delay{0};  // before it connects
    std::chrono::milliseconds timeout{1000};
};

struct HttpReply {
    unsigned status = 0;
    std::string body;  // at most most_reply_body bytes
};
inline constexpr std::size_t most_reply_body = 64 * 1024;

struct HttpFailure {
    std::string message;
    bool was_sent = false;          // some of it: the other server may have acted on it
    bool is_nothing_there = false;  // no process listens at that address
};

// `done` is called once, on a thread of sockets.
void post(Loop& loop, HttpPost request,
          std::function<void(const std::expected<HttpReply, HttpFailure>&)> done);

}  // namespace instep::server
