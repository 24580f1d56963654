// SPDX-License-Identifier: MIT
// Copies whole 8-byte words, of which states consist. For long copies memcpy may use the processor's string
// instruction, which on Zen 3 takes thirty times as long if the target begins a few bytes after the source
// within its page (measured by bench/state_bench.cpp); for short ones the call itself matters. Compilers turn
// these loops back into memcpy if they can prove that the ranges don't overlap: pass plain pointers, not
// restrict ones, in a separate function.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace instep::state {
namespace detail {

// As wide as the widest registers that INSTEP_WIDE_COPY may select.
using Chunk = std::uint64_t __attribute__((vector_size(64)));

template <class T>
[[gnu::always_inline]] inline void copy_one(std::byte* to, const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    std::memcpy(to, &value, sizeof value);
}

}  // namespace detail

// The first and the last chunk overlap the middle part, which begins where `to` is aligned.
[[gnu::always_inline]] inline void copy_words(std::byte* to, const std::byte* from, std::size_t size) {
    assert(size % 8 == 0);
    using detail::Chunk;
    constexpr std::size_t chunk = sizeof(Chunk);
    if (size < chunk) {
        for (std::size_t at = 0; at < size; at += 8) detail::copy_one<std::uint64_t>(to + at, from + at);
        return;
    }
    const std::size_t last = size - chunk;
    detail::copy_one<Chunk>(to, from);
    std::size_t at = chunk - reinterpret_cast<std::uintptr_t>(to) % chunk;
    for (; at + 4 * chunk <= last; at += 4 * chunk)
        for (std::size_t k = 0; k < 4; ++k)
            detail::copy_one<Chunk>(to + at + k * chunk, from + at + k * chunk);
    for (; at < last; at += chunk) detail::copy_one<Chunk>(to + at, from + at);
    detail::copy_one<Chunk>(to + last, from + last);
}

}  // namespace instep::state
