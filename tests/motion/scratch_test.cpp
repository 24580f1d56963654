// SPDX-License-Identifier: MIT
#include <instep/motion/scratch.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace instep::motion;

TEST_CASE("scratch: parts of a scratch are aligned and do not overlap") {
    std::vector<ScratchBlock> blocks(8);
    Scratch scratch(blocks);
    const auto bytes = scratch.take<std::uint8_t>(3);
    const auto numbers = scratch.take<double>(10);
    const auto words = scratch.take<std::uint32_t>(5);
    CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double) == 0);
    for (std::uint8_t& byte : bytes) byte = 1;
    for (double& number : numbers) number = 2.5;
    for (std::uint32_t& word : words) word = 7;
    for (const std::uint8_t byte : bytes) CHECK(byte == 1);
    for (const double number : numbers) CHECK(number == 2.5);
    for (const std::uint32_t word : words) CHECK(word == 7);
}

TEST_CASE("scratch: a scratch reports its remaining capacity") {
    std::vector<ScratchBlock> blocks(2);
    Scratch scratch(blocks);
    CHECK(scratch.capacity_for<double>() == 16);
    scratch.take<double>(5);
    CHECK(scratch.capacity_for<double>() == 11);
    scratch.take<double>(11);
    CHECK(scratch.capacity_for<std::uint8_t>() == 0);
}

TEST_CASE("scratch: a copy of a scratch hands out the same memory again") {
    std::vector<ScratchBlock> blocks(2);
    const Scratch whole(blocks);
    Scratch first = whole;
    Scratch second = whole;
    CHECK(first.take<double>(4).data() == second.take<double>(4).data());
}
