// SPDX-License-Identifier: MIT
// Raw numbers and bytes through the range coder. The bytes of a state's image are mostly zeros and repeat in
// columns of eight, so each column has a model.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <instep/codec/range_coder.h>

namespace instep::codec {

// The low `bits` bits of a number, as they are.
template <class Stream, class Number>
void code_raw(Stream& stream, Number& number, unsigned bits) {
    auto wide = static_cast<std::uint64_t>(number);
    stream.raw(wide, bits);
    number = static_cast<Number>(wide);
}

// A bit that says whether there is a value, then the value.
template <class Stream, class Value, class CodeValue>
void code_optional(Stream& stream, std::optional<Value>& value, CodeValue code_value) {
    bool is_there = value.has_value();
    code_raw(stream, is_there, 1);
    if (!is_there) return;
    if constexpr (Stream::reading) value.emplace();
    code_value(*value);
}

// A count, then the items. A damaged count fails at the end of the bytes, so that it allocates no more than
// they justify.
template <class Stream, class Item, class CodeItem>
void code_list(Stream& stream, std::vector<Item>& items, unsigned bits, std::size_t max_count,
               CodeItem code_item) {
    std::uint64_t count = items.size();
    stream.raw(count, bits);
    if (count > max_count) return stream.fail();
    for (std::size_t i = 0; i < count && stream.ok(); ++i) {
        if constexpr (Stream::reading) items.emplace_back();
        code_item(items[i]);
    }
}

struct ByteModel {
    std::array<BitModel, 256> bits;  // by the bits above, after a leading 1
};

template <class Stream>
void code_byte(Stream& stream, std::byte& byte, ByteModel& model) {
    unsigned above = 1;
    for (int i = 7; i >= 0; --i) {
        bool bit = (static_cast<unsigned>(byte) >> i & 1) != 0;
        stream.bit(bit, model.bits[above]);
        above = above << 1 | (bit ? 1u : 0u);
    }
    byte = static_cast<std::byte>(above);
}

using ByteModels = std::array<ByteModel, 8>;  // by column

template <class Stream>
void code_bytes(Stream& stream, std::span<std::byte> bytes, ByteModels& models) {
    for (std::size_t i = 0; i < bytes.size() && stream.ok(); ++i)
        code_byte(stream, bytes[i], models[i % models.size()]);
}

inline void encode_bytes(Writer& writer, std::vector<std::byte>& bytes) {
    auto size = static_cast<std::uint32_t>(bytes.size());
    code_raw(writer, size, 32);
    ByteModels models;
    code_bytes(writer, std::span(bytes), models);
}

// False if there are more than `limit`, or fewer than the size says. Allocates as it reads, since the size
// may be wrong.
inline bool decode_bytes(Reader& reader, std::vector<std::byte>& bytes, std::size_t limit) {
    constexpr std::size_t chunk = 1u << 16;
    std::uint32_t size = 0;
    code_raw(reader, size, 32);
    if (!reader.ok() || size > limit) return false;
    ByteModels models;
    bytes.clear();
    while (bytes.size() < size && reader.ok()) {
        const std::size_t from = bytes.size();
        bytes.resize(std::min<std::size_t>(size, from + chunk));
        code_bytes(reader, std::span(bytes).subspan(from), models);
    }
    return reader.ok();
}

}  // namespace instep::codec
