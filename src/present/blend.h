// SPDX-License-Identifier: MIT
// Blending of one field between two values, as its list says.
#pragma once

#include <cmath>

#include <instep/math/units.h>
#include <instep/state/field.h>

namespace instep::present {

inline bool is_blended(const state::Field& field) {
    return field.rules.blend != state::Blend::newest && state::is_real(field.kind);
}

// From a to b; for angles along the shorter arc.
inline double difference(const state::Field& field, double a, double b) {
    return field.rules.blend == state::Blend::angle ? std::remainder(b - a, math::two_pi) : b - a;
}

}  // namespace instep::present
