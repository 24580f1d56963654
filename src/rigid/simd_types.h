// SPDX-License-Identifier: MIT
// Four doubles worked on at once, one for each of four contacts (as b2FloatW in Box2D v3). The compilers'
// vector extensions give one source for every processor: one instruction with AVX2, two with SSE2, NEON and
// WebAssembly. The bits are the same, because every lane computes what scalar code would.
#pragma once

#include <cstdint>

#include <instep/math/float_rules.h>

namespace instep::rigid {

inline constexpr std::uint32_t simd_width = 4;
// The alignment is explicit: without it, it depends on whether the processor has such registers.
using DoubleW = double __attribute__((vector_size(simd_width * 8), aligned(simd_width * 8)));
using MaskW = std::int64_t __attribute__((vector_size(simd_width * 8), aligned(simd_width * 8)));

// One two-dimensional vector per lane.
struct Vec2W {
    DoubleW x;
    DoubleW y;
};

}  // namespace instep::rigid
