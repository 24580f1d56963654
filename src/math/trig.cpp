// SPDX-License-Identifier: MIT
// The method. An angle is n·pi/2 + r with |r| <= pi/4, where r is held in two doubles, high and low, so that
// no precision is lost next to a multiple of pi/2 (Cody and Waite; Payne and Hanek for huge angles). Two
// polynomials give sin r and cos r, and n mod 4 selects between them and the sign. atan2 is a multiple of
// pi/4 plus atan u with |u| <= tan(pi/8), where u is a quotient whose rounding error is computed and
// corrected.
//
// The loops over spans select by bit masks instead of branches, so that they become vector instructions. The
// functions for one argument select by whatever is faster, and give the same bits.
#include <instep/math/trig.h>

#include <instep/math/simd.h>

#include <instep/math/huge_angle.h>
#include <instep/math/trig_constants.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace instep::math {
namespace {

using namespace trig_constants;

// --- bits ---

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

inline std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

inline double double_from(std::uint64_t bits) { return std::bit_cast<double>(bits); }

inline std::uint64_t magnitude_bits(double value) { return bits_of(value) & ~sign_bit; }

// Only the highest bit of a flag counts. Positive doubles are ordered like their bits, so the difference of
// the bits of two is a flag that compares them, in vector instructions too; NaN is the largest.
using Flag = std::uint64_t;

inline bool is_set(Flag flag) { return (flag >> 63) != 0; }

// A mask is all ones or all zeros.
inline std::uint64_t mask_from_low_bit(std::uint64_t bits) { return 0 - (bits & 1); }

inline std::uint64_t mask_if_negative(double value) { return 0 - (bits_of(value) >> 63); }

inline double select(std::uint64_t mask, double if_ones, double if_zeros) {
    return double_from((bits_of(if_ones) & mask) | (bits_of(if_zeros) & ~mask));
}

inline double value_or_zero(std::uint64_t mask, double value) { return double_from(bits_of(value) & mask); }

inline double negate_if(std::uint64_t mask, double value) {
    return double_from(bits_of(value) ^ (mask & sign_bit));
}

// The high 26 of the 53 significant bits: the rest has 27, and products of such parts are exact.
inline double upper_part(double value) { return double_from(bits_of(value) & 0xffff'ffff'f800'0000); }

// --- sine and cosine ---

// Up to here n < 2^19, so that its products with the first three parts of pi/2 are exact.
constexpr double ordinary_angle_limit = 0x1p19;

// Over the limit, infinite or NaN.
inline Flag is_unusual(double angle) { return bits_of(ordinary_angle_limit) - magnitude_bits(angle); }

// Cody and Waite's reduction: subtracts n·pi/2 in parts and keeps the rounding error of each step. For angles
// from 0 to the limit.
inline ReducedAngle reduce_ordinary(double angle) {
    constexpr double shifter = 0x1.8p52;  // adding it leaves the nearest integer in the lowest bits
    const double shifted = angle * two_over_pi + shifter;
    const double n = shifted - shifter;
    const double rest = angle - n * half_pi_part_1;  // exact: the two are close
    const double second = n * half_pi_part_2;
    const double third = n * half_pi_part_3;
    const double small = second + third;
    const double small_error = third - (small - second);  // exact: |second| > |third|
    const double high = rest - small;
    const double high_error = (rest - high) - small;  // exact even where |rest| < |small|: rest has few bits
    return {bits_of(shifted), high, high_error - (small_error + n * half_pi_part_4)};
}

inline double evaluate(const std::array<double, 6>& c, double z) {
    const double z2 = z * z;
    return ((c[0] + z * c[1]) + z2 * (c[2] + z * c[3])) + (z2 * z2) * (c[4] + z * c[5]);
}

// sin r = r + r³·polynomial and cos r = 1 - r²/2 + r⁴·polynomial, plus `low` times the derivative, plus the
// rounding error of 1 - r²/2.
inline SinCos sincos_of(ReducedAngle reduced) {
    const double r = reduced.high;
    const double square = r * r;
    const double half_square = 0.5 * square;
    const double coarse_cos = 1.0 - half_square;
    const double coarse_error = (1.0 - coarse_cos) - half_square;
    const double sine = r + (r * square * evaluate(sin_coefficients, square) + reduced.low * coarse_cos);
    const double cosine = coarse_cos + (square * square * evaluate(cos_coefficients, square) +
                                        (coarse_error - reduced.low * r));
    const std::uint64_t odd = mask_from_low_bit(reduced.quadrant);
    return {negate_if(mask_from_low_bit(reduced.quadrant >> 1), select(odd, cosine, sine)),
            negate_if(mask_from_low_bit((reduced.quadrant + 1) >> 1), select(odd, sine, cosine))};
}

// One function alone needs only one of the polynomials. Here the selection and the sign of the quadrant are
// factors of 0, 1 and -1: exact, so the bits are the same, and faster than masks in scalar code.
struct Kernel {
    std::array<double, 6> coefficients;
    double is_sin;
    double is_cos;
};

constexpr Kernel kernels[] = {
    {sin_coefficients, 1, 0}, {cos_coefficients, 0, 1}, {sin_coefficients, -1, 0}, {cos_coefficients, 0, -1}};

// A cosine is the sine of one quadrant more.
inline double sin_of(ReducedAngle reduced) {
    const Kernel& kernel = kernels[reduced.quadrant % 4];
    const double r = reduced.high;
    const double square = r * r;
    const double half_square = 0.5 * square;
    const double start = kernel.is_sin * r + kernel.is_cos;
    const double coarse = start - kernel.is_cos * half_square;
    const double coarse_error = (start - coarse) - kernel.is_cos * half_square;
    const double derivative = kernel.is_sin * (1.0 - half_square) - kernel.is_cos * r;
    const double factor = (kernel.is_sin * r + kernel.is_cos * square) * square;
    return coarse +
           (factor * evaluate(kernel.coefficients, square) + (coarse_error + reduced.low * derivative));
}

// Angles up to pi/4 need no reduction: n and low are 0. Many angles are rotations within one tick.
inline bool is_small(double magnitude) { return magnitude <= quarter_pi_high; }

inline double sin_of_small(double r) {
    const double square = r * r;
    return r + r * square * evaluate(sin_coefficients, square);
}

inline double cos_of_small(double r) {
    const double square = r * r;
    const double half_square = 0.5 * square;
    const double coarse = 1.0 - half_square;
    const double coarse_error = (1.0 - coarse) - half_square;
    return coarse + (square * square * evaluate(cos_coefficients, square) + coarse_error);
}

// The functions below remove the sign first and restore it last, so the sine is odd and the cosine even to
// the last bit.
inline SinCos sincos_ordinary(double angle) {
    const SinCos result = sincos_of(reduce_ordinary(std::fabs(angle)));
    return {negate_if(mask_if_negative(angle), result.sin), result.cos};
}

[[gnu::noinline]] SinCos sincos_unusual(double angle) {
    const double magnitude = std::fabs(angle);
    if (!(magnitude <= std::numeric_limits<double>::max())) {
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    }
    const SinCos result = sincos_of(reduce_huge_angle(magnitude));
    return {negate_if(mask_if_negative(angle), result.sin), result.cos};
}

// --- arctangent ---

inline double evaluate(const std::array<double, 11>& c, double z) {
    const double z2 = z * z;
    const double z4 = z2 * z2;
    const double low = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]);
    const double middle = (c[4] + z * c[5]) + z2 * (c[6] + z * c[7]);
    const double high = (c[8] + z * c[9]) + z2 * c[10];
    return (low + z4 * middle) + (z4 * z4) * high;
}

// Magnitudes for which no intermediate product or quotient overflows or loses bits to underflow.
constexpr double longest_ordinary_side = 0x1p400;
constexpr double shortest_ordinary_side = 0x1p-400;

inline Flag is_zero(double side) { return magnitude_bits(side) - 1; }

inline Flag is_unusual_side(double side) {
    const Flag too_long = bits_of(longest_ordinary_side) - magnitude_bits(side);
    const Flag too_short = magnitude_bits(side) - bits_of(shortest_ordinary_side);
    return too_long | (too_short & ~is_zero(side));
}

// One side is neither zero nor of ordinary magnitude, or both are zero.
inline Flag is_unusual(double y, double x) {
    return is_unusual_side(y) | is_unusual_side(x) | (is_zero(y) & is_zero(x));
}

// With a <= b the two sides, atan(a/b) is atan(u) for u = a/b, or pi/4 + atan(u) for u = (a - b)/(a + b),
// whichever u is smaller. Mirroring at the diagonal and at the y axis turns that into a multiple of pi/4 plus
// or minus atan(u).
inline double atan2_ordinary(double y, double x) {
    const double height = std::fabs(y);
    const double width = std::fabs(x);
    const std::uint64_t steep = mask_if_negative(width - height);
    const std::uint64_t backward = mask_if_negative(x);
    const std::uint64_t mirrored = steep ^ backward;
    const double a = std::min(width, height);
    const double b = std::max(width, height);
    const bool diagonal = a > tan_eighth_pi * b;

    const double b_taken = diagonal ? b : 0.0;
    const double a_added = diagonal ? a : 0.0;
    const double difference = a - b_taken;
    const double numerator = negate_if(mirrored, difference);
    const double numerator_error = negate_if(mirrored, a - (difference + b_taken));
    const double denominator = b + a_added;
    const double denominator_error = a_added - (denominator - b);

    // The rounding error of the quotient is remainder / denominator. The remainder is exact where it matters,
    // because the largest product is exact.
    const double u = numerator / denominator;
    const double reciprocal = 1.0 / denominator;
    const double u_upper = upper_part(u);
    const double d_upper = upper_part(denominator);
    const double remainder =
        ((numerator - u_upper * d_upper) - u_upper * (denominator - d_upper)) - (u - u_upper) * denominator;
    const double square = u * u;
    const double derivative = 1.0 - square;  // of the arctangent, approximately
    const double correction =
        (remainder + (numerator_error - u * denominator_error)) * (reciprocal * derivative);

    // The multiple of pi/4: in the first octant, mirrored into the first quadrant, and into the upper half.
    const double octant = diagonal ? 1.0 : 0.0;
    const double in_quadrant = value_or_zero(steep, 2.0) + negate_if(steep, octant);
    const double in_half = value_or_zero(backward, 4.0) + negate_if(backward, in_quadrant);
    const double base = in_half * quarter_pi_high;
    const double sum = base + u;
    const double sum_error = u - (sum - base);  // exact: base is 0 or the larger
    const double small = (sum_error + in_half * quarter_pi_low) + correction;
    const double tail = u * square * evaluate(atan_coefficients, square);
    return negate_if(mask_if_negative(y), sum + (tail + small));
}

// Zeros, infinities, NaN, and sides whose magnitudes are so extreme or so different that they must be scaled
// first.
[[gnu::noinline]] double atan2_unusual(double y, double x) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (y != y || x != x) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double height = std::fabs(y);
    const double width = std::fabs(x);
    const double longer = std::max(height, width);
    const double shorter = std::min(height, width);
    if (longer == infinity) {
        return atan2_ordinary(std::copysign(height == infinity ? 1.0 : 0.0, y),
                              std::copysign(width == infinity ? 1.0 : 0.0, x));
    }
    if (longer == 0) {
        return atan2_ordinary(y, std::copysign(1.0, x));
    }
    if (shorter < longer * 0x1p-100) {  // so flat that atan(t) is t, and t vanishes next to pi/2 or pi
        const bool beside_positive_x = width == longer && x > 0;
        return beside_positive_x ? y / x
                                 : atan2_ordinary(std::copysign(height == longer ? 1.0 : 0.0, y),
                                                  std::copysign(width == longer ? 1.0 : 0.0, x));
    }
    const double scale =
        longer > 1 ? 0x1p-600 : 0x1p600;  // exact, because the magnitudes are not too different
    return atan2_ordinary(y * scale, x * scale);
}

}  // namespace

double sin(double angle) {
    const double magnitude = std::fabs(angle);
    if (is_small(magnitude)) return negate_if(mask_if_negative(angle), sin_of_small(magnitude));
    if (is_set(is_unusual(angle))) return sincos_unusual(angle).sin;
    return negate_if(mask_if_negative(angle), sin_of(reduce_ordinary(magnitude)));
}

double cos(double angle) {
    const double magnitude = std::fabs(angle);
    if (is_small(magnitude)) return cos_of_small(magnitude);
    if (is_set(is_unusual(angle))) return sincos_unusual(angle).cos;
    ReducedAngle reduced = reduce_ordinary(magnitude);
    ++reduced.quadrant;
    return sin_of(reduced);
}

SinCos sincos(double angle) {
    const double magnitude = std::fabs(angle);
    if (is_small(magnitude)) {
        return {negate_if(mask_if_negative(angle), sin_of_small(magnitude)), cos_of_small(magnitude)};
    }
    return is_set(is_unusual(angle)) ? sincos_unusual(angle) : sincos_ordinary(angle);
}

double atan(double tangent) { return atan2(tangent, 1.0); }

double atan2(double y, double x) {
    return is_set(is_unusual(y, x)) ? atan2_unusual(y, x) : atan2_ordinary(y, x);
}

// --- over spans ---

// Chunks are copied to and from local arrays, so that the compiler knows that inputs and outputs don't
// overlap. A chunk with an unusual element uses the scalar function, which gives the same bits.
constexpr std::size_t chunk_size = 64;

namespace {

INSTEP_WIDE
void sincos_wide(std::span<const double> angles, double* sines, double* cosines) {
    double angle[chunk_size];
    double sine[chunk_size];
    double cosine[chunk_size];
    for (std::size_t start = 0; start < angles.size(); start += chunk_size) {
        const std::size_t count = std::min(chunk_size, angles.size() - start);
        std::copy_n(angles.data() + start, count, angle);
        Flag unusual = 0;
        for (std::size_t i = 0; i < count; ++i) {
            unusual |= is_unusual(angle[i]);
        }
        if (is_set(unusual)) {
            for (std::size_t i = 0; i < count; ++i) {
                const SinCos both = sincos(angle[i]);
                sine[i] = both.sin;
                cosine[i] = both.cos;
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                const SinCos both = sincos_ordinary(angle[i]);
                sine[i] = both.sin;
                cosine[i] = both.cos;
            }
        }
        std::copy_n(sine, count, sines + start);
        std::copy_n(cosine, count, cosines + start);
    }
}

INSTEP_WIDE
void atan2_wide(const double* ys, const double* xs, std::span<double> angles) {
    double y[chunk_size];
    double x[chunk_size];
    double angle[chunk_size];
    for (std::size_t start = 0; start < angles.size(); start += chunk_size) {
        const std::size_t count = std::min(chunk_size, angles.size() - start);
        std::copy_n(ys + start, count, y);
        std::copy_n(xs + start, count, x);
        Flag unusual = 0;
        for (std::size_t i = 0; i < count; ++i) {
            unusual |= is_unusual(y[i], x[i]);
        }
        if (is_set(unusual)) {
            for (std::size_t i = 0; i < count; ++i) {
                angle[i] = atan2(y[i], x[i]);
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                angle[i] = atan2_ordinary(y[i], x[i]);
            }
        }
        std::copy_n(angle, count, angles.data() + start);
    }
}

}  // namespace

void sincos(std::span<const double> angles, std::span<double> sines, std::span<double> cosines) {
    assert(sines.size() == angles.size() && cosines.size() == angles.size());
    sincos_wide(angles, sines.data(), cosines.data());
}

void atan2(std::span<const double> ys, std::span<const double> xs, std::span<double> angles) {
    assert(ys.size() == angles.size() && xs.size() == angles.size());
    atan2_wide(ys.data(), xs.data(), angles);
}

}  // namespace instep::math
