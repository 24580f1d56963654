// SPDX-License-Identifier: MIT
#include <arena/bodies.h>

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
void add(StepScratch& step_scratch, Handle handle, const Body& body) {
    const std::uint32_t index = step_scratch.body_header.count++;
    step_scratch.body_index[index].id_at = handle.id;
    step_scratch.body_index[handle.id].index_of = index;
    step_scratch.body_index[handle.id].generation_of = handle.generation;
    step_scratch.bodies[index] = body;
}

Handle moved_up(Handle handle, std::uint32_t first) { return {first + handle.id, handle.generation}; }
Handle moved_down(Handle handle, std::uint32_t first) { return {handle.id - first, handle.generation}; }

Body body_of(const Flight& flight, std::size_t def, std::uint32_t group) {
    return {.position = flight.position,
            .velocity = flight.velocity,
            .angle = flight.angle,
            .angular_velocity = flight.spin,
            .def = static_cast<std::uint16_t>(def),
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

void gather_contacts(const State& state, StepScratch& step_scratch) {
    step_scratch.contact_header = {};
    for (const Touch& touch : state.touches) step_scratch.space.contacts.add(touch.contact);
}

}  // namespace

StepScratch::StepScratch(const rigid::Setup& setup)
    : scratch(setup),
      body_index(setup.max_bodies),
      contact_index(setup.max_contacts),
      bodies(setup.max_bodies),
      contacts(setup.max_contacts) {
    space.bodies = {&body_header, body_index.data(), bodies.data(), setup.max_bodies};
    space.contacts = {&contact_header, contact_index.data(), contacts.data(), setup.max_contacts};
}

void gather_bodies(const State& state, const Setup& setup, StepScratch& step_scratch) {
    const Ids ids(setup);
    step_scratch.body_header = {.id_count = setup.bodies.max_bodies};
    std::fill(step_scratch.body_index.begin(), step_scratch.body_index.end(), PoolIndex{});
    const auto walls = static_cast<std::uint32_t>(setup.walls.size());
    for (std::uint32_t i = 0; i < walls; ++i)
        add(step_scratch, {i, 0},
            body_of({.position = setup.walls[i].position, .angle = setup.walls[i].angle}, first_wall_def + i,
                    0));
    for (std::uint32_t i = 0; i < state.players.size(); ++i) {
        const Player& player = state.players[i];
        if (player.alive())
            add(step_scratch, moved_up(state.players.handle_at(i), ids.ships),
                body_of(player.ship, ship_def, group_of(player.slot)));
    }
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i)
        add(step_scratch, moved_up(state.rocks.handle_at(i), ids.rocks),
            body_of(state.rocks[i].flight, first_wall_def + walls + i, 0));
    for (std::uint32_t i = 0; i < state.shots.size(); ++i) {
        const Shot& shot = state.shots[i];
        add(step_scratch, moved_up(state.shots.handle_at(i), ids.shots),
            body_of(shot.flight, shot_def, is_safe(shot, setup.rules) ? group_of(shot.owner) : 0));
    }
    gather_contacts(state, step_scratch);
}

void return_bodies(const StepScratch& step_scratch, const Setup& setup, State& state) {
    const Body* next = step_scratch.bodies.data() + setup.walls.size();
    for (Player& player : state.players)
        if (player.alive()) take_back(player.ship, *next++);
    for (Rock& rock : state.rocks) take_back(rock.flight, *next++);
    for (Shot& shot : state.shots) take_back(shot.flight, *next++);

    state.touches.assign(step_scratch.contact_header.count,
                         [&](std::uint32_t i) { return Touch{step_scratch.contacts[i]}; });
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
