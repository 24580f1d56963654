// SPDX-License-Identifier: MIT
// Players go through all phases in blocks that fit the first-level cache. Every loop is one phase of swing.h
// for one node or link of a block's players: branches of the scalar code are selections here, with the same
// operations in the same order.
#include <flail/swing_batch.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <instep/math/simd.h>
#include <instep/math/trig.h>

namespace instep::worlds::flail {
namespace {

constexpr std::size_t block_size = 256;

// One node of a block's players.
struct Nodes {
    double* __restrict x;
    double* __restrict y;
    double* __restrict velocity_x;
    double* __restrict velocity_y;
};

// The constants of all links.
struct Link {
    double pull;         // minus the stiffness
    double rest_length;  // u
    double slack_below;  // an extension that is not above this pulls nothing
    double kept;
};

INSTEP_WIDE
void push_bodies(const double* __restrict moving, const double* __restrict sines,
                 const double* __restrict cosines, double push, double kept, Nodes body, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const bool pushed = moving[i] != 0;
        const double push_x = cosines[i] * push;
        const double push_y = sines[i] * push;
        body.velocity_x[i] =
            (body.velocity_x[i] + (pushed ? push_x : -0.0)) * kept;  // v + -0 is v, 0 and -0 too
        body.velocity_y[i] = (body.velocity_y[i] + (pushed ? push_y : -0.0)) * kept;
        body.x[i] += body.velocity_x[i];
        body.y[i] += body.velocity_y[i];
    }
}

INSTEP_WIDE
void glide_flails(const double* __restrict body_x, const double* __restrict body_y, double kept, Nodes flail,
                  double* __restrict from_body_x, double* __restrict from_body_y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        from_body_x[i] = flail.x[i] - body_x[i];
        from_body_y[i] = flail.y[i] - body_y[i];
        flail.velocity_x[i] *= kept;
        flail.velocity_y[i] *= kept;
        flail.x[i] += flail.velocity_x[i];
        flail.y[i] += flail.velocity_y[i];
    }
}

// motion::spring_impulse without branches.
[[gnu::always_inline]] inline Vec2 impulse(double start_x, double start_y, double end_x, double end_y,
                                           const Link& link) {
    const double between_x = end_x - start_x;
    const double between_y = end_y - start_y;
    const double distance = std::sqrt(between_x * between_x + between_y * between_y);
    const double stretched = distance - link.rest_length;
    const double extension = stretched > link.slack_below ? stretched : 0;
    const double quotient = link.pull * extension / distance;
    const double scale = distance > 0 ? quotient : 0;
    return {between_x * scale, between_y * scale};
}

INSTEP_WIDE
void pull_ends(const double* __restrict start_x, const double* __restrict start_y, Nodes end, const Link link,
               std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 change = impulse(start_x[i], start_y[i], end.x[i], end.y[i], link);
        end.velocity_x[i] += change.x;
        end.velocity_y[i] += change.y;
    }
}

INSTEP_WIDE
void pull_both(Nodes start, Nodes end, const Link link, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 change = impulse(start.x[i], start.y[i], end.x[i], end.y[i], link);
        end.velocity_x[i] += change.x;
        end.velocity_y[i] += change.y;
        start.velocity_x[i] -= change.x;
        start.velocity_y[i] -= change.y;
    }
}

// After its second link an inner node is done with, so that it can move at once.
INSTEP_WIDE
void pull_both_and_glide_start(Nodes start, Nodes end, const Link link, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 change = impulse(start.x[i], start.y[i], end.x[i], end.y[i], link);
        end.velocity_x[i] += change.x;
        end.velocity_y[i] += change.y;
        start.velocity_x[i] = (start.velocity_x[i] - change.x) * link.kept;
        start.velocity_y[i] = (start.velocity_y[i] - change.y) * link.kept;
        start.x[i] += start.velocity_x[i];
        start.y[i] += start.velocity_y[i];
    }
}

}  // namespace

// The arrays of a crowd whose size is a power of two must not all start in the same line of the cache.
SwingBatch::SwingBatch(std::size_t players, std::uint32_t rope_nodes)
    : players_(players),
      stride_((players + 7) / 8 * 8 + 8),
      rope_nodes_(rope_nodes),
      values_(stride_ * (3 + 4 * std::size_t{rope_nodes})) {
    assert(rope_nodes >= 2 && rope_nodes <= most_rope_nodes);
}

void SwingBatch::set(std::size_t index, const Player& player) {
    assert(index < players_);
    heading()[index] = player.input.angle;
    moving()[index] = player.input.moving ? 1 : 0;
    flail_angle()[index] = player.flail_angle;
    for (std::uint32_t node = 0; node < rope_nodes_; ++node) {
        x(node)[index] = player.rope[node].position.x;
        y(node)[index] = player.rope[node].position.y;
        velocity_x(node)[index] = player.rope[node].velocity.x;
        velocity_y(node)[index] = player.rope[node].velocity.y;
    }
}

void SwingBatch::get(std::size_t index, Player& player) const {
    assert(index < players_);
    const auto value = [&](std::size_t array) { return values_[array * stride_ + index]; };
    player.input.angle = value(0);
    player.input.moving = value(1) != 0;
    player.flail_angle = value(2);
    for (std::uint32_t node = 0; node < rope_nodes_; ++node) {
        const std::size_t first = 3 + 4 * std::size_t{node};
        player.rope[node] = {.position = {value(first), value(first + 1)},
                             .velocity = {value(first + 2), value(first + 3)}};
    }
}

void SwingBatch::step(const Setup& setup) {
    assert(setup.rules.rope_nodes == rope_nodes_);
    const Link link{.pull = -setup.rules.rope_stiffness,
                    .rest_length = setup.rules.rope_rest_length,
                    .slack_below = setup.rules.spring_pushes ? -std::numeric_limits<double>::infinity() : 0,
                    .kept = setup.kept};
    std::array<double, block_size> sines;
    std::array<double, block_size> cosines;
    std::array<double, block_size> from_body_x;
    std::array<double, block_size> from_body_y;
    for (std::size_t first = 0; first < players_; first += block_size) {
        const std::size_t count = std::min(block_size, players_ - first);
        const auto nodes = [&](std::uint32_t node) {
            return Nodes{x(node).data() + first, y(node).data() + first, velocity_x(node).data() + first,
                         velocity_y(node).data() + first};
        };
        const Nodes body = nodes(0);
        math::sincos(heading().subspan(first, count), std::span(sines).first(count),
                     std::span(cosines).first(count));
        push_bodies(moving().data() + first, sines.data(), cosines.data(), setup.rules.push, setup.kept, body,
                    count);

        glide_flails(body.x, body.y, setup.kept, nodes(rope_nodes_ - 1), from_body_x.data(),
                     from_body_y.data(), count);
        math::atan2(std::span(from_body_y).first(count), std::span(from_body_x).first(count),
                    flail_angle().subspan(first, count));

        if (setup.rules.rope_pulls_body)
            pull_both(body, nodes(1), link, count);
        else
            pull_ends(body.x, body.y, nodes(1), link, count);
        for (std::uint32_t node = 2; node < rope_nodes_; ++node)
            pull_both_and_glide_start(nodes(node - 1), nodes(node), link, count);
    }
}

}  // namespace instep::worlds::flail
