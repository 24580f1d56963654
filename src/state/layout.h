// SPDX-License-Identifier: MIT
// The layout of a state. A state is one block of bytes without pointers:
//
//     | head | PoolHeader per pool | pool 0: index rows, elements | pool 1: index rows, elements | ...
//
// Its size follows from the setup's capacities. A world accesses it through its struct `State`, whose members
// (`Single`, `Pool`) are views of the block; all other code uses this table. An *image* is a saved state: the
// head, the pool headers, then each pool's live rows and elements, without gaps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <instep/state/aligned_bytes.h>
#include <instep/state/pool.h>
#include <instep/state/result.h>

namespace instep::state {

// How the network treats the elements of a pool.
enum class Replication : std::uint8_t {
    fields,  // fields are sent whenever the step does not predict them
    events,  // only creation and removal are sent: the step does the rest (projectiles)
};

// At which time a client draws the elements of a pool that are not its own.
enum class Shown : std::uint8_t {
    past,     // between two snapshots: never wrong, but late
    present,  // predicted like the own player: aimed at where they are drawn, corrections fade
};

// What others know of the elements of a pool. EntityMembers<T> below is how a world says it.
struct EntityKind {
    std::string_view position = {};  // path of its Vec2; empty: elements without a position
    std::string_view owner =
        {};  // path of the field with its player's slot; empty: elements without an owner
    Replication replication = Replication::fields;
    Shown shown = Shown::past;
};

struct PoolLayout {
    std::string_view name;
    const StructInfo* element = nullptr;
    EntityKind kind;
    std::uint32_t capacity = 0;
    std::uint32_t element_size = 0;
    std::uint32_t index_offset = 0;
    std::uint32_t elements_offset = 0;
};

struct Layout {
    const StructInfo* head = nullptr;
    std::vector<PoolLayout> pools;
    std::uint32_t headers_offset = 0;
    std::uint32_t front_size = 0;      // of head and pool headers
    std::uint32_t size = 0;            // of the block
    std::uint32_t max_image_size = 0;  // with every pool full

    const PoolHeader& header(std::size_t pool, const std::byte* block) const {
        return reinterpret_cast<const PoolHeader*>(block + headers_offset)[pool];
    }
    std::optional<std::size_t> find_pool(std::string_view name) const {
        for (std::size_t i = 0; i < pools.size(); ++i)
            if (pools[i].name == name) return i;
        return std::nullopt;
    }
    // Equal in two builds only if their states have the same fields at the same offsets.
    std::uint64_t fingerprint() const;
};

// The memory of one state. Zeroed, so that a state's bytes never depend on earlier contents.
class Block {
public:
    Block() = default;
    explicit Block(const Layout& layout) : bytes_(layout.size) {}
    std::byte* data() { return bytes_.data(); }
    const std::byte* data() const { return bytes_.data(); }

private:
    AlignedBytes bytes_;  // bytes, because only bytes may be accessed as any type
};

// --- How a world's State is declared -----------------------------------------------------------------

template <class State, class Head>
struct HeadPart {
    Single<Head> State::* member;
};

// A value of type M somewhere in a T: a member, or a member of a member, or that of an array's first element.
template <class T, class M>
class MemberPath {
public:
    MemberPath() = default;
    MemberPath(M T::* member) : offset_(detail::offset_of(member)), exists_(true) {}
    template <class Part>
    MemberPath(Part T::* part, M Part::* member)
        : offset_(detail::offset_of(part) + detail::offset_of(member)), exists_(true) {}
    template <class Part, std::size_t N>
    MemberPath(std::array<Part, N> T::* parts, M Part::* member)
        : offset_(detail::offset_of(parts) + detail::offset_of(member)), exists_(true) {}

    template <class Other>
        requires(!std::is_same_v<Other, M>)
    MemberPath(Other T::*) {
        static_assert(
            std::is_same_v<Other, M>,
            "in parts_of, a position is a Vec2 and an owner a Slot (std::uint8_t); for one that lies "
            "in a member: {&Ship::body, &Body::position}");
    }

    bool exists() const { return exists_; }
    std::uint32_t offset() const { return offset_; }
    const M& in(const T& element) const {
        return *reinterpret_cast<const M*>(reinterpret_cast<const std::byte*>(&element) + offset_);
    }

private:
    std::uint32_t offset_ = 0;
    bool exists_ = false;
};

template <class T>
struct EntityMembers {
    MemberPath<T, math::Vec2> position = {};
    MemberPath<T, std::uint8_t> owner = {};  // the slot of the player whose element it is
    Replication replication = Replication::fields;
    Shown shown = Shown::past;
};

template <class State, class T, class Capacity>
struct PoolPart {
    std::string_view name;
    Pool<T> State::* member;
    Capacity capacity;  // setup -> how many at most
    EntityMembers<T> kind;
};

template <class State, class Head>
constexpr HeadPart<State, Head> head(Single<Head> State::* member) {
    return {member};
}

template <class State, class T, class Capacity>
PoolPart<State, T, Capacity> pool(std::string_view name, Pool<T> State::* member, Capacity capacity,
                                  EntityMembers<T> kind = {}) {
    return {name, member, capacity, kind};
}

template <class Head, class... Pools>
auto parts(Head head_part, Pools... pool_parts) {
    return std::tuple(head_part, pool_parts...);
}

// --- From declarations to tables and views ---------------------------------------------------------------

namespace detail {
template <class State, class Head>
void set_head(Layout& layout, const HeadPart<State, Head>&) {
    layout.head = &describe<Head>();
}
// The path of the member at an offset: of the Vec2 whose x is there, or of the number.
std::string_view path_at(const StructInfo& info, std::uint32_t offset, bool is_vector);

template <class State, class T, class Capacity, class Setup>
void add_pool(Layout& layout, const PoolPart<State, T, Capacity>& part, const Setup& setup) {
    const StructInfo& info = describe<T>();
    EntityKind kind{.replication = part.kind.replication, .shown = part.kind.shown};
    if (part.kind.position.exists()) kind.position = path_at(info, part.kind.position.offset(), true);
    if (part.kind.owner.exists()) kind.owner = path_at(info, part.kind.owner.offset(), false);
    layout.pools.push_back({part.name, &info, kind, part.capacity(setup), info.size});
}
template <class State, class T, class Capacity>
void bind_pool(State& state, const Layout& layout, std::size_t pool, const PoolPart<State, T, Capacity>& part,
               std::byte* block) {
    const PoolLayout& at = layout.pools[pool];
    state.*(part.member) = Pool<T>(reinterpret_cast<PoolHeader*>(block + layout.headers_offset) + pool,
                                   reinterpret_cast<PoolIndex*>(block + at.index_offset),
                                   reinterpret_cast<T*>(block + at.elements_offset), at.capacity);
}
void compute_offsets(Layout& layout);
}  // namespace detail

template <class State, class Setup>
Layout make_layout(const Setup& setup) {
    Layout layout;
    std::apply(
        [&](const auto& head_part, const auto&... pool_parts) {
            detail::set_head(layout, head_part);
            (detail::add_pool(layout, pool_parts, setup), ...);
        },
        parts_of(Type<State>{}));
    detail::compute_offsets(layout);
    return layout;
}

template <class State>
State bind(const Layout& layout, std::byte* block) {
    State state;
    std::apply(
        [&]<class Head, class... Pools>(const HeadPart<State, Head>& head_part, const Pools&... pool_parts) {
            state.*(head_part.member) = Single<Head>(reinterpret_cast<Head*>(block));
            std::size_t pool = 0;
            (detail::bind_pool(state, layout, pool++, pool_parts, block), ...);
        },
        parts_of(Type<State>{}));
    return state;
}

// A const state: its views give const elements.
template <class State>
const State bind(const Layout& layout, const std::byte* block) {
    return bind<State>(layout, const_cast<std::byte*>(block));
}

// --- The state as a value ----------------------------------------------------------------------------------

// Bytes that save() will write.
std::uint32_t image_size(const Layout& layout, const std::byte* block);

// Copies the live elements into `image`, of at least image_size() bytes; returns the number of bytes.
std::uint32_t save(const Layout& layout, const std::byte* block, std::span<std::byte> image);

// Copies back an image that save() wrote. The bytes are trusted: for any others use load().
void restore(const Layout& layout, std::span<const std::byte> image, std::byte* block);

// Copies only the live elements from one block to another: a state may be much smaller than its block.
void copy(const Layout& layout, const std::byte* from, std::byte* to);

// restore() for bytes from outside: refuses images that save() could not have written for this layout. The
// world's `validate` then checks whether such a state is possible. On error the block is unchanged.
Result<void> load(const Layout& layout, std::span<const std::byte> image, std::byte* block);

std::uint64_t hash(const Layout& layout, const std::byte* block);

struct FieldHash {
    std::string path;  // "balls.position.x"
    std::uint64_t hash;
};
std::vector<FieldHash> hash_fields(const Layout& layout, const std::byte* block);

}  // namespace instep::state
