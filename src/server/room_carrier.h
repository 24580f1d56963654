// SPDX-License-Identifier: MIT
// How a room gets to another process. What is carried, when, and what clients are told is the room's business
// (Room::hand_over) and a drain's (drain.h); over which network, how it is authenticated and how its outcome
// is learnt is a carrier's.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include <instep/codec/bytes.h>

namespace instep::server {

class RoomCarrier {
public:
    // A value: the address where the other process plays the room from now on; it must not be played here any
    // more. An error, with the reason: it is certain that the other process does not play it and never will.
    using Outcome = std::expected<std::string, std::string>;
    using Done = std::function<void(const Outcome& outcome)>;
    using Opened = std::function<void(const std::expected<void, std::string>& opened)>;

    virtual ~RoomCarrier() = default;
    // Both return at once, and call back once, on any thread, within a bounded time.

    // Whether the other process takes rooms. Comes before the first room, which need not stand still for it.
    virtual void open(Opened opened) = 0;
    // `image` is a RoomImage in bytes.
    virtual void carry(codec::Bytes image, Done done) = 0;
};

}  // namespace instep::server
