// SPDX-License-Identifier: MIT
// The floating-point rules. Server and browser must compute the same bits, so every operation has to be the
// IEEE 754 one, rounded once, in the order written. This header refuses to compile under a flag that breaks
// that, and has start-up checks for what the preprocessor cannot see. Every header that does arithmetic
// includes it.
#pragma once

#include <cfloat>
#include <limits>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error \
    "instep: fast-math lets the compiler reorder and approximate arithmetic, so that server and browser \
would no longer compute the same bits. Remove -ffast-math, -Ofast or /fp:fast from the flags."

#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error \
    "instep: -ffinite-math-only lets the compiler assume that NaN and infinity do not occur, so that builds \
would differ wherever one does. Remove -ffinite-math-only from the flags."

#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__) || \
    (defined(__GCC_IEC_559) && __GCC_IEC_559 == 0)
#error \
    "instep: a flag allows arithmetic that is not IEEE 754, so that server and browser would no longer \
compute the same bits. Remove -funsafe-math-optimizations, -fassociative-math, -freciprocal-math, \
-fno-signed-zeros and -fsingle-precision-constant from the flags."

#elif defined(__GNUC__) && !defined(__clang__) && \
    (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
#error \
    "instep: g++ fuses multiply and add into one rounding wherever the processor can, even with \
-ffp-contract=off (its SLP vectoriser ignores it), so that this build would not compute the same bits as the \
others. Remove -mfma, -march=native or -march=x86-64-v3 (use at most -mavx2, or add -mno-fma -mno-fma4 \
-mno-avx512f), or build with clang and -ffp-contract=off."

#elif defined(_M_FP_CONTRACT)
#error \
    "instep: /fp:contract fuses multiply and add into one rounding, so that this build would not compute \
the same bits as the others. Remove /fp:contract from the flags."
#endif

// Clang lets the source overrule the flags, up to the end of the translation unit; only -ffp-contract=fast is
// stronger, and fused_multiply_add_detected() finds that.
#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off) reciprocal(off)
#endif

static_assert(FLT_EVAL_METHOD == 0,
              "instep: intermediate results are kept in more than double precision (x87), so that sums would "
              "round differently here than elsewhere. Build for SSE2: remove -mfpmath=387, and on 32-bit x86 "
              "add -msse2 -mfpmath=sse.");
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53 &&
                  sizeof(double) == 8,
              "instep: double must be the 64-bit IEEE 754 type, for a state has the same bytes everywhere.");
static_assert(std::numeric_limits<float>::is_iec559 && sizeof(float) == 4,
              "instep: float must be the 32-bit IEEE 754 type, for a state has the same bytes everywhere.");

namespace instep::math {

// No macro shows that contraction is on, so these compute an expression that only a fused or reordered
// operation gets wrong, from values that the compiler cannot see. They are static, not just inline: each
// translation unit tests the flags that it was compiled with.

// (1 + e)(1 - e) = 1 - e², which rounds to 1 unless the product goes into the sum unrounded. The second
// test, one sum beside one difference, is the case that g++ fuses even with -ffp-contract=off.
[[nodiscard]] static inline bool fused_multiply_add_detected() {
    volatile double above_one = 1.0 + 0x1p-30;
    volatile double below_one = 1.0 - 0x1p-30;
    volatile double minus_one = -1.0;
    const double a = above_one;
    const double b = below_one;
    const double c = minus_one;
    const double sum = a * b + c;
    const double pair[2] = {a * b + c, b * a - (-c)};
    return sum != 0.0 || pair[0] != 0.0 || pair[1] != 0.0;
}

// (1 + 2^60) - 2^60 is 0 in the order written and 1 in any other.
[[nodiscard]] static inline bool reordered_arithmetic_detected() {
    volatile double one = 1.0;
    volatile double large = 0x1p60;
    const double a = one;
    const double b = large;
    return (a + b) - b != 0.0;
}

// True when this thread rounds to nearest, ties to even, and keeps subnormal numbers. A library linked with
// fast-math can change both for the whole process. Tested by behaviour, so that it works on every processor.
[[nodiscard]] static inline bool floating_point_environment_is_sound() {
    volatile double one = 1.0;
    volatile double half_step = 0x1p-53;  // half the distance from 1 to the next double
    volatile double smallest_normal = std::numeric_limits<double>::min();
    volatile double smallest_subnormal = std::numeric_limits<double>::denorm_min();
    volatile double large = 0x1p1000;
    const double next = one + 2 * half_step;
    const bool nearest = one + half_step == one && -one - half_step == -one &&
                         one + 1.5 * half_step == next && -one - 1.5 * half_step == -next;
    const bool ties_to_even = next + half_step == one + 4 * half_step;
    const bool results_not_flushed = smallest_normal / 2 > 0.0;
    const bool operands_not_flushed = smallest_subnormal * large > 0.0;
    return nearest && ties_to_even && results_not_flushed && operands_not_flushed;
}

// All of the above: a program checks it once in each thread that steps a world.
[[nodiscard]] static inline bool arithmetic_is_sound() {
    return !fused_multiply_add_detected() && !reordered_arithmetic_detected() &&
           floating_point_environment_is_sound();
}

}  // namespace instep::math
