// SPDX-License-Identifier: MIT
// Memory for the length of one phase of a step, which may not allocate. It comes from outside, as blocks that
// mean nothing between two steps (a pool that stays empty, so that they are neither saved nor hashed), and is
// handed out from front to back.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include <instep/state/field.h>

namespace instep::motion {

struct ScratchBlock {
    state::Reserved<64> bytes;
};

constexpr auto fields_of(state::Type<ScratchBlock>) {
    return state::fields("ScratchBlock", state::field("bytes", &ScratchBlock::bytes));
}

class Scratch {
public:
    explicit Scratch(std::span<ScratchBlock> blocks)
        : next_(reinterpret_cast<std::byte*>(blocks.data())), left_(blocks.size_bytes()) {}

    // This many values, default-initialised: numbers are uninitialised. What is
    // asked for must fit: the caller provides enough blocks.
    template <class T>
    std::span<T> take(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(double));
        const std::size_t size = (count * sizeof(T) + 7) / 8 * 8;
        assert(size <= left_);
        T* first = reinterpret_cast<T*>(next_);
        std::uninitialized_default_construct_n(first, count);
        next_ += size;
        left_ -= size;
        return {first, count};
    }

    // How many more of these fit.
    template <class T>
    std::size_t capacity_for() const {
        return left_ / sizeof(T);
    }

private:
    std::byte* next_;
    std::size_t left_;
};

}  // namespace instep::motion
