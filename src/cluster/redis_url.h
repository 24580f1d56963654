// SPDX-License-Identifier: MIT
// Where Redis is.
//
//     redis://HOST[:PORT]                        one server
//     rediss://HOST[:PORT]                       the same with TLS; its certificate is checked
//     redis-sentinel://HOST[:PORT],HOST.../NAME  the master that Sentinels know by that name
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <instep/state/result.h>

namespace instep::cluster {

struct RedisHost {
    std::string name;
    std::uint16_t port = 0;
    friend bool operator==(const RedisHost&, const RedisHost&) = default;
};

struct RedisUrl {
    std::vector<RedisHost> hosts;  // one, or all Sentinels
    std::string master;            // the name that Sentinels know; empty: no Sentinels
    bool tls = false;
    std::string authorities;  // a file of certificates (PEM), one of which signs Redis's; empty: the system's
};

// Takes any text. A user or a password in it is refused: they would be seen in the list of processes.
state::Result<RedisUrl> parse_redis_url(std::string_view text);

struct RedisLogin {
    std::string user;      // empty: Redis's default user
    std::string password;  // empty: no login
};
// The content of a file: one line, "PASSWORD" or "USER PASSWORD".
state::Result<RedisLogin> parse_redis_login(std::string_view text);

}  // namespace instep::cluster
