// SPDX-License-Identifier: MIT
// Those who come in over the wire, from their hello on.
#pragma once

#include <memory>

#include <instep/server/room.h>

namespace instep::server {

// A player with a reservation: the first message must be its hello, the others are for the room.
std::unique_ptr<Visitor> make_player(const std::shared_ptr<Room>& room, Guest guest);

}  // namespace instep::server
