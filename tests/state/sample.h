// SPDX-License-Identifier: MIT
// Described structs for the tests of this module, with at least one field of every kind and an integer on
// either side of a float, and random values for them.
#pragma once

#include <instep/math/random.h>
#include <instep/state/layout.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace instep::test {

using math::Random;
using math::Vec2;

enum class Mood : std::uint8_t { calm, cross, asleep };
inline constexpr std::string_view mood_labels[] = {"calm", "cross", "asleep"};

struct Grip {
    Vec2 at;
    std::uint32_t strength = 0;
    Mood mood = Mood::calm;
    bool held = false;
    state::Reserved<2> unused;
};

constexpr auto fields_of(state::Type<Grip>) {
    using state::field;
    return state::fields("Grip", field("at", &Grip::at, {.low = -100, .high = 100, .unit = "m"}),
                         field("strength", &Grip::strength),
                         field("mood", &Grip::mood, {.labels = mood_labels}), field("held", &Grip::held),
                         field("unused", &Grip::unused));
}

struct Everything {
    double whole = 0;
    float force = 0;
    std::int32_t turns = 0;
    std::uint32_t mark = 0;
    float heat = 0;
    std::array<float, 2> pair{};
    std::int64_t balance = 0;
    std::uint64_t count = 0;
    std::int16_t height = 0;
    std::uint16_t width = 0;
    std::int8_t left = 0;
    std::uint8_t right = 0;
    bool alive = false;
    Mood mood = Mood::calm;
    state::FixedText<11> name;
    state::Reserved<5> unused;
    Vec2 position;
    state::Handle home;
    std::array<Grip, 2> grips;
    std::array<std::int16_t, 4> steps{};
};

constexpr auto fields_of(state::Type<Everything>) {
    using state::field;
    return state::fields(
        "Everything", field("whole", &Everything::whole),
        field("force", &Everything::force, {.low = 0, .high = 0.1}), field("turns", &Everything::turns),
        field("mark", &Everything::mark, {.unit = "u", .note = "a note"}), field("heat", &Everything::heat),
        field("pair", &Everything::pair), field("balance", &Everything::balance),
        field("count", &Everything::count), field("height", &Everything::height, {.low = -2.5, .high = 1000}),
        field("width", &Everything::width, {.low = 10}), field("left", &Everything::left),
        field("right", &Everything::right, {.high = 1000}), field("alive", &Everything::alive),
        field("mood", &Everything::mood, {.labels = mood_labels}), field("name", &Everything::name),
        field("unused", &Everything::unused),
        field("position", &Everything::position, {.low = 0, .high = 1, .precision = 0.01, .unit = "km"}),
        field("home", &Everything::home), field("grips", &Everything::grips),
        field("steps", &Everything::steps));
}

struct Head {
    std::uint64_t tick = 0;
    Random random;
    state::FixedText<15> title;
    bool open = false;
};

constexpr auto fields_of(state::Type<Head>) {
    using state::field;
    return state::fields("Head", field("tick", &Head::tick), field("random", &Head::random),
                         field("title", &Head::title), field("open", &Head::open));
}

struct Setup {
    std::uint32_t most_things = 9;
    std::uint32_t most_grips = 5;
};

struct State {
    state::Single<Head> head;
    state::Pool<Everything> things;
    state::Pool<Grip> grips;
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("things", &State::things, [](const Setup& setup) { return setup.most_things; }),
        state::pool("grips", &State::grips, [](const Setup& setup) { return setup.most_grips; }));
}

// --- Random values
// --------------------------------------------------------------------------------------------

// A finite number within the field's range; often extreme if the range has no bounds.
inline double random_number(Random& random, const state::Rules& rules) {
    if (std::isfinite(rules.low) && std::isfinite(rules.high)) return random.uniform(rules.low, rules.high);
    for (;;) {
        const double value = random.below(4) == 0 ? static_cast<double>(random.below(1000)) - 500.0
                                                  : std::bit_cast<double>(random.next());
        if (std::isfinite(value) && value >= rules.low && value <= rules.high) return value;
    }
}

inline std::string random_text(Random& random, std::size_t most) {
    constexpr std::string_view characters[] = {"a",  "Z", "7",      " ",      "\"",
                                               "\\", "/", "\u00e9", "\u20ac", "\U0001F600"};
    std::string text;
    for (std::uint32_t wanted = random.below(static_cast<std::uint32_t>(most) + 1); wanted > 0; --wanted) {
        const std::string_view next = characters[random.below(std::size(characters))];
        if (text.size() + next.size() <= most) text += next;
    }
    return text;
}

template <class T>
void store_integer(Random& random, const state::Rules& rules, std::byte* at) {
    T value;
    do {
        value = static_cast<T>(random.below(3) == 0 ? random.below(20) : random.next() >> random.below(64));
    } while (static_cast<double>(value) < rules.low || static_cast<double>(value) > rules.high);
    std::memcpy(at, &value, sizeof value);
}

inline void store_random(const state::Field& field, std::byte* at, Random& random) {
    using state::FieldKind;
    const auto store = [at](auto value) { std::memcpy(at, &value, sizeof value); };
    if (!field.rules.labels.empty())
        return store(
            static_cast<std::uint8_t>(random.below(static_cast<std::uint32_t>(field.rules.labels.size()))));
    switch (field.kind) {
        case FieldKind::boolean: return store(random.below(2) == 1);
        case FieldKind::u8: return store_integer<std::uint8_t>(random, field.rules, at);
        case FieldKind::u16: return store_integer<std::uint16_t>(random, field.rules, at);
        case FieldKind::u32: return store_integer<std::uint32_t>(random, field.rules, at);
        case FieldKind::u64: return store_integer<std::uint64_t>(random, field.rules, at);
        case FieldKind::i8: return store_integer<std::int8_t>(random, field.rules, at);
        case FieldKind::i16: return store_integer<std::int16_t>(random, field.rules, at);
        case FieldKind::i32: return store_integer<std::int32_t>(random, field.rules, at);
        case FieldKind::i64: return store_integer<std::int64_t>(random, field.rules, at);
        case FieldKind::f64: return store(random_number(random, field.rules));
        case FieldKind::f32: {
            float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
            if (!std::isfinite(value) || static_cast<double>(value) < field.rules.low ||
                static_cast<double>(value) > field.rules.high)
                value = static_cast<float>(random.uniform(0, 0.1));
            return store(value);
        }
        case FieldKind::text: {
            const std::string text = random_text(random, field.size);
            std::memset(at, 0, field.size);
            std::memcpy(at, text.data(), text.size());
            return;
        }
        case FieldKind::reserved: std::memset(at, static_cast<int>(random.below(256)), field.size); return;
    }
}

// Valid and finite values in every field, noise in reserved bytes.
template <class T>
T random_value(Random& random) {
    T value{};
    for (const state::Field& field : state::describe<T>().fields)
        store_random(field, reinterpret_cast<std::byte*>(&value) + field.offset, random);
    return value;
}

template <class T>
const std::byte* bytes_of(const T& value) {
    return reinterpret_cast<const std::byte*>(&value);
}

// Whether all described fields are the same bits.
template <class T>
bool same_fields(const T& a, const T& b) {
    for (const state::Field& field : state::describe<T>().fields)
        if (field.kind != state::FieldKind::reserved &&
            std::memcmp(bytes_of(a) + field.offset, bytes_of(b) + field.offset, field.size) != 0)
            return false;
    return true;
}

// A few random additions, removals and changes.
inline void change_randomly(State& state, Random& random, int changes) {
    const auto change = [&random](auto& pool) {
        using Element = typename std::remove_reference_t<decltype(pool)>::Element;
        switch (random.below(3)) {
            case 0: pool.add(random_value<Element>(random)); break;
            case 1:
                if (!pool.empty()) pool.remove_at(random.below(pool.size()));
                break;
            default:
                if (!pool.empty()) pool[random.below(pool.size())] = random_value<Element>(random);
        }
    };
    for (int i = 0; i < changes; ++i) {
        ++state.head->tick;
        if (random.below(4) == 0) *state.head = random_value<Head>(random);
        change(state.things);
        if (random.below(2) == 0) change(state.grips);
    }
}

}  // namespace instep::test
