// SPDX-License-Identifier: MIT
// Arithmetic on wide numbers, for solver.cpp alone.
#pragma once

#include <instep/rigid/simd_types.h>

// Everything is inlined, so no call passes a vector in registers that the processor may not have.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace instep::rigid {

// Without inlining, a function compiled for AVX2 would call one compiled without it.
#define INSTEP_INLINE [[gnu::always_inline]] inline

INSTEP_INLINE DoubleW splat(double value) { return DoubleW{value, value, value, value}; }
INSTEP_INLINE DoubleW select(const MaskW& mask, const DoubleW& yes, const DoubleW& no) {
    return mask ? yes : no;
}
INSTEP_INLINE DoubleW larger(const DoubleW& a, const DoubleW& b) { return select(a > b, a, b); }
INSTEP_INLINE DoubleW smaller(const DoubleW& a, const DoubleW& b) { return select(a < b, a, b); }

INSTEP_INLINE Vec2W operator-(const Vec2W& a, const Vec2W& b) { return {a.x - b.x, a.y - b.y}; }
INSTEP_INLINE DoubleW dot(const Vec2W& a, const Vec2W& b) { return a.x * b.x + a.y * b.y; }
INSTEP_INLINE DoubleW cross(const Vec2W& a, const Vec2W& b) { return a.x * b.y - a.y * b.x; }
INSTEP_INLINE Vec2W perpendicular(const Vec2W& v) { return {-v.y, v.x}; }

// The first three doubles of four rows, transposed.
struct ColumnsW {
    DoubleW first;
    DoubleW second;
    DoubleW third;
};
INSTEP_INLINE ColumnsW columns_of(const DoubleW& row0, const DoubleW& row1, const DoubleW& row2,
                                  const DoubleW& row3) {
    const DoubleW odd01 = __builtin_shufflevector(row0, row1, 0, 4, 2, 6);
    const DoubleW odd23 = __builtin_shufflevector(row2, row3, 0, 4, 2, 6);
    const DoubleW even01 = __builtin_shufflevector(row0, row1, 1, 5, 3, 7);
    const DoubleW even23 = __builtin_shufflevector(row2, row3, 1, 5, 3, 7);
    return {__builtin_shufflevector(odd01, odd23, 0, 1, 4, 5),
            __builtin_shufflevector(even01, even23, 0, 1, 4, 5),
            __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7)};
}

// The transpose back; the fourth double of each row becomes 0.
INSTEP_INLINE void store_rows(const ColumnsW& columns, DoubleW& row0, DoubleW& row1, DoubleW& row2,
                              DoubleW& row3) {
    const DoubleW none = splat(0);
    const DoubleW left02 = __builtin_shufflevector(columns.first, columns.second, 0, 4, 2, 6);
    const DoubleW left13 = __builtin_shufflevector(columns.first, columns.second, 1, 5, 3, 7);
    const DoubleW right02 = __builtin_shufflevector(columns.third, none, 0, 4, 2, 6);
    const DoubleW right13 = __builtin_shufflevector(columns.third, none, 1, 5, 3, 7);
    row0 = __builtin_shufflevector(left02, right02, 0, 1, 4, 5);
    row1 = __builtin_shufflevector(left13, right13, 0, 1, 4, 5);
    row2 = __builtin_shufflevector(left02, right02, 2, 3, 6, 7);
    row3 = __builtin_shufflevector(left13, right13, 2, 3, 6, 7);
}

}  // namespace instep::rigid
