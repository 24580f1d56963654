// SPDX-License-Identifier: MIT
// Carries rooms to another process over HTTP: to the admin port of its successor, which takes them with a
// RoomReceiver. Requests bear the token of that port.
//
//     POST /admin/hand-over           who sends rooms; the answer is where clients find them
//     POST /admin/hand-over/room      an image: the successor makes the room, and waits
//     POST /admin/hand-over/start     it is the successor's now
//     POST /admin/hand-over/cancel    it is not; asked again if the answer to `start` was lost
#pragma once

#include <memory>

#include <instep/net/server_address.h>
#include <instep/server/loop.h>
#include <instep/server/mutex.h>
#include <instep/server/room_carrier.h>
#include <instep/state/result.h>

namespace instep::server {

// "http://127.0.0.1:9091" or "https://...": an admin port.
state::Result<net::ServerAddress> parse_admin_url(std::string_view text);

class Successor final : public RoomCarrier, public std::enable_shared_from_this<Successor> {
public:
    struct Timeouts {
        std::chrono::milliseconds prepare{2000};  // the room stands still for so long
        std::chrono::milliseconds start{1000};
        std::chrono::milliseconds doubt{10'000};  // until a successor that never answers counts as alive
    };
    // `introduction` makes the body of the first request.
    Successor(Loop& loop, net::ServerAddress admin, std::string token,
              std::function<std::string()> introduction, Timeouts timeouts)
        : loop_(loop),
          admin_(std::move(admin)),
          token_(std::move(token)),
          introduction_(std::move(introduction)),
          timeouts_(timeouts) {}

    void open(Opened opened) override;
    void carry(codec::Bytes image, Done done) override;

private:
    struct Journey;
    void start(const std::shared_ptr<Journey>& journey);
    void cancel(const std::shared_ptr<Journey>& journey);
    std::string address() const;

    Loop& loop_;
    const net::ServerAddress admin_;
    const std::string token_;
    const std::function<std::string()> introduction_;
    const Timeouts timeouts_;
    mutable Mutex mutex_;
    std::string address_ GUARDED_BY(mutex_);  // where clients find rooms
};

}  // namespace instep::server
