// SPDX-License-Identifier: MIT
#include <instep/worlds/flail/swing_batch.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <instep/worlds/flail/swing.h>

#include <cstring>
#include <vector>

using namespace instep;
using namespace instep::worlds::flail;

namespace {

// Some start as the document spawns them, some stretched, some in motion, some with zeros of either sign.
Player random_player(math::Random& random, const Setup& setup) {
    Player player;
    const std::uint32_t kind = random.below(4);
    for (Particle& node : rope_of(player, setup)) {
        if (kind == 0) continue;
        const double size = kind == 1 ? 50 : 2000;
        const double x = random.uniform(-size, size);
        const double y = random.uniform(-size, size);
        const double vx = random.uniform(-20, 20);
        const double vy = random.uniform(-20, 20);
        node = {.position = {x, y}, .velocity = {vx, vy}};
        if (kind == 3) node.velocity = {-0.0, random.below(2) == 0 ? 0.0 : -0.0};
    }
    return player;
}

Input random_input(math::Random& random) {
    const bool moving = random.below(4) != 0;
    const double angle = random.below(10) == 0 ? 0.0 : random.uniform(-math::pi, math::pi);
    return {.angle = angle, .moving = moving};
}

Setup random_setup(math::Random& random) {
    Setup setup;
    setup.rules.rope_nodes = 2 + random.below(most_rope_nodes - 1);
    setup.rules.rope_pulls_body = random.below(2) == 0;
    setup.rules.spring_pushes = random.below(2) == 0;
    if (random.below(2) == 0) {
        setup.rules.rope_rest_length = random.uniform(0, 200);
        setup.rules.rope_stiffness = random.uniform(0, 0.5);
        setup.rules.push = random.uniform(0, 3);
        setup.rules.drag_divisor = random.uniform(1.01, 2);
        setup.kept = 1 / setup.rules.drag_divisor;
    }
    return setup;
}

// Bits, so that 0 and -0 differ.
bool same_bits(const Player& a, const Player& b) {
    return std::memcmp(&a.rope, &b.rope, sizeof a.rope) == 0 &&
           std::memcmp(&a.flail_angle, &b.flail_angle, sizeof a.flail_angle) == 0;
}

}  // namespace

TEST_CASE("a batch moves each player to the same bits as a swing of that player alone") {
    test::for_each_seed(142, [](math::Random& random) {
        const Setup setup = random_setup(random);
        const std::size_t count = random.below(71);
        CAPTURE(count);
        CAPTURE(setup.rules.rope_nodes);
        std::vector<Player> players;
        SwingBatch batch(count, setup.rules.rope_nodes);
        for (std::size_t i = 0; i < count; ++i) {
            players.push_back(random_player(random, setup));
            batch.set(i, players[i]);
        }
        for (int tick = 0; tick < 300; ++tick) {
            for (std::size_t i = 0; i < count; ++i) {
                players[i].input = random_input(random);
                batch.heading()[i] = players[i].input.angle;
                batch.moving()[i] = players[i].input.moving ? 1 : 0;
                swing(players[i], setup);
            }
            batch.step(setup);
            for (std::size_t i = 0; i < count; ++i) {
                Player out = players[i];
                batch.get(i, out);
                CAPTURE(tick);
                CAPTURE(i);
                REQUIRE(same_bits(out, players[i]));
            }
        }
    });
}

TEST_CASE("every number of players up to 70, and every length of rope, gives the bits of the single swing") {
    auto random = math::Random::from_seed(7);
    for (std::size_t count = 0; count <= 70; ++count) {
        Setup setup;
        setup.rules.rope_nodes = 2 + static_cast<std::uint32_t>(count % (most_rope_nodes - 1));
        std::vector<Player> players(count);
        SwingBatch batch(count, setup.rules.rope_nodes);
        for (std::size_t i = 0; i < count; ++i) {
            players[i] = random_player(random, setup);
            players[i].input = random_input(random);
            batch.set(i, players[i]);
        }
        for (int tick = 0; tick < 100; ++tick) {
            for (Player& player : players) swing(player, setup);
            batch.step(setup);
        }
        for (std::size_t i = 0; i < count; ++i) {
            Player out = players[i];
            batch.get(i, out);
            REQUIRE(same_bits(out, players[i]));
        }
    }
}

TEST_CASE("what is set comes back, and a new batch stands in the origin") {
    test::for_each_seed(50, [](math::Random& random) {
        const Setup setup = random_setup(random);
        SwingBatch batch(9, setup.rules.rope_nodes);
        Player fresh = random_player(random, setup);
        const Player nothing;
        batch.get(4, fresh);
        CHECK(std::memcmp(&fresh.rope, &nothing.rope, setup.rules.rope_nodes * sizeof(Particle)) == 0);

        Player in = random_player(random, setup);
        in.input = random_input(random);
        in.flail_angle = random.uniform(-3, 3);
        batch.set(4, in);
        Player out;
        batch.get(4, out);
        CHECK(same_bits(in, out));
        CHECK(out.input.angle == in.input.angle);
        CHECK(out.input.moving == in.input.moving);
    });
}
