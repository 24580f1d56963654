// SPDX-License-Identifier: MIT
// One tick of creature. The step at the end of the file is the list of its phases in the order in which they
// run; one creature's physics are in body.h, what creatures do to each other is in crowd.h, the game is in
// game.h.
#include <cmath>
#include <optional>

#include <creature/body.h>
#include <creature/creature.h>
#include <creature/crowd.h>
#include <creature/game.h>
#include <instep/contract/players.h>

namespace instep::worlds::creature {

using contract::Events;
using contract::Tick;

namespace {

Vec2 position_of(const Player& player, const State& state, const Setup& setup) {
    const Body* own = state.creatures.find(player.creature);
    return own ? own->nodes[setup.plans[own->plan].head].position : player.input.pointer;
}

void take_leaves_and_joins(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    const auto leave = [&](Player& player) {
        events.add(
            {.position = position_of(player, state, setup), .kind = EventKind::left, .slot = player.slot});
        take_body(player, state);
    };
    const auto enter = [&](Player& player, const contract::Join& join) {
        if (setup.rules.players_have_bodies) {
            player.plan = static_cast<std::uint32_t>(join.seed % setup.player_plans);
            give_body(player, state, setup);
        }
        events.add(
            {.position = position_of(player, state, setup), .kind = EventKind::joined, .slot = join.slot});
    };
    contract::take_leaves_and_joins(state.players, tick, leave, enter);
}

void take_inputs(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    for (Player& player : state.players) {
        const bool chooses = tick.inputs[player.slot].next_body && !player.input.next_body;
        player.input = tick.inputs[player.slot];
        if (chooses && setup.rules.players_have_bodies) choose_next_body(player, state, setup, events);
    }
}

// The pointer that a creature follows: its owner's; for a resident, that of the lowest slot.
const Vec2* pointer_for(const Body& creature, const State& state) {
    const Player* leader = nullptr;
    for (const Player& player : state.players) {
        if (player.slot == creature.owner) return &player.input.pointer;
        if (!leader || player.slot < leader->slot) leader = &player;
    }
    return creature.owner == no_player && leader ? &leader->input.pointer : nullptr;
}

bool anyone_wanders(const State& state, const Setup& setup) {
    for (const Body& creature : state.creatures) {
        const std::span<const PlanAnchor> anchors = setup.plans[creature.plan].anchors;
        for (const PlanAnchor& anchor :
             anchors.subspan(creature.owner == no_player ? 0 : 1))  // its head is led
            if (anchor.movement == Movement::procedural && anchor.path == Path::wander) return true;
    }
    return false;
}

// Wanderers see all others where they were when the tick began, whether or not those have moved already.
void move_bodies(State& state, const Setup& setup) {
    const double time = static_cast<double>(state.head->tick + 1) * setup.dt();
    std::span<const motion::Circle> circles;
    std::optional<motion::CircleGroups> groups;
    if (state.creatures.size() > 1 && anyone_wanders(state, setup)) {
        motion::Scratch scratch = scratch_of(state);
        circles = gather_circles(state, setup, Nodes::all, scratch);
        groups.emplace(circles, setup.edge(), scratch);
    }
    for (std::uint32_t index = 0; index < state.creatures.size(); ++index) {
        Body& creature = state.creatures[index];
        const BodyPlan& plan = setup.plans[creature.plan];
        const Size size = size_of(creature.meals, plan, setup.rules);
        move_anchors(creature, plan, setup, pointer_for(creature, state), time,
                     {circles, groups ? &*groups : nullptr, index});
        glide(creature, plan, size, setup, state.head->tick);
        hold_together(creature, plan, size, setup.rules);
    }
}

void move_limbs(State& state, const Setup& setup) {
    for (Body& creature : state.creatures) {
        const BodyPlan& plan = setup.plans[creature.plan];
        for (std::size_t i = 0; i < plan.limbs.size(); ++i) {
            const PlanLimb& limb = plan.limbs[i];
            const Vec2 heading = heading_of(creature, plan, limb.body);
            Vec2 goal = place_of_foot(creature, limb, heading, setup);
            if (limb.target_node != no_node) {
                const Body& other =
                    limb.target_plan == no_node ? creature : state.creatures[limb.target_plan];
                goal = other.nodes[limb.target_node].position;
            }
            place_limb(creature, limb, creature.feet[i], goal, heading, setup);
        }
    }
}

void meet_walls(State& state, const Setup& setup) {
    for (Body& creature : state.creatures) {
        const BodyPlan& plan = setup.plans[creature.plan];
        hold_in_walls(creature, plan, size_of(creature.meals, plan, setup.rules), setup);
    }
}

// A round that is over stands still; the next one begins with all players newborn.
void run_round(State& state, const Setup& setup, Events<Event>& events) {
    const auto change = contract::run_round(state, setup.round());
    if (change == contract::RoundChange::ended) {
        const Player* winner = contract::find_player(state.players, state.head->winner);
        events.add({.position = winner ? position_of(*winner, state, setup) : Vec2{},
                    .kind = winner ? EventKind::won : EventKind::drawn,
                    .slot = state.head->winner});
    }
    if (change == contract::RoundChange::began) {
        begin_round(state, setup);
        events.add({.kind = EventKind::restarted});
    }
}

// No rules lead farther out than this in the life of a server, and its square is still a number; false for
// NaN as well.
bool is_sane(Vec2 v) { return std::abs(v.x) < 1e100 && std::abs(v.y) < 1e100; }

bool is_direction(Vec2 v) { return std::abs(length_squared(v) - 1) < 0.01; }

state::Result<void> validate_creature(const Body& creature, const Setup& setup, const std::string& where) {
    if (creature.plan >= setup.plans.size()) return state::refuse(where, "has a plan that does not exist");
    const BodyPlan& plan = setup.plans[creature.plan];
    if (creature.meals > setup.most_meals(plan)) return state::refuse(where, "is larger than its plan");
    if (creature.bite_pause > setup.rules.bite_pause) return state::refuse(where, "is safe for too long");
    for (const Particle& node : creature.nodes)
        if (!is_sane(node.position) || !is_sane(node.velocity))
            return state::refuse(where, "has a node that is nowhere in the playground");
    for (const Foot& foot : creature.feet)
        if (!is_sane(foot.from) || !is_sane(foot.to) || !(foot.progress >= 0 && foot.progress < 1 + 1e-3))
            return state::refuse(where, "has a foot that is nowhere in the playground");
    for (std::size_t i = 0; i < creature.anchors.size(); ++i) {
        const Anchor& anchor = creature.anchors[i];
        if (!is_sane(anchor.target) || !(std::abs(anchor.wander_direction) < 10) ||
            (i < plan.anchors.size() && !is_direction(anchor.heading)))
            return state::refuse(where, "has an anchor that leads nowhere");
    }
    return {};
}

// Residents first, in order, then one creature for each living player, and no other.
state::Result<void> validate_owners(const State& state, const Setup& setup) {
    const auto residents = static_cast<std::uint32_t>(setup.residents.size());
    if (state.creatures.size() < residents) return state::refuse("creatures", "a resident is missing");
    std::uint32_t owned = residents;
    for (const Player& player : state.players) {
        const std::string where = "players: slot " + std::to_string(player.slot);
        const Body* own = state.creatures.find(player.creature);
        const bool lives = setup.rules.players_have_bodies && player.respawn_pause == 0;
        if (lives != (own != nullptr) || (own && own->owner != player.slot))
            return state::refuse(where, "has no creature of its own, or one too many");
        if (own && (own->plan >= setup.player_plans || own < state.creatures.begin() + residents))
            return state::refuse(where, "has a creature of another kind");
        if (own) ++owned;
    }
    if (owned != state.creatures.size()) return state::refuse("creatures", "one has no owner");
    for (std::uint32_t i = 0; i < residents; ++i)
        if (state.creatures[i].plan != setup.residents[i].plan || state.creatures[i].owner != no_player ||
            state.creatures[i].meals != 0)
            return state::refuse("creatures", "one is not the resident that it should be");
    return {};
}

}  // namespace

contract::Facts facts(const Setup& setup) {
    const motion::Box edge = setup.edge();
    return {.tick_rate = setup.rules.tick_rate,
            .snapshot_every = setup.rules.tick_rate >= 20 ? setup.rules.tick_rate / 20 : 1,
            .teleport_distance = 200,
            .most_players = setup.playground.most_players,
            .most_events = 512,
            .relays_inputs = true,  // bodies that jostle
            .y_up = true,
            .view_low = edge.low,
            .view_high = edge.high};
}

void start(State& state, const Setup& setup) {
    for (const Resident& resident : setup.residents)
        state.creatures.add(newborn(resident.plan, resident.at, resident.facing, setup));
}

bool sanitize(Input& input, const Setup& setup) {
    if (!(std::abs(input.pointer.x) <= 1e300) || !(std::abs(input.pointer.y) <= 1e300)) return false;
    input.pointer = setup.edge().clamp(input.pointer);
    input.unused = {};
    return true;
}

state::Result<void> validate(const State& state, const Setup& setup) {
    if (auto legal = contract::validate_common(state, setup.playground.most_players); !legal) return legal;
    if (auto legal = contract::validate_round(*state.head, setup.round(), setup.playground.most_players);
        !legal)
        return legal;
    if (!state.scratch.empty()) return state::refuse("scratch", "is not empty");
    for (const Player& player : state.players) {
        const std::string where = "players: slot " + std::to_string(player.slot);
        if (!is_sane(player.input.pointer)) return state::refuse(where, "points out of the playground");
        if (player.respawn_pause > setup.rules.respawn_pause ||
            (setup.rules.players_have_bodies ? player.plan >= setup.player_plans : player.respawn_pause > 0))
            return state::refuse(where, "waits for a life that will not come");
    }
    for (std::uint32_t i = 0; i < state.creatures.size(); ++i)
        if (auto legal = validate_creature(state.creatures[i], setup, "creatures[" + std::to_string(i) + "]");
            !legal)
            return legal;
    for (const Mote& mote : state.motes)
        if (!is_sane(mote.position)) return state::refuse("motes", "one is nowhere in the playground");
    return validate_owners(state, setup);
}

void move_creatures(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    take_leaves_and_joins(state, setup, tick, events);
    take_inputs(state, setup, tick, events);
    move_bodies(state, setup);
    move_limbs(state, setup);
}

void settle_creatures(State& state, const Setup& setup, Events<Event>& events) {
    if (setup.rules.walls_before_circles) {
        meet_walls(state, setup);
        push_creatures_apart(state, setup);
    } else {
        push_creatures_apart(state, setup);
        meet_walls(state, setup);
    }
    if (setup.rules.players_have_bodies) {
        eat_motes(state, setup, events);
        bite_tails(state, setup, events);
        respawn_the_dead(state, setup, events);
        sow_motes(state, setup);
    }
}

void step(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) {
    if (state.head->over) {
        take_leaves_and_joins(state, setup, tick, events);
    } else {
        move_creatures(state, setup, tick, events);
        settle_creatures(state, setup, events);
    }
    run_round(state, setup, events);
    ++state.head->tick;
}

}  // namespace instep::worlds::creature
