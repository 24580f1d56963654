// SPDX-License-Identifier: MIT
// A carry-propagating range coder (as in LZMA). The interval [low, low + range) shrinks with every bit; when
// its top byte is final it is written out. A later carry can ripple through bytes of 255, so the last byte
// and a run of 255s after it are held back.
#include <instep/codec/range_coder.h>

namespace instep::codec {
namespace {

constexpr std::uint32_t smallest_range = 1u << 24;
constexpr std::size_t tail = 4;  // bytes that finish() may leave unwritten because they are zero

}  // namespace

Writer::Writer(Bytes& out, std::size_t limit)
    : out_(out), limit_(limit < SIZE_MAX - out.size() ? out.size() + limit : SIZE_MAX) {}

void Writer::put(std::uint8_t byte) {
    if (out_.size() >= limit_) {
        ok_ = false;
        return;
    }
    out_.push_back(static_cast<std::byte>(byte));
}

void Writer::shift_low() {
    const bool carry = low_ > 0xFFFFFFFF;
    const auto top = static_cast<std::uint8_t>(low_ >> 24);
    if (carry || top != 0xFF || held_count_ == 0) {
        if (held_count_ > 0) {
            put(static_cast<std::uint8_t>(held_ + (carry ? 1 : 0)));
            for (; held_count_ > 1; --held_count_) put(carry ? 0x00 : 0xFF);
        }
        held_ = top;
        held_count_ = 1;
    } else {
        ++held_count_;
    }
    low_ = (low_ & 0x00FFFFFF) << 8;
}

void Writer::narrow(std::uint32_t from, std::uint32_t width) {
    low_ += from;
    range_ = width;
    while (range_ < smallest_range) {
        range_ <<= 8;
        shift_low();
    }
}

void Writer::bit(bool& value, BitModel& model) {
    const auto zero = static_cast<std::uint32_t>((std::uint64_t{range_} * model.chance_of_zero()) >> 16);
    if (value)
        narrow(zero, range_ - zero);
    else
        narrow(0, zero);
    model.learn(value);
}

void Writer::raw(std::uint64_t& value, unsigned bits) {
    while (bits > 0) {
        const unsigned now = bits < 16 ? bits : 16;
        bits -= now;
        const std::uint32_t width = range_ >> now;
        const auto part = static_cast<std::uint32_t>(value >> bits) & ((1u << now) - 1);
        narrow(part * width, width);
    }
}

void Writer::finish() {
    // Any number in the interval decodes alike: take the one with the most trailing zeros, and leave them
    // out.
    for (unsigned zeros = 32; zeros-- > 0;) {
        const std::uint64_t mask = (std::uint64_t{1} << zeros) - 1;
        const std::uint64_t candidate = (low_ + mask) & ~mask;
        if (candidate - low_ < range_) {
            low_ = candidate;
            break;
        }
    }
    const std::size_t start = out_.size();
    for (std::size_t i = 0; i <= tail; ++i) shift_low();
    for (std::size_t i = 0; i < tail && out_.size() > start && out_.back() == std::byte{0}; ++i)
        out_.pop_back();
}

Reader::Reader(ByteView bytes) : bytes_(bytes) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next_byte();
}

std::uint8_t Reader::next_byte() {
    if (at_ >= bytes_.size() + tail) ok_ = false;
    const std::size_t here = at_++;
    return here < bytes_.size() ? static_cast<std::uint8_t>(bytes_[here]) : std::uint8_t{0};
}

void Reader::narrow(std::uint32_t width) {
    range_ = width;
    while (range_ < smallest_range) {
        range_ <<= 8;
        code_ = code_ << 8 | next_byte();
    }
}

void Reader::bit(bool& value, BitModel& model) {
    const auto zero = static_cast<std::uint32_t>((std::uint64_t{range_} * model.chance_of_zero()) >> 16);
    value = code_ >= zero;
    if (value) code_ -= zero;
    narrow(value ? range_ - zero : zero);
    model.learn(value);
}

void Reader::raw(std::uint64_t& value, unsigned bits) {
    value = 0;
    while (bits > 0) {
        const unsigned now = bits < 16 ? bits : 16;
        bits -= now;
        const std::uint32_t width = range_ >> now;
        std::uint32_t part = code_ / width;
        if (part >> now != 0) {  // no writer makes such a code
            ok_ = false;
            part = (1u << now) - 1;
            code_ = part * width;
        }
        code_ -= part * width;
        value = value << now | part;
        narrow(width);
    }
}

void Reader::finish() {
    if (at_ < bytes_.size()) ok_ = false;
}

}  // namespace instep::codec
