// SPDX-License-Identifier: MIT
// A tick is one function to the compiler (flatten): nearly always an object stays on one foothold or above
// it, with no wall or edge in reach, and then nothing needs to leave the registers. Rarer cases are kept out
// of it (noinline).
#include <instep/worlds/foothold/physics.h>

namespace instep::worlds::foothold {
namespace {

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

// Follows the chain as far as x is past its links: exactly where ends meet, else when the whole pixel is
// past. A wall ends it: an object past a wall is beside it, on nothing or on other ground. Where two ends do
// not meet, feet are not held.
[[gnu::noinline]] FootholdIndex follow_chain(const PhysicsObject& object, const FootholdSet& ground,
                                             bool& joined) {
    const double x = object.position.x;
    FootholdIndex at = object.foothold;
    for (int i = 0; i < foothold_links_in_a_tick; ++i) {
        const Foothold& here = ground[at];
        const bool right = here.next_meets ? x > here.right : is_past_right(here, x);
        const bool left = here.prev_meets ? x < here.left : is_past_left(here, x);
        if (!right && !left) break;
        joined = joined && (right ? here.next_meets : here.prev_meets);
        at = right ? here.next : here.prev;
        if (at == 0 || ground[at].is_wall) return 0;
    }
    return at;
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

[[gnu::noinline]] void look_for_walls(PhysicsObject& object, const FootholdSet& ground,
                                      const MotionQuirks& quirks) {
    const Stretch way{object.velocity.x < 0, object.position.x, object.position.x + object.velocity.x};
    const double feet = std::trunc(object.position.y + object.velocity.y);
    double limit = ground.wall_in_way(object.foothold, way, feet, quirks.walls);
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

// How high the chain is at x, where `from` is a part of it. The original prolongs each foothold beyond its
// ends, and in a valley that leads below the next one.
double chain_height(const FootholdSet& ground, const Foothold& from, double x) {
    const Foothold* at = &from;
    for (int i = 0; i < foothold_links_in_a_tick; ++i) {
        const bool right = x > at->right && at->next_meets;
        const bool left = x < at->left && at->prev_meets;
        if (!right && !left) break;
        const Foothold& next = ground[right ? at->next : at->prev];
        if (next.is_wall) break;
        at = &next;
    }
    return at->ground_at(x);
}

// Whether it landed. `from_x` is where it was above ground; a wall may have moved it since.
bool stop_at_ground(PhysicsObject& object, double from_x, const FootholdSet& ground,
                    const MotionQuirks& quirks) {
    const Foothold& below = ground[object.foothold];
    const double next_x = object.position.x + object.velocity.x;
    const double here = below.ground_at(from_x);
    const double there = quirks.loose_joints ? below.ground_at(next_x) : chain_height(ground, below, next_x);
    const double y = object.position.y;
    const double next_y = y + object.velocity.y;
    const Interval borders = ground.borders();
    if (y <= here && next_y >= there) {
        object.position.y = there;
        object.velocity.y = 0;
        return true;
    }
    if (next_y < borders.low || next_y > borders.high) {
        object.position.y = next_y < borders.low ? borders.low : borders.high;
        object.velocity.y = 0;
    }
    return false;
}

}  // namespace

double find_footing(PhysicsObject& object, const FootholdSet& ground, const MotionQuirks& quirks) {
    const Foothold& from = ground[object.foothold];
    const double x = object.position.x;
    bool on_chain = false;
    bool joined = true;
    if (object.on_ground) {
        if (from.reaches_over(x)) {
            // as nearly always
        } else if (!quirks.loose_joints) {
            object.foothold = follow_chain(object, ground, joined);
        } else if (is_past_right(from, x)) {
            object.foothold = from.next;
        } else if (is_past_left(from, x)) {
            object.foothold = from.prev;
        }
        on_chain = object.foothold != 0;
        if (!on_chain) object.foothold = ground.below(x, object.position.y);
    } else {
        object.foothold = ground.below(x, object.position.y, object.foothold);
        if (object.foothold == 0) return 0;
    }

    const Foothold& here = ground[object.foothold];
    const double height = here.ground_at(x);
    if (object.velocity.y == 0 && on_chain) {
        const bool held =
            quirks.loose_joints ? holds_feet(object, from, here, height) : joined && !here.is_wall;
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
        stop_at_ground(object, quirks.loose_joints ? object.position.x : from_x, ground, quirks);
    if (!landed || object.velocity.x == 0) return;
    // The walls that matter to a falling object may not be those of a standing one.
    stop_at_wall(object, ground, quirks);
    if (object.velocity.x == 0 && !quirks.loose_joints)
        object.position.y = chain_height(ground, ground[object.foothold], object.position.x);
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
}

}  // namespace instep::worlds::foothold
