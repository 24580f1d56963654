// SPDX-License-Identifier: MIT
// The picture of flail: a rope that thins and reddens as it stretches, a flail with spikes, a health ring.
#include <cmath>
#include <vector>

#include <flail/flail.h>
#include <instep/math/trig.h>

namespace instep::worlds::flail {
namespace {

using contract::Color;
using contract::DrawList;

Color mixed(Color from, Color to, double part) {
    const auto mix = [part](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a + (b - a) * part);
    };
    return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue), 255};
}

void draw_map(const Setup& setup, DrawList& list) {
    const double edge = setup.map.size / 2;
    const Vec2 border[] = {{-edge, -edge}, {edge, -edge}, {edge, edge}, {-edge, edge}, {-edge, -edge}};
    list.polyline(border, 12, contract::palette::faint);
}

void draw_rope(const Player& player, const Setup& setup, DrawList& list) {
    list.belongs_to(&player);
    const std::span<const Particle> rope = rope_of(player, setup);
    const std::size_t links = rope.size() - (player.loose || player.reeling ? 2 : 1);
    if (player.reeling) {
        const Vec2 line[] = {rope[rope.size() - 2].position, rope.back().position};
        list.polyline(line, 4, contract::palette::faint);
    }
    for (std::size_t i = 0; i < links; ++i) {
        const Vec2 ends[] = {rope[i].position, rope[i + 1].position};
        const double stretch = distance(ends[0], ends[1]) / std::max(1.0, setup.rules.rope_rest_length);
        const double strain = std::min(1.0, std::max(0.0, stretch - 1));
        list.polyline(ends, 12 - 6 * strain,
                      mixed(contract::palette::ink, contract::palette::danger, strain));
    }
}

void draw_flail(const Player& player, const Setup& setup, DrawList& list) {
    constexpr int spikes = 8;
    const Vec2 center = rope_of(player, setup).back().position;
    const double radius = setup.flail_radius(player.flail_size);
    Vec2 star[2 * spikes];
    for (int i = 0; i < 2 * spikes; ++i) {
        const math::SinCos turn = math::sincos(player.flail_angle + math::pi * i / spikes);
        star[i] = center + Vec2{turn.cos, turn.sin} * (i % 2 == 0 ? radius * 1.25 : radius * 0.85);
    }
    list.polygon(star, contract::palette::ink);
    list.disc(center, radius * 0.6, contract::palette::player(player.slot));
}

// A ring around the body, open by as much of a turn as health is missing.
void draw_health(const Player& player, const Setup& setup, DrawList& list) {
    constexpr int corners = 24;
    const double part = std::min(1.0, player.health / setup.rules.most_health);
    Vec2 arc[corners + 1];
    for (int i = 0; i <= corners; ++i) {
        const math::SinCos turn = math::sincos(-math::half_pi + math::two_pi * part * i / corners);
        arc[i] = player.body().position + Vec2{turn.cos, turn.sin} * (setup.rules.body_radius + 12);
    }
    list.polyline(arc, 8, mixed(contract::palette::danger, {74, 222, 128, 255}, part));
}

void draw_crown(Vec2 at, double radius, DrawList& list) {
    const double half = radius * 0.7;
    const Vec2 crown[] = {
        at + Vec2{-half, 0},       at + Vec2{-half, -half},          at + Vec2{-half / 2, -half * 0.5},
        at + Vec2{0, -half * 1.2}, at + Vec2{half / 2, -half * 0.5}, at + Vec2{half, -half},
        at + Vec2{half, 0}};
    list.polygon(crown, contract::palette::gold);
}

}  // namespace

void view(const State& state, const Setup& setup, const contract::DrawTimes&, DrawList& list) {
    draw_map(setup, list);
    for (const Player& player : state.players)
        if (player.alive()) draw_rope(player, setup, list);
    const Player* king = setup.rules.king_bounty > 0 ? king_of(state.players) : nullptr;
    for (const Player& player : state.players) {
        if (!player.alive()) continue;
        list.belongs_to(&player);
        const Particle& body = player.body();
        const math::SinCos heading = math::sincos(player.input.angle);
        list.disc(body.position, setup.rules.body_radius, contract::palette::player(player.slot));
        list.disc(body.position + Vec2{heading.cos, heading.sin} * (setup.rules.body_radius * 0.55),
                  setup.rules.body_radius * 0.22, contract::palette::ink);
        draw_flail(player, setup, list);
        if (setup.rules.combat) draw_health(player, setup, list);
        if (player.protection > 0)
            list.circle(body.position, setup.rules.body_radius + 26, contract::palette::gold);
        if (&player == king)
            draw_crown(body.position - Vec2{0, setup.rules.body_radius * 0.8}, setup.rules.body_radius, list);
        list.label(body.position - Vec2{0, setup.rules.body_radius + 40}, 60, player.name.view(),
                   contract::palette::ink);
    }
}

}  // namespace instep::worlds::flail
