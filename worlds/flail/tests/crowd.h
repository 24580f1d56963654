// SPDX-License-Identifier: MIT
// A crowd at random, moved by a batch and player by player. Free of the test framework, so that the same law
// is checked in WebAssembly, which has no test framework.
#pragma once

#include <flail/swing.h>
#include <flail/swing_batch.h>
#include <instep/math/random.h>

#include <cstring>
#include <optional>
#include <vector>

namespace instep::test {

using namespace worlds::flail;

// Some start as the document spawns them, some stretched, some in motion, some with zeros of either sign.
inline Player random_player(math::Random& random, const Setup& setup) {
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

inline Input random_input(math::Random& random) {
    const bool moving = random.below(4) != 0;
    const double angle = random.below(10) == 0 ? 0.0 : random.uniform(-math::pi, math::pi);
    return {.angle = angle, .moving = moving};
}

inline Setup random_setup(math::Random& random) {
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
inline bool same_bits(const Player& a, const Player& b) {
    return std::memcmp(&a.rope, &b.rope, sizeof a.rope) == 0 &&
           std::memcmp(&a.flail_angle, &b.flail_angle, sizeof a.flail_angle) == 0;
}

struct Divergence {
    int tick = 0;
    std::size_t player = 0;
};

// Where the two ways part, if they do.
inline std::optional<Divergence> swing_crowd_both_ways(math::Random& random, const Setup& setup,
                                                       std::size_t count, int ticks) {
    std::vector<Player> players;
    SwingBatch batch(count, setup.rules.rope_nodes);
    for (std::size_t i = 0; i < count; ++i) {
        players.push_back(random_player(random, setup));
        batch.set(i, players[i]);
    }
    for (int tick = 0; tick < ticks; ++tick) {
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
            if (!same_bits(out, players[i])) return Divergence{tick, i};
        }
    }
    return std::nullopt;
}

}  // namespace instep::test
