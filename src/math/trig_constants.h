// SPDX-License-Identifier: MIT
// The constants of trig.cpp, printed by trig_coefficients.py: change that, not this.
#pragma once

#include <array>
#include <cstdint>

// clang-format off: as printed
namespace instep::math::trig_constants {

inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

// pi/2 in four parts; the first three end in zeros enough that a product with n < 2^19 is exact.
inline constexpr double half_pi_part_1 = 0x1.921fb54400000p+0;
inline constexpr double half_pi_part_2 = 0x1.0b4611a600000p-34;
inline constexpr double half_pi_part_3 = 0x1.3198a2e000000p-69;
inline constexpr double half_pi_part_4 = 0x1.b839a252049c1p-104;

// pi/4 in two parts; small multiples of the first are exact.
inline constexpr double quarter_pi_high = 0x1.921fb54442d18p-1;
inline constexpr double quarter_pi_low = 0x1.1a62633145c07p-55;

inline constexpr double tan_eighth_pi = 0x1.a827999fcef34p-2;

// (sin(r)/r - 1) / r² in powers of r², |r| <= pi/4; off by at most 2^-57.0.
inline constexpr std::array sin_coefficients{
    -0x1.5555555555549p-3,
    0x1.111111110f85dp-7,
    -0x1.a01a019c0ddafp-13,
    0x1.71de35745e67fp-19,
    -0x1.ae5e6389a874fp-26,
    0x1.5d92342a70389p-33,
};

// (cos(r) - 1 + r²/2) / r⁴ in powers of r², |r| <= pi/4; off by at most 2^-60.4.
inline constexpr std::array cos_coefficients{
    0x1.5555555555552p-5,
    -0x1.6c16c16c15fbap-10,
    0x1.a01a019e137fcp-16,
    -0x1.27e4f906850d9p-22,
    0x1.1eea94fb72966p-29,
    -0x1.9004a1563fa85p-37,
};

// (atan(u)/u - 1) / u² in powers of u², |u| <= tan(pi/8); off by at most 2^-57.5.
inline constexpr std::array atan_coefficients{
    -0x1.555555555553bp-2,
    0x1.9999999995512p-3,
    -0x1.2492492299555p-3,
    0x1.c71c70de872c9p-4,
    -0x1.745cf80acd90dp-4,
    0x1.3b110af6e7af3p-4,
    -0x1.10eb1bb34b526p-4,
    0x1.df069bd6fdafcp-5,
    -0x1.9cac7bffd9d2ap-5,
    0x1.37767cc41d367p-5,
    -0x1.249e042012bd8p-6,
};

// pi/2 * 2^127, high word first.
inline constexpr std::uint64_t half_pi_words[] = {0xc90fdaa22168c234, 0xc4c6628b80dc1cd1};

// The binary digits of 2/pi after the point, after 64 zeros: enough for the largest double.
inline constexpr std::uint64_t two_over_pi_words[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

}  // namespace instep::math::trig_constants
