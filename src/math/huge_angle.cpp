// SPDX-License-Identifier: MIT
// Payne and Hanek's reduction (1983). angle·2/pi modulo 4 needs only those 192 binary digits of 2/pi whose
// products are neither multiples of 4 nor too small to matter. No double is closer than 2^-61 to a multiple
// of pi/2, so more than 70 of the remaining digits are correct. Uses integers up to the last line, and no
// 128-bit type, which WebAssembly lacks.
#include <instep/math/huge_angle.h>

#include <instep/math/trig_constants.h>

#include <bit>
#include <cassert>
#include <limits>

namespace instep::math {
namespace {

using namespace trig_constants;

// An unsigned number of three words.
struct Wide {
    std::uint64_t high;
    std::uint64_t middle;
    std::uint64_t low;
};

std::uint64_t high_word_of_product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xffff'ffff;
    const std::uint64_t middle = (a >> 32) * (b & half) + (((a & half) * (b & half)) >> 32);
    const std::uint64_t other_middle = (a & half) * (b >> 32) + (middle & half);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other_middle >> 32);
}

Wide shifted_left(Wide value, int bits) {
    assert(bits > 0 && bits < 64);
    return {(value.high << bits) | (value.middle >> (64 - bits)),
            (value.middle << bits) | (value.low >> (64 - bits)), value.low << bits};
}

// 192 digits from the given position on; position 0 is the first of the 64 zeros before the point.
Wide digits_of_two_over_pi(int position) {
    const std::uint64_t* const words = two_over_pi_words + position / 64;
    const int shift = position % 64;
    if (shift == 0) {
        return {words[0], words[1], words[2]};
    }
    Wide digits = shifted_left({words[0], words[1], words[2]}, shift);
    digits.low |= words[3] >> (64 - shift);
    return digits;
}

// The lowest 192 bits.
Wide product(Wide a, std::uint64_t b) {
    const std::uint64_t carry = high_word_of_product(a.low, b);
    const std::uint64_t middle = a.middle * b + carry;
    const std::uint64_t next_carry = high_word_of_product(a.middle, b) + (middle < carry ? 1 : 0);
    return {a.high * b + next_carry, middle, a.low * b};
}

}  // namespace

ReducedAngle reduce_huge_angle(double angle) {
    assert(angle >= 0x1p19 && angle <= std::numeric_limits<double>::max());
    // angle = mantissa·2^exponent, and the digit of 2/pi that weighs 2^-i contributes mantissa·2^(exponent -
    // i): a multiple of 4 up to i = exponent - 2. The result is scaled so that 2^190 is one quarter
    // turn.
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(angle);
    const std::uint64_t mantissa = (bits & 0x000f'ffff'ffff'ffff) | 0x0010'0000'0000'0000;
    const int exponent = static_cast<int>(bits >> 52) - 1075;
    const Wide turns = product(digits_of_two_over_pi(exponent - 1 + 63), mantissa);
    std::uint64_t quadrant = turns.high >> 62;
    Wide fraction = shifted_left(turns, 2);

    // Beyond half a quarter turn, count down from the next one. (Off by one in the last digit, which does not
    // matter.)
    const bool negative = (fraction.high >> 63) != 0;
    if (negative) {
        ++quadrant;
        fraction = {~fraction.high, ~fraction.middle, ~fraction.low};
    }

    // Two words of the fraction times two words of pi/2, without the lowest quarter of the product.
    const int zeros = std::countl_zero(fraction.high);
    const Wide f = shifted_left(fraction, zeros);
    const std::uint64_t cross = high_word_of_product(f.high, half_pi_words[1]);
    const std::uint64_t other_cross = high_word_of_product(f.middle, half_pi_words[0]);
    std::uint64_t low = f.high * half_pi_words[0] + cross;
    std::uint64_t high = high_word_of_product(f.high, half_pi_words[0]) + (low < cross ? 1 : 0);
    low += other_cross;
    high += low < other_cross ? 1 : 0;

    // The result is (high·2^64 + low) / 2^(127 + zeros), in two doubles of 53 bits each.
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - 52 - zeros) << 52);
    const double upper = static_cast<double>(high >> 11) * scale;
    const double lower = static_cast<double>(((high << 53) | (low >> 11)) >> 11) * (scale * 0x1p-53);
    return {quadrant, negative ? -upper : upper, negative ? -lower : lower};
}

}  // namespace instep::math
