// SPDX-License-Identifier: MIT
#include <instep/worlds/arena/bodies.h>

#include <algorithm>
#include <cmath>

#include <instep/math/rotation.h>

namespace instep::worlds::arena {
namespace {

using rigid::Body;
using rigid::Handle;
using state::PoolIndex;

// Where the ids of each kind begin.
struct Ids {
    explicit Ids(const Setup& setup)
        : ships(static_cast<std::uint32_t>(setup.walls.size())),
          rocks(ships + setup.field.most_players),
          shots(rocks + static_cast<std::uint32_t>(setup.rocks.size())) {}
    std::uint32_t ships;
    std::uint32_t rocks;
    std::uint32_t shots;
};

// The engine's pool has its ids given, where any other gives them out.
void add(Bench& bench, Handle handle, const Body& body) {
    const std::uint32_t index = bench.body_header.count++;
    bench.body_index[index].id_at = handle.id;
    bench.body_index[handle.id].place_of = index;
    bench.body_index[handle.id].generation_of = handle.generation;
    bench.bodies[index] = body;
}

Handle moved_up(Handle handle, std::uint32_t first) { return {first + handle.id, handle.generation}; }
Handle moved_down(Handle handle, std::uint32_t first) { return {handle.id - first, handle.generation}; }

Body body_of(const Flight& flight, std::size_t form, std::uint32_t group) {
    return {.position = flight.position,
            .velocity = flight.velocity,
            .angle = flight.angle,
            .angular_velocity = flight.spin,
            .form = static_cast<std::uint16_t>(form),
            .group = static_cast<std::uint16_t>(group)};
}

void take_back(Flight& flight, const Body& body) {
    const bool turned_far = std::fabs(body.angle) > largest_angle;
    const double angle = turned_far ? math::wrap_angle(body.angle) : body.angle;
    flight = {body.position, body.velocity, angle, body.angular_velocity};
}

std::uint32_t group_of(Slot slot) { return slot + 1u; }

bool is_safe(const Shot& shot, const Rules& rules) {
    return rules.shot_ticks - std::min(shot.ticks_left, rules.shot_ticks) < rules.shot_safe_ticks;
}

void gather_contacts(const State& state, Bench& bench) {
    bench.contact_header = {};
    for (const Touch& touch : state.touches) bench.space.contacts.add(touch.contact);
}

}  // namespace

Bench::Bench(const rigid::Setup& setup)
    : scratch(setup),
      body_index(setup.max_bodies),
      contact_index(setup.max_contacts),
      bodies(setup.max_bodies),
      contacts(setup.max_contacts) {
    space.bodies = {&body_header, body_index.data(), bodies.data(), setup.max_bodies};
    space.contacts = {&contact_header, contact_index.data(), contacts.data(), setup.max_contacts};
}

void gather_bodies(const State& state, const Setup& setup, Bench& bench) {
    const Ids ids(setup);
    bench.body_header = {.id_count = setup.bodies.max_bodies};
    std::fill(bench.body_index.begin(), bench.body_index.end(), PoolIndex{});
    const auto walls = static_cast<std::uint32_t>(setup.walls.size());
    for (std::uint32_t i = 0; i < walls; ++i)
        add(bench, {i, 0},
            body_of({.position = setup.walls[i].position, .angle = setup.walls[i].angle}, first_wall_form + i,
                    0));
    for (std::uint32_t i = 0; i < state.players.size(); ++i) {
        const Player& player = state.players[i];
        if (player.alive())
            add(bench, moved_up(state.players.handle_at(i), ids.ships),
                body_of(player.ship, ship_form, group_of(player.slot)));
    }
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i)
        add(bench, moved_up(state.rocks.handle_at(i), ids.rocks),
            body_of(state.rocks[i].flight, first_wall_form + walls + i, 0));
    for (std::uint32_t i = 0; i < state.shots.size(); ++i) {
        const Shot& shot = state.shots[i];
        add(bench, moved_up(state.shots.handle_at(i), ids.shots),
            body_of(shot.flight, shot_form, is_safe(shot, setup.rules) ? group_of(shot.owner) : 0));
    }
    gather_contacts(state, bench);
}

void return_bodies(const Bench& bench, const Setup& setup, State& state) {
    const Body* next = bench.bodies.data() + setup.walls.size();
    for (Player& player : state.players)
        if (player.alive()) take_back(player.ship, *next++);
    for (Rock& rock : state.rocks) take_back(rock.flight, *next++);
    for (Shot& shot : state.shots) take_back(shot.flight, *next++);

    // Overwritten in place, as the engine does: a pool that is emptied and filled anew uses up its handles.
    const std::uint32_t count = bench.contact_header.count;
    while (state.touches.size() > count) state.touches.remove_at(state.touches.size() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i < state.touches.size())
            state.touches[i].contact = bench.contacts[i];
        else if (!state.touches.add({bench.contacts[i]}))
            break;
    }
}

Player* ship_of(Handle body, const Setup& setup, State& state) {
    const Ids ids(setup);
    if (body.id < ids.ships || body.id >= ids.rocks) return nullptr;
    return state.players.find(moved_down(body, ids.ships));
}

Shot* shot_of(Handle body, const Setup& setup, State& state) {
    const Ids ids(setup);
    return body.id < ids.shots ? nullptr : state.shots.find(moved_down(body, ids.shots));
}

}  // namespace instep::worlds::arena
