// SPDX-License-Identifier: MIT
// The laws of the document's physics, on the body, the rope and the flail of one player.
#include <flail/swing.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <cmath>
#include <vector>

using namespace instep;
using namespace instep::worlds::flail;

namespace {

constexpr double kept = 1 / 1.1;

Setup setup_with(std::uint32_t nodes) {
    Setup setup;
    setup.rules.rope_nodes = nodes;
    return setup;
}

Vec2 random_point(math::Random& random, double size) {
    const double x = random.uniform(-size, size);
    const double y = random.uniform(-size, size);
    return {x, y};
}

// A chain in which neighbours are about `spacing` apart, everything moving at random.
Player random_player(math::Random& random, const Setup& setup, double spacing, double speed) {
    Player player;
    Vec2 at = random_point(random, 1000);
    for (Particle& node : rope_of(player, setup)) {
        node = {.position = at, .velocity = random_point(random, speed)};
        const double angle = random.uniform(-math::pi, math::pi);
        at += Vec2{std::cos(angle), std::sin(angle)} * (spacing * random.uniform(0.5, 1));
    }
    return player;
}

// Kinetic energy and that of the stretched links, at the moment at which the springs are looked at: the flail
// has then moved on by one more tick than at the end of a swing.
double energy(const Player& player, const Setup& setup) {
    std::vector<Particle> rope(rope_of(player, setup).begin(), rope_of(player, setup).end());
    motion::glide(rope.back(), setup.kept);
    double sum = 0;
    for (std::size_t i = 1; i < rope.size(); ++i) {
        const double extension =
            distance(rope[i - 1].position, rope[i].position) - setup.rules.rope_rest_length;
        sum += length_squared(rope[i].velocity) / 2;
        if (extension > 0) sum += setup.rules.rope_stiffness * extension * extension / 2;
    }
    return sum;
}

Vec2 turned(Vec2 v, double angle) {
    return {v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle)};
}

}  // namespace

TEST_CASE("flail swing: a body that keeps moving one way reaches 10 units a tick, whichever way it is") {
    test::for_each_seed(50, [](math::Random& random) {
        const Setup setup = setup_with(3);
        Player player;
        player.input = {.angle = random.uniform(-math::pi, math::pi), .moving = true};
        for (int tick = 0; tick < 400; ++tick) swing(player, setup);
        const Vec2 velocity = player.body().velocity;
        CHECK(length(velocity) == doctest::Approx(10).epsilon(1e-12));
        CHECK(velocity.x == doctest::Approx(10 * std::cos(player.input.angle)).epsilon(1e-12));
        CHECK(velocity.y == doctest::Approx(10 * std::sin(player.input.angle)).epsilon(1e-12));
    });
}

TEST_CASE("flail swing: no body moves faster than 10 units a tick by itself") {
    test::for_each_seed(20, [](math::Random& random) {
        const Setup setup = setup_with(3);
        Player player;
        for (int tick = 0; tick < 1000; ++tick) {
            player.input = {.angle = random.uniform(-4, 4), .moving = random.below(8) != 0};
            swing(player, setup);
            REQUIRE(length(player.body().velocity) < 10);
        }
    });
}

TEST_CASE("flail swing: the first tick of moving gives 1 / 1.1") {
    const Setup setup = setup_with(3);
    Player player;
    player.input = {.angle = 0, .moving = true};
    swing(player, setup);
    CHECK(player.body().velocity == Vec2{kept, 0});
    CHECK(player.body().position == Vec2{kept, 0});
}

TEST_CASE("flail swing: in a second without a push a velocity falls to (1/1.1)^40, about 2 %") {
    test::for_each_seed(50, [](math::Random& random) {
        const Setup setup = setup_with(3);
        Player player = random_player(random, setup, 1, 0);  // slack, so that drag is all there is
        const Vec2 start = random_point(random, 1);
        for (Particle& node : rope_of(player, setup)) node.velocity = start;
        for (int tick = 0; tick < 40; ++tick) swing(player, setup);
        const double left = std::pow(1 / 1.1, 40);
        CHECK(left == doctest::Approx(0.022).epsilon(0.01));
        for (const Particle& node : rope_of(player, setup)) {
            CHECK(node.velocity.x == doctest::Approx(start.x * left).epsilon(1e-12));
            CHECK(node.velocity.y == doctest::Approx(start.y * left).epsilon(1e-12));
        }
    });
}

TEST_CASE("flail swing: a slack rope at rest stays where it is, to the last bit") {
    test::for_each_seed(200, [](math::Random& random) {
        const Setup setup = setup_with(2 + random.below(15));
        Player player = random_player(random, setup, 79.9, 0);
        const auto before = player.rope;
        for (int tick = 0; tick < 20; ++tick) swing(player, setup);
        CHECK(player.rope == before);
    });
}

TEST_CASE("flail swing: a body moves as if it had no rope, however hard the rope is stretched") {
    test::for_each_seed(100, [](math::Random& random) {
        const Setup setup = setup_with(2 + random.below(15));
        Player player = random_player(random, setup, 2000, 30);
        Particle alone = player.body();
        for (int tick = 0; tick < 60; ++tick) {
            player.input = {.angle = random.uniform(-3, 3), .moving = random.below(2) == 0};
            move_body(alone, player.input, setup);
            swing(player, setup);
            REQUIRE(player.body() == alone);
        }
    });
}

TEST_CASE("flail swing: with rope_pulls_body a stretched rope does pull the body, towards its next node") {
    Setup setup = setup_with(3);
    setup.rules.rope_pulls_body = true;
    Player player;
    player.rope[1].position = {100, 0};
    player.rope[2].position = {180, 0};
    swing(player, setup);
    CHECK(player.body().velocity.x == doctest::Approx(0.1 * 20));
}

TEST_CASE("flail swing: with spring_pushes a rope that is too short pushes its flail away") {
    Setup setup = setup_with(2);
    setup.rules.spring_pushes = true;
    Player player;
    player.rope[1].position = {60, 0};
    swing(player, setup);
    CHECK(player.rope[1].velocity.x == doctest::Approx(0.1 * 20));
}

// Drag takes the flail's share of momentum before the rope pulls and the links' share after.
TEST_CASE("flail swing: free of the body, rope and flail lose momentum to drag and to nothing else") {
    test::for_each_seed(300, [](math::Random& random) {
        const Setup setup = setup_with(3 + random.below(14));
        Player player = random_player(random, setup, 300, 20);
        player.rope[1].position = player.body().position + Vec2{1, 1};  // the first link hangs slack
        player.body().velocity = {};
        const auto sum_of = [&](double links, double flail) {
            Vec2 sum = rope_of(player, setup).back().velocity * flail;
            for (std::size_t i = 1; i + 1 < setup.rules.rope_nodes; ++i)
                sum += player.rope[i].velocity * links;
            return sum;
        };
        const Vec2 before = sum_of(1, kept);
        swing(player, setup);
        const Vec2 after = sum_of(1 / kept, 1);
        CHECK(length(after - before) < 1e-9);
    });
}

TEST_CASE("flail swing: with rope_pulls_body all momentum is kept but what drag takes and the push gives") {
    test::for_each_seed(300, [](math::Random& random) {
        Setup setup = setup_with(2 + random.below(15));
        setup.rules.rope_pulls_body = true;
        setup.rules.spring_pushes = random.below(2) == 0;
        Player player = random_player(random, setup, 300, 20);
        const auto sum_of = [&](double links, double ends) {
            Vec2 sum = (player.body().velocity + rope_of(player, setup).back().velocity) * ends;
            for (std::size_t i = 1; i + 1 < setup.rules.rope_nodes; ++i)
                sum += player.rope[i].velocity * links;
            return sum;
        };
        player.input = {.angle = 0, .moving = random.below(2) == 0};
        const Vec2 push{player.input.moving ? kept : 0, 0};
        const Vec2 before = sum_of(1, kept) + push;
        swing(player, setup);
        CHECK(length(sum_of(1 / kept, 1) - before) < 1e-9);
    });
}

// With U the energy of the link, g its pull and w the speed before it, a tick makes of w²/2 + U at most
// (w² - g²)/2.2 + U, because the document's stiffness and drag are matched: 1.1 / 1.1² = 1 / 1.1.
TEST_CASE("flail swing: a flail on one link never gains energy while its body stands still") {
    test::for_each_seed(300, [](math::Random& random) {
        const Setup setup = setup_with(2);
        Player player = random_player(random, setup, 400, 40);
        player.body().velocity = {};
        double last = energy(player, setup);
        for (int tick = 0; tick < 300; ++tick) {
            swing(player, setup);
            const double now = energy(player, setup);
            REQUIRE(now <= last * (1 + 1e-12) + 1e-12);
            last = now;
        }
    });
}

// With more links a tick may give some back to what the tick before took, but never as much as there was.
TEST_CASE(
    "flail swing: a rope of any length comes to rest while its body stands still, with less energy all the "
    "way") {
    test::for_each_seed(300, [&](math::Random& random) {
        const Setup setup = setup_with(3 + random.below(14));
        Player player = random_player(random, setup, 400, 40);
        player.body().velocity = {};
        const double start = energy(player, setup);
        for (int tick = 0; tick < 600; ++tick) {
            swing(player, setup);
            REQUIRE(energy(player, setup) < start);
        }
        CHECK(energy(player, setup) < 1e-6 * start);
    });
}

TEST_CASE("flail swing: the flail's angle is that from the body where it is to the flail where it was") {
    test::for_each_seed(200, [](math::Random& random) {
        const Setup setup = setup_with(3);
        Player player = random_player(random, setup, 200, 20);
        player.input = {.angle = random.uniform(-3, 3), .moving = true};
        const Vec2 flail_before = player.rope[2].position;
        swing(player, setup);
        const Vec2 between = flail_before - player.body().position;
        CHECK(player.flail_angle == math::atan2(between.y, between.x));
    });
}

TEST_CASE("flail swing: mirrored, everything moves in mirror image, to the last bit") {
    test::for_each_seed(100, [](math::Random& random) {
        Setup setup = setup_with(2 + random.below(15));
        setup.rules.rope_pulls_body = random.below(2) == 0;
        Player player = random_player(random, setup, 200, 20);
        Player mirror = player;
        for (Particle& node : mirror.rope) {
            node.position.y = -node.position.y;
            node.velocity.y = -node.velocity.y;
        }
        for (int tick = 0; tick < 100; ++tick) {
            player.input = {.angle = random.uniform(-3, 3), .moving = random.below(4) != 0};
            mirror.input = {.angle = -player.input.angle, .moving = player.input.moving};
            swing(player, setup);
            swing(mirror, setup);
            REQUIRE(mirror.flail_angle == -player.flail_angle);
            for (std::size_t i = 0; i < setup.rules.rope_nodes; ++i) {
                REQUIRE(mirror.rope[i].position.x == player.rope[i].position.x);
                REQUIRE(mirror.rope[i].position.y == -player.rope[i].position.y);
                REQUIRE(mirror.rope[i].velocity.x == player.rope[i].velocity.x);
                REQUIRE(mirror.rope[i].velocity.y == -player.rope[i].velocity.y);
            }
        }
    });
}

TEST_CASE("flail swing: turned by any angle, everything moves turned by that angle") {
    test::for_each_seed(100, [](math::Random& random) {
        const Setup setup = setup_with(2 + random.below(15));
        const double angle = random.uniform(-math::pi, math::pi);
        Player player = random_player(random, setup, 200, 20);
        Player other = player;
        for (Particle& node : other.rope)
            node = {.position = turned(node.position, angle), .velocity = turned(node.velocity, angle)};
        for (int tick = 0; tick < 100; ++tick) {
            player.input = {.angle = random.uniform(-3, 3), .moving = random.below(4) != 0};
            other.input = {.angle = player.input.angle + angle, .moving = player.input.moving};
            swing(player, setup);
            swing(other, setup);
        }
        for (std::size_t i = 0; i < setup.rules.rope_nodes; ++i) {
            CHECK(distance(other.rope[i].position, turned(player.rope[i].position, angle)) < 1e-8);
            CHECK(distance(other.rope[i].velocity, turned(player.rope[i].velocity, angle)) < 1e-8);
        }
    });
}

TEST_CASE(
    "flail swing: a loose flail feels no rope and keeps more of its speed, and the rope hangs on without "
    "it") {
    Setup setup = setup_with(3);
    setup.rules.combat = true;
    Player player;
    player.loose = true;
    player.rope[1].position = {100, 0};
    player.rope[2] = {.position = {1000, 0}, .velocity = {0, 20}};
    swing(player, setup);
    CHECK(player.rope[2].velocity == Vec2{0, 20 * setup.rules.loose_kept});
    CHECK(player.rope[2].position == Vec2{1000, 20 * setup.rules.loose_kept});
    CHECK(player.rope[1].velocity.x == doctest::Approx(-0.1 * 20 * kept));
    CHECK(player.rope[1].velocity.y == 0);
}
