// SPDX-License-Identifier: MIT
// The keys and scripts of rooms, over one connection.
#pragma once

#include <functional>
#include <string>

#include <instep/cluster/redis_client.h>

namespace instep::cluster {

enum class Script : std::uint8_t { open, append, checkpoint, renew, release, close, take, look, count };

inline constexpr const char* rooms_key = "instep:rooms";  // names, to find the keys of each

class RedisRooms {
public:
    RedisRooms(server::Loop& loop, RedisUrl url, RedisLogin login, RedisClient::Events events);

    // Runs the script for a room; `arguments` as scripts.h has them.
    void run(Script script, const std::string& room, Command arguments, RedisClient::Answer answer);
    void send(const Command& command, RedisClient::Answer answer) {
        client_.send(command, std::move(answer));
    }
    bool is_connected() const { return client_.is_connected(); }

private:
    void load_scripts();

    RedisClient client_;
};

}  // namespace instep::cluster
