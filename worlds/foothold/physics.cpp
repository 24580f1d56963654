// SPDX-License-Identifier: MIT
// A tick is one function to the compiler (flatten): nearly always an object stays on one foothold or above
// it, with no wall or edge in reach, and then nothing needs to leave the registers. Rarer cases are kept out
// of it (noinline).
#include <foothold/physics.h>

namespace instep::worlds::foothold {
namespace {

constexpr double step_clearance =
    0.001;  // px above the ground, of an object that steps up and goes on rising

// The original moves on when the whole pixel is past the end: floor(x) > right, ceil(x) < left.
bool is_past_right(const Foothold& foothold, double x) { return x >= foothold.right + 1.0; }
bool is_past_left(const Foothold& foothold, double x) { return x <= foothold.left - 1.0; }

// The original holds feet to a slope only if the slope is not too steep for the speed; see loose_joints.
bool holds_feet(const PhysicsObject& object, const Foothold& from, const Foothold& to, double ground) {
    double distance = std::abs(to.slope);
    if (to.slope < 0)
        distance *= ground - object.position.y;
    else if (to.slope > 0)
        distance *= object.position.y - ground;
    if (!(from.slope != 0 || to.slope != 0)) return false;
    const double speed = object.velocity.x;
    return speed > 0 ? distance <= speed : speed < 0 && distance >= speed;
}

// The part of a chain under x, and its height there: of its last foothold beyond its end. The original
// prolongs each foothold beyond its ends, and in a valley that leads below the next one.
struct Footing {
    FootholdIndex foothold = 0;
    double height = 0;
};

Footing footing_at(const FootholdSet& ground, const Foothold& from, double x) {
    const Foothold* at = &from;
    for (int i = 0; i < foothold_links_in_a_tick; ++i) {
        const bool right = x > at->right && at->next_meets;
        const bool left = x < at->left && at->prev_meets;
        if (!right && !left) break;
        const Foothold& next = ground[right ? at->next : at->prev];
        if (next.is_wall) break;
        at = &next;
    }
    return {at->self, at->ground_at(at->nearest_to(x))};
}

// The same for an object that walks or has landed: at the end of the chain it goes on to ground that begins
// there, linked or not.
[[gnu::noinline]] Footing walk_to(const FootholdSet& ground, const Foothold& from, double x) {
    if (!from.exists()) return {};
    Footing footing = footing_at(ground, from, x);
    for (int i = 0; i < foothold_links_in_a_tick && !ground[footing.foothold].reaches_over(x); ++i) {
        const math::Vec2 end{ground[footing.foothold].nearest_to(x), footing.height};
        const FootholdIndex next = ground.first_crossed(end, {x, end.y}).foothold;
        if (next == 0) break;
        footing = footing_at(ground, ground[next], x);
    }
    return footing;
}

[[gnu::noinline]] void look_below(PhysicsObject& object, bool forbidden, double height,
                                  const FootholdSet& ground) {
    const FootholdIndex lower = ground.below(object.position.x, height + 1);
    object.can_drop = false;
    if (lower != 0) {
        object.can_drop = ground[lower].ground_at(object.position.x) - height < foothold_longest_drop;
        object.drop_height = height + 1;
    }
    if (forbidden) object.can_drop = false;
    object.clear(MotionFlags::check_below);
}

bool is_frozen(const PhysicsObject& object, const MotionQuirks& quirks) {
    return object.type == MotionType::fixated || (object.type == MotionType::ice && quirks.ice_stands_still);
}

void rest_if_slow(double& speed, double acceleration) {
    if (acceleration == 0 && std::abs(speed) < foothold_dead_zone) speed = 0;
}

// Where ground is solid; NaN if nothing is in the way.
double solid_wall_in_way(const PhysicsObject& object, const FootholdSet& ground, WallTest test) {
    math::Vec2 from = object.position;
    math::Vec2 to = object.position + object.velocity;
    const bool walks = object.on_ground && object.velocity.y == 0 && object.foothold != 0;
    if (walks) from.y = to.y = walk_to(ground, ground[object.foothold], to.x).height;
    const double wall = ground.wall_on_chain(object.foothold, from, to, test);
    return wall == wall ? wall : ground.wall_before_void(from, to);
}

[[gnu::noinline]] void look_for_walls(PhysicsObject& object, const FootholdSet& ground,
                                      const MotionQuirks& quirks) {
    const Stretch way{object.velocity.x < 0, object.position.x, object.position.x + object.velocity.x};
    double limit = quirks.loose_joints
                       ? ground.wall_in_way(object.foothold, way,
                                            std::trunc(object.position.y + object.velocity.y), quirks.walls)
                       : solid_wall_in_way(object, ground, quirks.walls);
    if (limit != limit && object.has(MotionFlags::turn_at_edges))
        limit = ground.edge_in_way(object.foothold, way);
    if (limit != limit) return;
    object.position.x = limit;
    object.velocity.x = 0;
    object.clear(MotionFlags::turn_at_edges);
}

void stop_at_wall(PhysicsObject& object, const FootholdSet& ground, const MotionQuirks& quirks) {
    if (!ground[object.foothold].is_clear_to(object.position.x + object.velocity.x))
        look_for_walls(object, ground, quirks);
}

// Whether it landed on the foothold below it, as the original sees it: that one alone, prolonged beyond its
// ends.
bool land_below(PhysicsObject& object, const FootholdSet& ground) {
    const Foothold& below = ground[object.foothold];
    const double there = below.ground_at(object.position.x + object.velocity.x);
    if (!(object.position.y <= below.ground_at(object.position.x)) ||
        !(object.position.y + object.velocity.y >= there))
        return false;
    object.position.y = there;
    return true;
}

[[gnu::noinline]] FootholdSet::Crossing look_for_ground(math::Vec2 from, math::Vec2 to,
                                                        const FootholdSet& ground) {
    return ground.first_crossed(from, to);
}

// Whether it landed on any ground on its path, which begins at `from_x`; a wall may have moved it since. An
// object that rises and steps up goes on rising from there.
bool land_on_path(PhysicsObject& object, double from_x, const FootholdSet& ground) {
    const Foothold& below = ground[object.foothold];
    const math::Vec2 from{from_x, object.position.y};
    const math::Vec2 to = object.position + object.velocity;
    FootholdSet::Crossing crossing;
    if (below.is_alone_below(from, to)) {
        if (from.y <= below.ground_at(from.x) && to.y >= below.ground_at(to.x))
            crossing = {below.self, false};
    } else {
        crossing = look_for_ground(from, to, ground);
    }
    if (crossing.foothold == 0) return false;
    const Footing footing = walk_to(ground, ground[crossing.foothold], to.x);
    object.foothold = footing.foothold;
    object.position.y = footing.height;
    if (!crossing.steps_up || object.velocity.y >= 0) return true;
    object.position.y -= object.velocity.y + step_clearance;
    return false;
}

// Feet go with the ground in the tick of the move. The original puts them there in the next one, so uphill
// they lag below the ground, and at the end of a slope they miss the next one.
void keep_feet_on_ground(PhysicsObject& object, const FootholdSet& ground) {
    const Foothold& here = ground[object.foothold];
    if (!object.on_ground || object.velocity.y != 0 || object.type == MotionType::fixated) return;
    if (!here.exists() || here.is_wall || (here.slope == 0 && here.reaches_over(object.position.x))) return;
    object.position.y = walk_to(ground, here, object.position.x).height;
}

void stop_at_borders(PhysicsObject& object, const FootholdSet& ground) {
    const Interval borders = ground.borders();
    const double next_y = object.position.y + object.velocity.y;
    if (next_y >= borders.low && next_y <= borders.high) return;
    object.position.y = next_y < borders.low ? borders.low : borders.high;
    object.velocity.y = 0;
}

}  // namespace

double find_footing(PhysicsObject& object, const FootholdSet& ground, const MotionQuirks& quirks) {
    const Foothold& from = ground[object.foothold];
    const double x = object.position.x;
    bool on_chain = false;
    if (object.on_ground) {
        if (from.reaches_over(x)) {
            // as nearly always
        } else if (!quirks.loose_joints) {
            const Footing next =
                walk_to(ground, from, x);  // past a wall it is beside it, and stands on nothing
            object.foothold = ground[next.foothold].reaches_over(x) ? next.foothold : FootholdIndex{0};
        } else if (is_past_right(from, x)) {
            object.foothold = from.next;
        } else if (is_past_left(from, x)) {
            object.foothold = from.prev;
        }
        on_chain = object.foothold != 0;
        if (!on_chain) object.foothold = ground.below(x, object.position.y, 0, !quirks.loose_joints);
    } else {
        object.foothold = ground.below(x, object.position.y, object.foothold, !quirks.loose_joints);
        if (object.foothold == 0) return 0;
    }

    const Foothold& here = ground[object.foothold];
    const double height = here.ground_at(x);
    if (object.velocity.y == 0 && on_chain) {
        const bool held = quirks.loose_joints ? holds_feet(object, from, here, height) : !here.is_wall;
        if (held) object.position.y = height;
    }
    object.on_ground = object.position.y == height;
    if (object.can_drop || object.has(MotionFlags::check_below))
        look_below(object, here.no_drop && !quirks.drops_anywhere, height, ground);
    if (object.layer == 0 || object.on_ground) object.layer = here.layer;
    if (object.foothold == 0 && quirks.void_teleport) {
        object.foothold = from.self;
        object.position.x = from.x1;
        object.velocity.x = 0;
    }
    return here.slope;
}

void apply_forces(PhysicsObject& object, math::Vec2 force, double slope, const MotionQuirks& quirks) {
    math::Vec2 gain;
    const double gravity = object.has(MotionFlags::no_gravity) ? 0 : 1;
    switch (object.type) {
        case MotionType::fixated: return;
        case MotionType::ice:
            if (quirks.ice_stands_still) return;
            [[fallthrough]];
        case MotionType::normal:
            if (object.on_ground) {
                gain = force;
                const double slide = object.type == MotionType::ice ? quirks.ice_friction : 1;
                if (gain.x == 0 && std::abs(object.velocity.x) < foothold_dead_zone)
                    object.velocity.x = 0;
                else
                    gain.x -= ground_friction(object.velocity.x, slope) * slide;
            } else {
                if (!quirks.air_drops_forces) gain = force;
                gain.y += foothold_gravity * gravity;
            }
            object.velocity += gain;
            if (object.velocity.y > quirks.fastest_fall) object.velocity.y = quirks.fastest_fall;
            return;
        case MotionType::flying:
        case MotionType::swimming: {
            const bool swims = object.type == MotionType::swimming;
            const double friction = swims ? foothold_swim_friction : foothold_fly_friction;
            gain = {force.x - friction * object.velocity.x, force.y - friction * object.velocity.y};
            if (swims && gravity != 0) gain.y += foothold_swim_gravity;
            object.velocity += gain;
            rest_if_slow(object.velocity.x, gain.x);
            rest_if_slow(object.velocity.y, gain.y);
            return;
        }
    }
}

void limit_movement(PhysicsObject& object, const FootholdSet& ground, const MotionQuirks& quirks) {
    const double from_x = object.position.x;
    if (object.velocity.x != 0) stop_at_wall(object, ground, quirks);
    if (object.velocity.y == 0) return;
    // A wall puts an object beside it at once. Where the ground rises to that wall, the original then finds
    // its feet below the ground already, and it falls through.
    const bool landed =
        quirks.loose_joints ? land_below(object, ground) : land_on_path(object, from_x, ground);
    if (!landed) return stop_at_borders(object, ground);
    object.velocity.y = 0;
    if (object.velocity.x == 0) return;
    // The walls that matter to a falling object may not be those of a standing one.
    stop_at_wall(object, ground, quirks);
    if (object.velocity.x == 0 && !quirks.loose_joints)
        object.position.y = walk_to(ground, ground[object.foothold], object.position.x).height;
}

[[gnu::flatten]] void move_object(PhysicsObject& object, math::Vec2 force, const FootholdSet& ground,
                                  const MotionQuirks& quirks) {
    double slope = 0;
    if (object.type != MotionType::fixated || object.foothold == 0)
        slope = find_footing(object, ground, quirks);
    if (!is_frozen(object, quirks)) {
        apply_forces(object, force, slope, quirks);
        limit_movement(object, ground, quirks);
    }
    object.position += object.velocity;
    if (!quirks.loose_joints) keep_feet_on_ground(object, ground);
}

}  // namespace instep::worlds::foothold
