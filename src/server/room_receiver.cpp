// SPDX-License-Identifier: MIT
#include <instep/server/room_receiver.h>

#include <algorithm>

namespace instep::server {

void RoomReceiver::drop_expired(Time now) {
    for (auto at = prepared_.begin(); at != prepared_.end();) {
        if (now <= at->second.until) {
            ++at;
            continue;
        }
        lobby_.drop(at->second.room);
        at = prepared_.erase(at);
    }
}

void RoomReceiver::drop_named(const std::string& room) {
    const LockGuard lock(mutex_);
    std::erase_if(prepared_, [&](const auto& prepared) {
        if (prepared.second.room->config().name != room) return false;
        lobby_.drop(prepared.second.room);
        return true;
    });
}

void RoomReceiver::drop_expired() {
    const LockGuard lock(mutex_);
    drop_expired(Clock::now());
}

auto RoomReceiver::prepare(codec::ByteView image) -> Answer<Id> {
    {
        const LockGuard lock(mutex_);
        drop_expired(Clock::now());
        if (prepared_.size() >= most_prepared)
            return refuse(RefusalReason::too_many_rooms,
                          std::to_string(most_prepared) + " rooms wait to be started; start or cancel some");
    }
    const auto read = read_room_image(image);
    if (!read) return refuse(RefusalReason::bad_request, read.error().text());
    drop_named(read->name);
    auto room = lobby_.prepare(*read);
    if (!room) return std::unexpected(room.error());
    Id id = random_text(seat_bytes);
    const LockGuard lock(mutex_);
    prepared_[id] = {std::move(*room), Clock::now() + most_waiting_, read->host.match.tick,
                     read->host.match.hash};
    return id;
}

auto RoomReceiver::start(const Id& id) -> Answer<void> {
    const LockGuard lock(mutex_);
    drop_expired(Clock::now());
    const auto found = prepared_.find(id);
    if (found == prepared_.end())
        return refuse(RefusalReason::unknown_room,
                      "no room with this id waits to be started; it was cancelled, or waited for too long");
    const Prepared prepared = std::move(found->second);
    prepared_.erase(found);
    if (const auto started = lobby_.start(prepared.room); !started) return started;
    if (started_.size() >= most_started) started_.pop_front();  // its sender has its answer
    started_.push_back(id);
    ++metrics_.rooms_received;
    log_.info("room_received", {{"room", prepared.room->config().name},
                                {"tick", prepared.tick},
                                {"hash", state::hash_text(prepared.hash)},
                                {"players", prepared.room->players()}});
    return {};
}

bool RoomReceiver::cancel(const Id& id) {
    const LockGuard lock(mutex_);
    drop_expired(Clock::now());
    if (const auto found = prepared_.find(id); found != prepared_.end()) {
        lobby_.drop(found->second.room);
        prepared_.erase(found);
    }
    return std::find(started_.begin(), started_.end(), id) != started_.end();
}

}  // namespace instep::server
