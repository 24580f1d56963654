// SPDX-License-Identifier: MIT
#include <instep/state/layout_description.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>

#include <instep/state/raw_pool.h>

namespace instep::state {
namespace {

constexpr std::array<std::string_view, 13> kind_names{
    "boolean", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "text", "reserved"};
static_assert(kind_names.size() == static_cast<std::size_t>(FieldKind::reserved) + 1);

std::string_view name_of(FieldKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

constexpr double most_labels = 1u << 16;

// 0: any.
std::uint32_t size_of(FieldKind kind) {
    switch (kind) {
        case FieldKind::boolean:
        case FieldKind::u8:
        case FieldKind::i8: return 1;
        case FieldKind::u16:
        case FieldKind::i16: return 2;
        case FieldKind::u32:
        case FieldKind::i32:
        case FieldKind::f32: return 4;
        case FieldKind::u64:
        case FieldKind::i64:
        case FieldKind::f64: return 8;
        case FieldKind::text:
        case FieldKind::reserved: return 0;
    }
    return 0;
}

bool is_integer(FieldKind kind) { return kind >= FieldKind::u8 && kind <= FieldKind::i64; }

StructDescription describe_struct(const StructInfo& info) {
    StructDescription described;
    for (const Field& field : info.fields)
        described.push_back(
            {field.path, field.kind, field.size, {field.rules.labels.begin(), field.rules.labels.end()}});
    return described;
}

// The layout that a description is of, with tables of its own.
class ForeignLayout {
public:
    // `image` says how many ids each pool needs: its capacity in that build does not matter, and is not
    // allocated on the description's word.
    static Result<std::unique_ptr<ForeignLayout>> make(const LayoutDescription& description,
                                                       std::span<const std::byte> image) {
        auto made = std::make_unique<ForeignLayout>();
        Layout& layout = made->layout_;
        auto head = made->add_struct(description.head, "head");
        if (!head) return std::unexpected(head.error());
        layout.head = *head;
        const std::size_t front = (*head)->size + description.pools.size() * sizeof(PoolHeader);
        if (image.size() < front)
            return refuse("state image", "has " + std::to_string(image.size()) +
                                             " bytes, expected at least " + std::to_string(front));
        for (std::size_t i = 0; i < description.pools.size(); ++i) {
            const PoolDescription& pool = description.pools[i];
            auto element = made->add_struct(pool.element, pool.name);
            if (!element) return std::unexpected(element.error());
            PoolHeader header;
            std::memcpy(&header, image.data() + (*head)->size + i * sizeof header, sizeof header);
            const std::size_t live = std::size_t{header.id_count} * sizeof(PoolIndex) +
                                     std::size_t{header.count} * (*element)->size;
            if (header.count > header.id_count || live > image.size())
                return refuse("state image: " + pool.name, "is cut off");
            layout.pools.push_back({.name = pool.name,
                                    .element = *element,
                                    .kind = {},
                                    .capacity = header.id_count,
                                    .element_size = (*element)->size});
            made->block_size_ += std::uint64_t{header.id_count} * (sizeof(PoolIndex) + (*element)->size);
        }
        if (made->block_size_ > largest_foreign_state)
            return refuse("state image",
                          "needs more than " + std::to_string(largest_foreign_state) + " bytes");
        detail::compute_offsets(layout);
        return made;
    }

    const Layout& layout() const { return layout_; }

private:
    static constexpr std::uint64_t largest_foreign_state = 64u << 20;

    Result<const StructInfo*> add_struct(const StructDescription& fields, const std::string& where) {
        StructInfo info;
        for (const FieldDescription& field : fields) {
            const std::uint32_t expected = size_of(field.kind);
            if (field.size == 0 || (expected != 0 && field.size != expected))
                return refuse("layout: " + where + "." + field.path,
                              "has " + std::to_string(field.size) + " bytes, which its kind cannot have");
            if (!field.labels.empty() && !is_integer(field.kind))
                return refuse("layout: " + where + "." + field.path, "has labels, but is no integer");
            Field& added =
                info.fields.emplace_back(Field{field.path, field.kind, info.size, field.size, Rules{}});
            if (!field.labels.empty()) {
                auto& labels = labels_.emplace_back(field.labels.begin(), field.labels.end());
                added.rules.labels = labels;
            }
            info.size += field.size;
        }
        if (info.size == 0 || info.size % 8 != 0)
            return refuse("layout: " + where, "is not a whole number of 8-byte words");
        return &structs_.emplace_back(std::move(info));
    }

    Layout layout_;
    std::uint64_t block_size_ = 0;
    std::deque<StructInfo> structs_;
    std::deque<std::vector<std::string_view>> labels_;
};

// How one struct's fields become those of another.
class FieldMap {
public:
    FieldMap(const StructInfo& from, const StructInfo& to, const std::string& where,
             NotCarried& not_carried) {
        for (const Field& field : from.fields) {
            if (field.kind == FieldKind::reserved) continue;
            const Field* same = to.find(field.path);
            const std::string name = where + "." + field.path;
            if (!same)
                not_carried.push_back(name + ": is no longer there");
            else if (same->kind != field.kind)
                not_carried.push_back(name + ": was " + std::string(name_of(field.kind)) + ", is " +
                                      std::string(name_of(same->kind)));
            else
                moves_.push_back({&field, same, name});
        }
    }

    void apply(const std::byte* from, std::byte* to, NotCarried& not_carried) {
        for (Move& move : moves_) {
            if (move.carry(from, to) || move.is_listed) continue;
            move.is_listed = true;
            not_carried.push_back(move.name + ": a value has no counterpart and took its default");
        }
    }

private:
    struct Move {
        const Field* from;
        const Field* to;
        std::string name;
        bool is_listed = false;

        bool carry(const std::byte* source, std::byte* target) const {
            if (!to->rules.labels.empty()) return carry_label(source, target);
            source += from->offset;
            target += to->offset;
            if (from->kind == FieldKind::text) return carry_text(source, target);
            std::memcpy(target, source, to->size);
            return true;
        }
        bool carry_text(const std::byte* source, std::byte* target) const {
            const std::byte* const end = source + from->size;
            const auto length = static_cast<std::size_t>(std::find(source, end, std::byte{0}) - source);
            if (length > to->size) return false;
            std::memset(target, 0, to->size);
            std::memcpy(target, source, length);
            return true;
        }
        // By its name, since another build may number the labels otherwise.
        bool carry_label(const std::byte* source, std::byte* target) const {
            const double value = number_at(*from, source);
            const auto& labels = to->rules.labels;
            if (value < 0 || value >= most_labels) return false;
            auto found = static_cast<std::size_t>(value);
            if (!from->rules.labels.empty()) {
                if (found >= from->rules.labels.size()) return false;
                const auto same = std::find(labels.begin(), labels.end(), from->rules.labels[found]);
                found = static_cast<std::size_t>(same - labels.begin());
            }
            if (found >= labels.size()) return false;
            const std::uint64_t number = found;
            std::memcpy(target + to->offset, &number, to->size);  // little-endian: its low bytes
            return true;
        }
    };
    std::vector<Move> moves_;
};

void carry_pool(const RawPool& from, RawPool& to, NotCarried& not_carried) {
    const std::string name(to.layout().name);
    FieldMap map(from.element_info(), to.element_info(), name, not_carried);
    std::vector<Handle> handles;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < from.size(); ++i) {
        const Handle handle = from.handle_at(i);
        if (handle.id >= to.capacity()) continue;
        handles.push_back(handle);
        indices.push_back(i);
    }
    if (handles.size() < from.size())
        not_carried.push_back(name + ": " + std::to_string(from.size() - handles.size()) +
                              " elements, for which there is no capacity");
    to.set_handles(handles, from.next_generation());
    for (std::uint32_t i = 0; i < indices.size(); ++i) {
        const StructInfo& info = to.element_info();
        std::memcpy(to.element(i), info.defaults.data(), info.size);
        map.apply(from.element(indices[i]), to.element(i), not_carried);
    }
}

}  // namespace

LayoutDescription describe_layout(const Layout& layout) {
    LayoutDescription description{describe_struct(*layout.head), {}};
    for (const PoolLayout& pool : layout.pools)
        description.pools.push_back({std::string(pool.name), describe_struct(*pool.element)});
    return description;
}

Result<NotCarried> carry_over(const LayoutDescription& from, std::span<const std::byte> image,
                              const Layout& layout, std::byte* block) {
    const auto foreign = ForeignLayout::make(from, image);
    if (!foreign) return std::unexpected(foreign.error());
    const Layout& old = (*foreign)->layout();
    Block old_block(old);
    if (auto loaded = load(old, image, old_block.data()); !loaded) return std::unexpected(loaded.error());

    NotCarried not_carried;
    FieldMap(*old.head, *layout.head, "head", not_carried).apply(old_block.data(), block, not_carried);
    std::vector<bool> is_carried(old.pools.size());
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        RawPool pool(layout, i, block);
        for (std::size_t k = 0; k < old.pools.size(); ++k) {
            if (is_carried[k] || old.pools[k].name != layout.pools[i].name) continue;
            is_carried[k] = true;
            carry_pool(RawPool::looking_at(old, k, old_block.data()), pool, not_carried);
            break;
        }
    }
    for (std::size_t k = 0; k < old.pools.size(); ++k)
        if (!is_carried[k]) not_carried.push_back(std::string(old.pools[k].name) + ": is no longer there");
    return not_carried;
}

}  // namespace instep::state
