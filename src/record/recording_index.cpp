// SPDX-License-Identifier: MIT
#include <instep/record/recording_index.h>

#include <algorithm>

namespace instep::record {
namespace {

constexpr std::size_t magic_bytes = 8;
constexpr std::size_t head_bytes = 5;  // kind and size
// All of the first block, the header; of the others as much as says which ticks they hold: 80 bits, and the
// range coder reads 4 bytes ahead.
constexpr std::size_t most_header = 4 << 10;
constexpr std::size_t most_start = 32;
constexpr std::size_t most_blocks = 1 << 18;  // 128 ticks each: six days at 60 Hz

std::size_t size_in(codec::ByteView head) {
    std::size_t size = 0;
    for (unsigned i = 0; i < 4; ++i) size |= std::to_integer<std::size_t>(head[1 + i]) << (8 * i);
    return size;
}

void append_head(codec::Bytes& out, std::byte kind, std::size_t size) {
    out.push_back(kind);
    for (unsigned shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<std::byte>(size >> shift & 0xFF));
}

}  // namespace

// Makes a short file with the starts of all complete blocks, of which the summary is the same.
state::Result<RecordingSummary> summarise(const ReadAt& read, std::uint64_t size) {
    codec::Bytes starts(magic_bytes);
    starts.resize(read(0, starts));
    codec::Bytes start;
    std::uint64_t at = magic_bytes;
    for (std::size_t block = 0; at + head_bytes <= size; ++block) {
        if (block == most_blocks)
            return state::refuse("", "has more than " + std::to_string(most_blocks) + " blocks");
        start.resize(head_bytes + (block == 0 ? most_header : most_start));
        start.resize(read(at, start));
        if (start.size() < head_bytes) break;
        const std::size_t content = size_in(start);
        if (block == 0 && content > most_header) return state::refuse("header", "cannot be read");
        at += head_bytes + content;
        if (at > size) break;  // the file breaks off
        start.resize(std::min(start.size(), head_bytes + content));
        append_head(starts, start[0], start.size() - head_bytes);
        starts.insert(starts.end(), start.begin() + head_bytes, start.end());
    }
    return summarise(starts);
}

}  // namespace instep::record
