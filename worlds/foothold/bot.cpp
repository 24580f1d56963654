// SPDX-License-Identifier: MIT
// A bot looks for the nearest thing worth having: a drop that lies around, else a mob. It walks there, jumps
// where it gets no further, takes ladders to go up or down, swims, hits mobs in reach, lies down
// where a trap would pass over it, and now and then takes a portal. All it knows is in the state; where it
// has nothing to decide by, its slot and the time decide.
#include <cmath>

#include <foothold/clock.h>
#include <foothold/combat.h>
#include <foothold/foothold.h>
#include <foothold/trap.h>
#include <instep/contract/players.h>

namespace instep::worlds::foothold {
namespace {

constexpr double same_height = 60;       // px: goals closer in height can be walked to
constexpr double overhead = 100;         // px: mobs that fly higher are not worth a jump
constexpr std::uint64_t boredom = 1000;  // ticks
constexpr double ladder_interest = 400;  // px: a ladder farther off is not thought of
constexpr double portal_interest = 900;  // of effort: a portal farther off is not thought of
constexpr double portal_rest = 15'000;   // ms: the pause after a portal
constexpr double trap_caution = 40;      // px: the bot lies down before a trap that is this near
constexpr std::uint64_t restless = 3;    // one in this many bots looks for a portal, the others later

// A goal at another height counts as farther, by the extra path.
double effort(Vec2 from, Vec2 to) { return std::abs(to.x - from.x) + 3 * std::abs(to.y - from.y); }

enum class GoalKind { point, drop, mob, portal };

struct Goal {
    bool exists = false;
    GoalKind kind = GoalKind::point;
    Vec2 position;
};

// The nearest portal for a restless bot; null if it is far.
Goal find_portal(const State& state, const Setup& setup, const Player& own) {
    Goal goal;
    const std::uint64_t mood = state.head->tick / boredom + own.slot;
    if (mood % restless != 0 || !Clock::of(state, setup).is_past(own.portal_at, portal_rest)) return goal;
    double least = portal_interest;
    for (std::size_t i = 0; i < setup.portals.size(); ++i) {
        const double cost = effort(own.body.position, setup.portals[i].position);
        if (setup.portal_ends[i] == i || cost >= least) continue;
        goal = {true, GoalKind::portal, setup.portals[i].position};
        least = cost;
    }
    return goal;
}

Goal find_goal(const State& state, const Setup& setup, const Player& own) {
    Goal goal = find_portal(state, setup, own);
    if (goal.exists) return goal;
    double least = 0;
    const auto consider = [&](Vec2 position, GoalKind kind, double extra) {
        const double cost = effort(own.body.position, position) + extra;
        if (goal.exists && cost >= least) return;
        goal = {true, kind, position};
        least = cost;
    };
    for (const Drop& drop : state.drops)
        if (drop.stance == DropStance::floating) consider(drop.body.position, GoalKind::drop, 0);
    for (const Mob& mob : state.mobs) {
        if (!mob.alive()) continue;
        // Bots spread out: each prefers some mobs, and after a while others, so that it does not stand
        // endlessly below one that it cannot reach.
        const std::uint64_t mood = state.head->tick / boredom * 5;
        const double taste = static_cast<double>((mob.home * 7u + own.slot * 13u + mood) % 11) * 60;
        const bool is_overhead = setup.kind_of(setup.mobs[mob.home]).motion == MobMotion::flies &&
                                 mob.body.position.y < own.body.position.y - overhead;
        consider(mob.body.position, GoalKind::mob, taste + (is_overhead ? 1000 : 0));
    }
    if (!goal.exists) {
        const auto n = static_cast<std::uint64_t>(setup.spawns.size());
        goal.position = setup.spawns[static_cast<std::size_t>((state.head->tick / boredom + own.slot) % n)];
        goal.exists = true;
    }
    return goal;
}

// The ladder that leads nearest to the goal's height; null if it is far.
const Ladder* find_ladder(const Setup& setup, Vec2 from, Vec2 goal) {
    const Ladder* best = nullptr;
    double least = ladder_interest;
    for (const Ladder& ladder : setup.ladders) {
        const bool up = goal.y < from.y;
        const double start = up ? ladder.bottom : ladder.top;
        const bool leads_there = up ? ladder.top < from.y - 40 : ladder.bottom > from.y + 40;
        if (!leads_there || std::abs(start - from.y) > 70) continue;
        const double away = std::abs(ladder.x - from.x);
        if (away >= least) continue;
        best = &ladder;
        least = away;
    }
    return best;
}

void walk_to(Input& input, double from, double to, double near) {
    input.left = to < from - near;
    input.right = to > from + near;
}

Input climb(const Player& own, const Goal& goal) {
    Input input;
    const bool has_begun = own.input.up != own.input.down;  // and goes on to the end
    input.up = has_begun ? own.input.up : goal.position.y < own.body.position.y;
    input.down = !input.up;
    return input;
}

Input swim(const Player& own, const Goal& goal, std::uint64_t beat) {
    Input input;
    walk_to(input, own.body.position.x, goal.position.x, 15);
    input.up = goal.position.y < own.body.position.y - 20;
    input.down = goal.position.y > own.body.position.y + 20;
    input.jump = input.up && beat % 40 == 0;
    return input;
}

Input walk(const Player& own, const Goal& goal, const Setup& setup, std::uint64_t beat) {
    Input input;
    if (own.stance == Stance::fall) {  // the nearest goal in mid-air may not be the nearest on the ground
        input.left = own.input.left;
        input.right = own.input.right;
        return input;
    }
    const Vec2 at = own.body.position;
    double target = goal.position.x;
    const bool other_height = std::abs(goal.position.y - at.y) > same_height;
    const Ladder* ladder = other_height ? find_ladder(setup, at, goal.position) : nullptr;
    if (ladder) target = ladder->x;
    const double keep_off = goal.kind == GoalKind::mob && !ladder ? setup.rules.attack_range_x * 0.5 : 6;
    walk_to(input, at.x, target, keep_off);
    if (ladder && std::abs(ladder->x - at.x) <= 8) {
        input.up = goal.position.y < at.y;
        input.down = !input.up;
        return input;
    }
    const bool stuck = input.walk() != 0 && std::abs(own.body.velocity.x) < 0.05 && beat % 25 == 0;
    const bool hops = beat % 97 == 0 || (other_height && goal.position.y < at.y && beat % 50 == 0);
    input.jump = own.body.on_ground && (stuck || hops) && !own.input.jump;
    // Down through a platform, when the goal is below and no ladder helps.
    const bool drops =
        other_height && goal.position.y > at.y && !ladder && std::abs(target - at.x) < 200 && beat % 120 < 20;
    if (drops) {
        input = {};
        input.down = true;
        input.jump = beat % 120 == 15;
    }
    return input;
}

// Whether a trap that comes near would hit the player standing and miss it lying.
bool should_lie(const State& state, const Setup& setup, const Player& own) {
    if (!own.body.on_ground || own.climbing()) return false;
    const double now = Clock::of(state, setup).now();
    Player posed = own;
    posed.stance = Stance::stand;
    const Box standing = touch_box(posed, own.body.position);
    posed.stance = Stance::prone;
    const Box lying = touch_box(posed, own.body.position);
    for (const Trap& trap : setup.traps) {
        Box near = box_of(trap, setup, now);
        if (near.is_empty()) continue;
        near.left -= trap_caution;
        near.right += trap_caution;
        if (near.touches(standing) && !near.touches(lying)) return true;
    }
    return false;
}

}  // namespace

Input bot(const State& state, const Setup& setup, contract::Slot slot) {
    const Player* own = contract::find_player(state.players, slot);
    if (!own || !own->alive()) return {};
    const std::uint64_t beat = state.head->tick + std::uint64_t{slot} * 17;
    const Goal goal = find_goal(state, setup, *own);
    Input input = own->climbing()               ? climb(*own, goal)
                  : own->stance == Stance::swim ? swim(*own, goal, beat)
                                                : walk(*own, goal, setup, beat);
    if (should_lie(state, setup, *own)) {
        input = {};
        input.down = true;
        return input;
    }
    const Vec2 away = goal.position - own->body.position;
    const bool in_reach =
        std::abs(away.x) < setup.rules.attack_range_x && std::abs(away.y) < setup.rules.attack_range_y;
    if (goal.kind == GoalKind::mob && in_reach) {
        if (own->facing_right != (away.x > 0) && beat % 4 == 0) walk_to(input, 0, away.x, 0);
        input.attack = true;
    }
    input.pick_up =
        goal.kind == GoalKind::drop && std::abs(away.x) < setup.rules.pickup_range && beat % 2 == 0;
    const double door = setup.rules.portal_range;
    if (goal.kind == GoalKind::portal && std::abs(away.x) < door && std::abs(away.y) < door)
        input.up = !own->input.up;  // it is the press that counts
    return input;
}

}  // namespace instep::worlds::foothold
