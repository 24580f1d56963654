// SPDX-License-Identifier: MIT
// One tick of foothold. The step at the end of the file is the list of its phases in the order in which they
// run, which is the document's: players, mobs, touches, drops.
#include <algorithm>
#include <array>
#include <cmath>

#include <foothold/combat.h>
#include <foothold/drop.h>
#include <foothold/foothold.h>
#include <foothold/mob.h>
#include <instep/contract/players.h>

namespace instep::worlds::foothold {
namespace {

using contract::Tick;

constexpr double map_margin = 4096;            // px beyond the map in which objects may still be
constexpr double fastest = 1000;               // px/tick, far beyond the speed of any fall
constexpr double portal_height = 2;            // of portal_range: a portal is a door, higher than wide
constexpr std::int32_t fall_out_divisor = 10;  // of most_health: the cost of falling out of the map

void spawn(Player& player, State& state, const Setup& setup) {
    const auto which = state.head->random.below(static_cast<std::uint32_t>(setup.spawns.size()));
    place(player, setup.spawns[which], setup);
    player.health = setup.rules.most_health;
    player.hurt_at = 0;
}

void take_leaves_and_joins(State& state, const Tick<Input>& tick, const Moment& moment) {
    const auto leave = [&](const Player& player) {
        moment.events.add({.position = player.body.position, .kind = EventKind::left, .slot = player.slot});
    };
    const auto enter = [&](Player& player, const contract::Join&) {
        spawn(player, state, moment.setup);
        moment.events.add({.position = player.body.position, .kind = EventKind::joined, .slot = player.slot});
    };
    contract::take_leaves_and_joins(state.players, tick, leave, enter);
}

void respawn_the_dead(State& state, const Moment& moment) {
    for (Player& player : state.players) {
        if (player.alive() || !moment.clock.is_past(player.died_at, moment.setup.rules.respawn_pause))
            continue;
        spawn(player, state, moment.setup);
        player.hurt_at = moment.clock.tick;  // invincible for a moment after coming back
        moment.events.add(
            {.position = player.body.position, .kind = EventKind::respawned, .slot = player.slot});
    }
}

// MouseFly: the developer goes where the pointer is.
bool fly(Player& player, const Input& input, const Setup& setup) {
    if (!input.fly || !setup.rules.fly_allowed) return false;
    place(player, {static_cast<double>(input.pointer_x), static_cast<double>(input.pointer_y)}, setup);
    return true;
}

// Portals work on the press of `up`, or by touch, and not again for a moment. Whether it took one.
bool take_portal(Player& player, bool up_pressed, const Moment& moment) {
    const Setup& setup = moment.setup;
    if (player.climbing() || !moment.clock.is_past(player.portal_at, setup.rules.portal_pause)) return false;
    const double range = setup.rules.portal_range;
    for (std::size_t i = 0; i < setup.portals.size(); ++i) {
        const Portal& portal = setup.portals[i];
        const std::uint32_t end = setup.portal_ends[i];
        const Vec2 away = portal.position - player.body.position;
        if (end == i || !(up_pressed || portal.on_touch) || std::abs(away.x) > range ||
            std::abs(away.y) > portal_height * range)
            continue;
        place(player, setup.portals[end].position, setup);
        player.portal_at = moment.clock.tick;
        moment.events.add(
            {.position = player.body.position, .kind = EventKind::took_portal, .slot = player.slot});
        return true;
    }
    return false;
}

// Notes in `began` where each player's motion in this tick begins. A player that is put elsewhere did not
// move: it touches nothing between the two positions.
void move_players(State& state, const Tick<Input>& tick, std::span<Vec2> began, const Moment& moment) {
    for (std::uint32_t i = 0; i < state.players.size(); ++i) {
        Player& player = state.players[i];
        const Input before = player.input;
        const Input& input = tick.inputs[player.slot];
        const bool flies = player.alive() && fly(player, input, moment.setup);
        began[i] = player.body.position;
        if (!player.alive() || flies) {
            player.input = input;
            continue;
        }
        if (moment.setup.is_web())
            move_web_player(player, input, moment);
        else
            move_reference_player(player, input, moment);
        if (take_portal(player, input.up && !before.up, moment)) began[i] = player.body.position;
        if (input.attack) attack(state, player, moment);
        if (input.pick_up && !before.pick_up) pick_up(state, player, moment);
    }
}

// A player that falls out of the map starts again, with less health.
void return_the_fallen(State& state, const Moment& moment) {
    if (!moment.setup.rules.fall_out) return;
    for (Player& player : state.players) {
        if (!player.alive() || player.body.position.y < moment.setup.ground.borders().high) continue;
        moment.events.add(
            {.position = player.body.position, .kind = EventKind::fell_out, .slot = player.slot});
        const std::int32_t health = player.health;
        spawn(player, state, moment.setup);
        player.health = std::max(1, health - moment.setup.rules.most_health / fall_out_divisor);
        player.hurt_at = moment.clock.tick;
    }
}

// The originals let things leave the map in odd corners. A state stays finite all the same.
void hold_near_map(PhysicsObject& body, const Setup& setup) {
    const auto bounded = [](double value, double low, double high) {
        return value < low ? low : value > high ? high : value;
    };
    const Interval x = setup.ground.extent_x();
    const Interval y = setup.ground.extent_y();
    const double most = speed_of(fastest, setup);
    body.position = {bounded(body.position.x, x.low - map_margin, x.high + map_margin),
                     bounded(body.position.y, y.low - map_margin, y.high + map_margin)};
    body.velocity = {bounded(body.velocity.x, -most, most), bounded(body.velocity.y, -most, most)};
}

void hold_all_near_map(State& state, const Setup& setup) {
    for (Player& player : state.players) hold_near_map(player.body, setup);
    for (Mob& mob : state.mobs) hold_near_map(mob.body, setup);
    for (Drop& drop : state.drops) hold_near_map(drop.body, setup);
}

// --- What a legal state is ---------------------------------------------------------------------------------

bool is_legal(const PhysicsObject& body, const Setup& setup) {
    const Interval x = setup.ground.extent_x();
    const Interval y = setup.ground.extent_y();
    constexpr double tolerance = 1;  // for rounding on the wire
    const double most = speed_of(fastest, setup) + tolerance;
    const auto is_within = [](double value, double low, double high) {
        return value >= low && value <= high;
    };
    return is_within(body.position.x, x.low - map_margin - tolerance, x.high + map_margin + tolerance) &&
           is_within(body.position.y, y.low - map_margin - tolerance, y.high + map_margin + tolerance) &&
           is_within(body.velocity.x, -most, most) && is_within(body.velocity.y, -most, most) &&
           std::abs(body.drop_height) <= 1e6 && body.foothold < setup.ground.index_count() &&
           body.flags <= MotionFlags::all;
}

bool is_legal(const Input& input, const Setup& setup) {
    Input cleaned = input;
    return sanitize(cleaned, setup) && cleaned.pointer_x == input.pointer_x &&
           cleaned.pointer_y == input.pointer_y && cleaned.fly == input.fly;
}

state::Result<void> check_players(const State& state, const Setup& setup) {
    for (const Player& player : state.players) {
        const std::string where = "players: slot " + std::to_string(player.slot);
        if (!is_legal(player.body, setup) || !(std::abs(player.fall_start) <= 1e6))
            return state::refuse(where, "is nowhere in the map");
        if (!is_legal(player.input, setup))
            return state::refuse(where, "has an input that sanitize would change");
        if (player.ladder > setup.ladders.size() || player.ignored_foothold >= setup.ground.index_count())
            return state::refuse(where, "is on something that the map does not have");
        const bool climbs = player.stance == Stance::ladder || player.stance == Stance::rope;
        if (climbs != player.climbing())
            return state::refuse(where, "climbs nothing, or holds on without climbing");
        if (player.health < 0 || player.health > setup.rules.most_health)
            return state::refuse(where, "has an impossible health");
        if (player.alive() != (player.health > 0)) return state::refuse(where, "is neither dead nor alive");
    }
    return {};
}

state::Result<void> check_mobs(const State& state, const Setup& setup) {
    if (state.mobs.size() != setup.mobs.size())
        return state::refuse("mobs", "there is not one for each home");
    for (std::uint32_t i = 0; i < state.mobs.size(); ++i) {
        const Mob& mob = state.mobs[i];
        const std::string where = "mobs[" + std::to_string(i) + "]";
        if (mob.home != i) return state::refuse(where, "is not at its index");
        if (!is_legal(mob.body, setup)) return state::refuse(where, "is nowhere in the map");
        if (mob.health < 0 || mob.health > setup.kind_of(setup.mobs[i]).health ||
            mob.alive() != (mob.health > 0))
            return state::refuse(where, "has a health that none of its kind has");
        if (std::abs(mob.rising) > 1 || std::abs(mob.knock) > 1)
            return state::refuse(where, "goes neither left nor right nor up nor down");
    }
    return {};
}

state::Result<void> check_drops(const State& state, const Setup& setup) {
    for (const Drop& drop : state.drops) {
        if (!is_legal(drop.body, setup) || !(std::abs(drop.target.x) <= 1e6) ||
            !(std::abs(drop.target.y) <= 1e6))
            return state::refuse("drops", "one is nowhere in the map");
        if (!(drop.phase >= -1 && drop.phase <= 1000) || !(drop.angle >= -1 && drop.angle <= 1e9))
            return state::refuse("drops", "one spins beyond all measure");
        if (drop.value < 0 || drop.value > 10'000)
            return state::refuse("drops", "one has a value that none has");
    }
    return {};
}

}  // namespace

contract::Facts facts(const Setup& setup) {
    const Interval x = setup.ground.extent_x();
    const Interval y = setup.ground.extent_y();
    return {.tick_rate = setup.rules.tick_rate,
            .snapshot_every = setup.rules.tick_rate >= 25 ? setup.rules.tick_rate / 25 : 1,
            .teleport_distance = 300,
            .most_players = setup.map.most_players,
            .most_events = 2048,
            .y_up = false,
            .view_low = {x.low - 50, y.low - 300},
            .view_high = {x.high + 50, y.high + 100}};
}

void start(State& state, const Setup& setup) {
    state.head->seed = state.head->random.next();
    for (std::size_t i = 0; i < setup.mobs.size(); ++i) {
        Mob* mob = state.mobs.add(spawn_mob(setup, static_cast<std::uint16_t>(i)));
        mob->until =
            1 + state.head->random.below(2 * setup.rules.tick_rate);  // so that not all decide at once
    }
}

bool sanitize(Input& input, const Setup& setup) {
    const auto is_sane = [](float value) { return std::abs(value) <= static_cast<float>(widest); };
    if (!is_sane(input.pointer_x) || !is_sane(input.pointer_y)) return false;
    if (!input.fly || !setup.rules.fly_allowed) {
        input.fly = false;
        input.pointer_x = input.pointer_y = 0;
    }
    input.unused = {};
    return true;
}

state::Result<void> validate(const State& state, const Setup& setup) {
    if (auto checked = contract::validate_common(state, setup.map.most_players); !checked) return checked;
    if (auto checked = check_players(state, setup); !checked) return checked;
    if (auto checked = check_mobs(state, setup); !checked) return checked;
    return check_drops(state, setup);
}

void step(State& state, const Setup& setup, const Tick<Input>& tick, contract::Events<Event>& events) {
    const Moment moment{setup, Clock::of(state, setup), events};
    take_leaves_and_joins(state, tick, moment);
    respawn_the_dead(state, moment);

    std::array<Vec2, contract::most_slots> places;
    const std::span before{places.data(), state.players.size()};
    move_players(state, tick, before, moment);
    move_mobs(state, moment);
    touch_mobs(state, before, moment);
    touch_traps(state, before, moment);
    move_drops(state, moment);

    return_the_fallen(state, moment);
    hold_all_near_map(state, setup);
    ++state.head->tick;
}

}  // namespace instep::worlds::foothold
