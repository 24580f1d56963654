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

std::uint64_t canonical(HashWord::Kind kind, std::uint64_t word) {
    constexpr std::uint64_t low = 0xFFFFFFFF;
    switch (kind) {
        case HashWord::Kind::raw: return word;
        case HashWord::Kind::f64: return canonical_f64(word);
        case HashWord::Kind::low_f32: return canonical_f32(word & low) | (word & ~low);
        case HashWord::Kind::high_f32: return (word & low) | canonical_f32(word >> 32) << 32;
        case HashWord::Kind::two_f32: return canonical_f32(word & low) | canonical_f32(word >> 32) << 32;
    }
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

void Hasher::add(const StructInfo& info, const std::byte* elements, std::size_t count) {
    assert(!info.hash_words.empty() && "a hashed struct is a whole number of 8-byte words");
    Hasher local = *this;  // in registers while the loop runs
    for (std::size_t i = 0; i < count; ++i) {
        for (const HashWord& rule : info.hash_words) {
            std::uint64_t word;
            std::memcpy(&word, elements, sizeof word);
            elements += sizeof word;
            local.add(canonical(rule.kind, word & rule.mask));
        }
    }
    *this = local;
}

std::uint64_t Hasher::finish() const {
    std::uint64_t result = count_;
    for (const std::uint64_t lane : lanes_) result = mix(result ^ lane);
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

}  // namespace instep::state
