// SPDX-License-Identifier: MIT
// The run-time checks; tests/guards tests that flags which break the rules do not compile.
#include <instep/math/float_rules.h>

#include <doctest/doctest.h>

#include <cfenv>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace instep::math {
namespace {
// Called through an opaque pointer, or the compiler might move the arithmetic out of the changed environment.
bool (*const volatile environment_is_sound)() = [] { return floating_point_environment_is_sound(); };

// Restores the thread's rounding direction, whatever happens to the test.
struct RoundingDirection {
    int before = std::fegetround();
    explicit RoundingDirection(int direction) { std::fesetround(direction); }
    ~RoundingDirection() { std::fesetround(before); }
    RoundingDirection(const RoundingDirection&) = delete;
    RoundingDirection& operator=(const RoundingDirection&) = delete;
};

bool sound_when_rounding(int direction) {
    const RoundingDirection changed(direction);
    return environment_is_sound();
}

#if defined(__SSE2__)
bool sound_with_control_bits(unsigned bits) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | bits);
    const bool sound = environment_is_sound();
    _mm_setcsr(before);
    return sound;
}
#endif
}  // namespace

TEST_CASE("float rules: this build rounds a multiply and an add separately, in source order") {
    CHECK_FALSE(fused_multiply_add_detected());
    CHECK_FALSE(reordered_arithmetic_detected());
    CHECK(floating_point_environment_is_sound());
    CHECK(arithmetic_is_sound());
}

TEST_CASE("float rules: any rounding mode but to nearest is detected") {
    CHECK(sound_when_rounding(FE_TONEAREST));
    CHECK_FALSE(sound_when_rounding(FE_UPWARD));
    CHECK_FALSE(sound_when_rounding(FE_DOWNWARD));
    CHECK_FALSE(sound_when_rounding(FE_TOWARDZERO));
}

#if defined(__SSE2__)
TEST_CASE("float rules: flushing subnormal results or operands to zero is detected") {
    CHECK(sound_with_control_bits(0));
    CHECK_FALSE(sound_with_control_bits(_MM_FLUSH_ZERO_ON));
    CHECK_FALSE(sound_with_control_bits(0x0040));  // denormals are zero
}
#endif
}  // namespace instep::math
