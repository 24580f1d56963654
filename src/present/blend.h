// SPDX-License-Identifier: MIT
// One field between two values of it, as its list says.
#pragma once

#include <cmath>
#include <cstring>

#include <instep/math/units.h>
#include <instep/state/field.h>

namespace instep::present {

inline bool is_blended(const state::Field& field) {
    return field.rules.blend != state::Blend::newest &&
           (field.kind == state::FieldKind::f64 || field.kind == state::FieldKind::f32);
}

// From a to b; for angles along the shorter arc.
inline double difference(const state::Field& field, double a, double b) {
    return field.rules.blend == state::Blend::angle ? std::remainder(b - a, math::two_pi) : b - a;
}

inline void put_number(const state::Field& field, double value, std::byte* bytes) {
    if (field.kind == state::FieldKind::f32) {
        const auto narrow = static_cast<float>(value);
        std::memcpy(bytes + field.offset, &narrow, sizeof narrow);
    } else {
        std::memcpy(bytes + field.offset, &value, sizeof value);
    }
}

}  // namespace instep::present
