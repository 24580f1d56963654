// SPDX-License-Identifier: MIT
// The picture of arena: stars behind it all, walls, rocks, shots with a trail, and ships that glow as they
// heat, with a flame while they thrust. The clock and the result of a match are the page's.
#include <algorithm>
#include <array>

#include <arena/arena.h>
#include <arena/ship.h>
#include <instep/math/random.h>

namespace instep::worlds::arena {
namespace {

using contract::Color;
using contract::DrawList;

Color with_alpha(Color color, double alpha) {
    color.alpha = static_cast<std::uint8_t>(255 * std::min(std::max(alpha, 0.0), 1.0));
    return color;
}

// Always the same ones: the sky is no part of a state.
void draw_stars(const Setup& setup, DrawList& list) {
    constexpr int stars = 160;
    math::Random random = math::Random::from_seed(2024);
    const Field& field = setup.field;
    const double size = std::min(field.half_width, field.half_height) / 400;
    for (int i = 0; i < stars; ++i) {
        const Vec2 at{random.uniform(-field.half_width, field.half_width),
                      random.uniform(-field.half_height, field.half_height)};
        const double brightness = random.uniform(0.15, 0.7);
        list.disc(at, size * (0.5 + brightness), with_alpha(contract::palette::ink, brightness));
    }
}

void draw_outline(const rigid::Hull& hull, const rigid::Pose& pose, Color fill, DrawList& list) {
    std::array<Vec2, rigid::max_points> corners;
    for (std::uint32_t i = 0; i < hull.count; ++i) corners[i] = pose.to_world(hull.points[i]);
    list.polygon(std::span(corners).first(hull.count), fill);
}

rigid::Pose pose_of(const Flight& flight) {
    return {flight.position, math::Rotation::from_angle(flight.angle)};
}

void draw_walls(const Setup& setup, DrawList& list) {
    for (std::size_t i = 0; i < setup.walls.size(); ++i)
        draw_outline(setup.bodies.body_defs[first_wall_def + i].shapes[0].hull,
                     {setup.walls[i].position, math::Rotation::from_angle(setup.walls[i].angle)},
                     {51, 65, 85, 255}, list);
}

void draw_rocks(const State& state, const Setup& setup, DrawList& list) {
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i) {
        if (!state.rocks[i].is_there()) continue;
        list.belongs_to(&state.rocks[i]);
        const rigid::Pose pose = pose_of(state.rocks[i].flight);
        const std::size_t def = first_wall_def + setup.walls.size() + i;
        draw_outline(setup.bodies.body_defs[def].shapes[0].hull, pose, {87, 83, 78, 255}, list);
        for (const Vec2 crater : {Vec2{0.35, 0.2}, Vec2{-0.3, 0.3}, Vec2{-0.05, -0.4}})
            list.disc(pose.to_world(crater * setup.rocks[i].radius), setup.rocks[i].radius * 0.16,
                      {68, 64, 60, 255});
    }
}

// A team has one colour, of its ships and of their shots.
Color color_of(Slot slot, const Rules& rules) {
    return contract::palette::player(rules.teams > 1 ? slot % rules.teams : slot);
}

void draw_shots(const State& state, const Setup& setup, DrawList& list) {
    constexpr double trail = 0.04;  // s
    for (const Shot& shot : state.shots) {
        list.belongs_to(&shot);
        const Color color = color_of(shot.owner, setup.rules);
        const Vec2 path[] = {shot.flight.position - shot.flight.velocity * trail, shot.flight.position};
        list.polyline(path, shot_radius * 1.2, with_alpha(color, 0.35));
        list.disc(shot.flight.position, shot_radius * 1.6, color);
        list.disc(shot.flight.position, shot_radius, contract::palette::ink);
    }
}

// A scatter gun is drawn as five shots side by side, a lance as a needle.
void draw_weapon(Weapon weapon, Vec2 at, double size, DrawList& list) {
    if (weapon == Weapon::lance) {
        const Vec2 needle[] = {at - Vec2{0, size}, at + Vec2{0, size}};
        list.polyline(needle, size * 0.35, contract::palette::ink);
        return;
    }
    for (int i = -2; i <= 2; ++i)
        list.disc(at + Vec2{0.38 * size * i, size * (0.5 - 0.2 * i * i)}, size * 0.17,
                  contract::palette::ink);
}

void draw_pickups(const State& state, DrawList& list) {
    for (const Pickup& pickup : state.pickups) {
        if (pickup.pause > 0) continue;
        list.belongs_to(&pickup);
        list.disc(pickup.position, pickup_reach, with_alpha(contract::palette::gold, 0.18));
        list.circle(pickup.position, pickup_reach, contract::palette::gold);
        draw_weapon(pickup.weapon, pickup.position, pickup_reach * 0.6, list);
    }
    list.belongs_to(nullptr);
}

// Rings of red light that grow with the heat.
void draw_heat(const Player& player, const Setup& setup, DrawList& list) {
    const double part = std::min(player.heat / setup.rules.most_heat, 1.0);
    if (part < 0.1) return;
    const Color glow = player.overheated ? contract::palette::danger : Color{251, 146, 60, 255};
    for (int ring = 1; ring <= 4; ++ring)
        list.disc(player.ship.position, 0.5 + 0.45 * ring * part, with_alpha(glow, 0.16 * part));
}

void draw_flame(const Player& player, const Setup& setup, DrawList& list) {
    if (!player.input.thrust || player.overheated) return;
    const math::Rotation rotation = math::Rotation::from_angle(player.ship.angle);
    const Vec2 forward =
        setup.rules.thrusts_sideways ? math::rotate(rotation, {1, 0}) : nose_of(player.ship.angle);
    const Vec2 aside = math::perpendicular(forward) * 0.25;
    const Vec2 root = player.ship.position - forward * 0.5;
    const Vec2 flame[] = {root + aside, root - forward * 1.3, root - aside};
    const Vec2 heart[] = {root + aside * 0.5, root - forward * 0.7, root - aside * 0.5};
    list.polygon(flame, {251, 146, 60, 220});
    list.polygon(heart, contract::palette::gold);
}

// Health as a bar above the ship, the name above that.
void draw_label(const Player& player, const Setup& setup, DrawList& list) {
    const double part = static_cast<double>(player.health) / setup.rules.most_health;
    const Vec2 left = player.ship.position + Vec2{-1, 1.5};
    const Vec2 bar[] = {left, left + Vec2{2 * part, 0}};
    list.polyline(bar, 0.15, part > 0.3 ? contract::palette::ink : contract::palette::danger);
    list.label(player.ship.position + Vec2{0, 2.2}, setup.field.half_height / 30, player.name.view(),
               contract::palette::ink);
    if (player.weapon != Weapon::cannon)
        draw_weapon(player.weapon, player.ship.position + Vec2{1.6, 1.5}, 0.45, list);
}

void draw_ship(const Player& player, const Setup& setup, DrawList& list) {
    draw_heat(player, setup, list);
    draw_flame(player, setup, list);
    draw_outline(setup.bodies.body_defs[ship_def].shapes[0].hull, pose_of(player.ship),
                 color_of(player.slot, setup.rules), list);
    draw_label(player, setup, list);
}

// A second of fading debris where a ship was.
void draw_explosion(const Player& player, const Setup& setup, DrawList& list) {
    const std::uint32_t age = setup.rules.respawn_pause - player.respawn_pause;
    const double part = age * setup.dt;
    if (part >= 1) return;
    list.circle(player.ship.position, 0.5 + 5 * part, with_alpha(contract::palette::gold, 1 - part));
    list.disc(player.ship.position, 1.5 * (1 - part), with_alpha(contract::palette::danger, 1 - part));
}

}  // namespace

void view(const State& state, const Setup& setup, const contract::DrawTimes&, DrawList& list) {
    draw_stars(setup, list);
    draw_walls(setup, list);
    draw_pickups(state, list);
    draw_rocks(state, setup, list);
    draw_shots(state, setup, list);
    for (const Player& player : state.players) {
        list.belongs_to(&player);
        if (player.alive())
            draw_ship(player, setup, list);
        else
            draw_explosion(player, setup, list);
    }
    list.belongs_to(nullptr);
}

}  // namespace instep::worlds::arena
