// SPDX-License-Identifier: MIT
// Replays a recording of one of the original programs. The header says what was recorded: a player with keys
// runs through the real step; objects, mobs and drops are driven as their files say; two files are tables of
// functions.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <foothold/drop.h>
#include <foothold/foothold.h>
#include <foothold/mob.h>
#include <foothold/remote_track.h>
#include <foothold/trap.h>
#include <instep/contract/recording.h>

namespace instep::worlds::foothold {
namespace {

using contract::Recording;
using contract::RecordingReader;
using state::Json;
using state::refuse;
using state::Result;

// --- Reading headers ---------------------------------------------------------------------------------------

const Json& at(const Json& json, std::string_view key) {
    static const Json nothing;
    const Json* found = json.find(key);
    return found ? *found : nothing;
}

double number(const Json& json, std::string_view key, double otherwise = 0) {
    const Json& value = at(json, key);
    if (const bool* truth = value.boolean()) return *truth ? 1 : 0;
    return value.is_number() ? value.number() : otherwise;
}

// A whole number within bounds, which may be left out.
Result<std::int32_t> whole_number(const Json& json, std::string_view key, std::int32_t otherwise,
                                  std::int32_t low, std::int32_t high, const std::string& where) {
    const double value = number(json, key, otherwise);
    if (!(value >= low && value <= high))
        return refuse(where + ": header.initial_state." + std::string(key),
                      "expected a number from " + std::to_string(low) + " to " + std::to_string(high));
    return static_cast<std::int32_t>(value);
}

std::string text(const Json& json, std::string_view key) {
    const std::string* value = at(json, key).string();
    return value ? *value : std::string();
}

const Json::Array& list(const Json& json, std::string_view key) {
    static const Json::Array empty;
    const Json::Array* value = at(json, key).array();
    return value ? *value : empty;
}

// A row of whole numbers such as [1, 4, -600, 300]; those that are missing or no numbers are 0.
std::int32_t whole(const Json& row, std::size_t column) {
    if (!row.array() || column >= row.array()->size()) return 0;
    std::int64_t value = 0;
    (*row.array())[column].to_integer(value);
    return value < -most_foothold_coordinate * 100 || value > most_foothold_coordinate * 100
               ? 0
               : static_cast<std::int32_t>(value);
}

Result<Setup> setup_of(const Json& header, const std::string& where) {
    const bool is_web = text(header, "engine") == "web";
    Setup setup;
    setup.rules = is_web ? faithful_web : faithful;
    setup.rules.mobs_wander = false;
    setup.map.most_players = 1;
    setup.map.most_drops = 1;
    setup.map.swim = number(header, "swim") != 0 || number(at(header, "initial_state"), "underwater") != 0;
    setup.spawns.push_back({});

    const Json::Array& rows = list(header, is_web ? "footholds_layer_id_x1_y1_x2_y2_prev_next" : "footholds");
    if (rows.size() > most_footholds) return refuse(where + ": header.footholds", "are too many");
    std::vector<FootholdSegment> segments;
    for (const Json& row : rows) {
        const FootholdSegment segment{whole(row, 1), whole(row, 0), 0,
                                      whole(row, 2), whole(row, 3), whole(row, 4),
                                      whole(row, 5), whole(row, 6), whole(row, 7)};
        const auto is_inside = [](std::int32_t v) {
            return v >= -most_foothold_coordinate && v <= most_foothold_coordinate;
        };
        if (segment.id < 1 || !is_inside(segment.x1) || !is_inside(segment.y1) || !is_inside(segment.x2) ||
            !is_inside(segment.y2))
            return refuse(where + ": header.footholds[" + std::to_string(segments.size()) + "]",
                          "expected [layer, id, x1, y1, x2, y2, prev, next] with an id above 0");
        segments.push_back(segment);
    }
    setup.ground = FootholdSet(segments);
    const Json& ladders = is_web ? header : at(header, "inputs");
    for (const Json& row : list(ladders, "ladders_l_x_y1_y2"))
        setup.ladders.push_back({whole(row, 1), whole(row, 2), whole(row, 3), whole(row, 0) == 0, {}});
    complete(setup);
    const Json& bounds = at(at(header, "derived"), "bounds");
    setup.bounds = {number(bounds, "minX", setup.bounds.left), number(bounds, "maxX", setup.bounds.right),
                    number(bounds, "minY", setup.bounds.top), number(bounds, "maxY", setup.bounds.bottom)};
    return setup;
}

constexpr std::int32_t most_id = std::numeric_limits<std::int32_t>::max();

Result<PhysicsObject> body_of(const Json& initial, const Setup& setup, const std::string& where) {
    constexpr std::string_view types[] = {"NORMAL", "ICE", "SWIMMING", "FLYING", "FIXATED"};
    PhysicsObject body;
    body.position = {number(initial, "x"), number(initial, "y")};
    body.velocity = {number(initial, "hspeed"), number(initial, "vspeed")};
    const auto foothold = whole_number(initial, "fhid", 0, -1, most_id, where);
    if (!foothold) return std::unexpected(foothold.error());
    const auto layer = whole_number(initial, "fhlayer", 0, 0, 255, where);
    if (!layer) return std::unexpected(layer.error());
    body.foothold = setup.ground.find(*foothold);
    body.on_ground = number(initial, "onground", 1) != 0;
    body.layer = static_cast<std::uint8_t>(*layer);
    body.can_drop = number(initial, "enablejd") != 0;
    for (std::size_t i = 0; i < std::size(types); ++i)
        if (text(initial, "type") == types[i]) body.type = static_cast<MotionType>(i);
    const Json& flags = at(initial, "flags");
    if (number(flags, "NOGRAVITY") != 0) body.set(MotionFlags::no_gravity);
    if (number(flags, "TURNATEDGES") != 0) body.set(MotionFlags::turn_at_edges);
    if (number(flags, "CHECKBELOW") != 0) body.set(MotionFlags::check_below);
    return body;
}

// The columns that all recordings of the reference share.
Result<double> reference_value(const PhysicsObject& body, const Setup& setup, const std::string& column,
                               const RecordingReader& file) {
    if (column == "x") return body.position.x;
    if (column == "y") return body.position.y;
    if (column == "hspeed") return body.velocity.x;
    if (column == "vspeed") return body.velocity.y;
    if (column == "fhid") return setup.ground[body.foothold].id;
    if (column == "onground") return body.on_ground;
    if (column == "fhlayer") return body.layer;
    if (column == "turnatedges") return body.has(MotionFlags::turn_at_edges);
    return std::unexpected(file.unknown_column(column));
}

// --- Objects -----------------------------------------------------------------------------------------------

Result<Recording> replay_object(const RecordingReader& file, const Setup& setup, const std::string& where) {
    const auto first = body_of(at(file.header(), "initial_state"), setup, where);
    if (!first) return std::unexpected(first.error());
    PhysicsObject body = *first;
    const Json::Array& segments = list(at(file.header(), "inputs"), "segments");
    Vec2 force;
    double tick = 0;
    const auto step_once = [&](std::size_t) {
        ++tick;
        force = {};
        for (const Json& segment : segments) {
            if (tick < number(segment, "from") || tick > number(segment, "to")) continue;
            force = {number(segment, "hforce"), number(segment, "vforce")};
            body.velocity = {number(segment, "set_hspeed", body.velocity.x),
                             number(segment, "set_vspeed", body.velocity.y)};
            for (const Json& flag : list(segment, "set_flags")) {
                if (!flag.string()) continue;
                if (*flag.string() == "NOGRAVITY") body.set(MotionFlags::no_gravity);
                if (*flag.string() == "TURNATEDGES") body.set(MotionFlags::turn_at_edges);
                if (*flag.string() == "CHECKBELOW") body.set(MotionFlags::check_below);
            }
            if (number(segment, "down_jump") != 0 && body.can_drop) body.position.y = body.drop_height;
        }
        move_object(body, force, setup.ground, setup.quirks);
    };
    return file.replay(step_once,
                       [&](const std::string& column) { return reference_value(body, setup, column, file); });
}

// --- Mobs --------------------------------------------------------------------------------------------------

Result<Recording> replay_reference_mob(const RecordingReader& file, const Setup& setup,
                                       const std::string& where) {
    const Json& inputs = at(file.header(), "inputs");
    const auto stance_named = [](const std::string& name) {
        return name == "MOVE"   ? MobStance::move
               : name == "HIT"  ? MobStance::hit
               : name == "JUMP" ? MobStance::jump
                                : MobStance::stand;
    };
    const bool flies = number(inputs, "can_fly") != 0;
    const MobKind kind{.motion = flies ? MobMotion::flies : MobMotion::walks};
    const MobForces forces{number(inputs, "speed"), number(inputs, "flyspeed")};
    const auto body = body_of(at(file.header(), "initial_state"), setup, where);
    if (!body) return std::unexpected(body.error());
    Mob mob{.body = *body,
            .stance = stance_named(text(inputs, "initial_stance")),
            .facing_right = number(inputs, "initial_flip") != 0};
    const std::string direction = text(inputs, "fly_direction");
    mob.rising = direction == "UPWARDS" ? -1 : direction == "DOWNWARDS" ? 1 : 0;
    double tick = 0;
    const auto step_once = [&](std::size_t) {
        ++tick;
        for (const Json& entry : list(inputs, "schedule")) {
            if (number(entry, "from") != tick) continue;
            if (at(entry, "stance").string()) mob.stance = stance_named(text(entry, "stance"));
            if (number(entry, "flip", -1) >= 0) mob.facing_right = number(entry, "flip") != 0;
        }
        move_reference_mob(mob, kind, forces, setup);
    };
    return file.replay(step_once, [&](const std::string& column) -> Result<double> {
        if (column == "flip") return mob.facing_right;
        return reference_value(mob.body, setup, column, file);
    });
}

Result<Recording> replay_web_mob(const RecordingReader& file, const Setup& setup, const std::string& where) {
    const Json& initial = at(file.header(), "initial_state");
    const MobForces forces{number(initial, "speed") / web::ticks_per_second, 0};
    Mob mob{.stance = MobStance::move, .facing_right = number(initial, "facing", 1) > 0};
    mob.body.position = {number(initial, "x"), number(initial, "y")};
    mob.body.velocity = {number(initial, "hspeed"), number(initial, "vspeed")};
    const auto foothold = whole_number(initial, "fh", 0, -1, most_id, where);
    if (!foothold) return std::unexpected(foothold.error());
    mob.body.foothold = setup.ground.find(*foothold);
    mob.body.on_ground = number(initial, "onGround", 1) != 0;
    mob.body.set(MotionFlags::turn_at_edges);
    double tick = 0;
    const auto step_once = [&](std::size_t) {
        ++tick;
        for (const Json& entry : list(at(file.header(), "inputs"), "schedule")) {
            if (number(entry, "from") != tick) continue;
            const std::string mode = text(entry, "mode");
            mob.stance = mode == "move" ? MobStance::move : mode == "hit" ? MobStance::hit : MobStance::stand;
            mob.knock = number(entry, "kb", mob.knock) < 0 ? -1 : 1;
            if (at(entry, "facing").is_number()) mob.facing_right = number(entry, "facing") > 0;
        }
        move_web_mob(mob, {}, forces, setup, setup.map.swim);
    };
    return file.replay(step_once, [&](const std::string& column) -> Result<double> {
        if (column == "x") return mob.body.position.x;
        if (column == "y") return mob.body.position.y;
        if (column == "hspeed") return mob.body.velocity.x;
        if (column == "vspeed") return mob.body.velocity.y;
        if (column == "on_ground") return mob.body.on_ground;
        if (column == "foothold") return setup.ground[mob.body.foothold].id;
        if (column == "turn_at_edges") return mob.body.has(MotionFlags::turn_at_edges);
        if (column == "facing") return mob.facing_right ? 1 : -1;
        return std::unexpected(file.unknown_column(column));
    });
}

// --- Drops -------------------------------------------------------------------------------------------------

Result<Recording> replay_drop(const RecordingReader& file, const Setup& setup, const std::string& where) {
    const Json& initial = at(file.header(), "initial_state");
    const auto body = body_of(initial, setup, where);
    if (!body) return std::unexpected(body.error());
    Drop drop{.body = *body};
    const Json::Array& target = list(initial, "dest");
    if (target.size() == 2) drop.target = {target[0].number(), target[1].number()};
    if (setup.is_web()) {
        drop.body.velocity = {number(initial, "vx"), number(initial, "vy")};
        drop.body.on_ground = number(initial, "on_ground") != 0;
        drop.angle = number(initial, "angle");
        drop.phase = number(initial, "bob_phase");
        if (drop.body.on_ground) drop.stance = DropStance::floating;
    }
    const auto step_once = [&](std::size_t) {
        if (setup.is_web())
            move_web_drop(drop, setup);
        else
            move_reference_drop(drop, setup);
    };
    return file.replay(step_once, [&](const std::string& column) -> Result<double> {
        if (column == "angle") return drop.angle;
        if (column == "floating") return drop.stance == DropStance::floating;
        if (column == "vx") return drop.body.velocity.x;
        if (column == "vy") return drop.body.velocity.y;
        if (column == "on_ground") return drop.body.on_ground;
        if (column == "bob_phase") return drop.phase;
        return reference_value(drop.body, setup, column, file);
    });
}

// --- Players -----------------------------------------------------------------------------------------------

// Entries [tick, key, down] change the held keys.
void hold_keys(Input& input, const Json::Array& entries, double tick) {
    for (const Json& entry : entries) {
        const Json::Array* row = entry.array();
        if (!row || row->size() != 3 || (*row)[0].number() != tick || !(*row)[1].string()) continue;
        const std::string& key = *(*row)[1].string();
        const bool down = (*row)[2].number() != 0;
        if (key == "LEFT" || key == "left") input.left = down;
        if (key == "RIGHT" || key == "right") input.right = down;
        if (key == "UP" || key == "up") input.up = down;
        if (key == "DOWN" || key == "down") input.down = down;
        if (key == "JUMP" || key == "jump") input.jump = down;
    }
}

double stance_code(Stance stance) {
    constexpr double codes[] = {4,  2,  6,  10, 12,
                                14, 16, 20, 18};  // STAND WALK FALL PRONE SWIM LADDER ROPE SIT DIED
    return codes[static_cast<std::size_t>(stance)];
}

Result<double> player_value(const Player& player, const Setup& setup, const std::string& column,
                            const RecordingReader& file) {
    const PhysicsObject& body = player.body;
    if (column == "state") return stance_code(player.stance);
    if (column == "facing_right") return player.facing_right;
    if (column == "vx") return body.velocity.x;
    if (column == "vy") return body.velocity.y;
    if (column == "on_ground") return body.on_ground;
    if (column == "foothold") return setup.ground[body.foothold].id;
    if (column == "climbing") return player.climbing();
    if (column == "swimming") return body.type == MotionType::swimming;
    if (column == "facing") return player.facing_right ? 1 : -1;
    if (column == "hp") return player.health;
    return reference_value(body, setup, column, file);
}

Result<Player> first_player(const Json& initial, const Setup& setup, const std::string& where) {
    const auto body = body_of(initial, setup, where);
    if (!body) return std::unexpected(body.error());
    Player player;
    player.body = *body;
    player.health = setup.rules.most_health;
    player.fall_start = player.body.position.y;
    if (setup.is_web()) {
        player.body.velocity = {number(initial, "vx"), number(initial, "vy")};
        player.body.on_ground = number(initial, "onGround") != 0;
        player.facing_right = number(initial, "facing", -1) > 0;
        const auto health = whole_number(initial, "hp", player.health, 0, setup.rules.most_health, where);
        if (!health) return std::unexpected(health.error());
        player.health = *health;
        const std::string digits = text(initial, "footholdId");
        std::int32_t id = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
        if (!digits.empty() && (error != std::errc{} || end != digits.data() + digits.size()))
            return refuse(where + ": header.initial_state.footholdId", "expected the id of a foothold");
        player.body.foothold = setup.ground.find(id);
    }
    return player;
}

Result<Recording> replay_player(const RecordingReader& file, Setup setup, const std::string& where) {
    const Json& initial = at(file.header(), "initial_state");
    const Json& stats = at(initial, "stats");
    setup.rules.speed_stat = number(stats, "speed", number(initial, "speed_stat", setup.rules.speed_stat));
    setup.rules.jump_stat = number(stats, "jump", number(initial, "jump_stat", setup.rules.jump_stat));
    constexpr double most_stat = 1000;  // as in a level's rules
    if (!(std::abs(setup.rules.speed_stat) <= most_stat && std::abs(setup.rules.jump_stat) <= most_stat))
        return refuse(where + ": header.initial_state", "expected stats of at most 1000");
    const auto most_health = whole_number(initial, "maxHp", setup.rules.most_health, 1, 1'000'000, where);
    if (!most_health) return std::unexpected(most_health.error());
    setup.rules.most_health = *most_health;
    const web::Bounds bounds = setup.bounds;
    complete(setup);
    setup.bounds = bounds;
    setup.forces = {number(initial, "walkforce", setup.forces.walk),
                    number(initial, "jumpforce", setup.forces.jump),
                    number(initial, "climbforce", setup.forces.climb)};

    const state::Layout layout = state::make_layout<State>(setup);
    state::Block block(layout);
    State state = state::bind<State>(layout, block.data());
    *state.head = {};
    const auto player = first_player(initial, setup, where);
    if (!player) return std::unexpected(player.error());
    state.players.add(*player);

    const Json& inputs = at(file.header(), "inputs");
    const Json::Array& keys = list(inputs, setup.is_web() ? "list" : "keys");
    std::array<Event, 64> room;
    Input input;
    const auto step_once = [&](std::size_t) {
        hold_keys(input, keys, static_cast<double>(state.head->tick + 1));
        contract::Events<Event> events(room);
        step(state, setup, {{}, {}, {&input, 1}}, events);
    };
    return file.replay(step_once, [&](const std::string& column) {
        return player_value(state.players[0], setup, column, file);
    });
}

// --- Tables ------------------------------------------------------------------------------------------------

// Rows of numbers; a null is NaN.
Result<Recording> read_table(const Json& json, const std::string& where) {
    Recording table;
    for (const Json& name : list(json, "columns"))
        if (name.string()) table.columns.push_back(*name.string());
    for (const Json& row : list(json, "rows")) {
        if (!row.array() || row.array()->size() != table.columns.size())
            return refuse(where + ": rows[" + std::to_string(table.rows.size()) + "]",
                          "expected a value a column");
        std::vector<double>& values = table.rows.emplace_back();
        for (const Json& value : *row.array())
            values.push_back(value.is_number() ? value.number() : std::numeric_limits<double>::quiet_NaN());
    }
    return table;
}

Result<Recording> tabulate_offsets(const Json& json, const std::string& where) {
    auto table = read_table(json, where);
    if (!table) return table;
    if (table->columns.size() != 7 || table->columns[0] != "moveType" || table->columns[6] != "off_y")
        return refuse(where + ": columns", "expected moveType, moveW, moveH, moveP, now_ms, off_x, off_y");
    for (std::vector<double>& row : table->rows) {
        const bool is_type = row[0] >= -1000 && row[0] <= 1000;
        const Vec2 offset =
            move_offset(is_type ? static_cast<std::int32_t>(row[0]) : 0, row[1], row[2], row[3], row[4]);
        row[5] = offset.x;
        row[6] = offset.y;
    }
    return table;
}

Result<Recording> tabulate_track(const Json& json, const std::string& where) {
    auto table = read_table(json, where);
    if (!table) return table;
    if (table->columns != std::vector<std::string>{"now_ms", "render_x", "render_y", "buffered"})
        return refuse(where + ": columns", "expected now_ms, render_x, render_y, buffered");
    const Json::Array& snapshots = list(at(json, "header"), "snapshots");
    RemoteTrack track;
    std::size_t arrived = 0;
    for (std::vector<double>& row : table->rows) {
        for (; arrived < snapshots.size(); ++arrived) {
            const Json::Array* snapshot = snapshots[arrived].array();
            if (!snapshot || snapshot->size() != 3 || (*snapshot)[0].number() > row[0]) break;
            track.add({(*snapshot)[0].number(), {(*snapshot)[1].number(), (*snapshot)[2].number()}});
        }
        const Vec2 shown = track.show(row[0]);
        row[1] = shown.x;
        row[2] = shown.y;
        row[3] = static_cast<double>(track.buffered());
    }
    return table;
}

}  // namespace

Result<Recording> parity(state::Type<Setup>, const Json& json, const std::string& where) {
    const Json& header = at(json, "header");
    if (header.find("snapshots")) return tabulate_track(json, where);
    if (text(header, "case").find("object_move_offset") != std::string::npos)
        return tabulate_offsets(json, where);

    const auto file = RecordingReader::open(json, where);
    if (!file) return std::unexpected(file.error());
    const auto setup = setup_of(header, where);
    if (!setup) return std::unexpected(setup.error());
    const Json& inputs = at(header, "inputs");
    if (inputs.find("segments")) return replay_object(*file, *setup, where);
    if (inputs.find("schedule"))
        return setup->is_web() ? replay_web_mob(*file, *setup, where)
                               : replay_reference_mob(*file, *setup, where);
    if (inputs.find("keys") || inputs.find("list")) return replay_player(*file, *setup, where);
    if (at(header, "initial_state").find("dest") || at(header, "initial_state").find("bob_phase"))
        return replay_drop(*file, *setup, where);
    return refuse(where + ": header",
                  "expected inputs of a kind that this world knows: segments, schedule, keys, list");
}

}  // namespace instep::worlds::foothold
