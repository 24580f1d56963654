// SPDX-License-Identifier: MIT
#include <instep/net/own_player.h>

#include <cstring>
#include <limits>

#include <instep/codec/byte_model.h>
#include <instep/codec/grid.h>
#include <instep/codec/number.h>
#include <instep/present/own_entities.h>
#include <instep/state/hash.h>
#include <instep/state/raw_pool.h>

namespace instep::net {
namespace {

using present::for_each_own;
using state::Field;
using state::Layout;
using state::RawPool;

struct Owned {
    const state::PoolLayout* pool;
    std::byte* element;
};

std::vector<Owned> find_own(const Layout& layout, const std::byte* block, contract::Slot slot) {
    std::vector<Owned> found;
    for_each_own(layout, block, slot, [&](std::size_t pool, std::uint32_t, std::byte* element) {
        found.push_back({&layout.pools[pool], element});
    });
    return found;
}

// A float's bits as an integer that grows with its value, so that close values have a small difference.
// Negative values have all bits but the sign inverted, so -0 is -1 and every value has a number of its own.
// Its own inverse.
template <class Bits>
Bits ordered_bits(Bits bits) {
    return bits < 0 ? bits ^ std::numeric_limits<Bits>::max() : bits;
}

std::int64_t ordinal(const Field& field, const std::byte* bytes) {
    if (field.size == 4) {
        std::int32_t bits;
        std::memcpy(&bits, bytes + field.offset, sizeof bits);
        return ordered_bits(bits);
    }
    std::int64_t bits;
    std::memcpy(&bits, bytes + field.offset, sizeof bits);
    return ordered_bits(bits);
}

void put_ordinal(const Field& field, std::int64_t value, std::byte* bytes) {
    if (field.size == 4) {
        const std::int32_t bits = ordered_bits(static_cast<std::int32_t>(value));
        std::memcpy(bytes + field.offset, &bits, sizeof bits);
    } else {
        const std::int64_t bits = ordered_bits(value);
        std::memcpy(bytes + field.offset, &bits, sizeof bits);
    }
}

// A quantised field: what rounding took away, or more if its correction was delayed.
template <class Stream>
void code_rounded(Stream& stream, const Field& field, std::byte* element, const std::byte* wanted,
                  codec::BitModel& is_other, codec::NumberModel& model) {
    const auto from = static_cast<std::uint64_t>(ordinal(field, element));
    std::int64_t difference = 0;
    if constexpr (!Stream::reading)
        difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(ordinal(field, wanted)) - from);
    bool differs = difference != 0;
    stream.bit(differs, is_other);
    if (!differs) return;
    code_signed(stream, difference, model);
    if constexpr (Stream::reading)
        put_ordinal(field, static_cast<std::int64_t>(from + static_cast<std::uint64_t>(difference)), element);
}

// Any other field is replicated exactly, unless its correction was delayed.
template <class Stream>
void code_exact(Stream& stream, const Field& field, std::byte* element, const std::byte* wanted,
                codec::BitModel& is_other) {
    bool differs = false;
    if constexpr (!Stream::reading)
        differs = std::memcmp(element + field.offset, wanted + field.offset, field.size) != 0;
    stream.bit(differs, is_other);
    if (!differs) return;
    for (std::size_t at = field.offset; at < field.offset + field.size && stream.ok(); ++at) {
        std::byte byte = Stream::reading ? std::byte{0} : wanted[at];
        code_raw(stream, byte, 8);
        if constexpr (Stream::reading) element[at] = byte;
    }
}

// Elements have the same index in the replicated and the actual state. The decoder has no `actual`.
template <class Stream>
void code_own(Stream& stream, const Layout& layout, const std::byte* replicated, const std::byte* actual,
              contract::Slot slot) {
    codec::BitModel is_unrounded(40000);
    codec::BitModel is_delayed(65000);
    codec::NumberModel model;
    for_each_own(layout, replicated, slot, [&](std::size_t pool, std::uint32_t index, std::byte* element) {
        const std::byte* wanted =
            Stream::reading ? nullptr : RawPool::looking_at(layout, pool, actual).element(index);
        for (const Field& field : layout.pools[pool].element->fields) {
            if (field.kind == state::FieldKind::reserved || !stream.ok()) continue;
            if (codec::is_quantised(field))
                code_rounded(stream, field, element, wanted, is_unrounded, model);
            else
                code_exact(stream, field, element, wanted, is_delayed);
        }
    });
}

}  // namespace

std::uint32_t hash_own(const Layout& layout, const std::byte* block, contract::Slot slot) {
    state::Hasher hasher;
    for_each_own(layout, block, slot, [&](std::size_t pool, std::uint32_t, const std::byte* element) {
        hasher.add(layout.pools[pool].index_offset);  // says which pool
        hasher.add(*layout.pools[pool].element, element, 1);
    });
    return static_cast<std::uint32_t>(hasher.finish());
}

bool copy_own(const Layout& layout, const std::byte* from, std::byte* to, contract::Slot slot) {
    const std::vector<Owned> source = find_own(layout, from, slot);
    const std::vector<Owned> target = find_own(layout, to, slot);
    if (source.size() != target.size()) return false;
    for (std::size_t i = 0; i < source.size(); ++i)
        if (source[i].pool != target[i].pool) return false;
    for (std::size_t i = 0; i < source.size(); ++i)
        std::memcpy(target[i].element, source[i].element, target[i].pool->element->size);
    return true;
}

void save_own(const Layout& layout, const std::byte* block, contract::Slot slot,
              std::vector<std::byte>& out) {
    for_each_own(layout, block, slot, [&](std::size_t pool, std::uint32_t, const std::byte* element) {
        out.insert(out.end(), element, element + layout.pools[pool].element->size);
    });
}

bool restore_own(const Layout& layout, std::span<const std::byte> saved, std::byte* block,
                 contract::Slot slot) {
    const std::vector<Owned> all = find_own(layout, block, slot);
    std::size_t size = 0;
    for (const Owned& own : all) size += own.pool->element->size;
    if (size != saved.size()) return false;
    for (const Owned& own : all) {
        std::memcpy(own.element, saved.data(), own.pool->element->size);
        saved = saved.subspan(own.pool->element->size);
    }
    return true;
}

void encode_own(codec::Writer& writer, const Layout& layout, const std::byte* replicated,
                const std::byte* actual, contract::Slot slot) {
    code_own(writer, layout, replicated, actual, slot);
}

void decode_own(codec::Reader& reader, const Layout& layout, std::byte* block, contract::Slot slot) {
    code_own(reader, layout, block, nullptr, slot);
}

}  // namespace instep::net
