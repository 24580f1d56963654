// SPDX-License-Identifier: MIT
// One connection to Redis, kept open: commands are pipelined, answers come in order, and a lost connection is
// opened again. Nothing here blocks. Only redis_client.cpp knows sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <instep/cluster/redis_reply.h>
#include <instep/cluster/redis_url.h>
#include <instep/server/loop.h>

namespace instep::cluster {

using Command = std::vector<std::string>;

class RedisClient {
public:
    // The error code of the answer to a command whose connection was lost, or that had none: nothing is known
    // of what Redis did.
    static constexpr std::string_view lost = "LOST";
    // Commands that wait for an answer; one more is answered as lost.
    static constexpr std::size_t most_waiting = 65'536;

    struct Events {
        std::function<void()> connected;                     // before any command over this connection
        std::function<void(const std::string& why)> failed;  // a connection, or an attempt at one
    };
    using Answer = std::function<void(const Reply&)>;

    // Connects at once. Events and answers are called on one thread of the loop, one after the other.
    RedisClient(server::Loop& loop, RedisUrl url, RedisLogin login, Events events);
    ~RedisClient();  // closes; waiting commands are answered as lost
    RedisClient(const RedisClient&) = delete;
    RedisClient& operator=(const RedisClient&) = delete;

    // From any thread. `answer` may be empty, and is always called later, never within send().
    void send(const Command& command, Answer answer);
    bool is_connected() const;

private:
    class Session;
    std::shared_ptr<Session> session_;
};

}  // namespace instep::cluster
