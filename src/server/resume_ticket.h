// SPDX-License-Identifier: MIT
// Resume tickets: what a client shows to get its player back after its connection was lost. The welcome
// carries one.
//
//     r1.KEY.ROOM.SEAT.SIGNATURE
//
// KEY is the id of the key that signed it, SEAT a random number that one player's seat in one room has and no
// other seat ever gets. The seat decides how long the ticket is valid: while the player is in the room, and
// for `resume-ms` after its connection was lost. The signature lets every server with the same keys tell a
// ticket from a guess, and learn the room, before it looks for the seat.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <instep/server/refusal.h>
#include <instep/server/signing_keys.h>

namespace instep::server {

inline constexpr std::size_t seat_bytes = 16;  // random ones, in hexadecimal in a SeatKey
using SeatKey = std::string;                   // empty: a seat that cannot be resumed

struct ResumeTicket {
    std::string room;
    SeatKey seat;
};

std::string sign(const ResumeTicket& ticket, const KeyList& keys);
// Accepts any text.
std::expected<ResumeTicket, Refusal> verify_ticket(std::string_view text, const KeyList& keys);

}  // namespace instep::server
