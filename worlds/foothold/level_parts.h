// SPDX-License-Identifier: MIT
// What a level of foothold is made of, each part described once: these lists are the level format. Lengths
// are in px with y down, times in milliseconds; a part that a level leaves out keeps the value that stands
// here.
#pragma once

#include <array>
#include <cstdint>

#include <foothold/ground.h>
#include <instep/state/field.h>

namespace instep::worlds::foothold {

using math::Vec2;
using Name = state::FixedText<32>;

inline constexpr double widest = most_foothold_coordinate;
inline constexpr std::size_t most_ladders = 4096;
inline constexpr std::size_t most_waters = 64;
inline constexpr std::size_t most_spawns = 256;
inline constexpr std::size_t most_portals = 256;
inline constexpr std::size_t most_kinds = 1024;
inline constexpr std::size_t most_mobs = 2000;
inline constexpr std::size_t most_npcs = 512;
inline constexpr std::size_t most_traps = 512;
inline constexpr std::size_t most_frames = 64;  // of one kind of trap
inline constexpr std::uint32_t most_drops = 2000;

struct Map {
    double friction = 1;              // `fs`: of the ground, where it is ice; 1 is ordinary ground
    std::uint32_t most_players = 50;  // a room
    std::uint32_t most_drops = 200;   // lying around; the oldest goes when there would be more
    bool swim = false;                // all of the map is water
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<Map>) {
    using state::field;
    return state::fields("Map", field("friction", &Map::friction, {.low = 0.01, .high = 10}),
                         field("most_players", &Map::most_players, {.low = 1, .high = 64}),
                         field("most_drops", &Map::most_drops, {.low = 1, .high = most_drops}),
                         field("swim", &Map::swim), field("unused", &Map::unused));
}

// A segment of ground or wall; `prev` and `next` are ids, 0: no neighbour.
struct FootholdPart {
    std::int32_t id = 0, layer = 0, group = 0;
    std::int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::int32_t prev = 0, next = 0;
    bool no_drop = false;  // forbidFallDown
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<FootholdPart>) {
    using state::field;
    using P = FootholdPart;
    constexpr state::Rules coordinate{.low = -widest, .high = widest, .unit = "px"};
    constexpr state::Rules link{.low = 0, .high = 2'000'000'000};
    return state::fields("Foothold", field("id", &P::id, {.low = 1, .high = 2'000'000'000}),
                         field("layer", &P::layer, {.low = 0, .high = 255}),
                         field("group", &P::group, {.low = -2'000'000'000, .high = 2'000'000'000}),
                         field("x1", &P::x1, coordinate), field("y1", &P::y1, coordinate),
                         field("x2", &P::x2, coordinate), field("y2", &P::y2, coordinate),
                         field("prev", &P::prev, link), field("next", &P::next, link),
                         field("no_drop", &P::no_drop), field("unused", &P::unused));
}

struct Ladder {
    std::int32_t x = 0, top = 0, bottom = 0;
    bool is_rope = false;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Ladder>) {
    using state::field;
    constexpr state::Rules coordinate{.low = -widest, .high = widest, .unit = "px"};
    return state::fields("Ladder", field("x", &Ladder::x, coordinate), field("top", &Ladder::top, coordinate),
                         field("bottom", &Ladder::bottom, coordinate), field("is_rope", &Ladder::is_rope),
                         field("unused", &Ladder::unused));
}

// A rectangle: of water, of a trap that hurts, of a mob's body around its feet.
struct Box {
    double left = 0, top = 0, right = 0, bottom = 0;

    bool holds(Vec2 p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
    bool touches(const Box& other) const {
        return left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom;
    }
    bool is_empty() const { return !(right > left && bottom > top); }
    Box moved(Vec2 by) const { return {left + by.x, top + by.y, right + by.x, bottom + by.y}; }
    Box mirrored() const { return {-right, top, -left, bottom}; }
};

constexpr auto fields_of(state::Type<Box>) {
    using state::field;
    constexpr state::Rules coordinate{.low = -widest, .high = widest, .unit = "px"};
    return state::fields("Box", field("left", &Box::left, coordinate), field("top", &Box::top, coordinate),
                         field("right", &Box::right, coordinate), field("bottom", &Box::bottom, coordinate));
}

struct Portal {
    Name name;
    Name to;  // the name of another portal of this level; empty: no target
    Vec2 position;
    bool on_touch = false;  // without a key
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<Portal>) {
    using state::field;
    return state::fields("Portal", field("name", &Portal::name), field("to", &Portal::to),
                         field("position", &Portal::position, {.low = -widest, .high = widest, .unit = "px"}),
                         field("on_touch", &Portal::on_touch), field("unused", &Portal::unused));
}

enum class MobMotion : std::uint8_t { walks, flies, swims, stands };
inline constexpr std::string_view mob_motion_names[] = {"walks", "flies", "swims", "stands"};

struct MobKind {
    Name name;
    Box body{-20, -40, 20, 0};   // around its feet when it faces left
    std::int32_t speed = 0;      // info/speed: force of (speed + 100) / 1000 px/tick²
    std::int32_t fly_speed = 0;  // info/flySpeed, the same for those that fly or swim
    std::int32_t health = 20;
    std::int32_t touch_attack = 5;  // PADamage: health that a touch costs
    std::int32_t score = 1;         // for beating one
    std::int32_t drop_value = 1;    // of its drop; 0: no drop
    MobMotion motion = MobMotion::walks;
    bool can_jump = false;
    bool touch_hurts = true;  // bodyAttack
    state::Reserved<5> unused;
};

constexpr auto fields_of(state::Type<MobKind>) {
    using state::field;
    // clang-format off
    return state::fields("MobKind",
        field("name", &MobKind::name),
        field("body", &MobKind::body),
        field("speed", &MobKind::speed, {.low = -100, .high = 400}),
        field("fly_speed", &MobKind::fly_speed, {.low = -100, .high = 400}),
        field("health", &MobKind::health, {.low = 1, .high = 1'000'000}),
        field("touch_attack", &MobKind::touch_attack, {.low = 1, .high = 1'000'000}),
        field("score", &MobKind::score, {.low = 0, .high = 10'000}),
        field("drop_value", &MobKind::drop_value, {.low = 0, .high = 10'000}),
        field("motion", &MobKind::motion, {.labels = mob_motion_names}),
        field("can_jump", &MobKind::can_jump),
        field("touch_hurts", &MobKind::touch_hurts),
        field("unused", &MobKind::unused));
    // clang-format on
}

struct MobSpawn {
    Name kind;
    Vec2 position;
    std::int32_t foothold = 0;         // id; 0 or a missing one: the nearest ground
    std::int32_t left = 0, right = 0;  // rx0, rx1: its patrol; equal: no bounds
    std::uint32_t respawn = 8000;      // MOB_RESPAWN_DELAY_MS
    bool facing_right = false;
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<MobSpawn>) {
    using state::field;
    constexpr state::Rules coordinate{.low = -widest, .high = widest, .unit = "px"};
    return state::fields(
        "Mob", field("kind", &MobSpawn::kind), field("position", &MobSpawn::position, coordinate),
        field("foothold", &MobSpawn::foothold, {.low = 0, .high = 2'000'000'000}),
        field("left", &MobSpawn::left, coordinate), field("right", &MobSpawn::right, coordinate),
        field("respawn", &MobSpawn::respawn, {.low = 0, .high = 100'000'000, .unit = "ms"}),
        field("facing_right", &MobSpawn::facing_right), field("unused", &MobSpawn::unused));
}

struct Npc {
    Name name;
    Vec2 position;
    std::int32_t foothold = 0;
    bool facing_right = false;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<Npc>) {
    using state::field;
    return state::fields("Npc", field("name", &Npc::name),
                         field("position", &Npc::position, {.low = -widest, .high = widest, .unit = "px"}),
                         field("foothold", &Npc::foothold, {.low = 0, .high = 2'000'000'000}),
                         field("facing_right", &Npc::facing_right), field("unused", &Npc::unused));
}

// One picture of a trap. Where it has no box of its own, its sprite is the box.
struct TrapFrame {
    Box box;                    // lt, rb; may be empty
    Vec2 sprite;                // width and height
    Vec2 origin;                // of the sprite, from its top left corner
    std::uint32_t delay = 100;  // ms
    std::uint8_t opacity = 255;
    state::Reserved<3> unused;
};

constexpr auto fields_of(state::Type<TrapFrame>) {
    using state::field;
    constexpr state::Rules coordinate{.low = -widest, .high = widest, .unit = "px"};
    return state::fields("TrapFrame", field("box", &TrapFrame::box),
                         field("sprite", &TrapFrame::sprite, coordinate),
                         field("origin", &TrapFrame::origin, coordinate),
                         field("delay", &TrapFrame::delay, {.low = 1, .high = 1'000'000, .unit = "ms"}),
                         field("opacity", &TrapFrame::opacity), field("unused", &TrapFrame::unused));
}

struct TrapKind {
    Name name;
    double move_width = 0, move_height = 0;  // moveW, moveH, px
    double move_period = 0;                  // moveP, ms; 0: one radian a second
    double turn_period = 0;                  // moveR, ms of one turn round its origin; 0: it does not turn
    std::int32_t move_type = 0;  // moveType: 1 sideways, 2 up and down, 3 round; others stand still
    std::int32_t damage = 1;
    std::int32_t push =
        0;  // dir: 1 pushes to the right, -1 to the left (flip: reversed), 0 away from its middle
    state::Reserved<4> unused;
};

constexpr auto fields_of(state::Type<TrapKind>) {
    using state::field;
    constexpr state::Rules way{.low = -widest, .high = widest, .unit = "px"};
    return state::fields(
        "TrapKind", field("name", &TrapKind::name), field("move_width", &TrapKind::move_width, way),
        field("move_height", &TrapKind::move_height, way),
        field("move_period", &TrapKind::move_period, {.low = 0, .high = 1e9, .unit = "ms"}),
        field("turn_period", &TrapKind::turn_period, {.low = 0, .high = 1e9, .unit = "ms"}),
        field("move_type", &TrapKind::move_type, {.low = -1000, .high = 1000}),
        field("damage", &TrapKind::damage, {.low = 1, .high = 1'000'000}),
        field("push", &TrapKind::push, {.low = -1, .high = 1}), field("unused", &TrapKind::unused));
}

struct TrapPart {
    Name kind;
    Vec2 position;
    bool flip = false;
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<TrapPart>) {
    using state::field;
    return state::fields(
        "Trap", field("kind", &TrapPart::kind),
        field("position", &TrapPart::position, {.low = -widest, .high = widest, .unit = "px"}),
        field("flip", &TrapPart::flip), field("unused", &TrapPart::unused));
}

}  // namespace instep::worlds::foothold
