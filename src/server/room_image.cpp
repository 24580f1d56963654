// SPDX-License-Identifier: MIT
#include <instep/server/room_image.h>

#include <instep/codec/byte_model.h>

namespace instep::server {
namespace {

using codec::code_list;
using codec::code_optional;
using codec::code_raw;

constexpr std::string_view magic = "INSTEPI1";
constexpr std::size_t max_text = 255;

template <class Stream>
void code_player(Stream& stream, PlayerId& player) {
    PlayerId::Kind kind = player.kind();
    std::string text = player.text();
    code_raw(stream, kind, 2);
    if (kind > PlayerId::Kind::token) return stream.fail();
    record::code_text(stream, text, max_text);
    if constexpr (Stream::reading)
        if (stream.ok()) player = PlayerId::of(kind, std::move(text));
}

template <class Stream>
void code_roster(Stream& stream, std::vector<SeatImage>& seats, PlayerNumbers::Image& numbers,
                 std::vector<BotImage>& bots) {
    code_list(stream, seats, 8, contract::most_slots, [&](SeatImage& seat) {
        code_player(stream, seat.player);
        code_raw(stream, seat.slot, 8);
        record::code_text(stream, seat.key, max_text);
        record::code_text(stream, seat.name, max_text);
        record::code_text(stream, seat.address, max_text);
    });
    code_raw(stream, numbers.last_number, 32);
    code_list(stream, numbers.players, 16, PlayerNumbers::most, [&](PlayerNumbers::Known& known) {
        code_player(stream, known.player);
        code_raw(stream, known.number, 32);
    });
    code_list(stream, bots, 8, contract::most_slots, [&](BotImage& bot) {
        code_raw(stream, bot.number, 8);
        code_raw(stream, bot.slot, 8);
    });
}

template <class Stream>
void code(Stream& stream, RoomImage& image) {
    record::code_text(stream, image.name, max_text);
    record::code_text(stream, image.opened_by, max_text);
    code_raw(stream, image.bots_wanted, 8);
    code_optional(stream, image.due, [&](std::uint64_t& due) { code_raw(stream, due, 64); });
    net::code(stream, image.host);
    code_roster(stream, image.seats, image.numbers, image.bots);
    code_optional(stream, image.recording, [&](RecordingPosition& position) {
        record::code_text(stream, position.file, max_text);
        code_raw(stream, position.first_tick, 64);
    });
}

}  // namespace

template <class Stream>
void code(Stream& stream, RoomRoster& roster) {
    code_roster(stream, roster.seats, roster.numbers, roster.bots);
}
template void code(codec::Writer&, RoomRoster&);
template void code(codec::Reader&, RoomRoster&);

void write(const RoomImage& image, codec::Bytes& out) {
    record::begin_image(magic, out);
    codec::Writer writer(out);
    RoomImage copy = image;
    code(writer, copy);
    writer.finish();
    record::end_image(out);
}

state::Result<RoomImage> read_room_image(codec::ByteView bytes) {
    if (bytes.size() > RoomImage::max_bytes)
        return state::refuse("image", "has more than " + std::to_string(RoomImage::max_bytes) + " bytes");
    const auto content = record::open_image(magic, bytes);
    if (!content) return std::unexpected(content.error());
    codec::Reader reader(*content);
    RoomImage image;
    code(reader, image);
    reader.finish();
    if (!reader.ok()) return state::refuse("image", "cannot be read");
    return image;
}

RoomImage room_of(const record::Replay& replay, std::string name) {
    const match::Match& match = replay.match();
    RoomImage image{.name = std::move(name),
                    .opened_by = {},
                    .bots_wanted = 0,
                    .due = {},
                    .host = {.match = record::save_match(match, replay.header().seed),
                             .mode = net::default_replication(match.facts()),
                             .joined = match.tick(),  // more than have joined, so that no seed is used again
                             .joins = {},
                             .players = {}},
                    .seats = {},
                    .bots = {},
                    .numbers = {},
                    .recording = {}};
    for (std::uint32_t i = 0; i < match.facts().most_players; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (!contract::contains(match.live_slots(), slot)) continue;
        net::PlayerImage& player = image.host.players.emplace_back();
        player.slot = slot;
        player.is_bot = true;
        image.bots.push_back({.number = image.bots_wanted++, .slot = slot});
    }
    return image;
}

}  // namespace instep::server
