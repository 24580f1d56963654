// SPDX-License-Identifier: MIT
#include <instep/state/layout.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>

#include <instep/math/simd.h>
#include <instep/state/copy.h>
#include <instep/state/hash.h>

namespace instep::state {
namespace {

constexpr std::uint32_t largest_block = 1u << 30;  // offsets have 32 bits; a larger block is a mistake

constexpr std::uint32_t whole_words(std::uint32_t bytes) { return (bytes + 7) / 8 * 8; }

constexpr std::uint32_t rows_size(std::uint32_t rows) {
    return whole_words(rows * static_cast<std::uint32_t>(sizeof(PoolIndex)));
}

std::uint32_t live_size(const PoolLayout& pool, const PoolHeader& header) {
    return rows_size(header.id_count) + header.count * pool.element_size;
}

// Calls run(offset in a block, size) for all live data, in the order of an image. Adjacent runs are merged,
// which matters for small states. `front` is a block or an image: both begin alike.
template <class Run>
[[gnu::always_inline]] inline void for_each_live_run(const Layout& layout, const std::byte* front, Run run) {
    std::uint32_t begin = 0;
    std::uint32_t end = layout.front_size;
    const auto add = [&](std::uint32_t offset, std::uint32_t size) __attribute__((always_inline)) {
        if (offset != end) {
            run(begin, end - begin);
            begin = offset;
        }
        end = offset + size;
    };
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const PoolLayout& pool = layout.pools[i];
        PoolHeader header;  // a copy: an image may begin at any address
        std::memcpy(&header, front + layout.headers_offset + i * sizeof header, sizeof header);
        if (header.id_count == 0) continue;
        add(pool.index_offset, rows_size(header.id_count));
        add(pool.elements_offset, header.count * pool.element_size);
    }
    run(begin, end - begin);
}

// Whether rows and header are consistent: every element has an id, every id below id_count that is not free
// refers back to its element, and the bookkeeping of free ids is exact.
bool index_is_consistent(const PoolHeader& header, const PoolIndex* rows) {
    const bool has_padding = header.id_count % 2 != 0;  // of the last word: rows are 12 bytes
    if (has_padding && rows[header.id_count].id_at != 0) return false;
    std::vector<std::uint32_t> generations;  // of live elements
    std::uint32_t lowest_free = header.id_count;
    for (std::uint32_t id = header.id_count; id-- > 0;) {
        const PoolIndex& row = rows[id];
        if (row.index_of == PoolIndex::no_index) {
            lowest_free = id;
            if (row.generation_of != 0) return false;
        } else {
            if (row.index_of >= header.count || rows[row.index_of].id_at != id) return false;
            if (row.generation_of >= header.next_generation) return false;
            generations.push_back(row.generation_of);
        }
        if (id >= header.count && row.id_at != 0) return false;
    }
    const bool highest_is_live =
        header.id_count == 0 || rows[header.id_count - 1].index_of != PoolIndex::no_index;
    std::sort(generations.begin(), generations.end());  // total order: equal numbers are the same
    const bool no_handle_is_shared =
        std::adjacent_find(generations.begin(), generations.end()) == generations.end();
    return generations.size() == header.count && highest_is_live && lowest_free == header.lowest_free_id &&
           no_handle_is_shared;
}

}  // namespace

void detail::compute_offsets(Layout& layout) {
    layout.headers_offset = layout.head->size;
    layout.front_size =
        layout.headers_offset + static_cast<std::uint32_t>(layout.pools.size() * sizeof(PoolHeader));
    std::uint32_t offset = layout.front_size;
    for (PoolLayout& pool : layout.pools) {
        const std::uint64_t most = (std::uint64_t{sizeof(PoolIndex)} + pool.element_size) * pool.capacity;
        if (most > largest_block - offset)
            std::abort();  // a world limits its capacities when it loads a setup
        pool.index_offset = offset;
        pool.elements_offset = offset + rows_size(pool.capacity);
        offset = pool.elements_offset + pool.capacity * pool.element_size;
    }
    layout.size = offset;
    layout.max_image_size = offset;
}

std::string_view detail::path_at(const StructInfo& info, std::uint32_t offset, bool is_vector) {
    const auto found = std::find_if(info.fields.begin(), info.fields.end(),
                                    [&](const Field& field) { return field.offset == offset; });
    assert(found != info.fields.end());  // every byte of a described struct is part of a field
    std::string_view path = found->path;
    if (is_vector) path.remove_suffix(std::string_view(".x").size());
    return path;
}

std::uint64_t Layout::fingerprint() const {
    Hasher hasher;
    const auto add_struct = [&](const StructInfo& info) {
        hasher.add(info.name);
        for (const Field& field : info.fields) {
            hasher.add(field.path);
            hasher.add(static_cast<std::uint64_t>(field.kind) | std::uint64_t{field.offset} << 8);
            hasher.add(std::bit_cast<std::uint64_t>(field.rules.low));
            hasher.add(std::bit_cast<std::uint64_t>(field.rules.high));
            hasher.add(std::bit_cast<std::uint64_t>(field.rules.precision));
            hasher.add(static_cast<std::uint64_t>(field.rules.blend));
            for (const std::string_view label : field.rules.labels) hasher.add(label);
        }
    };
    add_struct(*head);
    for (const PoolLayout& pool : pools) {
        hasher.add(pool.name);
        hasher.add(pool.capacity);
        hasher.add(pool.kind.position);
        hasher.add(pool.kind.owner);
        hasher.add(static_cast<std::uint64_t>(pool.kind.replication));
        add_struct(*pool.element);
    }
    return hasher.finish();
}

std::uint32_t image_size(const Layout& layout, const std::byte* block) {
    std::uint32_t size = layout.front_size;
    for (std::size_t i = 0; i < layout.pools.size(); ++i)
        size += live_size(layout.pools[i], layout.header(i, block));
    return size;
}

INSTEP_WIDE_COPY
std::uint32_t save(const Layout& layout, const std::byte* block, std::span<std::byte> image) {
    assert(image.size() >= image_size(layout, block));
    std::byte* out = image.data();
    const auto copy = [&](std::uint32_t offset, std::uint32_t size) __attribute__((always_inline)) {
        copy_words(out, block + offset, size);
        out += size;
    };
    for_each_live_run(layout, block, copy);
    return static_cast<std::uint32_t>(out - image.data());
}

INSTEP_WIDE_COPY
void restore(const Layout& layout, std::span<const std::byte> image, std::byte* block) {
    const std::byte* in = image.data();
    const auto copy = [&](std::uint32_t offset, std::uint32_t size) __attribute__((always_inline)) {
        copy_words(block + offset, in, size);
        in += size;
    };
    for_each_live_run(layout, in, copy);
    assert(in == image.data() + image.size());
}

INSTEP_WIDE_COPY
void copy(const Layout& layout, const std::byte* from, std::byte* to) {
    const auto run = [&](std::uint32_t offset, std::uint32_t size)
                         __attribute__((always_inline)) { copy_words(to + offset, from + offset, size); };
    for_each_live_run(layout, from, run);
}

Result<void> load(const Layout& layout, std::span<const std::byte> image, std::byte* block) {
    const std::uint32_t front = layout.front_size;
    if (image.size() < front || image.size() > layout.max_image_size)
        return refuse("state image", "has " + std::to_string(image.size()) + " bytes, expected from " +
                                         std::to_string(front) + " to " +
                                         std::to_string(layout.max_image_size));
    if (!fields_are_legal(*layout.head, image.data()))
        return refuse("state image: head", "has a boolean, enum or text that its type does not allow");

    const std::vector<std::byte> aligned(image.begin(), image.end());  // the image may start at any address
    const std::byte* bytes = aligned.data();
    std::size_t offset = front;
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const PoolLayout& pool = layout.pools[i];
        const PoolHeader& header = layout.header(i, bytes);
        const std::string where = "state image: " + std::string(pool.name);
        if (header.count > pool.capacity || header.id_count > pool.capacity || header.count > header.id_count)
            return refuse(where, "claims " + std::to_string(header.count) + " elements with ids below " +
                                     std::to_string(header.id_count) + ", but the capacity is " +
                                     std::to_string(pool.capacity));
        const std::size_t size = live_size(pool, header);
        if (size > image.size() - offset) return refuse(where, "is cut off");
        if (!index_is_consistent(header, reinterpret_cast<const PoolIndex*>(bytes + offset)))
            return refuse(where, "has an inconsistent index");
        const std::byte* elements = bytes + offset + rows_size(header.id_count);
        for (std::uint32_t k = 0; k < header.count; ++k)
            if (!fields_are_legal(*pool.element, elements + std::size_t{k} * pool.element_size))
                return refuse(where + "[" + std::to_string(k) + "]",
                              "has a boolean, enum or text that its type does not allow");
        offset += size;
    }
    if (offset != image.size())
        return refuse("state image", std::to_string(image.size() - offset) + " bytes too many at the end");
    restore(layout, image, block);
    return {};
}

std::uint64_t hash(const Layout& layout, const std::byte* block) {
    Hasher hasher;
    hasher.add(*layout.head, block, 1);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const PoolLayout& pool = layout.pools[i];
        const PoolHeader& header = layout.header(i, block);
        const PoolIndex* rows = reinterpret_cast<const PoolIndex*>(block + pool.index_offset);
        hasher.add(header.count | std::uint64_t{header.next_generation} << 32);
        for (std::uint32_t index = 0; index < header.count; ++index) {
            const std::uint32_t id = rows[index].id_at;
            hasher.add(id | std::uint64_t{rows[id].generation_of} << 32);
        }
        hasher.add(*pool.element, block + pool.elements_offset, header.count);
    }
    return hasher.finish();
}

std::vector<FieldHash> hash_fields(const Layout& layout, const std::byte* block) {
    std::vector<FieldHash> hashes;
    const auto add_struct = [&](const std::string& name, const StructInfo& info, const std::byte* at,
                                std::uint32_t count) {
        for (const Field& field : info.fields)
            if (field.kind != FieldKind::reserved)
                hashes.push_back({name + "." + field.path, hash_field(field, at, info.size, count)});
    };
    add_struct("head", *layout.head, block, 1);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const PoolLayout& pool = layout.pools[i];
        const PoolHeader& header = layout.header(i, block);
        const PoolIndex* rows = reinterpret_cast<const PoolIndex*>(block + pool.index_offset);
        Hasher ids;
        ids.add(header.next_generation);
        for (std::uint32_t index = 0; index < header.count; ++index) {
            const std::uint32_t id = rows[index].id_at;
            ids.add(id | std::uint64_t{rows[id].generation_of} << 32);
        }
        hashes.push_back({std::string(pool.name) + ".(ids)", ids.finish()});
        add_struct(std::string(pool.name), *pool.element, block + pool.elements_offset, header.count);
    }
    return hashes;
}

}  // namespace instep::state
