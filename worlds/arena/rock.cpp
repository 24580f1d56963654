// SPDX-License-Identifier: MIT
#include <arena/rock.h>

#include <instep/math/trig.h>

namespace instep::worlds::arena {
namespace {

constexpr double clear_distance = 3;  // to the nearest ship, for a rock to come back, u
constexpr double burst_speed = 4;     // of a piece, away from the middle, u/s

Rock whole(const RockPlan& plan) { return {{plan.position, plan.velocity, plan.angle, plan.spin}}; }

// Pieces of a rock follow each other in the list. They begin around its middle, clear of each other.
void scatter(State& state, std::uint32_t parent, const Setup& setup) {
    const Flight from = state.rocks[parent].flight;
    for (std::uint32_t i = 0; i < pieces_of_rock; ++i) {
        const std::uint32_t piece = setup.first_pieces[parent] + i;
        const math::SinCos turn = math::sincos(from.angle + math::two_pi * i / pieces_of_rock);
        const Vec2 out{turn.cos, turn.sin};
        state.rocks[piece] = {.flight = {.position = from.position + out * setup.rocks[piece].radius * 1.2,
                                         .velocity = from.velocity + out * burst_speed,
                                         .angle = from.angle,
                                         .spin = -from.spin}};
    }
}

void remove_pieces(State& state, std::uint32_t parent, const Setup& setup) {
    for (std::uint32_t i = 0; i < pieces_of_rock; ++i)
        state.rocks[setup.first_pieces[parent] + i] = {.flight = {.position = setup.rocks[parent].position},
                                                       .pause = 1};
}

bool is_clear(const State& state, const RockPlan& plan) {
    for (const Player& player : state.players)
        if (distance(player.ship.position, plan.position) < plan.radius + clear_distance) return false;
    return true;
}

}  // namespace

void hit_rock(State& state, std::uint32_t index, const Setup& setup, contract::Events<Event>& events) {
    Rock& rock = state.rocks[index];
    const RockPlan& plan = setup.rocks[index];
    if (plan.strength == 0 || !rock.is_there() || ++rock.hits < plan.strength) return;
    events.add({.position = rock.flight.position, .kind = EventKind::shattered});
    rock.hits = 0;
    rock.pause = setup.has_pieces(index) ? setup.rules.rock_pause : 1;
    if (setup.has_pieces(index)) scatter(state, index, setup);
}

void mend_rocks(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < state.rocks.size(); ++i) {
        const RockPlan& plan = setup.rocks[i];
        Rock& rock = state.rocks[i];
        if (rock.is_there() || !setup.has_pieces(i)) continue;  // a piece comes back with its rock's next end
        if (rock.pause > 1) {
            --rock.pause;
        } else if (is_clear(state, plan)) {
            rock = whole(plan);
            remove_pieces(state, i, setup);
        }
    }
}

void place_rocks(State& state, const Setup& setup) {
    while (state.rocks.size() < setup.rocks.size()) state.rocks.add({});
    for (std::uint32_t i = 0; i < setup.rocks.size(); ++i) state.rocks[i] = whole(setup.rocks[i]);
    for (std::uint32_t i = 0; i < setup.rocks.size(); ++i)
        if (setup.has_pieces(i)) remove_pieces(state, i, setup);
}

state::Result<void> validate_rock(const State& state, std::uint32_t index, const Setup& setup) {
    const Rock& rock = state.rocks[index];
    const RockPlan& plan = setup.rocks[index];
    const std::uint32_t longest = setup.has_pieces(index) ? setup.rules.rock_pause
                                  : plan.strength > 0     ? 1
                                                          : 0;
    if (rock.pause > longest) return state::refuse("rocks", "one is broken for longer than the rules allow");
    if (rock.hits > 0 && rock.hits >= plan.strength)
        return state::refuse("rocks", "one has more hits than it can bear");
    return {};
}

}  // namespace instep::worlds::arena
