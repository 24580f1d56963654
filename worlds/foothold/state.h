// SPDX-License-Identifier: MIT
// All that changes during a match of foothold, each field described once, beside its struct. A moment in the
// past is kept as the tick it happened in (0: never), so that it stays the same while nothing happens;
// clock.h says how long ago that was.
#pragma once

#include <cstdint>

#include <foothold/physics.h>
#include <foothold/setup.h>
#include <instep/contract/event_table.h>
#include <instep/contract/tick.h>
#include <instep/math/random.h>
#include <instep/math/vec2.h>
#include <instep/state/layout.h>

namespace instep::worlds::foothold {

using contract::Mood;
using contract::no_player;
using contract::Slot;

struct Input {
    float pointer_x = 0, pointer_y = 0;  // where `fly` leads, px
    bool left = false, right = false, up = false, down = false;
    bool jump = false;
    bool attack = false;
    bool pick_up = false;
    bool sit = false;
    bool fly = false;  // MouseFly, where the rules allow it
    state::Reserved<7> unused;

    // 1, -1, or 0 for neither and for both.
    int walk() const { return static_cast<int>(right) - static_cast<int>(left); }
};

constexpr auto fields_of(state::Type<Input>) {
    using state::Control;
    using state::field;
    constexpr state::Rules coordinate{.low = -widest, .high = widest, .precision = 1, .unit = "px"};
    return state::fields("Input", field("pointer_x", &Input::pointer_x, coordinate),
                         field("pointer_y", &Input::pointer_y, coordinate),
                         field("left", &Input::left, {.control = Control::left}),
                         field("right", &Input::right, {.control = Control::right}),
                         field("up", &Input::up, {.control = Control::up}),
                         field("down", &Input::down, {.control = Control::down}),
                         field("jump", &Input::jump, {.control = Control::first}),
                         field("attack", &Input::attack, {.control = Control::second}),
                         field("pick_up", &Input::pick_up, {.control = Control::third}),
                         field("sit", &Input::sit, {.control = Control::fourth}), field("fly", &Input::fly),
                         field("unused", &Input::unused));
}

struct Head {
    std::uint64_t tick = 0;
    math::Random random;
    std::uint64_t seed = 0;  // of the mobs' decisions
};

constexpr auto fields_of(state::Type<Head>) {
    return state::fields("Head", state::field("tick", &Head::tick), state::field("random", &Head::random),
                         state::field("seed", &Head::seed));
}

enum class Stance : std::uint8_t { stand, walk, fall, prone, swim, ladder, rope, sit, dead };
inline constexpr std::string_view stance_names[] = {"stand",  "walk", "fall", "prone", "swim",
                                                    "ladder", "rope", "sit",  "dead"};

struct Player {
    contract::PlayerName name;
    Input input;  // the last one applied; presses are detected against it
    PhysicsObject body;
    double fall_start = 0;  // the highest point since it left the ground, px
    std::int32_t score = 0;
    std::int32_t health = 0;
    std::uint32_t attached_at = 0;     // took hold of a ladder or rope
    std::uint32_t left_ladder_at = 0;  // let go of one
    std::uint32_t hurt_at = 0;
    std::uint32_t dropped_at = 0;  // through a platform
    std::uint32_t attacked_at = 0;
    std::uint32_t died_at = 0;
    std::uint32_t portal_at = 0;
    std::uint32_t jump_pressed_at = 0;   // in the air, and not answered yet
    std::uint16_t ladder = 0;            // counted from 1; 0: not climbing
    FootholdIndex ignored_foothold = 0;  // the platform it dropped through
    Slot slot = 0;
    Stance stance = Stance::stand;
    bool facing_right = true;
    bool drop_lock = false;  // no steering until a drop has ended

    bool alive() const { return stance != Stance::dead; }
    bool climbing() const { return ladder != 0; }
};

constexpr auto fields_of(state::Type<Player>) {
    using state::field;
    // clang-format off
    return state::fields("Player",
        field("name", &Player::name),
        field("input", &Player::input),
        field("body", &Player::body),
        field("fall_start", &Player::fall_start, {.low = -16384, .high = 16384, .precision = 0.0625, .unit = "px"}),
        field("score", &Player::score),
        field("health", &Player::health),
        field("attached_at", &Player::attached_at, {.unit = "tick"}),
        field("left_ladder_at", &Player::left_ladder_at, {.unit = "tick"}),
        field("hurt_at", &Player::hurt_at, {.unit = "tick"}),
        field("dropped_at", &Player::dropped_at, {.unit = "tick"}),
        field("attacked_at", &Player::attacked_at, {.unit = "tick"}),
        field("died_at", &Player::died_at, {.unit = "tick"}),
        field("portal_at", &Player::portal_at, {.unit = "tick"}),
        field("jump_pressed_at", &Player::jump_pressed_at, {.unit = "tick"}),
        field("ladder", &Player::ladder),
        field("ignored_foothold", &Player::ignored_foothold),
        field("slot", &Player::slot),
        field("stance", &Player::stance, {.labels = stance_names}),
        field("facing_right", &Player::facing_right),
        field("drop_lock", &Player::drop_lock));
    // clang-format on
}

enum class MobStance : std::uint8_t { stand, move, jump, hit, die, gone };
inline constexpr std::string_view mob_stance_names[] = {"stand", "move", "jump", "hit", "die", "gone"};

struct Mob {
    PhysicsObject body;
    std::int32_t health = 0;
    std::uint32_t since = 0;        // the tick in which its stance began
    std::uint32_t until = 0;        // the tick in which it decides again
    std::uint32_t angry_until = 0;  // the tick in which it stops chasing
    std::uint16_t home = 0;         // in the setup's list of mobs
    MobStance stance = MobStance::stand;
    bool facing_right = false;  // the reference's flip
    std::int8_t rising = 0;     // of those that fly or swim: -1 upwards, 1 downwards
    std::int8_t knock = 0;      // direction of the hit
    Slot prey = no_player;      // the player it chases
    bool waits = false;         // at an edge or a wall, for the prey beyond it

    bool alive() const { return stance < MobStance::die; }
};

constexpr auto fields_of(state::Type<Mob>) {
    using state::field;
    // clang-format off
    return state::fields("Mob",
        field("body", &Mob::body),
        field("health", &Mob::health),
        field("since", &Mob::since, {.unit = "tick"}),
        field("until", &Mob::until, {.unit = "tick"}),
        field("angry_until", &Mob::angry_until, {.unit = "tick"}),
        field("home", &Mob::home),
        field("stance", &Mob::stance, {.labels = mob_stance_names}),
        field("facing_right", &Mob::facing_right),
        field("rising", &Mob::rising, {.low = -1, .high = 1}),
        field("knock", &Mob::knock, {.low = -1, .high = 1}),
        field("prey", &Mob::prey),
        field("waits", &Mob::waits));
    // clang-format on
}

enum class DropStance : std::uint8_t { falling, floating, picked_up };
inline constexpr std::string_view drop_stance_names[] = {"falling", "floating", "picked_up"};

struct Drop {
    PhysicsObject body;
    Vec2 target;       // where it will come to rest
    double phase = 0;  // of its bobbing, rad
    double angle = 0;  // of its spin, rad
    std::int32_t value = 0;
    std::uint32_t since = 0;  // the tick in which its stance began
    DropStance stance = DropStance::falling;
    Slot taker = no_player;
    state::Reserved<6> unused;
};

constexpr auto fields_of(state::Type<Drop>) {
    using state::field;
    // clang-format off
    return state::fields("Drop",
        field("body", &Drop::body),
        field("target", &Drop::target, {.low = -16384, .high = 16384, .precision = 0.0625, .unit = "px"}),
        field("phase", &Drop::phase, {.low = 0, .high = 512, .precision = 0.001, .unit = "rad"}),
        field("angle", &Drop::angle, {.low = 0, .high = 512, .precision = 0.01, .unit = "rad"}),
        field("value", &Drop::value),
        field("since", &Drop::since, {.unit = "tick"}),
        field("stance", &Drop::stance, {.labels = drop_stance_names}),
        field("taker", &Drop::taker),
        field("unused", &Drop::unused));
    // clang-format on
}

struct State {
    state::Single<Head> head;
    state::Pool<Player> players;
    state::Pool<Mob> mobs;  // one for each of the setup's list, always, the beaten ones included
    state::Pool<Drop> drops;
};

inline auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup& setup) { return setup.map.most_players; },
                    {.position = {&Player::body, &PhysicsObject::position}, .owner = &Player::slot}),
        state::pool("mobs", &State::mobs,
                    [](const Setup& setup) { return static_cast<std::uint32_t>(setup.mobs.size()); },
                    {.position = {&Mob::body, &PhysicsObject::position}}),
        state::pool("drops", &State::drops, [](const Setup& setup) { return setup.map.most_drops; },
                    {.position = {&Drop::body, &PhysicsObject::position}}));
}

enum class EventKind : std::uint8_t {
    joined,
    left,
    jumped,
    landed,
    attacked,
    hurt,
    died,
    respawned,
    fell_out,
    took_portal,
    mob_hit,
    mob_died,
    mob_respawned,
    dropped,
    picked_up
};
inline constexpr auto event_kinds = contract::event_table<EventKind>({
    {EventKind::joined, "joined", "$slot joined"},
    {EventKind::left, "left", "$slot left"},
    {EventKind::jumped, "jumped", "", Mood::slight},
    {EventKind::landed, "landed", "", Mood::slight},
    {EventKind::attacked, "attacked"},
    {EventKind::hurt, "hurt", "$slot was hurt", Mood::hurt},
    {EventKind::died, "died", "$slot died", Mood::grave},
    {EventKind::respawned, "respawned", "$slot is back"},
    {EventKind::fell_out, "fell_out", "$slot fell out of the map", Mood::hurt},
    {EventKind::took_portal, "took_portal", "$slot took a portal"},
    {EventKind::mob_hit, "mob_hit", "", Mood::hurt},
    {EventKind::mob_died, "mob_died", "[$slot ]beat a mob", Mood::grave},
    {EventKind::mob_respawned, "mob_respawned"},
    {EventKind::dropped, "dropped"},
    {EventKind::picked_up, "picked_up", "$slot picked something up", Mood::good},
});

struct Event {
    Vec2 position;
    double amount = 0;      // of health or value
    std::uint16_t mob = 0;  // which one, of those that are about a mob
    EventKind kind = EventKind::joined;
    Slot slot = no_player;  // the player concerned
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<Event>) {
    using state::field;
    return state::fields(
        "Event",
        field("position", &Event::position, {.low = -16384, .high = 16384, .precision = 0.5, .unit = "px"}),
        field("amount", &Event::amount, {.low = 0, .high = 65536, .precision = 1}), field("mob", &Event::mob),
        field("kind", &Event::kind, {.labels = event_kinds.labels}), field("slot", &Event::slot),
        field("unused", &Event::unused));
}

}  // namespace instep::worlds::foothold
