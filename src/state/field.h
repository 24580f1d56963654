// SPDX-License-Identifier: MIT
// A field is described once. Each struct of a state, a setup, an input or an event has one function
// `fields_of(Type<T>)` beside it that lists its members with their range, precision and blending; the hash,
// the codec, the interpolation, the JSON view and the inspector all read that list and nothing else. The list
// must account for every byte of the struct, so a forgotten member or hidden padding does not compile.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <instep/math/random.h>
#include <instep/math/vec2.h>
#include <instep/state/enum_names.h>
#include <instep/state/utf8.h>

namespace instep::state {

static_assert(std::endian::native == std::endian::little,
              "a state's bytes are little-endian on every platform");

template <class T>
struct Type {};  // names a type in an argument list, so that overloads can be found by it

// Text of at most N bytes of UTF-8 inside a state; unused bytes are zero.
template <std::size_t N>
struct FixedText {
    std::array<char, N> bytes{};

    // Keeps what fits, cut at a character boundary, without control characters and bytes that are not UTF-8.
    static FixedText of(std::string_view text) {
        FixedText result;
        std::size_t used = 0;
        while (!text.empty()) {
            const std::size_t length = utf8_length(text);
            if (used + length > N) break;
            if (length > 0 && !is_control(text[0])) {
                std::memcpy(result.bytes.data() + used, text.data(), length);
                used += length;
            }
            text.remove_prefix(length > 0 ? length : 1);
        }
        return result;
    }
    std::string_view view() const {
        std::size_t length = 0;
        while (length < N && bytes[length] != 0) ++length;
        return {bytes.data(), length};
    }
    friend bool operator==(const FixedText&, const FixedText&) = default;
};

// Explicit padding: never hashed, never sent.
template <std::size_t N>
struct Reserved {
    std::array<std::byte, N> bytes{};
};

enum class FieldKind : std::uint8_t {
    boolean,
    u8,
    u16,
    u32,
    u64,
    i8,
    i16,
    i32,
    i64,
    f32,
    f64,
    text,
    reserved
};

enum class Blend : std::uint8_t {
    newest,  // takes the value of the later snapshot
    linear,
    angle,  // along the shorter arc
};

// The control of an input field on a keyboard, a gamepad or a touch screen. The code that samples devices
// knows only these, so a world needs no input code of its own. A field whose name ends in y is the vertical
// part of a stick or a pointer.
enum class Control : std::uint8_t {
    none,
    left,  // the stick or key in that direction: a bool, or 0 to 1
    right,
    up,
    down,
    turn,     // the stick sideways, -1 to 1, positive to the left: counterclockwise on the screen
    stick,    // -1 to 1, along the world's axes
    pointer,  // position of the pointer, world units
    aim,      // angle from the own player to the pointer, or of the stick, rad
    go,       // the stick in any direction, or the pointer pressed
    first,    // buttons, the most important first
    second,
    third,
    fourth,
};

// The properties of a field. For a setup the range is what a level may ask for; for a state it is the
// expected range, and a value outside it is valid (it only costs more to send). Members of a nested struct
// without rules inherit those of the outer member: `position` gives its own to `position.x`.
struct Rules {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double precision = 0;  // of the value on the wire while it is in range; 0: all bits are sent
    Blend blend = Blend::newest;
    Control control = Control::none;
    std::string_view unit = {};
    std::string_view note = {};                     // one line for people: its source or its purpose
    std::span<const std::string_view> labels = {};  // the names of an enum's values, from 0
    std::string_view pool = {};  // of a Handle: the pool that has its element as long as the handle is kept
    std::string_view body = {};  // of a number in a setup: it counts bodies of this name, and may grow
};

struct StructInfo;

// A member as its struct declares it: a leaf, a nested struct, or an array of either.
struct Member {
    std::string_view name;
    std::uint32_t offset = 0;
    std::uint32_t count = 1;   // elements, if an array
    std::uint32_t stride = 0;  // bytes from one element to the next
    bool is_array = false;
    const StructInfo* structure = nullptr;  // null for a leaf
    FieldKind kind = FieldKind::reserved;
    Rules rules;
};

// A leaf with its full path: "rope[2].velocity.x".
struct Field {
    std::string path;
    FieldKind kind;
    std::uint32_t offset;
    std::uint32_t size;
    Rules rules;
};

// How neighbouring 8-byte words of a struct enter the hash.
struct HashRun {
    std::uint32_t words = 0;
    bool f64 = false;
    bool low_f32 = false;
    bool high_f32 = false;
    std::uint64_t mask = 0;  // clears reserved bytes
};

struct StructInfo {
    std::string_view name;
    std::uint32_t size = 0;
    std::vector<Member> members;  // the tree, for JSON and the inspector
    std::vector<Field> fields;    // the leaves by offset, for hash, codec and blending
    std::vector<HashRun>
        hash_runs;  // empty unless the size is a multiple of 8: such structs are never pooled
    std::vector<std::byte> defaults;  // the bytes of a value-initialised struct

    const Field* find(std::string_view path) const {
        for (const Field& field : fields)
            if (field.path == path) return &field;
        return nullptr;
    }
};

// --- How a field list is written ---------------------------------------------------------------------------

template <class T, class M>
struct FieldSpec {
    using MemberType = M;
    std::string_view name;
    M T::* member;
    Rules rules;
};

template <class T, class M>
constexpr FieldSpec<T, M> field(std::string_view name, M T::* member, Rules rules = {}) {
    return {name, member, rules};
}

template <class T, class... Specs>
struct FieldList {
    std::string_view name;
    std::tuple<Specs...> specs;
};

template <class T, class... M>
constexpr auto fields(std::string_view struct_name, FieldSpec<T, M>... specs) {
    static_assert(
        (sizeof(M) + ...) == sizeof(T),
        "a field list must account for every byte of its struct: a member is missing from the list or listed "
        "twice, or the compiler has put padding in (name it: a Reserved<N> member)");
    return FieldList<T, FieldSpec<T, M>...>{struct_name, {specs...}};
}

// --- From lists to tables ----------------------------------------------------------------------------------

template <class T>
const StructInfo& describe();

template <class T>
concept Described = std::is_trivially_copyable_v<T> && requires { fields_of(Type<T>{}); };

namespace detail {

template <class T>
struct LeafKind {};
template <FieldKind K>
struct Leaf {
    static constexpr FieldKind kind = K;
};
template <>
struct LeafKind<bool> : Leaf<FieldKind::boolean> {};
template <>
struct LeafKind<std::uint8_t> : Leaf<FieldKind::u8> {};
template <>
struct LeafKind<std::uint16_t> : Leaf<FieldKind::u16> {};
template <>
struct LeafKind<std::uint32_t> : Leaf<FieldKind::u32> {};
template <>
struct LeafKind<std::uint64_t> : Leaf<FieldKind::u64> {};
template <>
struct LeafKind<std::int8_t> : Leaf<FieldKind::i8> {};
template <>
struct LeafKind<std::int16_t> : Leaf<FieldKind::i16> {};
template <>
struct LeafKind<std::int32_t> : Leaf<FieldKind::i32> {};
template <>
struct LeafKind<std::int64_t> : Leaf<FieldKind::i64> {};
template <>
struct LeafKind<float> : Leaf<FieldKind::f32> {};
template <>
struct LeafKind<double> : Leaf<FieldKind::f64> {};
template <std::size_t N>
struct LeafKind<FixedText<N>> : Leaf<FieldKind::text> {};
template <std::size_t N>
struct LeafKind<Reserved<N>> : Leaf<FieldKind::reserved> {};

template <class M>
struct ArrayOf {
    using Element = M;
    static constexpr std::uint32_t count = 1;
    static constexpr bool is_array = false;
};
template <class M, std::size_t N>
struct ArrayOf<std::array<M, N>> {
    using Element = M;
    static constexpr std::uint32_t count = N;
    static constexpr bool is_array = true;
};

// The properties that follow from a member's type.
struct Shape {
    std::uint32_t count;
    std::uint32_t stride;
    bool is_array;
    FieldKind kind;
    const StructInfo& (*structure)();  // null for a leaf
};

template <class M>
constexpr Shape shape_of() {
    using Element = typename ArrayOf<M>::Element;
    Shape shape{ArrayOf<M>::count, sizeof(Element), ArrayOf<M>::is_array, FieldKind::reserved, nullptr};
    if constexpr (std::is_enum_v<Element>)
        shape.kind = LeafKind<std::underlying_type_t<Element>>::kind;
    else if constexpr (requires { LeafKind<Element>::kind; })
        shape.kind = LeafKind<Element>::kind;
    else {
        static_assert(std::is_trivially_copyable_v<Element>,
                      "a state is copied byte by byte, so its members are plain values: FixedText<N> instead "
                      "of a std::string, a std::array or a Pool instead of a std::vector");
        static_assert(!std::is_pointer_v<Element>,
                      "a state has no pointers, since it is copied and sent: keep the Handle of an element");
        static_assert(
            !std::is_trivially_copyable_v<Element> || std::is_pointer_v<Element> || Described<Element>,
            "this member's type has no fields_of(Type<T>): describe it as well");
        if constexpr (Described<Element>) shape.structure = &describe<Element>;
    }
    return shape;
}
template <class M>
inline constexpr Shape shape = shape_of<M>();

// An enum's labels are its names in levels, on screens and in TypeScript, and tell a legal value from others.
template <class T, std::size_t I>
consteval void check_labels() {
    using List = decltype(fields_of(Type<T>{}).specs);
    using Element = typename ArrayOf<typename std::tuple_element_t<I, List>::MemberType>::Element;
    if constexpr (std::is_enum_v<Element>) {
        static_assert(
            requires { Element{0}; },
            "an enum in a struct of fields says how large it is: enum class Kind : std::uint8_t");
        constexpr std::size_t count = std::get<I>(fields_of(Type<T>{}).specs).rules.labels.size();
        static_assert(count > 0,
                      "a field whose type is an enum has labels, the names of its values in their order: "
                      "field(\"kind\", &Thing::kind, {.labels = names})");
        if constexpr (count > 0 && requires { Element{0}; }) {
            static_assert(!has_name<static_cast<Element>(count)>(),
                          "a field has fewer labels than its enum has values: the last ones are missing");
            static_assert(has_name<static_cast<Element>(count - 1)>(),
                          "a field has more labels than its enum has values, which count from 0");
        }
    }
}
template <class T>
consteval bool check_fields() {
    constexpr std::size_t count = std::tuple_size_v<decltype(fields_of(Type<T>{}).specs)>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check_labels<T, I>(), ...);
    }(std::make_index_sequence<count>());
    return true;
}

template <class T, class M>
std::uint32_t offset_of(M T::* member) {
    static const T probe{};
    return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&(probe.*member)) -
                                      reinterpret_cast<const std::byte*>(&probe));
}

// Not a template: keeps WebAssembly modules small.
void add_member(StructInfo& info, std::string_view name, std::uint32_t offset, const Shape& shape,
                const Rules& rules);

// The rules of a member whose struct is a member with rules `outer`.
Rules rules_within(const Rules& outer, const Rules& own);

// Fills in `fields` and `hash_runs` from `members`.
void flatten(StructInfo& info);

}  // namespace detail

// The table of a described struct, made at first use.
template <class T>
const StructInfo& describe() {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "T is copied byte by byte, so its members are trivially copyable: FixedText<N> instead of a "
        "std::string, a std::array or a Pool instead of a std::vector");
    static_assert(requires { fields_of(Type<T>{}); }, "T needs fields_of(Type<T>) in its namespace");
    static_assert(detail::check_fields<T>());
    static const StructInfo info = [] {
        static constexpr auto list = fields_of(Type<T>{});
        StructInfo made;
        made.name = list.name;
        made.size = sizeof(T);
        const auto add = [&made]<class M>(const FieldSpec<T, M>& spec) {
            detail::add_member(made, spec.name, detail::offset_of(spec.member), detail::shape<M>, spec.rules);
        };
        std::apply([&add](const auto&... spec) { (add(spec), ...); }, list.specs);
        detail::flatten(made);
        const T value{};
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        made.defaults.assign(bytes, bytes + sizeof(T));
        return made;
    }();
    return info;
}

// Whether every boolean, enum and text in these bytes is valid for its type. Bytes from outside may be used
// as the struct only then.
bool fields_are_legal(const StructInfo& info, const std::byte* bytes);

// A leaf's value as a double (exact except for 64-bit integers beyond 2^53).
double number_at(const Field& field, const std::byte* bytes);

constexpr bool is_real(FieldKind kind) { return kind == FieldKind::f64 || kind == FieldKind::f32; }

// Writes a real field; an f32 is rounded.
inline void set_real(const Field& field, double value, std::byte* bytes) {
    if (field.kind == FieldKind::f32) {
        const auto narrow = static_cast<float>(value);
        std::memcpy(bytes + field.offset, &narrow, sizeof narrow);
    } else {
        std::memcpy(bytes + field.offset, &value, sizeof value);
    }
}

// --- Types of math, described here because math knows no fields ----------------------------------

constexpr auto fields_of(Type<math::Vec2>) {
    return fields("Vec2", field("x", &math::Vec2::x), field("y", &math::Vec2::y));
}

constexpr auto fields_of(Type<math::Random>) {
    return fields("Random", field("counter", &math::Random::counter), field("gamma", &math::Random::gamma));
}

}  // namespace instep::state
