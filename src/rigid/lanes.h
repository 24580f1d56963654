// SPDX-License-Identifier: MIT
// Four doubles that are worked on at once, one of each of four contacts. The compilers' vectors give one
// source for every processor: one instruction with AVX2, two with SSE2, NEON and WebAssembly, and the same
// bits, as every lane does what scalar code would do.
#pragma once

#include <cstdint>

#include <instep/math/float_rules.h>

namespace instep::rigid {

inline constexpr std::uint32_t lane_count = 4;
// Aligned by name: by themselves such vectors are so only where the processor has them.
using Lanes = double __attribute__((vector_size(lane_count * 8), aligned(lane_count * 8)));
using LaneMask = std::int64_t __attribute__((vector_size(lane_count * 8), aligned(lane_count * 8)));

// Two-dimensional vectors, one a lane.
struct LaneVec2 {
    Lanes x;
    Lanes y;
};

}  // namespace instep::rigid
