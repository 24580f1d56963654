// SPDX-License-Identifier: MIT
// A room as a value: its match, its players and who they are, its bots, and where its recording stands. A
// process saves it between two ticks; another one, perhaps of another build or on another machine, opens the
// room from it and plays on.
//
//     net::HostImage        what the match's future follows from
//     record::MatchImage    level, seed, tick, and the state with its fields
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <instep/net/host_image.h>
#include <instep/record/recording.h>
#include <instep/server/player_id.h>
#include <instep/server/player_numbers.h>
#include <instep/server/resume_ticket.h>

namespace instep::server {

struct SeatImage {
    PlayerId player = PlayerId::anonymous();  // who may resume it
    contract::Slot slot = 0;
    SeatKey key;  // by which resume tickets name it, so that they stay valid
    std::string name;
    std::string address;  // of its latest connection
};

struct BotImage {
    std::uint32_t number = 0;  // its name follows from it
    contract::Slot slot = 0;
};

// The file that holds the match up to this tick; the next file begins with the image's state.
struct RecordingPosition {
    std::string file;
    std::uint64_t first_tick = 0;
};

// Who sits where.
struct RoomRoster {
    std::vector<SeatImage> seats;
    std::vector<BotImage> bots;
    PlayerNumbers::Image numbers;
};
// For `codec::Writer` and `codec::Reader`. The reader takes any bytes.
template <class Stream>
void code(Stream& stream, RoomRoster& roster);

struct RoomImage {
    static constexpr std::size_t max_bytes = 96u << 20;

    std::string name;
    std::string opened_by;          // the address of the client that asked for it
    std::uint32_t bots_wanted = 0;  // fill empty seats, up to so many players in all
    // When the last tick was due, microseconds since 1970, UTC; empty: the room waited, and goes on at once.
    std::optional<std::uint64_t> due;
    net::HostImage host;
    std::vector<SeatImage> seats;
    std::vector<BotImage> bots;
    PlayerNumbers::Image numbers;
    std::optional<RecordingPosition> recording;
};

void write(const RoomImage& image, codec::Bytes& out);
// Takes any bytes.
state::Result<RoomImage> read_room_image(codec::ByteView bytes);

// The room of a recorded match as it was after the tick that was played last: bots go on in the place of its
// players, and give up their seats to people.
RoomImage room_of(const record::Replay& replay, std::string name);

}  // namespace instep::server
