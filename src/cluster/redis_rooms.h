// SPDX-License-Identifier: MIT
// The keys and scripts of rooms, over one connection.
#pragma once

#include <functional>
#include <string>

#include <instep/cluster/redis_client.h>

namespace instep::cluster {

enum class Script : std::uint8_t {
    open,
    append,
    checkpoint,
    renew,
    release,
    give_back,
    close,
    take,
    look,
    servers,
    count
};

inline constexpr const char* rooms_key = "instep:rooms";      // names, to find the keys of each
inline constexpr const char* servers_key = "instep:servers";  // a hash: what each process says of itself
// Names of rooms whose owner released them: servers look at these first.
inline constexpr const char* released_key = "instep:released";

class RedisRooms {
public:
    RedisRooms(server::Loop& loop, RedisUrl url, RedisLogin login, RedisClient::Events events);

    // Runs the script for a room; `arguments` as scripts.h has them.
    void run(Script script, const std::string& room, Command arguments, RedisClient::Answer answer);
    // The script for processes.
    void run_servers(Command arguments, RedisClient::Answer answer);
    void send(const Command& command, RedisClient::Answer answer) {
        client_.send(command, std::move(answer));
    }
    bool is_connected() const { return client_.is_connected(); }

private:
    void load_scripts();
    void run(Script script, Command keys, Command arguments, RedisClient::Answer answer);

    RedisClient client_;
};

}  // namespace instep::cluster
