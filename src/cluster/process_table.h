// SPDX-License-Identifier: MIT
// The living processes of a cluster and how much each has to do, as one of them knows it. Each says so twice
// a second, and is forgotten when it is silent for two.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <instep/cluster/redis_rooms.h>
#include <instep/server/mutex.h>
#include <instep/server/room_directory.h>

namespace instep::cluster {

struct ProcessFacts {
    std::string address;
    std::string build;    // processes with the same one play the same levels to the same bits
    double load = 0;      // players and rooms for each tick thread
    bool is_open = true;  // takes new rooms

    std::string text() const;  // JSON
};
// Takes any text.
std::optional<ProcessFacts> parse_process(const std::string& text);

class ProcessTable final : public std::enable_shared_from_this<ProcessTable> {
public:
    static constexpr std::chrono::milliseconds interval{500};
    static constexpr std::chrono::milliseconds valid_for{2000};
    static constexpr std::size_t most_processes = 4096;
    // A new room stays here unless another process has less to do by so much. So clients are not sent around
    // by numbers that are half a second old, and not at all in a small cluster at rest.
    static constexpr double margin = 4;

    ProcessTable(std::shared_ptr<RedisRooms> redis, std::string id)
        : redis_(std::move(redis)), id_(std::move(id)) {}

    // Says how this process is, when it is time, and learns of the others.
    void run(server::Time now, const std::function<ProcessFacts()>& facts);
    // The other process with the least to do. Each call counts as a room there until it says more.
    std::optional<server::RoomDirectory::Place> place_room();
    std::size_t others() const;

private:
    void update(const Reply& reply);

    const std::shared_ptr<RedisRooms> redis_;
    const std::string id_;

    mutable server::Mutex mutex_;
    server::Time next_ GUARDED_BY(mutex_){};
    server::Time received_at_ GUARDED_BY(mutex_){};
    ProcessFacts own_ GUARDED_BY(mutex_);
    std::map<std::string, ProcessFacts> others_ GUARDED_BY(mutex_);  // by id
};

// What tells builds apart: the program's bytes, the levels it knows, and their texts. Reads the disk.
std::string find_build(const server::Lobby& lobby);

}  // namespace instep::cluster
