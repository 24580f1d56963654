// SPDX-License-Identifier: MIT
#include <foothold/physics_web.h>

#include <algorithm>

namespace instep::worlds::foothold::web {
namespace {

constexpr double nearly_parallel = 1e-6;  // findGroundLanding
constexpr double shortest_slope = 0.01;   // px and px²: shorter segments have no direction to slide along
constexpr double slowest_step = 0.001;    // px: a slower mob meets no wall
constexpr double far_away = 30000;        // fhEdge: no edge in sight
constexpr double landing_tolerance = 1;   // px

// fhWall's test: open at both ends, and of the very height, not of its pixel.
bool is_in_mobs_way(const Foothold& wall, double y) {
    return wall.is_wall && y - 50 < wall.bottom() && y - 1 > wall.top();
}

double mob_wall(const FootholdSet& ground, const Foothold& here, bool left, double y, const Bounds& bounds) {
    const Foothold& first = ground[left ? here.prev : here.next];
    const Foothold& second = ground[left ? first.prev : first.next];
    if (is_in_mobs_way(first, y)) return left ? here.left : here.right;
    if (is_in_mobs_way(second, y)) return left ? first.left : first.right;
    return left ? bounds.left : bounds.right;
}

double mob_edge(const FootholdSet& ground, const Foothold& here, bool left) {
    const Foothold& first = ground[left ? here.prev : here.next];
    if (!first.exists() || first.is_wall) return left ? here.left : here.right;
    if (!ground[left ? first.prev : first.next].exists()) return left ? first.left : first.right;
    return left ? -far_away : far_away;
}

// On the ground: takes the link that x has gone beyond, or the ground below, or stops at the end.
void follow_ground(PhysicsObject& object, const FootholdSet& ground) {
    const Foothold& here = ground[object.foothold];
    const double x = object.position.x;
    if (here.exists() && (x > here.right || x < here.left)) {
        const FootholdIndex link = x > here.right ? here.next : here.prev;
        const FootholdIndex taken = link == 0              ? find_below(ground, x, object.position.y).foothold
                                    : ground[link].is_wall ? 0
                                                           : ground[link].self;
        if (taken != 0) {
            object.foothold = taken;
        } else {
            object.position.x = x > here.right ? here.right : here.left;
            object.velocity.x = 0;
        }
    }
    const Foothold& now = ground[object.foothold];
    object.on_ground = reaches(now, object.position.x);
    if (object.on_ground) object.position.y = height_on(now, object.position.x);
}

void find_mob_footing(PhysicsObject& object, const FootholdSet& ground) {
    if (object.on_ground) {
        follow_ground(object, ground);
    } else if (const Ground below = find_below(ground, object.position.x, object.position.y);
               below.foothold != 0) {
        object.foothold = below.foothold;
    }
}

void apply_mob_forces(PhysicsObject& object, math::Vec2 force_per_second, double slope, double ticks,
                      bool swims) {
    math::Vec2 speed = object.velocity / ticks_per_second;
    const math::Vec2 force = force_per_second / ticks_per_second;
    if (object.on_ground) {
        speed = {speed_on_ground(speed.x, force.x, slope, ticks), speed.y + force.y * ticks};
    } else if (swims) {
        const math::Vec2 gain{force.x - foothold_swim_friction * speed.x,
                              force.y - foothold_swim_friction * speed.y + foothold_swim_gravity};
        speed += gain * ticks;
    } else {
        speed.y += foothold_gravity * ticks;
    }
    object.velocity = speed * ticks_per_second;
}

void stop_mob_at_wall(PhysicsObject& object, const FootholdSet& ground, const Bounds& bounds, double dt) {
    const double step = object.velocity.x * dt;
    if (!object.on_ground || !(std::abs(step) > slowest_step)) return;
    const Foothold& here = ground[object.foothold];
    const Stretch way{step < 0, object.position.x, object.position.x + step};
    double limit = mob_wall(ground, here, way.left, object.position.y, bounds);
    if (!way.crosses(limit) && object.has(MotionFlags::turn_at_edges))
        limit = mob_edge(ground, here, way.left);
    if (!way.crosses(limit)) return;
    object.position.x = limit;
    object.velocity.x = 0;
    object.clear(MotionFlags::turn_at_edges);
}

bool land_mob(PhysicsObject& object, const FootholdSet& ground, double dt) {
    if (object.on_ground || !(object.velocity.y > 0)) return false;
    const Ground below = find_below(ground, object.position.x, object.position.y);
    if (below.foothold == 0 || object.position.y > below.y + landing_tolerance ||
        object.position.y + object.velocity.y * dt < below.y - landing_tolerance)
        return false;
    object.position.y = below.y;
    object.velocity.y = 0;
    object.on_ground = true;
    object.foothold = below.foothold;
    return true;
}

// Momentum along the ground is kept; of the fall, no more than a walk's worth turns into it.
void slide_along(PhysicsObject& object, const Foothold& foothold) {
    const double dx = foothold.x2 - foothold.x1;
    const double dy = foothold.y2 - foothold.y1;
    const double squared = dx * dx + dy * dy;
    if (!(squared > shortest_slope && std::abs(dx) > shortest_slope)) return;
    const double fall = std::min(object.velocity.y, fastest_landing);
    object.velocity.x = (object.velocity.x * dx + fall * dy) / squared * dx;
}

}  // namespace

Bounds bounds_of(const FootholdSet& ground) {
    const Bounds least;
    return {std::min(least.left, ground.extent_x().low), std::max(least.right, ground.extent_x().high),
            std::min(least.top, ground.extent_y().low), std::max(least.bottom, ground.extent_y().high)};
}

Ground find_below(const FootholdSet& ground, double x, double least_y, FootholdIndex ignored) {
    Ground best;
    for (const FootholdSet::Span& span : ground.spans_near(x, least_y - 1)) {
        if (best.foothold != 0 && span.top > best.y) break;
        const Foothold& foothold = ground[span.index];
        if (span.index == ignored || !reaches(foothold, x)) continue;
        const double y = height_on(foothold, x);
        if (y >= least_y - 1 &&
            (best.foothold == 0 || y < best.y || (y == best.y && span.index < best.foothold)))
            best = {span.index, x, y};
    }
    return best;
}

Ground find_near(const FootholdSet& ground, double x, double y, double distance) {
    Ground best;
    double nearest = distance;
    for (const FootholdSet::Span& span : ground.spans_near(x, y - distance)) {
        if (span.top > y + distance) break;
        const Foothold& foothold = ground[span.index];
        if (!reaches(foothold, x)) continue;
        const double height = height_on(foothold, x);
        const double away = std::abs(height - y);
        const bool is_earlier = best.foothold == 0 || span.index < best.foothold;
        if (away < nearest || (away == nearest && is_earlier)) {
            best = {span.index, x, height};
            nearest = away;
        }
    }
    return best;
}

Ground find_landing(const FootholdSet& ground, math::Vec2 from, math::Vec2 to, FootholdIndex ignored) {
    Ground best;
    if (to.y < from.y) return best;
    const auto is_within = [](double part) {
        return part >= -crossing_tolerance && part <= 1 + crossing_tolerance;
    };
    const math::Vec2 way = to - from;
    double earliest = 2;
    const auto try_spans = [&](double x) {
        for (const FootholdSet::Span& span : ground.spans_near(x, from.y - 1)) {
            if (span.top > to.y + 1) break;
            if (span.index == ignored) continue;
            const Foothold& f = ground[span.index];
            const math::Vec2 along{static_cast<double>(f.x2 - f.x1), static_cast<double>(f.y2 - f.y1)};
            const double denominator = way.x * along.y - way.y * along.x;
            if (std::abs(denominator) < nearly_parallel) continue;
            const math::Vec2 between{f.x1 - from.x, f.y1 - from.y};
            const double on_way = (between.x * along.y - between.y * along.x) / denominator;
            const double on_ground = (between.x * way.y - between.y * way.x) / denominator;
            if (!is_within(on_way) || !is_within(on_ground)) continue;
            if (on_way > earliest || (on_way == earliest && span.index < best.foothold)) continue;
            earliest = on_way;
            best = {span.index, from.x + way.x * on_way, from.y + way.y * on_way};
        }
    };
    const double reach = std::min(std::abs(way.x), 4096.0);  // no object moves farther in a step
    const double first = std::min(from.x, to.x);
    for (double x = first; x < first + reach; x += FootholdSet::narrowest_bucket) try_spans(x);
    try_spans(first + reach);
    return best;
}

double hold_between_side_walls(const FootholdSet& ground, double x) {
    return std::max(ground.side_walls().low, std::min(ground.side_walls().high, x));
}

double resolve_walls(const FootholdSet& ground, FootholdIndex current, double x, double next_x, double y) {
    if (next_x != x) {
        const double limit =
            ground.wall_in_way(current, {next_x < x, x, next_x}, std::floor(y), WallTest::tall_columns);
        if (limit == limit) next_x = limit;
    }
    return hold_between_side_walls(ground, next_x);
}

void walk(PhysicsObject& object, const FootholdSet& ground, double dt) {
    const double x = object.position.x;
    const double next_x =
        resolve_walls(ground, object.foothold, x, x + object.velocity.x * dt, object.position.y);
    object.position.x = next_x;
    for (int i = 0; i < most_chain_steps; ++i) {
        const Foothold& here = ground[object.foothold];
        const bool right = next_x >= here.right + 1.0;
        if (!right && !(next_x <= here.left - 1.0)) break;
        const Foothold& link = ground[right ? here.next : here.prev];
        object.foothold = link.is_wall ? FootholdIndex{0} : link.self;
        if (object.foothold == 0) {
            object.on_ground = false;
            object.velocity.y = 0;
            return;
        }
    }
    object.position.y = height_on(ground[object.foothold], next_x);
}

bool fall(PhysicsObject& object, const FootholdSet& ground, double dt, FootholdIndex ignored) {
    const math::Vec2 from = object.position;
    const double next_y = from.y + object.velocity.y * dt;
    const FootholdIndex beside =
        object.foothold != 0 ? object.foothold : find_below(ground, from.x, from.y).foothold;
    object.position.x = resolve_walls(ground, beside, from.x, from.x + object.velocity.x * dt, next_y);
    object.position.y = next_y;
    if (object.velocity.y < 0) return false;
    const Ground landing = find_landing(ground, from, object.position, ignored);
    if (landing.foothold == 0) return false;
    slide_along(object, ground[landing.foothold]);
    object.position.y = landing.y;
    object.velocity.y = 0;
    object.on_ground = true;
    object.foothold = landing.foothold;
    object.layer = ground[landing.foothold].layer;
    return true;
}

void move_object(PhysicsObject& object, math::Vec2 force, const FootholdSet& ground, const Bounds& bounds,
                 double dt, bool swims) {
    find_mob_footing(object, ground);
    const Foothold& here = ground[object.foothold];
    apply_mob_forces(object, force, here.exists() ? here.slope : 0, dt * ticks_per_second, swims);
    stop_mob_at_wall(object, ground, bounds, dt);
    if (land_mob(object, ground, dt)) return;
    object.position += object.velocity * dt;
    object.position.y = std::min(object.position.y, bounds.bottom + fall_below_bounds);
}

}  // namespace instep::worlds::foothold::web
