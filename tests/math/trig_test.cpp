// SPDX-License-Identifier: MIT
// Accuracy is measured against the system's functions on long double: 64 significant bits on x86, 113 on ARM.
// glibc keeps those within 1.5 of their ulps, for the largest angles too, which is less than 0.001 ulp of a
// double;
// __float128 would be no better, ten times slower, and available in g++ only. The known values below were
// computed independently with 2400 bits.
#include <instep/math/trig.h>

#include <instep/math/random.h>
#include <instep/math/units.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace instep::math {
namespace {
static_assert(LDBL_MANT_DIG >= 64, "the reference has to be more precise than what it judges");

#ifdef NDEBUG
constexpr int million = 1'000'000;
#else
constexpr int million = 20'000;  // fewer without optimisation or with sanitizers
#endif

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr std::uint64_t canonical_nan = 0x7ff8'0000'0000'0000;

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

long double wide(double value) { return static_cast<long double>(value); }

// The distance from the true value in ulps of a double of that magnitude.
double error_in_ulps(double value, long double truth) {
    int exponent = 0;
    std::frexp(truth, &exponent);
    const int last_place = std::max(exponent - 53, -1074);
    return static_cast<double>(std::fabs(std::ldexp(wide(value) - truth, -last_place)));
}

struct Worst {
    double error = 0;
    double at_y = 0;  // the angle, or y
    double at_x = 0;

    void see(double error_here, double y, double x = 0) {
        if (error_here > error || error_here != error_here) *this = {error_here, y, x};
    }
};

std::ostream& operator<<(std::ostream& out, const Worst& worst) {
    return out << worst.error << " ulp at " << std::hexfloat << worst.at_y << ", " << worst.at_x
               << std::defaultfloat;
}

double any_finite(Random& random) {
    for (;;) {
        const double value = std::bit_cast<double>(random.next());
        if (std::isfinite(value)) return value;
    }
}

// One of the doubles next to a multiple of pi/2, where sine or cosine is hard to get right.
double near_multiple_of_half_pi(Random& random, std::uint32_t multiples) {
    const long double half_pi_here = 1.57079632679489661923132169163975144L;
    double angle = static_cast<double>(static_cast<long double>(random.below(multiples)) * half_pi_here);
    for (std::uint32_t steps = random.below(3); steps > 0; --steps) angle = std::nextafter(angle, infinity);
    return angle;
}

void measure_sine_and_cosine(const std::string& where, int count,
                             const std::function<double(Random&)>& draw) {
    Random random = Random::from_seed(1);
    Worst sine;
    Worst cosine;
    double longest = 0;
    for (int i = 0; i < count; ++i) {
        const double angle = draw(random);
        const SinCos both = sincos(angle);
        sine.see(error_in_ulps(both.sin, std::sin(wide(angle))), angle);
        cosine.see(error_in_ulps(both.cos, std::cos(wide(angle))), angle);
        longest = std::max({longest, std::fabs(both.sin), std::fabs(both.cos)});
    }
    MESSAGE(where << ", " << count << " angles: sin within " << sine.error << " ulp, cos within "
                  << cosine.error);
    CAPTURE(sine);
    CAPTURE(cosine);
    CHECK(sine.error <= 1);
    CHECK(cosine.error <= 1);
    CHECK(longest <= 1);
}

struct Point {
    double y;
    double x;
};

void measure_arctangent(const std::string& where, int count, const std::function<Point(Random&)>& draw) {
    Random random = Random::from_seed(2);
    Worst worst;
    double farthest = 0;
    for (int i = 0; i < count; ++i) {
        const Point p = draw(random);
        const double angle = atan2(p.y, p.x);
        worst.see(error_in_ulps(angle, std::atan2(wide(p.y), wide(p.x))), p.y, p.x);
        farthest = std::max(farthest, std::fabs(angle));
    }
    MESSAGE(where << ", " << count << " points: atan2 within " << worst.error << " ulp");
    CAPTURE(worst);
    CHECK(worst.error <= 1);
    CHECK(farthest <= pi);
}
}  // namespace

// --- accuracy: ten million angles, ten million points ---

TEST_CASE("sincos: within 1 ulp for the angles of a turn") {
    measure_sine_and_cosine("within a turn", 3 * million, [](Random& r) { return r.uniform(-pi, pi); });
}

TEST_CASE("sincos: within 1 ulp for angles of many turns") {
    measure_sine_and_cosine("up to 1000", million, [](Random& r) { return r.uniform(-1000, 1000); });
    measure_sine_and_cosine("up to 2^20", million, [](Random& r) { return r.uniform(-0x1p20, 0x1p20); });
}

TEST_CASE("sincos: within 1 ulp next to the multiples of pi/2") {
    measure_sine_and_cosine("next to multiples of pi/2", million,
                            [](Random& r) { return near_multiple_of_half_pi(r, 1 << 19); });
}

TEST_CASE("sincos: within 1 ulp for angles of every size, subnormal ones included") {
    measure_sine_and_cosine("of every size", 2 * million, any_finite);
    measure_sine_and_cosine("subnormal", million, [](Random& r) {
        return std::bit_cast<double>(r.next() & 0x800f'ffff'ffff'ffff);
    });
}

TEST_CASE("sincos: within 1 ulp for the largest angles") {
    measure_sine_and_cosine("from 1e300 up", million, [](Random& r) { return r.uniform(1e300, largest); });
}

TEST_CASE("atan2: within 1 ulp for points all around") {
    measure_arctangent("all around", 4 * million,
                       [](Random& r) { return Point{r.uniform(-1, 1), r.uniform(-1, 1)}; });
}

TEST_CASE("atan2: within 1 ulp for points near and far, flat and steep") {
    measure_arctangent("flat and steep", 2 * million, [](Random& r) {
        const double y = std::ldexp(r.uniform(-1, 1), static_cast<int>(r.below(60)) - 30);
        const double x = std::ldexp(r.uniform(-1, 1), static_cast<int>(r.below(60)) - 30);
        return Point{y, x};
    });
}

TEST_CASE("atan2: within 1 ulp beside the lines where the method changes") {
    measure_arctangent("beside tan(pi/8) and the diagonal", million, [](Random& r) {
        const double slope = r.below(2) == 0 ? 0.41421356237309503 : 1.0;
        const double x = r.uniform(0.5, 2);
        const double y = slope * x * (1 + r.uniform(-1e-3, 1e-3) * r.uniform());
        return r.below(2) == 0 ? Point{y, x} : Point{-x, -y};
    });
}

TEST_CASE("atan2: within 1 ulp for points of every size") {
    measure_arctangent("of every size", million,
                       [](Random& r) { return Point{any_finite(r), any_finite(r)}; });
    measure_arctangent("of every size, alike", 2 * million, [](Random& r) {
        const int exponent = static_cast<int>(r.below(2090)) - 1074;
        const double y = std::ldexp(r.uniform(-1, 1), exponent);
        const double x =
            std::ldexp(r.uniform(-1, 1), std::min(exponent + static_cast<int>(r.below(220)), 1023));
        return r.below(2) == 0 ? Point{y, x} : Point{x, y};
    });
}

TEST_CASE("sincos: the hardest angles have their known sine and cosine") {
    struct Known {
        double angle;
        double sin, sin_rest;
        double cos, cos_rest;
    };
    // The doubles closest to a multiple of pi/2; the ends of ranges; both sides of the change of method.
    constexpr Known known[] = {
        {0x1.6ac5b262ca1ffp+849, 0x1p+0, -0x1.2b089ea1e692bp-123, -0x1.14ae72e6ba22fp-61,
         0x1.73eef1477d90ep-118},
        {0x1.6ac5b262ca1ffp+850, -0x1.14ae72e6ba22fp-60, 0x1.73eef1477d90ep-117, -0x1p+0,
         0x1.2b089ea1e692bp-121},
        {0x1.b951f1572eba5p+23, -0x1p+0, 0x1.ead7c8117d252p-120, -0x1.f54f5227a4e84p-60,
         0x1.01b19345a7a1cp-118},
        {0x1.504cac51f1eafp+131, -0x1p+0, 0x1.1a0d9b854a60fp-119, -0x1.0cb604d34f341p-59,
         -0x1.2e51c38885849p-114},
        {0x1.6ac5b262ca1ffp+851, 0x1.14ae72e6ba22fp-59, -0x1.73eef1477d90ep-116, 0x1p+0,
         -0x1.2b089ea1e692bp-119},
        {0x1.e009c53148be1p+991, 0x1p+0, -0x1.59627ccbae913p-119, 0x1.295a3b0a64b1dp-59,
         0x1.25276cf078901p-113},
        {1e22, -0x1.b453ab76bf397p-1, -0x1.f453790772648p-58, 0x1.0be2cef01c8f4p-1, -0x1.b2d1bc8018c4fp-55},
        {1e300, -0x1.a2c16b010e385p-1, -0x1.b900a1f54ecd2p-55, -0x1.2699022adc4c1p-1, 0x1.edd5594b5c574p-56},
        {largest, 0x1.452fc98b34e97p-8, -0x1.27bb193d960dfp-62, -0x1.fffe62ecfab75p-1,
         -0x1.e038d934070f1p-56},
        {0x1p+1023, 0x1.205248cbdb760p-1, -0x1.a5a336baf7435p-57, -0x1.a719f26c232bfp-1,
         0x1.7a77829eb1138p-55},
        {1e15, 0x1.b76f88136cebap-1, -0x1.b5acbdcf56c2ap-56, -0x1.06c154609d33fp-1, 0x1.ea7fabcd955c1p-55},
        {0x1p+19, 0x1.57481ec90fde3p-3, 0x1.d2be28b345cccp-59, 0x1.f8c1986ca67fap-1, 0x1.8d42b5b188043p-55},
        {0x1.0000000000001p+19, 0x1.57481ecd01616p-3, 0x1.55f01f7deb4b3p-58, 0x1.f8c1986c7b96ap-1,
         0x1.2dd4e1666c12fp-56},
        {0x1.93c05c9ed3cbcp+18, 0x1p+0, -0x1.0ce36a6a861f7p-105, -0x1.065d73720c4f9p-52,
         0x1.025d05d5f260dp-108},
    };
    for (const Known& k : known) {
        CAPTURE(k.angle);
        const SinCos both = sincos(k.angle);
        CHECK(error_in_ulps(both.sin, wide(k.sin) + wide(k.sin_rest)) <= 1);
        CHECK(error_in_ulps(both.cos, wide(k.cos) + wide(k.cos_rest)) <= 1);
    }
}

TEST_CASE("sincos: no precision is lost next to every multiple of pi/2 that is reduced in doubles") {
    const long double half_pi_here = 1.57079632679489661923132169163975144L;
    const int step = 1'000'000 / million;
    Worst worst;
    for (int k = 1; k < 340'000; k += step) {
        const double nearest = static_cast<double>(k * half_pi_here);
        for (const double angle :
             {std::nextafter(nearest, 0.0), nearest, std::nextafter(nearest, infinity)}) {
            const double ours = k % 2 == 0 ? sin(angle) : cos(angle);
            const long double truth = k % 2 == 0 ? std::sin(wide(angle)) : std::cos(wide(angle));
            worst.see(error_in_ulps(ours, truth), angle);
        }
    }
    CAPTURE(worst);
    CHECK(worst.error <= 0.51);
}

// --- laws ---

TEST_CASE("sincos: the sine is odd and the cosine even, to the last bit") {
    test::for_each_seed(20000, [](Random& random) {
        const double angle = any_finite(random);
        CHECK(bits(sin(-angle)) == bits(-sin(angle)));
        CHECK(bits(cos(-angle)) == bits(cos(angle)));
    });
}

TEST_CASE("sincos: the squares of sine and cosine add up to one") {
    test::for_each_seed(20000, [](Random& random) {
        const SinCos both = sincos(any_finite(random));
        CHECK(std::fabs(both.sin * both.sin + both.cos * both.cos - 1) < 5e-16);
    });
}

TEST_CASE("sincos: sin and cos give the bits of sincos") {
    test::for_each_seed(20000, [](Random& random) {
        const double angle = random.below(2) == 0 ? any_finite(random) : random.uniform(-100, 100);
        CAPTURE(angle);
        const SinCos both = sincos(angle);
        CHECK(bits(both.sin) == bits(sin(angle)));
        CHECK(bits(both.cos) == bits(cos(angle)));
    });
}

TEST_CASE("sincos: the sine rises from -pi/2 to pi/2 and the cosine falls from 0 to pi") {
    for (double angle = -1.5; angle < 1.5; angle += 1e-4) {
        REQUIRE(sin(angle) < sin(angle + 1e-12));
        REQUIRE(cos(angle + 1.6) > cos(angle + 1.6 + 1e-12));
    }
    CHECK(sin(-half_pi) == -1);
    CHECK(sin(half_pi) == 1);
    CHECK(cos(pi) == -1);
}

TEST_CASE("sincos: the sine of a tiny angle is the angle and its cosine is one") {
    for (const double angle : {1e-9, 1e-100, 1e-308, smallest, 3 * smallest}) {
        CHECK(sin(angle) == angle);
        CHECK(cos(angle) == 1);
    }
}

TEST_CASE("atan2: returns the angle of a rotated point") {
    test::for_each_seed(20000, [](Random& random) {
        const double angle = random.uniform(-pi, pi);
        const SinCos both = sincos(angle);
        CHECK(std::fabs(atan2(both.sin, both.cos) - angle) < 6e-16);
    });
}

TEST_CASE("atan2: mirroring a point mirrors its angle") {
    test::for_each_seed(20000, [](Random& random) {
        const double y = random.uniform(-1, 1);
        const double x = random.uniform(-1, 1);
        const double angle = atan2(y, x);
        CHECK(bits(atan2(-y, x)) == bits(-angle));
        CHECK(std::fabs(atan2(y, -x) - std::copysign(pi - std::fabs(angle), y)) < 5e-16);
        if (x > 0) CHECK(std::fabs(atan2(x, y) - (half_pi - angle)) < 5e-16);
        CHECK(bits(atan2(0x1p300 * y, 0x1p300 * x)) == bits(angle));
        CHECK(bits(atan2(0x1p-900 * y, 0x1p-900 * x)) == bits(angle));
    });
}

TEST_CASE("atan2: the quadrant is right") {
    CHECK(atan2(1, 1) == pi / 4);
    CHECK(atan2(1, -1) == 3 * pi / 4);
    CHECK(atan2(-1, -1) == -3 * pi / 4);
    CHECK(atan2(-1, 1) == -pi / 4);
    CHECK(atan2(1, 0) == half_pi);
    CHECK(atan2(0, -1) == pi);
}

TEST_CASE("atan: equals atan2 of the number and 1") {
    CHECK(atan(1) == pi / 4);
    CHECK(atan(infinity) == half_pi);
    CHECK(atan(-infinity) == -half_pi);
    CHECK(bits(atan(-0.0)) == bits(-0.0));
    CHECK(atan(smallest) == smallest);
    CHECK(atan(1e300) == half_pi);
    test::for_each_seed(1000, [](Random& random) {
        const double tangent = any_finite(random);
        CHECK(bits(atan(tangent)) == bits(atan2(tangent, 1)));
        CHECK(bits(atan(-tangent)) == bits(-atan(tangent)));
    });
}

// --- special values ---

TEST_CASE("trig: zeros keep their sign") {
    CHECK(bits(sin(0.0)) == bits(0.0));
    CHECK(bits(sin(-0.0)) == bits(-0.0));
    CHECK(cos(0.0) == 1);
    CHECK(cos(-0.0) == 1);
}

TEST_CASE("sincos: an infinity or NaN gives the one positive NaN") {
    const double negative_nan = std::bit_cast<double>(0xfff8'0000'0000'1234);
    for (const double angle : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), negative_nan}) {
        CHECK(bits(sin(angle)) == canonical_nan);
        CHECK(bits(cos(angle)) == canonical_nan);
        CHECK(bits(sincos(angle).sin) == canonical_nan);
        CHECK(bits(sincos(angle).cos) == canonical_nan);
        if (std::isnan(angle)) {
            CHECK(bits(atan(angle)) == canonical_nan);
            CHECK(bits(atan2(angle, 1)) == canonical_nan);
            CHECK(bits(atan2(1, angle)) == canonical_nan);
            CHECK(bits(atan2(angle, angle)) == canonical_nan);
        }
    }
}

TEST_CASE("atan2: zeros and infinities give what the C standard says") {
    struct Special {
        double y;
        double x;
        double angle;  // for y positive; the angle of -y is its negative
    };
    constexpr Special specials[] = {
        {0.0, 0.0, 0.0},
        {0.0, -0.0, pi},
        {0.0, 1.0, 0.0},
        {0.0, -1.0, pi},
        {0.0, smallest, 0.0},
        {0.0, -smallest, pi},
        {0.0, infinity, 0.0},
        {0.0, -infinity, pi},
        {1.0, 0.0, half_pi},
        {1.0, -0.0, half_pi},
        {smallest, 0.0, half_pi},
        {largest, -0.0, half_pi},
        {1.0, infinity, 0.0},
        {1.0, -infinity, pi},
        {largest, infinity, 0.0},
        {infinity, 1.0, half_pi},
        {infinity, -largest, half_pi},
        {infinity, infinity, pi / 4},
        {infinity, -infinity, 3 * pi / 4},
        {smallest, largest, 0.0},
        {smallest, -largest, pi},
        {largest, smallest, half_pi},
        {smallest, smallest, pi / 4},
        {largest, largest, pi / 4},
        {smallest, 1.0, smallest},
    };
    for (const Special& s : specials) {
        CAPTURE(s.y);
        CAPTURE(s.x);
        CHECK(bits(atan2(s.y, s.x)) == bits(s.angle));
        CHECK(bits(atan2(-s.y, s.x)) == bits(-s.angle));
    }
}

// --- over spans ---

TEST_CASE("sincos: a span of angles gets the same bits as each angle alone") {
    test::for_each_seed(300, [](Random& random) {
        std::vector<double> angles(random.below(300));
        const bool with_unusual = random.below(2) == 0;
        for (double& angle : angles) {
            angle = random.uniform(-1000, 1000);
            if (with_unusual && random.below(50) == 0) angle = std::bit_cast<double>(random.next());
        }
        std::vector<double> sines(angles.size());
        std::vector<double> cosines(angles.size());
        sincos(angles, sines, cosines);
        for (std::size_t i = 0; i < angles.size(); ++i) {
            CAPTURE(angles[i]);
            CHECK(bits(sines[i]) == bits(sin(angles[i])));
            CHECK(bits(cosines[i]) == bits(cos(angles[i])));
        }
        std::vector<double> in_place = angles;
        sincos(in_place, in_place, cosines);
        for (std::size_t i = 0; i < angles.size(); ++i) CHECK(bits(in_place[i]) == bits(sines[i]));
    });
}

TEST_CASE("atan2: spans of points get the same bits as each point alone") {
    test::for_each_seed(300, [](Random& random) {
        const std::size_t count = random.below(300);
        std::vector<double> ys(count);
        std::vector<double> xs(count);
        const bool with_unusual = random.below(2) == 0;
        for (std::size_t i = 0; i < count; ++i) {
            ys[i] = random.below(20) == 0 ? 0.0 : random.uniform(-10, 10);
            xs[i] = random.below(20) == 0 ? -0.0 : random.uniform(-10, 10);
            if (with_unusual && random.below(50) == 0) xs[i] = std::bit_cast<double>(random.next());
        }
        std::vector<double> angles(count);
        atan2(ys, xs, angles);
        for (std::size_t i = 0; i < count; ++i) {
            CAPTURE(ys[i]);
            CAPTURE(xs[i]);
            CHECK(bits(angles[i]) == bits(atan2(ys[i], xs[i])));
        }
        std::vector<double> in_place = xs;
        atan2(ys, in_place, in_place);
        for (std::size_t i = 0; i < count; ++i) CHECK(bits(in_place[i]) == bits(angles[i]));
    });
}

// --- the same bits everywhere ---

TEST_CASE("trig: a hundred thousand results have the bits of every platform") {
    Random random = Random::from_seed(42);
    std::uint64_t hash = 0;
    const auto add = [&](double value) {
        Random mixer{hash ^ bits(value), Random::golden_gamma};
        hash = mixer.next();
    };
    for (int i = 0; i < 20'000; ++i) {
        const double a = i % 2 == 0 ? random.uniform(-100, 100) : std::bit_cast<double>(random.next());
        const double b = i % 4 < 2 ? random.uniform(-100, 100) : std::bit_cast<double>(random.next());
        const SinCos both = sincos(a);
        add(both.sin);
        add(both.cos);
        add(atan2(a, b));
        add(atan2(b, a));
        add(atan(b));
    }
    // If this number changes, so does every recorded match with a rotation: change it only on purpose.
    CHECK(hash == 0xed07'bccf'7ddf'703d);
}
}  // namespace instep::math
