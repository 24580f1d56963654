// SPDX-License-Identifier: MIT
// Symmetric matrices of three rows, for the joints.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace instep::rigid {

using Triple = std::array<double, 3>;

struct Sym3 {
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, zz = 0;
};

[[nodiscard]] inline Triple times(const Sym3& m, const Triple& v) {
    return {m.xx * v[0] + m.xy * v[1] + m.xz * v[2], m.xy * v[0] + m.yy * v[1] + m.yz * v[2],
            m.xz * v[0] + m.yz * v[1] + m.zz * v[2]};
}

// By L D Lᵀ. A direction without mass, or one that two rows share, is left out.
[[nodiscard]] inline Sym3 inverse(const Sym3& m) {
    constexpr double least = 1e-12;  // of a pivot, relative to its diagonal
    const auto reciprocal = [](double pivot, double diagonal) {
        return pivot > least * diagonal ? 1 / pivot : 0;
    };
    const double i1 = reciprocal(m.xx, m.xx);
    const double l21 = m.xy * i1;
    const double l31 = m.xz * i1;
    const double i2 = reciprocal(m.yy - l21 * m.xy, m.yy);
    const double rest = m.yz - l21 * m.xz;
    const double l32 = rest * i2;
    const double i3 = reciprocal(m.zz - l31 * m.xz - l32 * rest, m.zz);
    const double m31 = l21 * l32 - l31;
    return {i1 + l21 * l21 * i2 + m31 * m31 * i3,
            -l21 * i2 - l32 * m31 * i3,
            i2 + l32 * l32 * i3,
            m31 * i3,
            -l32 * i3,
            i3};
}

[[nodiscard]] inline double& element(Sym3& m, std::size_t row, std::size_t column) {
    if (row > column) std::swap(row, column);
    switch (row * 3 + column) {
        case 0: return m.xx;
        case 1: return m.xy;
        case 2: return m.xz;
        case 4: return m.yy;
        case 5: return m.yz;
        default: return m.zz;
    }
}

}  // namespace instep::rigid
