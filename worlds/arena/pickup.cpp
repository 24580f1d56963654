// SPDX-License-Identifier: MIT
#include <arena/pickup.h>

namespace instep::worlds::arena {

void take_pickups(State& state, const Setup& setup, contract::Events<Event>& events) {
    for (Pickup& pickup : state.pickups) {
        if (pickup.pause > 0) {
            --pickup.pause;
            continue;
        }
        for (Player& player : state.players) {
            if (!player.alive() || distance(player.ship.position, pickup.position) > pickup_reach) continue;
            player.weapon = pickup.weapon;
            player.ammunition = setup.rules.most_ammunition;
            pickup.pause = setup.rules.pickup_pause;
            events.add({.position = pickup.position, .kind = EventKind::picked_up, .slot = player.slot});
            break;
        }
    }
}

void place_pickups(State& state, const Setup& setup) {
    while (state.pickups.size() < setup.pickups.size()) state.pickups.add({});
    for (std::uint32_t i = 0; i < setup.pickups.size(); ++i)
        state.pickups[i] = {.position = setup.pickups[i].position, .weapon = setup.pickups[i].weapon};
}

void use_ammunition(Player& player) {
    if (player.ammunition == 0) return;
    --player.ammunition;
    if (player.ammunition == 0) player.weapon = Weapon::cannon;
}

const Pickup* nearest_pickup(const State& state, Vec2 from, double within) {
    const Pickup* nearest = nullptr;
    for (const Pickup& pickup : state.pickups) {
        const double away = distance(pickup.position, from);
        if (pickup.pause > 0 || away > within) continue;
        nearest = &pickup;
        within = away;
    }
    return nearest;
}

state::Result<void> validate_pickups(const State& state, const Setup& setup) {
    if (state.pickups.size() != setup.pickups.size())
        return state::refuse("pickups", "are not as many as the level has");
    for (std::uint32_t i = 0; i < state.pickups.size(); ++i)
        if (state.pickups[i].pause > setup.rules.pickup_pause ||
            state.pickups[i].weapon != setup.pickups[i].weapon ||
            state.pickups[i].position != setup.pickups[i].position)
            return state::refuse("pickups", "one is not the level's");
    return {};
}

}  // namespace instep::worlds::arena
