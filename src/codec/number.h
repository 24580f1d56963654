// SPDX-License-Identifier: MIT
// Integers that are mostly small: the bit width with adaptive models, then the bits below the first (Elias
// gamma with models).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <instep/codec/range_coder.h>

namespace instep::codec {

struct NumberModel {
    static constexpr std::size_t sizes = 20;  // longer ones share the last model

    std::array<BitModel, sizes> longer{};
    std::array<BitModel, sizes> second_bit{};
    BitModel negative;

    friend bool operator==(const NumberModel&, const NumberModel&) = default;
};

template <class Stream>
void code_unsigned(Stream& stream, std::uint64_t& value, NumberModel& model) {
    const auto shared = [](unsigned size) {
        return size < NumberModel::sizes ? size : NumberModel::sizes - 1;
    };
    const auto width = static_cast<unsigned>(std::bit_width(value));
    unsigned size = 0;
    while (size < 64) {
        bool longer = size < width;
        stream.bit(longer, model.longer[shared(size)]);
        if (!longer) break;
        ++size;
    }
    if (size == 0) {
        value = 0;
        return;
    }
    std::uint64_t below = value;  // without its first bit, which is 1
    unsigned rest = size - 1;
    std::uint64_t result = 1;
    if (rest > 0) {
        bool second = (below >> (rest - 1) & 1) != 0;
        stream.bit(second, model.second_bit[shared(size)]);
        result = result << 1 | (second ? 1 : 0);
        --rest;
    }
    if (rest > 0) {
        below &= (std::uint64_t{1} << rest) - 1;
        stream.raw(below, rest);
        result = result << rest | below;
    }
    value = result;
}

// Two's complement: the difference of any two 64-bit numbers, wrapped around, is one of these.
template <class Stream>
void code_signed(Stream& stream, std::int64_t& value, NumberModel& model) {
    const auto bits = static_cast<std::uint64_t>(value);
    std::uint64_t magnitude = value < 0 ? ~bits + 1 : bits;
    code_unsigned(stream, magnitude, model);
    bool negative = value < 0;
    if (magnitude != 0) stream.bit(negative, model.negative);
    value = static_cast<std::int64_t>(magnitude != 0 && negative ? ~magnitude + 1 : magnitude);
}

}  // namespace instep::codec
