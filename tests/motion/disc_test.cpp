// SPDX-License-Identifier: MIT
#include <instep/motion/disc.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::motion;
using math::Vec2;

namespace {

struct Disc {
    Vec2 position;
    Vec2 velocity;
};

Disc random_disc(math::Random& random) {
    const Vec2 position{random.uniform(-2, 2), random.uniform(-2, 2)};
    return {position, {random.uniform(-9, 9), random.uniform(-9, 9)}};
}

constexpr double reach = 2;

}  // namespace

TEST_CASE("discs: an impact of equals keeps momentum and the centre, and no energy is gained") {
    test::for_each_seed(500, [](math::Random& random) {
        Disc a = random_disc(random), b = random_disc(random);
        const Disc a_before = a, b_before = b;
        const double restitution = random.uniform();
        const DiscContact contact = collide_discs(a, b, reach, {.restitution = restitution});
        CHECK(bool(contact) == (distance(a_before.position, b_before.position) < reach));
        const Vec2 momentum = a.velocity + b.velocity - a_before.velocity - b_before.velocity;
        const Vec2 centre = a.position + b.position - a_before.position - b_before.position;
        CHECK(length_squared(momentum) < 1e-20);
        CHECK(length_squared(centre) < 1e-20);
        const auto energy = [](const Disc& x, const Disc& y) {
            return length_squared(x.velocity) + length_squared(y.velocity);
        };
        CHECK(energy(a, b) <= energy(a_before, b_before) * (1 + 1e-12));
        if (restitution == 1) CHECK(energy(a, b) == doctest::Approx(energy(a_before, b_before)));
    });
}

TEST_CASE("discs: what overlapped touches afterwards and parts at the share of its speed") {
    test::for_each_seed(500, [](math::Random& random) {
        Disc a = random_disc(random), b = random_disc(random);
        const double share = random.uniform();
        const double restitution = random.uniform();
        const DiscContact contact = collide_discs(a, b, reach, {restitution, share});
        if (!contact) return;
        CHECK(distance(a.position, b.position) == doctest::Approx(reach));
        const double parting = dot(b.velocity - a.velocity, normalized_or_zero(b.position - a.position));
        const double expected = contact.approach > 0 ? contact.approach * restitution : -contact.approach;
        CHECK(parting == doctest::Approx(expected).epsilon(1e-6));
    });
}

TEST_CASE("discs: at the same position they part sideways, and what is fixed by its share stays") {
    Disc a{{5, 5}, {}}, b{{5, 5}, {}};
    CHECK(collide_discs(a, b, reach));
    CHECK(a.position == Vec2{4, 5});
    CHECK(b.position == Vec2{6, 5});
    Disc wall{{0, 0}, {}}, ball{{1, 0}, {-3, 0}};
    CHECK(collide_discs(wall, ball, reach, {.restitution = 1, .share = 0}).approach == 3);
    CHECK(wall.position == Vec2{});
    CHECK(ball.velocity == Vec2{3, 0});
}
