// SPDX-License-Identifier: MIT
// The grid of a quantised field: the values that the wire can hold. Step k of the grid is low + k·precision.
#pragma once

#include <cmath>
#include <cstdint>

#include <instep/state/field.h>

namespace instep::codec {

// Whether the field is sent in steps of its precision at all.
inline bool is_quantised(const state::Field& field) {
    return field.rules.precision > 0 && state::is_real(field.kind);
}

// A value outside the range, infinite or NaN is sent with all its bits.
inline bool is_in_range(const state::Rules& rules, double value) {
    return value >= rules.low && value <= rules.high;
}

inline std::int64_t nearest_step(const state::Rules& rules, double value) {
    return static_cast<std::int64_t>(std::floor((value - rules.low) / rules.precision + 0.5));
}

inline double value_at_step(const state::Rules& rules, std::int64_t step) {
    const double value = rules.low + static_cast<double>(step) * rules.precision;
    return value > rules.high ? rules.high : value;  // the range need not be a multiple of the precision
}

}  // namespace instep::codec
