// SPDX-License-Identifier: MIT
// The picture of orbit: a glowing sun, pallets, ships with a flame while they thrust, and before each ship
// the path of its fall, as a dotted line.
#include <cmath>

#include <instep/motion/distance.h>
#include <orbit/flight.h>
#include <orbit/orbit.h>

namespace instep::worlds::orbit {
namespace {

using contract::Color;
using contract::DrawList;

Color with_alpha(Color color, double alpha) {
    color.alpha = static_cast<std::uint8_t>(255 * alpha);
    return color;
}

void draw_sun(const Setup& setup, DrawList& list) {
    const Vec2 center = setup.sun.position;
    const double radius = setup.sun_radius;
    constexpr int halos = 12;
    for (int i = halos; i > 0; --i) list.disc(center, radius * (1 + 0.1 * i), {251, 146, 60, 14});
    list.disc(center, radius, {251, 146, 60, 255});
    list.disc(center, radius * 0.86, contract::palette::gold);
    list.disc(center, radius * 0.6, {254, 240, 138, 255});
    list.disc(center, radius * 0.3, {255, 251, 235, 255});
}

// The document's step run forward on a copy, without thrust, as far as the sun.
void draw_orbit_ahead(const Player& player, const Setup& setup, DrawList& list) {
    list.belongs_to(&player);
    constexpr int dots = 48;
    constexpr int ticks_between_dots = 20;
    Particle ghost = player.ship;
    for (int dot = 0; dot < dots; ++dot) {
        for (int tick = 0; tick < ticks_between_dots; ++tick) {
            fall(ghost, setup);
            if (motion::within(ghost.position, setup.sun.position, setup.sun_radius)) return;
        }
        const double fading = 0.8 * (1 - static_cast<double>(dot) / dots);
        list.disc(ghost.position, setup.reach / 300,
                  with_alpha(contract::palette::player(player.slot), fading));
    }
}

void draw_pallets(const State& state, const Setup& setup, DrawList& list) {
    const double radius = setup.rules.pickup_radius;
    for (const Pallet& pallet : state.pallets) {
        if (!pallet.active) continue;
        list.belongs_to(&pallet);
        const double half = radius * 0.3;
        const Vec2 crate[] = {pallet.position + Vec2{-half, -half}, pallet.position + Vec2{half, -half},
                              pallet.position + Vec2{half, half}, pallet.position + Vec2{-half, half}};
        list.circle(pallet.position, radius, with_alpha(contract::palette::faint, 0.4));
        list.polygon(crate, {45, 212, 191, 255});
    }
}

// The remaining energy, as a bar below the ship.
void draw_energy(const Player& player, const Setup& setup, DrawList& list) {
    const double size = setup.rules.ship_radius * 4;
    const float most = setup.rules.most_energy;
    const double part = most > 0 ? tank(player.energy, setup.rules) / most : 0;
    const Vec2 left = player.ship.position + Vec2{-size, size * 1.5};
    const Vec2 bar[] = {left, left + Vec2{2 * size * part, 0}};
    list.polyline(bar, size * 0.2, part > 0.25 ? contract::palette::ink : contract::palette::danger);
}

void draw_ship(const Player& player, const Setup& setup, DrawList& list) {
    list.belongs_to(&player);
    const double size = setup.rules.ship_radius;
    const Vec2 nose = heading_of(player.rotation);
    const Vec2 side = math::perpendicular(nose);
    const auto at = [&](double along, double across) {
        return player.ship.position + nose * (along * size) + side * (across * size);
    };
    if (is_thrusting(player, setup)) {
        const double length = 2 + 4 * player.input.thrust;
        const Vec2 flame[] = {at(-1.5, 1.2), at(-1.5 - length, 0), at(-1.5, -1.2)};
        const Vec2 heart[] = {at(-1.5, 0.6), at(-1.5 - length / 2, 0), at(-1.5, -0.6)};
        list.polygon(flame, {251, 146, 60, 220});
        list.polygon(heart, contract::palette::gold);
    }
    const Vec2 hull[] = {at(4, 0), at(-2, 2.2), at(-1, 0), at(-2, -2.2)};
    list.polygon(hull, contract::palette::player(player.slot));
    draw_energy(player, setup, list);
    list.label(player.ship.position - Vec2{0, 7 * size}, setup.reach / 30, player.name.view(),
               contract::palette::ink);
}

}  // namespace

void view(const State& state, const Setup& setup, const contract::DrawTimes&, DrawList& list) {
    if (!setup.rules.space_is_endless)
        list.circle(setup.sun.position, setup.rules.edge, with_alpha(contract::palette::faint, 0.5));
    draw_sun(setup, list);
    draw_pallets(state, setup, list);
    if (!state.head->over)
        for (const Player& player : state.players)
            if (player.alive()) draw_orbit_ahead(player, setup, list);
    for (const Player& player : state.players)
        if (player.alive()) draw_ship(player, setup, list);
    list.belongs_to(nullptr);
}

}  // namespace instep::worlds::orbit
