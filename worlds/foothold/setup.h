// SPDX-License-Identifier: MIT
// The constant part of a match of foothold: rules, ground, and all that stands on it. Names in capitals
// are those of the document (README.md says where it comes from). px with y down; speeds are
// per tick of 8 ms in the reference model and per second in the web client's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <foothold/level_parts.h>
#include <foothold/physics.h>
#include <foothold/physics_web.h>
#include <instep/state/json.h>

namespace instep::worlds::foothold {

enum class Model : std::uint8_t { reference, web };
inline constexpr std::string_view model_names[] = {"reference", "web"};

struct Rules {
    // The document's quirks: on in faithful, off in game.
    bool one_sided_walls =
        true;                   // the reference compares y1..y2 unordered: a rising wall lets people through
    bool void_teleport = true;  // stepping off into nothing moves x to the old foothold's x1
    bool air_drops_forces = true;  // forces are lost in mid-air
    bool ice_stands_still = true;  // ICE has no physics
    bool drops_anywhere = true;    // forbidFallDown is not looked at
    bool loose_joints = true;      // steep joints of footholds may let one slip through

    // What differs between the two programs and the game.
    Model model = Model::reference;
    bool fall_damage = false;      // of the web client
    bool fall_out = false;         // a player that reaches the bottom border starts again
    bool fly_allowed = false;      // the developer's input `fly` snaps a player to the pointer (MouseFly)
    bool mobs_wander = true;       // stand and move by themselves
    bool ice_on_slippery = false;  // a map whose friction is not 1 is ice to walk on
    bool traps_turn = false;       // moveR is used; the web client reads it and does nothing with it
    state::Reserved<7> unused;
    std::uint32_t tick_rate = 125;  // Hz; 60 in the web client

    // Players.
    double speed_stat = 100;
    double jump_stat = 100;
    double swim_jump = 0;       // PHYS_SWIM_JUMP_MULT: of a jump, in water; 0: no jump
    double fall_speed_cap = 0;  // PHYS_FALL_SPEED_CAP, px/s; 0: none
    std::int32_t most_health = 50;
    std::int32_t least_attack = 8;  // the damage of an attack, at least and at most
    std::int32_t most_attack = 14;
    std::int32_t death_cost = 0;         // of the score
    double attack_range_x = 120;         // ATTACK_RANGE_X, px
    double attack_range_y = 50;          // ATTACK_RANGE_Y, px
    double fall_damage_threshold = 500;  // FALL_DAMAGE_THRESHOLD, px
    double fall_damage_part = 0.1;       // FALL_DAMAGE_PERCENT, of most_health
    double pickup_range = 50;            // DROP_PICKUP_RANGE, px
    double portal_range = 30;            // px
    double aggro_distance = 60;          // a mob that chases turns this far beyond its prey, px

    // Times, ms.
    double jump_buffer = 0;                        // a jump pressed this long before landing counts
    double attack_pause = 600;                     // ATTACK_COOLDOWN_MS
    double invincible_time = 2000;                 // TRAP_HIT_INVINCIBILITY_MS
    double climb_lock = 600;                       // after a hit
    double respawn_pause = 3000;                   // of players
    double stand_least = 1500, stand_most = 4000;  // MOB_STAND_MIN/MAX_MS
    double move_least = 2000, move_most = 5000;    // MOB_MOVE_MIN/MAX_MS
    double stagger_time = 248;                     // of a mob that was hit: 31 ticks
    double aggro_time = 4000;                      // MOB_AGGRO_DURATION_MS
    double death_fade = 800;                       // of a mob
    double drop_life = 60'000;                     // until a drop disappears
    double pickup_time = 400;                      // LOOT_ANIM_DURATION
    double portal_pause = 600;                     // between two uses
};

inline constexpr Rules faithful{};
inline constexpr Rules faithful_web{.model = Model::web,
                                    .fall_damage = true,
                                    .tick_rate = 60,
                                    .speed_stat = 115,
                                    .jump_stat = 110,
                                    .swim_jump = 0.8,
                                    .fall_speed_cap = 670};
inline constexpr Rules game{.one_sided_walls = false,
                            .void_teleport = false,
                            .air_drops_forces = false,
                            .ice_stands_still = false,
                            .drops_anywhere = false,
                            .loose_joints = false,
                            .fall_damage = true,
                            .fall_out = true,
                            .ice_on_slippery = true,
                            .traps_turn = true,
                            .speed_stat = 130,
                            .jump_stat = 115,
                            .swim_jump = 0.8,
                            .fall_speed_cap = 670,
                            .most_health = 100,
                            .death_cost = 2,
                            .jump_buffer = 100};

constexpr auto fields_of(state::Type<Rules>) {
    using state::field;
    constexpr state::Rules ms{.low = 0, .high = 10'000'000, .unit = "ms"};
    constexpr state::Rules px{.low = 0, .high = 100'000, .unit = "px"};
    constexpr state::Rules health{.low = 0, .high = 1'000'000};
    // clang-format off
    return state::fields("Rules",
        field("one_sided_walls", &Rules::one_sided_walls),
        field("void_teleport", &Rules::void_teleport),
        field("air_drops_forces", &Rules::air_drops_forces),
        field("ice_stands_still", &Rules::ice_stands_still),
        field("drops_anywhere", &Rules::drops_anywhere),
        field("loose_joints", &Rules::loose_joints),
        field("model", &Rules::model, {.labels = model_names}),
        field("fall_damage", &Rules::fall_damage),
        field("fall_out", &Rules::fall_out),
        field("fly_allowed", &Rules::fly_allowed),
        field("mobs_wander", &Rules::mobs_wander),
        field("ice_on_slippery", &Rules::ice_on_slippery),
        field("traps_turn", &Rules::traps_turn),
        field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 1000, .unit = "Hz"}),
        field("speed_stat", &Rules::speed_stat, {.low = 0, .high = 1000}),
        field("jump_stat", &Rules::jump_stat, {.low = 0, .high = 1000}),
        field("swim_jump", &Rules::swim_jump, {.low = 0, .high = 2}),
        field("fall_speed_cap", &Rules::fall_speed_cap, {.low = 0, .high = 100'000, .unit = "px/s"}),
        field("most_health", &Rules::most_health, {.low = 1, .high = 1'000'000}),
        field("least_attack", &Rules::least_attack, health),
        field("most_attack", &Rules::most_attack, health),
        field("death_cost", &Rules::death_cost, {.low = 0, .high = 10'000}),
        field("attack_range_x", &Rules::attack_range_x, px),
        field("attack_range_y", &Rules::attack_range_y, px),
        field("fall_damage_threshold", &Rules::fall_damage_threshold, {.low = 1, .high = 100'000, .unit = "px"}),
        field("fall_damage_part", &Rules::fall_damage_part, {.low = 0, .high = 1}),
        field("pickup_range", &Rules::pickup_range, px),
        field("portal_range", &Rules::portal_range, px),
        field("aggro_distance", &Rules::aggro_distance, px),
        field("jump_buffer", &Rules::jump_buffer, ms),
        field("attack_pause", &Rules::attack_pause, ms),
        field("invincible_time", &Rules::invincible_time, ms),
        field("climb_lock", &Rules::climb_lock, ms),
        field("respawn_pause", &Rules::respawn_pause, ms),
        field("stand_least", &Rules::stand_least, ms),
        field("stand_most", &Rules::stand_most, ms),
        field("move_least", &Rules::move_least, ms),
        field("move_most", &Rules::move_most, ms),
        field("stagger_time", &Rules::stagger_time, ms),
        field("aggro_time", &Rules::aggro_time, ms),
        field("death_fade", &Rules::death_fade, ms),
        field("drop_life", &Rules::drop_life, ms),
        field("pickup_time", &Rules::pickup_time, ms),
        field("portal_pause", &Rules::portal_pause, ms),
        field("unused", &Rules::unused));
    // clang-format on
}

// A mob's kind and where it begins, found once.
struct MobHome {
    MobSpawn spawn;
    std::uint32_t kind = 0;
    Vec2 position;
    FootholdIndex foothold = 0;
    bool on_ground = false;
};

struct Trap {
    Vec2 position;
    std::uint32_t kind = 0;
    bool flip = false;
};

// The frames of a kind of trap, and how long they take together.
struct TrapAnimation {
    std::vector<TrapFrame> frames;
    double length = 0;  // ms
};

// From a player's stats; px/tick² and px/tick, whatever the model.
struct Forces {
    double walk = 0, jump = 0, climb = 0;
};

struct Setup {
    Rules rules;
    Map map;
    FootholdSet ground;
    std::vector<Ladder> ladders;
    std::vector<Box> water;
    std::vector<Vec2> spawns;
    std::vector<Portal> portals;
    std::vector<std::uint32_t> portal_ends;  // which portal each leads to; itself: no target
    std::vector<MobKind> mob_kinds;
    std::vector<MobHome> mobs;
    std::vector<Npc> npcs;
    std::vector<TrapKind> trap_kinds;
    std::vector<TrapAnimation> trap_animations;  // one a kind
    std::vector<Trap> traps;

    // Worked out from the above by complete().
    MotionQuirks quirks;
    Forces forces;
    web::Bounds bounds;                     // of the web client
    double dt = 1 / web::ticks_per_second;  // s

    bool is_web() const { return rules.model == Model::web; }
    bool is_water(Vec2 at) const {
        if (map.swim) return true;
        for (const Box& box : water)
            if (box.holds(at)) return true;
        return false;
    }
    MotionType ground_type() const {
        return rules.ice_on_slippery && map.friction != 1 ? MotionType::ice : MotionType::normal;
    }
    const MobKind& kind_of(const MobHome& home) const { return mob_kinds[home.kind]; }
};

// Fills in the values that follow from rules, map and ground.
void complete(Setup& setup);

inline constexpr double nearest_ground = 60;  // findFootholdAtXNearY, px

// Where an object with this position and foothold begins: on that foothold, else on the nearest ground, else
// in the air.
void find_footing(const FootholdSet& ground, std::int32_t foothold_id, Vec2& position,
                  FootholdIndex& foothold, bool& on_ground);

// Where an NPC stands: there, or on the ground that it would fall on; false if there is no ground below it.
bool find_npc_footing(const FootholdSet& ground, Npc& npc);

// One kind of trap, as a level and a catalog have it.
state::Result<void> read_trap_kind(const state::Json& json, const std::string& path, TrapKind& kind,
                                   TrapAnimation& animation);

state::Result<Setup> load(state::Type<Setup>, const state::Json& level, const std::string& where);
// The bodies that a level may have more of, and the level with one more of them.
std::vector<std::string> bodies(state::Type<Setup>, const state::Json& level);
state::Result<state::Json> with_body(state::Type<Setup>, const state::Json& level, std::string_view body,
                                     math::Vec2 position);

}  // namespace instep::worlds::foothold
