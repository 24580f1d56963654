// SPDX-License-Identifier: MIT
#include <creature/game.h>

#include <algorithm>
#include <cassert>

#include <creature/body.h>
#include <instep/contract/players.h>
#include <instep/motion/distance.h>

namespace instep::worlds::creature {
namespace {

using contract::Events;

// At least `margin` from the walls; in the middle where there is no such point.
Vec2 random_position(State& state, const Setup& setup, double margin) {
    const motion::Box walls = setup.walls();
    const double across = std::max(0.0, walls.high.x - margin);
    const double up = std::max(0.0, walls.high.y - margin);
    const double x = state.head->random.uniform(-across, across);
    const double y = state.head->random.uniform(-up, up);
    return {x, y};
}

struct Circle {
    Vec2 center;
    double radius = 0;
};

Circle circle_of(const Body& creature, std::uint32_t node, const BodyPlan& plan, const Rules& rules) {
    return {creature.nodes[node].position, radius_of(node, plan, size_of(creature.meals, plan, rules))};
}

Circle head_of(const Body& creature, const Setup& setup) {
    const BodyPlan& plan = setup.plans[creature.plan];
    return circle_of(creature, plan.head, plan, setup.rules);
}

Circle tip_of(const Body& creature, const Setup& setup) {
    const BodyPlan& plan = setup.plans[creature.plan];
    return circle_of(creature, plan.tip(size_of(creature.meals, plan, setup.rules).nodes), plan, setup.rules);
}

void eat(Body& creature, Player& player, const Setup& setup, Events<Event>& events) {
    const BodyPlan& plan = setup.plans[creature.plan];
    const Vec2 mouth = head_of(creature, setup).center;
    contract::add_score(player.score, 1);
    events.add({.position = mouth, .kind = EventKind::ate, .slot = player.slot});
    if (creature.meals >= setup.most_meals(plan)) return;
    resize(creature, creature.meals + 1, plan, setup.rules);
    if (creature.meals % setup.rules.motes_per_node == 0)
        events.add(
            {.position = tip_of(creature, setup).center, .kind = EventKind::grew, .slot = player.slot});
}

void kill(Player& victim, const Player& killer, Vec2 at, State& state, const Setup& setup,
          Events<Event>& events) {
    victim.respawn_pause = setup.rules.respawn_pause;
    take_body(victim, state);
    events.add({.position = at, .kind = EventKind::died, .slot = victim.slot, .by = killer.slot});
}

void bite(Player& biter, Player& victim, State& state, const Setup& setup, Events<Event>& events) {
    Body& bitten = *state.creatures.find(victim.creature);
    const Vec2 at = tip_of(bitten, setup).center;
    state.motes.add({at});
    if (bitten.meals < setup.rules.motes_per_node) {
        contract::add_score(biter.score, setup.rules.kill_score);
        return kill(victim, biter, at, state, setup, events);
    }
    contract::add_score(biter.score, setup.rules.bite_score);
    resize(bitten, bitten.meals - setup.rules.motes_per_node, setup.plans[bitten.plan], setup.rules);
    bitten.bite_pause = setup.rules.bite_pause;
    events.add({.position = at, .kind = EventKind::bitten, .slot = victim.slot, .by = biter.slot});
}

}  // namespace

void give_body(Player& player, State& state, const Setup& setup) {
    const Vec2 at = random_position(state, setup, setup.plans[player.plan].extent);
    const double facing = state.head->random.uniform(-math::pi, math::pi);
    Body* creature = state.creatures.add(newborn(player.plan, at, facing, setup));
    assert(creature);  // the pool has the capacity for every player
    creature->owner = player.slot;
    player.creature = state.creatures.handle_of(*creature);
    player.respawn_pause = 0;
}

void choose_next_body(Player& player, State& state, const Setup& setup, Events<Event>& events) {
    player.plan = (player.plan + 1) % setup.player_plans;
    Body* creature = state.creatures.find(player.creature);
    if (!creature || creature->meals > 0) return;
    // Plans lie with their tails along -x. Protection is not renewed by changing.
    const Vec2 at = head_of(*creature, setup).center;
    const Vec2 ahead = -heading_of(*creature, setup.plans[creature->plan], setup.plans[creature->plan].head);
    const std::uint32_t bite_pause = creature->bite_pause;
    *creature = newborn(player.plan, at, motion::angle_of(ahead), setup);
    creature->owner = player.slot;
    creature->bite_pause = bite_pause;
    events.add({.position = at, .kind = EventKind::changed, .slot = player.slot});
}

void take_body(Player& player, State& state) {
    if (const Body* creature = state.creatures.find(player.creature))
        state.creatures.remove_at(static_cast<std::uint32_t>(creature - state.creatures.begin()));
    player.creature = {};
}

void eat_motes(State& state, const Setup& setup, Events<Event>& events) {
    for (Body& creature : state.creatures) {
        Player* player = contract::find_player(state.players, creature.owner);
        if (!player) continue;
        const Circle head = head_of(creature, setup);
        state.motes.remove_if([&](const Mote& mote) {
            if (!motion::circles_touch(head.center, head.radius, mote.position, setup.rules.mote_radius))
                return false;
            eat(creature, *player, setup, events);
            return true;
        });
    }
}

void bite_tails(State& state, const Setup& setup, Events<Event>& events) {
    for (Body& creature : state.creatures)
        if (creature.bite_pause > 0) --creature.bite_pause;
    for (Player& biter : state.players) {
        for (Player& victim : state.players) {
            const Body* biting = state.creatures.find(biter.creature);
            const Body* bitten = state.creatures.find(victim.creature);
            if (!biting || !bitten || biting == bitten || bitten->bite_pause > 0) continue;
            const Circle head = head_of(*biting, setup);
            const Circle tip = tip_of(*bitten, setup);
            if (motion::within(head.center, tip.center, head.radius + tip.radius + setup.rules.bite_reach))
                bite(biter, victim, state, setup, events);
        }
    }
}

void respawn_the_dead(State& state, const Setup& setup, Events<Event>& events) {
    for (Player& player : state.players) {
        if (player.respawn_pause == 0) continue;
        --player.respawn_pause;
        if (player.respawn_pause > 0) continue;
        give_body(player, state, setup);
        if (const Body* creature = state.creatures.find(player.creature))
            events.add({.position = head_of(*creature, setup).center,
                        .kind = EventKind::respawned,
                        .slot = player.slot});
    }
}

void begin_round(State& state, const Setup& setup) {
    state.motes.remove_if([](const Mote&) { return true; });
    for (Player& player : state.players) {
        take_body(player, state);
        give_body(player, state, setup);
    }
}

void sow_motes(State& state, const Setup& setup) {
    if (state.motes.full() || state.head->tick % setup.rules.mote_pause != 0) return;
    state.motes.add({random_position(state, setup, setup.rules.mote_radius)});
}

}  // namespace instep::worlds::creature
