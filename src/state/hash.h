// SPDX-License-Identifier: MIT
// The 64-bit hash that tells whether two machines have the same state. It covers described fields only: every
// NaN counts as the same NaN (its bits differ between processors), -0 differs from 0, reserved bytes don't
// count. It is fast and sensitive, not cryptographic: any single changed word changes it, but collisions can
// be forged.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include <instep/state/field.h>

namespace instep::state {

// Four independent lanes, so that a processor works on four words at once. A word enters its lane by an
// invertible function, so one changed word always changes the lane. 64-bit products only: WebAssembly has no
// wider ones.
class Hasher {
public:
    void add(std::uint64_t word) {
        // The next lane is always the first in the array.
        lanes_ = {lanes_[1], lanes_[2], lanes_[3], absorbed(lanes_[0], word)};
        ++count_;
    }
    void add(std::string_view text);

    // An array of `count` structs.
    void add(const StructInfo& info, const std::byte* elements, std::size_t count);

    std::uint64_t finish() const;

private:
    static std::uint64_t absorbed(std::uint64_t lane, std::uint64_t word) {
        constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, odd
        return std::rotl((lane ^ word) * multiplier, 29);
    }
    template <class Canonical>
    const std::byte* add_run(const std::byte* at, std::uint32_t words, Canonical canonical);

    std::array<std::uint64_t, 4> lanes_{0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0,
                                        0x082EFA98EC4E6C89};  // digits of pi
    std::uint64_t count_ = 0;
};

// The hash of one field of `count` structs: names the field in which two states differ.
std::uint64_t hash_field(const Field& field, const std::byte* elements, std::size_t stride,
                         std::size_t count);

// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace instep::state
