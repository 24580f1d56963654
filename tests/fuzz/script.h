// SPDX-License-Identifier: MIT
// A fuzzer's bytes as a script: numbers are taken from the front, and after its end they are zero.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include <instep/state/raw_pool.h>

namespace instep::fuzz {

class Script {
public:
    explicit Script(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

    bool is_over() const { return rest_.empty(); }
    // A number of that many bytes.
    std::uint64_t take(std::size_t count) {
        std::uint64_t value = 0;
        for (; count > 0 && !rest_.empty(); --count, rest_ = rest_.subspan(1))
            value = value << 8 | rest_.front();
        return value;
    }
    // A number from 0 to count - 1. Requires count > 0.
    std::size_t choose(std::size_t count) { return take(count > 256 ? 2 : 1) % count; }
    bool flag() { return (take(1) & 1) != 0; }

private:
    std::span<const std::uint8_t> rest_;
};

// Gives a field another value: any bits, a small number, or a special one (NaN, infinity, a limit).
inline void change_field(Script& script, const state::Field& field, std::byte* bytes) {
    std::byte* at = bytes + field.offset;
    const bool is_real = state::is_real(field.kind);
    const std::size_t width = field.size < 8 ? field.size : 8;
    const std::size_t how = script.choose(is_real ? 4 : 2);
    if (how < 2) {
        const std::uint64_t bits = script.take(how == 0 ? 1 : width);
        std::memcpy(at, &bits, width);
        return;
    }
    using Limits = std::numeric_limits<double>;
    const std::array special{Limits::quiet_NaN(), Limits::infinity(),   -Limits::infinity(),
                             Limits::max(),       Limits::denorm_min(), -0.0,
                             field.rules.low,     field.rules.high};
    const double value =
        how == 2 ? special[script.choose(special.size())] : static_cast<std::int8_t>(script.take(1)) / 4.0;
    if (field.kind == state::FieldKind::f32) {
        const double largest = std::numeric_limits<float>::max();
        const bool fits = !(value > largest || value < -largest);
        const float narrow = fits ? static_cast<float>(value) : std::numeric_limits<float>::infinity();
        std::memcpy(at, &narrow, sizeof narrow);
    } else {
        std::memcpy(at, &value, sizeof value);
    }
}

inline void change_struct(Script& script, const state::StructInfo& info, std::byte* bytes) {
    change_field(script, info.fields[script.choose(info.fields.size())], bytes);
}

// Up to three changes, chosen by pool, index and field, so that a script keeps most of its meaning when a
// level changes.
inline void change_fields(Script& script, const state::Layout& layout, std::byte* block) {
    for (std::size_t changes = script.choose(4); changes > 0; --changes) {
        const std::size_t i = script.choose(layout.pools.size() + 1);
        if (i == layout.pools.size()) {
            change_struct(script, *layout.head, block);
            continue;
        }
        state::RawPool pool(layout, i, block);
        if (!pool.empty())
            change_struct(script, pool.element_info(),
                          pool.element(static_cast<std::uint32_t>(script.choose(pool.size()))));
    }
}

// Removes an element, adds one, or brings a pool near its last generation.
inline void change_elements(Script& script, const state::Layout& layout, std::byte* block) {
    const std::size_t i = script.choose(layout.pools.size());
    state::RawPool pool(layout, i, block);
    switch (script.choose(4)) {
        case 1:
            if (!pool.empty())
                pool.remove(pool.handle_at(static_cast<std::uint32_t>(script.choose(pool.size()))));
            break;
        case 2: pool.add(); break;
        case 3: {
            state::PoolHeader header = layout.header(i, block);
            header.next_generation = state::PoolHeader::last_generation - (script.flag() ? 1 : 0);
            std::memcpy(block + layout.headers_offset + i * sizeof header, &header, sizeof header);
            break;
        }
        default: break;
    }
}

}  // namespace instep::fuzz
