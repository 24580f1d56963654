#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Derives every constant of trig.cpp from first principles and prints trig_constants.h.

    python3 src/math/trig_coefficients.py > src/math/trig_constants.h

All arithmetic is exact (fractions of integers); only the last step rounds to double.
"""
from fractions import Fraction
from math import cos, factorial, log2, pi as rough_pi

PI_BITS = 1500


def arctangent_of_reciprocal(n, bits):
    """atan(1/n) * 2^bits by its series, in integers."""
    total, power, k = 0, (1 << bits) // n, 0
    while power:
        total += (power // (2 * k + 1)) * (-1) ** k
        power //= n * n
        k += 1
    return total


def exact_pi():
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239). The spare bits absorb the truncation of each term."""
    bits = PI_BITS + 64
    scaled = 16 * arctangent_of_reciprocal(5, bits) - 4 * arctangent_of_reciprocal(239, bits)
    return Fraction(scaled, 1 << bits)


def truncated(value, ulp_exponent):
    """value cut to a multiple of 2^ulp_exponent."""
    scale = Fraction(2) ** -ulp_exponent
    return Fraction(int(value * scale)) / scale


def interpolation_nodes(count, top):
    """Points in (0, top] that make z * product(z - node) as small as can be: the roots of the Chebyshev
    polynomial one degree higher, stretched so that its lowest root is 0. The factor z is the weight, for the
    polynomials below all enter their function multiplied by at least z."""
    roots = [Fraction(cos(rough_pi * (2 * i + 1) / (2 * (count + 1)))) for i in range(count + 1)]
    lowest = roots[-1]
    return [Fraction(top) * (root - lowest) / (1 - lowest) for root in roots[:-1]]


def interpolate(function, nodes):
    """Coefficients, lowest first, of the polynomial through function at the nodes (Newton's differences)."""
    n = len(nodes)
    differences = [function(x) for x in nodes]
    for order in range(1, n):
        for i in range(n - 1, order - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order])
    polynomial = [Fraction(0)]
    for i in range(n - 1, -1, -1):
        shifted = [Fraction(0)] + polynomial
        for k, coefficient in enumerate(polynomial):
            shifted[k] -= nodes[i] * coefficient
        shifted[0] += differences[i]
        polynomial = shifted
    return polynomial[:n]


def power_series(coefficient, terms):
    return lambda z: sum(coefficient(k) * z**k for k in range(terms))


def fitted(name, comment, coefficient, terms, count, top, weight):
    """Prints one polynomial, with the largest error that its rounded coefficients leave."""
    function = power_series(coefficient, terms)
    rounded = [float(c) for c in interpolate(function, interpolation_nodes(count, top))]
    worst = 0
    for i in range(1, 201):
        z = Fraction(top) * i / 200
        value = sum(Fraction(c) * z**k for k, c in enumerate(rounded))
        worst = max(worst, abs((value - function(z)) * z**weight))
    print(f"\n// {comment}; off by at most 2^{log2(worst):.1f}.")
    print(f"inline constexpr std::array {name}{{")
    for c in rounded:
        print(f"    {c.hex()},")
    print("};")


def main():
    pi = exact_pi()
    half_pi = pi / 2
    part_1 = truncated(half_pi, -33)
    part_2 = truncated(half_pi - part_1, -67)
    part_3 = truncated(half_pi - part_1 - part_2, -101)
    part_4 = half_pi - part_1 - part_2 - part_3
    quarter_high = truncated(pi / 4, -50)
    print("// SPDX-License-Identifier: MIT")
    print("// The constants of trig.cpp, printed by trig_coefficients.py: change that, not this.")
    print("#pragma once")
    print("\n#include <array>\n#include <cstdint>")
    print("\n// clang-format off: as printed")
    print("namespace instep::math::trig_constants {")
    print(f"\ninline constexpr double two_over_pi = {float(2 / pi).hex()};")
    print("\n// pi/2 in four parts; the first three end in zeros enough that a product with n < 2^19 is exact.")
    for i, part in enumerate((part_1, part_2, part_3, part_4), 1):
        print(f"inline constexpr double half_pi_part_{i} = {float(part).hex()};")
    print("\n// pi/4 in two parts; small multiples of the first are exact.")
    print(f"inline constexpr double quarter_pi_high = {float(quarter_high).hex()};")
    print(f"inline constexpr double quarter_pi_low = {float(pi / 4 - quarter_high).hex()};")

    print(f"\ninline constexpr double tan_eighth_pi = {(2**0.5 - 1).hex()};")

    top = Fraction((rough_pi / 4) ** 2) * Fraction(1001, 1000)
    fitted("sin_coefficients", "(sin(r)/r - 1) / r² in powers of r², |r| <= pi/4",
           lambda k: Fraction((-1) ** (k + 1), factorial(2 * k + 3)), 20, 6, top, 1)
    fitted("cos_coefficients", "(cos(r) - 1 + r²/2) / r⁴ in powers of r², |r| <= pi/4",
           lambda k: Fraction((-1) ** k, factorial(2 * k + 4)), 20, 6, top, 2)
    fitted("atan_coefficients", "(atan(u)/u - 1) / u² in powers of u², |u| <= tan(pi/8)",
           lambda k: Fraction((-1) ** (k + 1), 2 * k + 3), 50, 11,
           Fraction((2**0.5 - 1) ** 2) * Fraction(1001, 1000), 1)

    print("\n// pi/2 * 2^127, high word first.")
    scaled = int(half_pi * 2**127)
    words = f"{scaled >> 64:#018x}, {scaled % 2**64:#018x}"
    print(f"inline constexpr std::uint64_t half_pi_words[] = {{{words}}};")
    count = 19
    print("\n// The binary digits of 2/pi after the point, after 64 zeros: enough for the largest double.")
    print("inline constexpr std::uint64_t two_over_pi_words[] = {")
    digits = int(2 / pi * 2 ** (64 * count))
    all_words = [0] + [digits >> (64 * (count - 1 - i)) & (2**64 - 1) for i in range(count)]
    for i in range(0, len(all_words), 4):
        print("    " + " ".join(f"{word:#018x}," for word in all_words[i:i + 4]))
    print("};")
    print("\n}  // namespace instep::math::trig_constants")


main()
