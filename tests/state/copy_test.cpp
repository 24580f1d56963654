// SPDX-License-Identifier: MIT
// copy_words() is correct for every size and alignment, and writes nothing beside its target.
#include <instep/math/simd.h>
#include <instep/state/copy.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <vector>

using namespace instep;

// A separate function with the same width as save() and restore().
INSTEP_WIDE_COPY [[gnu::noinline]]
static void copy_as_a_state(std::byte* to, const std::byte* from, std::size_t size) {
    state::copy_words(to, from, size);
}

TEST_CASE("copy_words: copies between any alignments and changes nothing beside the target") {
    constexpr std::size_t most = 640;
    constexpr std::size_t offsets = 65;  // more than the widest register has bytes
    std::vector<std::byte> from(most + offsets);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + 1);
    constexpr std::byte untouched{0xA5};
    for (std::size_t size = 0; size <= most; size += 8) {
        std::size_t wrong = 0;
        for (std::size_t source = 0; source < offsets; source += 3)
            for (std::size_t target = 0; target < offsets; ++target) {
                std::vector<std::byte> to(most + 2 * offsets, untouched);
                std::vector<std::byte> expected = to;
                copy_as_a_state(to.data() + target, from.data() + source, size);
                std::memcpy(expected.data() + target, from.data() + source, size);
                if (to != expected) ++wrong;
            }
        CAPTURE(size);
        CHECK(wrong == 0);
    }
}
