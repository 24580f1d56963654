// SPDX-License-Identifier: MIT
// An adaptive binary range coder: a likely bit costs a fraction of a bit. Writer and Reader have the same
// methods, so one function describes a message for both ends and they cannot drift apart:
//
//     template <class Stream> void code(Stream& stream, Thing& thing) { stream.bit(thing.flag, model); ... }
//
// Reader takes any bytes: past the end it reads zeros and ok() turns false.
#pragma once

#include <cstddef>
#include <cstdint>

#include <instep/codec/bytes.h>

namespace instep::codec {

// The probability that a bit is 0: the mean of two exponential averages of the bits so far, a quick one (rate
// 1/16) and a steady one (rate 1/128).
class BitModel {
public:
    constexpr BitModel() = default;
    // `zero` of 65,536 are expected to be 0.
    explicit constexpr BitModel(std::uint16_t zero) : quick_(zero), steady_(zero) {}

    std::uint32_t chance_of_zero() const {  // of 65,536; never 0, never all
        const std::uint32_t mean = (std::uint32_t{quick_} + steady_) / 2;
        return mean < least ? least : mean > 65536 - least ? 65536 - least : mean;
    }
    void learn(bool bit) {
        if (bit) {
            quick_ = static_cast<std::uint16_t>(quick_ - (quick_ >> 4));
            steady_ = static_cast<std::uint16_t>(steady_ - (steady_ >> 7));
        } else {
            quick_ = static_cast<std::uint16_t>(quick_ + ((65535 - quick_) >> 4));
            steady_ = static_cast<std::uint16_t>(steady_ + ((65535 - steady_) >> 7));
        }
    }
    friend bool operator==(const BitModel&, const BitModel&) = default;

private:
    static constexpr std::uint32_t least = 64;

    std::uint16_t quick_ = 32768;
    std::uint16_t steady_ = 32768;
};

class Writer {
public:
    static constexpr bool reading = false;

    // Appends to `out`; more than `limit` bytes make it give up.
    explicit Writer(Bytes& out, std::size_t limit = SIZE_MAX);

    bool ok() const { return ok_; }
    void fail() { ok_ = false; }
    void bit(bool& value, BitModel& model);
    // `bits` bits without a model, at most 64.
    void raw(std::uint64_t& value, unsigned bits);
    // Ends the message; nothing may be written after it.
    void finish();

private:
    void narrow(std::uint32_t from, std::uint32_t width);
    void shift_low();
    void put(std::uint8_t byte);

    Bytes& out_;
    std::size_t limit_;
    std::uint64_t low_ = 0;
    std::uint32_t range_ = 0xFFFFFFFF;
    std::uint8_t held_ = 0;         // the last byte, which a carry may still change
    std::uint64_t held_count_ = 0;  // it and the 255s behind it
    bool ok_ = true;
};

class Reader {
public:
    static constexpr bool reading = true;

    explicit Reader(ByteView bytes);

    bool ok() const { return ok_; }
    void fail() { ok_ = false; }
    void bit(bool& value, BitModel& model);
    void raw(std::uint64_t& value, unsigned bits);
    // Whether the message was read to its end and no further.
    void finish();

private:
    void narrow(std::uint32_t width);
    std::uint8_t next_byte();

    ByteView bytes_;
    std::size_t at_ = 0;
    std::uint32_t code_ = 0;
    std::uint32_t range_ = 0xFFFFFFFF;
    bool ok_ = true;
};

}  // namespace instep::codec
