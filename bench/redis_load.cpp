// SPDX-License-Identifier: MIT
// What one Redis holds: rooms that only write their journals, as `instep serve --cluster` does (appends,
// checkpoints, renewals), on one connection. bench/redis_load.py starts Redis and looks for the number of
// rooms that saturates it.
//
//     redis_load PORT ROOMS SNAPSHOTS_A_SECOND ENTRY_BYTES IMAGE_BYTES SECONDS
//
// Prints appends asked for and acknowledged a second, and the ms from one to the other (p50, p99).
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <instep/cluster/room_lease.h>

namespace {

using namespace instep;
using server::Clock;
using server::Time;

constexpr std::chrono::seconds checkpoint_interval{4};
constexpr std::chrono::milliseconds renew_interval{400};
constexpr double bucket_ms = 0.05;

struct Room {
    std::shared_ptr<cluster::RoomLease> lease;
    std::uint64_t tick = 0;
    Time next_append;
    Time next_checkpoint;
    Time next_renewal;
    std::atomic<Time> sent{Time::min()};
    std::atomic<std::uint64_t> awaited{0};
};

struct Waits {
    std::vector<std::atomic<std::uint64_t>> buckets = std::vector<std::atomic<std::uint64_t>>(40'000);
    std::atomic<std::uint64_t> count{0};

    void add(std::chrono::duration<double, std::milli> wait) {
        ++buckets[std::min(buckets.size() - 1, static_cast<std::size_t>(wait.count() / bucket_ms))];
        ++count;
    }
    double quantile(double share) const {
        std::uint64_t left = static_cast<std::uint64_t>(share * static_cast<double>(count));
        for (std::size_t i = 0; i < buckets.size(); ++i) {
            if (left < buckets[i]) return static_cast<double>(i) * bucket_ms;
            left -= buckets[i];
        }
        return static_cast<double>(buckets.size()) * bucket_ms;
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 7) {
        std::fprintf(stderr, "redis_load PORT ROOMS SNAPSHOTS_A_SECOND ENTRY_BYTES IMAGE_BYTES SECONDS\n");
        return 2;
    }
    const auto number = [&](int i) { return static_cast<std::size_t>(std::atoll(arguments[i])); };
    const std::size_t rooms_wanted = number(2);
    const auto interval = std::chrono::nanoseconds(1'000'000'000 / number(3));
    const codec::Bytes entry(number(4), std::byte{1});
    const codec::Bytes image(number(5), std::byte{2});
    const std::chrono::seconds length(number(6));

    server::Loop loop(1);
    const auto redis = std::make_shared<cluster::RedisRooms>(
        loop, cluster::RedisUrl{{{"127.0.0.1", static_cast<std::uint16_t>(number(1))}}, {}, false, {}},
        cluster::RedisLogin{}, cluster::RedisClient::Events{});
    while (!redis->is_connected()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the scripts are loaded

    Waits waits;
    std::atomic<bool> counts{false};
    std::vector<Room> rooms(rooms_wanted);
    const Time start = Clock::now() + std::chrono::milliseconds(500);
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        Room& room = rooms[i];
        room.lease = std::make_shared<cluster::RoomLease>(redis, loop, "load-" + std::to_string(i),
                                                          cluster::LeaseConfig{.address = "ws://127.0.0.1:1"},
                                                          cluster::make_holder());
        room.lease->open([&](const server::RoomJournal::Status& status) {
            if (counts && status.committed >= room.awaited && room.awaited > 0)
                waits.add(Clock::now() - room.sent.load());
        });
        const auto phase = std::chrono::nanoseconds(
            static_cast<std::int64_t>(static_cast<double>(i) / static_cast<double>(rooms.size()) *
                                      static_cast<double>(interval.count())));
        room.next_append = start + phase;
        room.next_checkpoint = room.next_renewal = start - std::chrono::seconds(1);
    }
    std::uint64_t asked = 0;
    const Time counts_from = start + std::chrono::seconds(2);
    const Time end = counts_from + length;
    const std::string info(200, ' ');
    for (Time now = Clock::now(); now < end; now = Clock::now()) {
        counts = now >= counts_from;
        for (Room& room : rooms) {
            if (room.lease->status().needs_checkpoint || now >= room.next_checkpoint) {
                room.next_checkpoint = now + checkpoint_interval;
                room.lease->checkpoint(room.tick, [&] { return image; });
            }
            if (now >= room.next_renewal) {
                room.next_renewal = now + renew_interval;
                room.lease->renew(info);
            }
            if (now < room.next_append) continue;
            room.next_append += interval;
            room.sent = now;
            room.awaited = room.tick + 3;
            room.lease->append(room.tick + 1, room.tick + 3, entry);
            room.tick += 3;
            if (counts) ++asked;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    counts = false;
    const double seconds = std::chrono::duration<double>(length).count();
    std::printf("%.0f %.0f %.2f %.2f\n", static_cast<double>(asked) / seconds,
                static_cast<double>(waits.count) / seconds, waits.quantile(0.5), waits.quantile(0.99));
    loop.join();
    return 0;
}
