// SPDX-License-Identifier: MIT
// Arithmetic on lanes, for the one file that solves contacts: the rest only files them.
#pragma once

#include <instep/rigid/lanes.h>

// All of it is inlined, so that no call passes a vector in registers that the processor may not have.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace instep::rigid {

// Inlined, or a function for AVX2 would call one that was made without.
#define INSTEP_INLINE [[gnu::always_inline]] inline

INSTEP_INLINE Lanes all_lanes(double value) { return Lanes{value, value, value, value}; }
INSTEP_INLINE Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
    return mask ? yes : no;
}
INSTEP_INLINE Lanes larger(const Lanes& a, const Lanes& b) { return select(a > b, a, b); }
INSTEP_INLINE Lanes smaller(const Lanes& a, const Lanes& b) { return select(a < b, a, b); }

INSTEP_INLINE LaneVec2 operator-(const LaneVec2& a, const LaneVec2& b) { return {a.x - b.x, a.y - b.y}; }
INSTEP_INLINE Lanes dot(const LaneVec2& a, const LaneVec2& b) { return a.x * b.x + a.y * b.y; }
INSTEP_INLINE Lanes cross(const LaneVec2& a, const LaneVec2& b) { return a.x * b.y - a.y * b.x; }
INSTEP_INLINE LaneVec2 perpendicular(const LaneVec2& v) { return {-v.y, v.x}; }

// The first three doubles of four rows, turned into columns.
struct LaneColumns {
    Lanes first;
    Lanes second;
    Lanes third;
};
INSTEP_INLINE LaneColumns columns_of(const Lanes& row0, const Lanes& row1, const Lanes& row2,
                                     const Lanes& row3) {
    const Lanes odd01 = __builtin_shufflevector(row0, row1, 0, 4, 2, 6);
    const Lanes odd23 = __builtin_shufflevector(row2, row3, 0, 4, 2, 6);
    const Lanes even01 = __builtin_shufflevector(row0, row1, 1, 5, 3, 7);
    const Lanes even23 = __builtin_shufflevector(row2, row3, 1, 5, 3, 7);
    return {__builtin_shufflevector(odd01, odd23, 0, 1, 4, 5),
            __builtin_shufflevector(even01, even23, 0, 1, 4, 5),
            __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7)};
}

// And back; the fourth double of each row becomes 0.
INSTEP_INLINE void put_rows(const LaneColumns& columns, Lanes& row0, Lanes& row1, Lanes& row2, Lanes& row3) {
    const Lanes none = all_lanes(0);
    const Lanes left02 = __builtin_shufflevector(columns.first, columns.second, 0, 4, 2, 6);
    const Lanes left13 = __builtin_shufflevector(columns.first, columns.second, 1, 5, 3, 7);
    const Lanes right02 = __builtin_shufflevector(columns.third, none, 0, 4, 2, 6);
    const Lanes right13 = __builtin_shufflevector(columns.third, none, 1, 5, 3, 7);
    row0 = __builtin_shufflevector(left02, right02, 0, 1, 4, 5);
    row1 = __builtin_shufflevector(left13, right13, 0, 1, 4, 5);
    row2 = __builtin_shufflevector(left02, right02, 2, 3, 6, 7);
    row3 = __builtin_shufflevector(left13, right13, 2, 3, 6, 7);
}

}  // namespace instep::rigid
