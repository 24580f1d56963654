// SPDX-License-Identifier: MIT
#include <instep/net/host_image.h>

#include <instep/codec/byte_model.h>

namespace instep::net {
namespace {

using codec::code_list;
using codec::code_raw;

constexpr std::string_view magic = "INSTEPH1";
constexpr std::uint32_t max_input_bytes = 1u << 12;  // of one input
constexpr std::uint32_t max_waiting = 1u << 10;      // ticks; the window is a second

template <class Stream>
void code_row(Stream& stream, codec::Bytes& row) {
    std::uint64_t size = row.size();
    stream.raw(size, 13);
    if (size > max_input_bytes) return stream.fail();
    if constexpr (Stream::reading) row.resize(static_cast<std::size_t>(size));
    for (std::byte& byte : row)
        if (stream.ok()) code_raw(stream, byte, 8);
}

template <class Stream>
void code_queue(Stream& stream, InputQueueImage& queue) {
    code_row(stream, queue.last);
    code_raw(stream, queue.missed, 32);
    code_raw(stream, queue.newest, 32);
    code_raw(stream, queue.accepted, 64);
    code_list(stream, queue.waiting, 16, max_waiting, [&](InputQueueImage::Waiting& waiting) {
        code_raw(stream, waiting.tick, 64);
        code_raw(stream, waiting.sequence, 32);
        code_row(stream, waiting.input);
    });
}

template <class Stream>
void code_tick(Stream& stream, std::optional<std::uint64_t>& tick) {
    bool is_there = tick.has_value();
    code_raw(stream, is_there, 1);
    if (!is_there) return;
    if constexpr (Stream::reading) tick.emplace();
    code_raw(stream, *tick, 64);
}

template <class Stream>
void code_player(Stream& stream, PlayerImage& player) {
    code_raw(stream, player.slot, 8);
    code_raw(stream, player.is_bot, 1);
    code_raw(stream, player.is_leaving, 1);
    code_tick(stream, player.last_input);
    code_tick(stream, player.last_played);
    code_raw(stream, player.inputs_since, 32);
    code_queue(stream, player.inputs);
}

template <class Stream>
void code_join(Stream& stream, contract::Join& join) {
    code_raw(stream, join.slot, 8);
    code_raw(stream, join.seed, 64);
    code_raw(stream, join.player, 32);
    for (char& letter : join.name.bytes) code_raw(stream, letter, 8);
    if (!state::fields_are_legal(state::describe<contract::Join>(),
                                 reinterpret_cast<const std::byte*>(&join)))
        stream.fail();
}

}  // namespace

template <class Stream>
void code(Stream& stream, HostImage& image) {
    record::code(stream, image.match);
    code_raw(stream, image.mode, 1);
    code_raw(stream, image.joined, 64);
    code_list(stream, image.joins, 16, contract::most_slots,
              [&](contract::Join& join) { code_join(stream, join); });
    code_list(stream, image.players, 16, contract::most_slots,
              [&](PlayerImage& player) { code_player(stream, player); });
}

template void code(codec::Writer&, HostImage&);
template void code(codec::Reader&, HostImage&);

void write(const HostImage& image, codec::Bytes& out) {
    record::begin_image(magic, out);
    codec::Writer writer(out);
    HostImage copy = image;
    code(writer, copy);
    writer.finish();
    record::end_image(out);
}

state::Result<HostImage> read_host_image(codec::ByteView bytes) {
    const auto content = record::open_image(magic, bytes);
    if (!content) return std::unexpected(content.error());
    codec::Reader reader(*content);
    HostImage image;
    code(reader, image);
    reader.finish();
    if (!reader.ok()) return state::refuse("image", "cannot be read");
    return image;
}

}  // namespace instep::net
