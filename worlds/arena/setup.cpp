// SPDX-License-Identifier: MIT
// From a level to body definitions: one for ships, one for shots, one for each wall and each rock.
#include <arena/setup.h>

#include <array>
#include <cmath>

#include <instep/contract/level.h>
#include <instep/math/random.h>
#include <instep/math/trig.h>

namespace instep::worlds::arena {

using rigid::BodyDef;
using rigid::BodyType;
using state::Json;
using state::refuse;
using state::Result;

namespace {

// Collision filter: shots pass through each other, all other bodies collide.
namespace category {
constexpr std::uint32_t ship = 1;  // filterCategoryBits 0x0001
constexpr std::uint32_t shot = 2;
constexpr std::uint32_t wall = 4;
constexpr std::uint32_t rock = 8;
}  // namespace category

constexpr rigid::Material ship_material{.density = 1, .friction = 0.1, .restitution = 0.3};
constexpr rigid::Material shot_material{.density = 1, .friction = 0.2, .restitution = 0};
constexpr rigid::Material wall_material{.density = 0, .friction = 0.2, .restitution = 0};

Result<BodyDef> make_ship_def(const Rules& rules) {
    // Nose, left wing, right wing; its centre of mass is its origin.
    constexpr std::array<Vec2, 3> corners{{{0, 1}, {-0.5, -0.5}, {0.5, -0.5}}};
    const auto hull = rigid::make_polygon(corners);
    if (!hull) return std::unexpected(hull.error());
    return rigid::make_body_def(
        BodyType::dynamic, {{*hull, ship_material, {category::ship, 0xFFFF}}},
        {.linear_damping = rules.linear_damping,
         .angular_damping = rules.angular_damping,
         // Contacts must not spin a ship that turns by its keys alone: removed in the next tick, the spin
         // of an impact would have turned it by up to 28 degrees already.
         .turns = rules.spin_goes_on});
}

Result<BodyDef> make_shot_def() {
    const auto hull = rigid::make_circle(shot_radius);
    if (!hull) return std::unexpected(hull.error());
    return rigid::make_body_def(BodyType::dynamic,
                                {{*hull, shot_material, {category::shot, 0xFFFF & ~category::shot}}},
                                {.bullet = true});
}

Result<BodyDef> make_wall_def(const Wall& wall) {
    const auto hull = rigid::make_box(wall.half_size.x, wall.half_size.y);
    if (!hull) return std::unexpected(hull.error());
    return rigid::make_body_def(BodyType::fixed, {{*hull, wall_material, {category::wall, 0xFFFF}}});
}

Result<BodyDef> make_rock_def(const RockPlan& rock, std::size_t number, const Rules& rules) {
    const std::vector<Vec2> corners = rock_corners(rock, number);
    const auto hull = rigid::make_polygon(corners);
    if (!hull) return std::unexpected(hull.error());
    const rigid::Material material{
        .density = rules.rock_density, .friction = 0.2, .restitution = rules.rock_bounce};
    return rigid::make_body_def(BodyType::dynamic, {{*hull, material, {category::rock, 0xFFFF}}});
}

void add_walls_around(const Field& field, std::vector<Wall>& walls) {
    const double half = edge_thickness / 2;
    const double x = field.half_width + half;
    const double y = field.half_height + half;
    const Vec2 lying{field.half_width + edge_thickness, half};
    const Vec2 standing{half, field.half_height + edge_thickness};
    walls.push_back({{0, y}, lying});
    walls.push_back({{0, -y}, lying});
    walls.push_back({{x, 0}, standing});
    walls.push_back({{-x, 0}, standing});
}

// The pieces of a rock follow it, so that a rock that a level adds at its end changes no other. A piece has a
// quarter of its rock's area.
void add_pieces(Setup& setup) {
    std::vector<RockPlan> all;
    for (const RockPlan& rock : setup.rocks) {
        all.push_back(rock);
        setup.first_pieces.push_back(rock.strength > 0 ? static_cast<std::uint32_t>(all.size()) : 0);
        if (rock.strength == 0) continue;
        const RockPlan piece{
            .position = rock.position, .radius = rock.radius * 0.5, .corners = 5, .strength = 1};
        all.insert(all.end(), pieces_of_rock, piece);
        setup.first_pieces.resize(all.size());
    }
    setup.rocks = std::move(all);
}

Result<void> add_body_defs(Setup& setup) {
    std::vector<BodyDef>& body_defs = setup.bodies.body_defs;
    const auto add = [&body_defs](Result<BodyDef> def, const std::string& of) -> Result<void> {
        if (!def) return state::within(of, def.error());
        body_defs.push_back(std::move(*def));
        return {};
    };
    if (auto added = add(make_ship_def(setup.rules), "ship"); !added) return added;
    if (auto added = add(make_shot_def(), "shot"); !added) return added;
    for (std::size_t i = 0; i < setup.walls.size(); ++i) {
        const Wall& wall = setup.walls[i];
        if (auto added = add(make_wall_def(wall), "walls[" + std::to_string(i) + "]"); !added) return added;
        setup.bodies.fixed_bodies.push_back({.position = wall.position,
                                             .angle = wall.angle,
                                             .def = static_cast<std::uint16_t>(first_wall_def + i)});
    }
    for (std::size_t i = 0; i < setup.rocks.size(); ++i)
        if (auto added =
                add(make_rock_def(setup.rocks[i], i, setup.rules), "rocks[" + std::to_string(i) + "]");
            !added)
            return added;
    return {};
}

template <class T>
Result<std::vector<T>> read_list(const Json& level, std::string_view key, std::size_t most,
                                 const std::string& where) {
    std::vector<T> items;
    const Json* list = level.find(key);
    if (!list) return items;
    const std::string path = where + ": " + std::string(key);
    if (!list->array()) return refuse(path, "expected an array, got " + std::string(list->kind_name()));
    if (list->array()->size() > most)
        return refuse(path, "expected at most " + std::to_string(most) + " entries");
    for (const Json& item : *list->array()) {
        const std::string entry = path + "[" + std::to_string(items.size()) + "]";
        if (auto read = state::read_struct(item, items.emplace_back(), entry); !read)
            return std::unexpected(read.error());
    }
    return items;
}

// Whether a disc lies in the field and outside of every wall.
Result<void> check_place(Vec2 at, double radius, const Setup& setup, const std::string& where) {
    if (!setup.holds(at, -radius)) return refuse(where, "does not lie within the field");
    for (const Wall& wall : setup.walls) {
        const Vec2 local = math::inverse_rotate(math::Rotation::from_angle(wall.angle), at - wall.position);
        const double x = std::max(std::fabs(local.x) - wall.half_size.x, 0.0);
        const double y = std::max(std::fabs(local.y) - wall.half_size.y, 0.0);
        if (x * x + y * y < radius * radius) return refuse(where, "lies in a wall");
    }
    return {};
}

Result<void> check_places(const Setup& setup, const std::string& where) {
    for (std::size_t i = 0; i < setup.starts.size(); ++i)
        if (auto free = check_place(setup.starts[i].position, ship_reach, setup,
                                    where + ": starts[" + std::to_string(i) + "]");
            !free)
            return free;
    for (std::uint32_t i = 0, number = 0; i < setup.rocks.size(); ++number) {
        if (auto free = check_place(setup.rocks[i].position, setup.rocks[i].radius, setup,
                                    where + ": rocks[" + std::to_string(number) + "]");
            !free)
            return free;
        i += setup.has_pieces(i) ? 1 + pieces_of_rock : 1;
    }
    for (std::size_t i = 0; i < setup.pickups.size(); ++i)
        if (auto free = check_place(setup.pickups[i].position, pickup_reach, setup,
                                    where + ": pickups[" + std::to_string(i) + "]");
            !free)
            return free;
    return {};
}

}  // namespace

// Corners on a circle are convex however unevenly they lie; each stays within a quarter of its even spacing.
std::vector<Vec2> rock_corners(const RockPlan& rock, std::size_t number) {
    math::Random random = math::Random::from_seed(number);
    std::vector<Vec2> corners;
    for (std::uint32_t i = 0; i < rock.corners; ++i) {
        const double spaced = i + random.uniform(-0.25, 0.25);
        const math::SinCos turn = math::sincos(math::two_pi * spaced / rock.corners);
        corners.push_back(Vec2{turn.cos, turn.sin} * rock.radius);
    }
    return corners;
}

Result<Setup> make_setup(const Rules& rules, const Field& field, std::vector<Wall> walls,
                         std::vector<RockPlan> rocks, std::vector<Start> starts,
                         std::vector<PickupPlan> pickups) {
    Setup setup{.rules = rules,
                .field = field,
                .walls = std::move(walls),
                .rocks = std::move(rocks),
                .starts = std::move(starts),
                .pickups = std::move(pickups),
                .first_pieces = {},
                .bodies = {},
                .scratch_pool = {}};
    add_walls_around(field, setup.walls);
    add_pieces(setup);
    setup.dt = 1.0 / rules.tick_rate;
    setup.bodies.config.sleep_ticks =
        0;  // nothing rests for long here, and sleep would be one more thing to replicate
    setup.bodies.config.velocity_iterations = static_cast<std::uint16_t>(rules.velocity_iterations);
    setup.bodies.config.position_iterations = static_cast<std::uint16_t>(rules.position_iterations);
    setup.bodies.max_bodies = static_cast<std::uint32_t>(setup.walls.size() + setup.rocks.size()) +
                              field.most_players + field.most_shots;
    setup.bodies.max_contacts = 2 * setup.bodies.max_bodies + 64;
    if (auto added = add_body_defs(setup); !added) return std::unexpected(added.error());
    if (auto checked = rigid::check(setup.bodies); !checked) return std::unexpected(checked.error());
    setup.scratch_pool = std::make_shared<state::ScratchPool<rigid::Scratch>>(setup.bodies);
    return setup;
}

Result<Setup> load(state::Type<Setup>, const Json& level, const std::string& where) {
    static constexpr std::string_view known[] = {"world", "name",  "rules",  "field",
                                                 "walls", "rocks", "starts", "pickups"};
    if (auto checked = contract::refuse_unknown_keys(level, where, known); !checked)
        return std::unexpected(checked.error());
    static constexpr contract::RuleSet<Rules> sets[] = {{"faithful", faithful}, {"game", game}};
    const auto rules = contract::read_rules(level, where, sets);
    if (!rules) return std::unexpected(rules.error());
    if (rules->recovered_heat >= rules->most_heat)
        return refuse(where + ": rules.recovered_heat",
                      "expected less than most_heat, or no ship ever overheats");

    Field field;
    if (const Json* found = level.find("field"))
        if (auto read = state::read_struct(*found, field, where + ": field"); !read)
            return std::unexpected(read.error());
    auto walls = read_list<Wall>(level, "walls", most_walls, where);
    if (!walls) return std::unexpected(walls.error());
    auto rocks = read_list<RockPlan>(level, "rocks", most_rocks, where);
    if (!rocks) return std::unexpected(rocks.error());
    auto starts = read_list<Start>(level, "starts", most_starts, where);
    if (!starts) return std::unexpected(starts.error());
    auto pickups = read_list<PickupPlan>(level, "pickups", most_pickups, where);
    if (!pickups) return std::unexpected(pickups.error());
    for (const PickupPlan& pickup : *pickups)
        if (pickup.weapon == Weapon::cannon)
            return refuse(where + ": pickups", "every ship has a cannon: expected \"scatter\" or \"lance\"");
    if (starts->empty()) return refuse(where + ": starts", "expected at least one start of a ship");

    auto setup = make_setup(*rules, field, std::move(*walls), std::move(*rocks), std::move(*starts),
                            std::move(*pickups));
    if (!setup) return state::within(where, setup.error());
    if (auto checked = check_places(*setup, where); !checked) return std::unexpected(checked.error());
    return setup;
}

std::vector<std::string> bodies(state::Type<Setup>, const Json&) { return {"rock"}; }

Result<Json> with_body(state::Type<Setup>, const Json& level, std::string_view body, Vec2 position) {
    if (body != "rock") return refuse(std::string(body), "expected \"rock\"");
    return contract::with_entry(level, "rocks",
                                Json::Object{{"position", contract::position_to_json(position)},
                                             {"spin", Json(0.3)},
                                             {"radius", Json(2)},
                                             {"corners", Json(7)}});
}

}  // namespace instep::worlds::arena
