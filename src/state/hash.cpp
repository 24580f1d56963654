// SPDX-License-Identifier: MIT
#include <instep/state/hash.h>

#include <cassert>
#include <cstring>

namespace instep::state {
namespace {

constexpr std::uint64_t canonical_f64(std::uint64_t bits) {
    return (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000 ? 0x7FF8000000000000 : bits;
}

constexpr std::uint64_t canonical_f32(std::uint64_t bits) {
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC00000 : bits;
}

constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
    return x ^ (x >> 32);
}

// A word that is not one double: clears reserved bytes and makes floats canonical.
std::uint64_t canonical_parts(const HashRun& run, std::uint64_t word) {
    word &= run.mask;
    if (run.low_f32) word = canonical_f32(word & 0xFFFFFFFF) | (word & 0xFFFFFFFF00000000);
    if (run.high_f32) word = (word & 0xFFFFFFFF) | canonical_f32(word >> 32) << 32;
    return word;
}

}  // namespace

void Hasher::add(std::string_view text) {
    add(text.size());
    for (std::size_t i = 0; i < text.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + i, text.size() - i < 8 ? text.size() - i : 8);
        add(word);
    }
}

template <class Canonical>
const std::byte* Hasher::add_run(const std::byte* at, std::uint32_t words, Canonical canonical) {
    const auto next = [&at, canonical] {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        at += sizeof word;
        return canonical(word);
    };
    count_ += words;
    auto [a, b, c, d] = lanes_;
    for (; words >= 4; words -= 4) {
        a = absorbed(a, next());
        b = absorbed(b, next());
        c = absorbed(c, next());
        d = absorbed(d, next());
    }
    for (; words > 0; --words) {
        const std::uint64_t lane = absorbed(a, next());
        a = b;
        b = c;
        c = d;
        d = lane;
    }
    lanes_ = {a, b, c, d};
    return at;
}

void Hasher::add(const StructInfo& info, const std::byte* elements, std::size_t count) {
    assert(!info.hash_runs.empty() && "a hashed struct is a whole number of 8-byte words");
    Hasher local = *this;  // kept in registers during the loop
    for (std::size_t i = 0; i < count; ++i)
        for (const HashRun& run : info.hash_runs)
            elements = run.f64 ? local.add_run(elements, run.words, canonical_f64)
                               : local.add_run(elements, run.words, [&run](std::uint64_t word) {
                                     return canonical_parts(run, word);
                                 });
    *this = local;
}

std::uint64_t Hasher::finish() const {
    std::uint64_t result = count_;
    for (std::uint64_t i = 0; i < 4; ++i)
        result = mix(result ^ lanes_[(i - count_) & 3]);  // in their original order
    return result;
}

std::uint64_t hash_field(const Field& field, const std::byte* elements, std::size_t stride,
                         std::size_t count) {
    Hasher hasher;
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* at = elements + i * stride + field.offset;
        for (std::uint32_t done = 0; done < field.size; done += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, at + done, field.size - done < 8 ? field.size - done : 8);
            if (field.kind == FieldKind::f64) word = canonical_f64(word);
            if (field.kind == FieldKind::f32) word = canonical_f32(word);
            hasher.add(word);
        }
    }
    return hasher.finish();
}

std::string hash_text(std::uint64_t hash) {
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
    return text;
}

}  // namespace instep::state
