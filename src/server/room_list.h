// SPDX-License-Identifier: MIT
// The body of GET /api/rooms. Rooms are asked at most four times a second, however many clients ask; a page
// is put together from their rows, and the first page, which most clients ask for, is shared.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <instep/server/http.h>
#include <instep/server/loop.h>
#include <instep/server/mutex.h>
#include <instep/server/room_directory.h>
#include <instep/state/json.h>

namespace instep::server {

class Lobby;
class Room;

state::Json facts_of(const Room& room);

// Rooms for those who know the name: neither they nor their recordings are listed, and no quick match leads
// to them.
inline constexpr std::string_view private_prefix = "private-";
inline bool is_private(std::string_view room) { return room.starts_with(private_prefix); }

class RoomList {
public:
    static constexpr std::chrono::milliseconds most_age{250};
    static constexpr std::uint32_t default_limit = 50;  // rooms of a page
    static constexpr std::uint32_t most_limit = 200;

    explicit RoomList(const Lobby& lobby) : lobby_(lobby) {}

    // The rooms after that name, by name; the header Link (RFC 8288) names the next page if there is one.
    Response page(const std::string& after, std::uint32_t limit, Time now);

private:
    void rebuild(Time now) REQUIRES(mutex_);
    Response make_page(const std::string& after, std::uint32_t limit) const REQUIRES(mutex_);

    const Lobby& lobby_;
    Mutex mutex_;
    Time built_at_ GUARDED_BY(mutex_) = Time::min();
    RoomListings rows_ GUARDED_BY(mutex_);  // by name
    Response first_ GUARDED_BY(mutex_);     // the first page of the default size
};

}  // namespace instep::server
