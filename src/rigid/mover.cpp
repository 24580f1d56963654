// SPDX-License-Identifier: MIT
#include <instep/rigid/mover.h>

#include <algorithm>
#include <array>

namespace instep::rigid {
namespace {

constexpr int most_planes = 5;  // hit on one way
constexpr int push_out_rounds = 4;

class Mover {
public:
    Mover(const Queries& queries, const MoverConfig& config) : queries_(queries), config_(config) {
        capsule_.count = 2;
        capsule_.radius = config.radius;
        capsule_.points = {Vec2{0, -config.half_height}, Vec2{0, config.half_height}};
        capsule_.normals = {Vec2{1, 0}, Vec2{-1, 0}};
    }

    MoverState move(const MoverState& state, Vec2 displacement) const {
        const Vec2 start = pushed_out(state.position);
        Way way = slide(start, displacement);
        const Vec2 across{displacement.x, 0};
        if (state.on_ground && way.hit_wall && displacement.y <= 0) climb(start, across, way.end);
        MoverState next{pushed_out(way.end), false, {}, {}};
        if (displacement.y > 0) return next;
        // Keep to the ground on the way down a slope or a step.
        stand(next, state.on_ground ? config_.step_height : 0);
        return next;
    }

private:
    struct Way {
        Vec2 end{};
        bool hit_wall = false;  // something too steep to walk on
    };

    RayHit cast(Vec2 from, Vec2 by) const {
        return queries_.cast_shape(translated(capsule_, from), by, config_.filter);
    }

    // As far as the way is free, up to the skin.
    Vec2 advanced(Vec2 from, Vec2 by, const RayHit& hit) const {
        if (!hit.body) return from + by;
        const double length = math::length(by);
        return from + std::max(hit.fraction - config_.skin / length, 0.0) * by;
    }

    Vec2 pushed_out(Vec2 position) const {
        for (int round = 0; round < push_out_rounds; ++round) {
            double deepest = 0;
            Vec2 way_out{};
            const Hull placed = translated(capsule_, position);
            queries_.for_each_overlapping(placed, config_.filter,
                                          [&](Handle, std::uint8_t, const Hull& other) {
                                              const HullDistance between = hull_distance(other, placed);
                                              if (between.distance >= deepest) return;
                                              deepest = between.distance;
                                              way_out = between.normal;
                                          });
            if (deepest == 0) break;
            position += (config_.skin - deepest) * way_out;
        }
        return position;
    }

    // Along the displacement; what is left of it when something is hit goes on along that.
    Way slide(Vec2 position, Vec2 displacement) const {
        Way way{position, false};
        std::array<Vec2, most_planes> planes{};
        for (int i = 0; i < most_planes; ++i) {
            if (!(math::length_squared(displacement) > 1e-18)) break;
            const RayHit hit = cast(way.end, displacement);
            way.end = advanced(way.end, displacement, hit);
            if (!hit.body) break;
            const bool is_wall = hit.normal.y < config_.walkable;
            way.hit_wall = way.hit_wall || (is_wall && hit.normal.y > -config_.walkable);
            displacement *= 1 - hit.fraction;
            // A steep slope is a wall: walking against it does not lift.
            Vec2 plane = hit.normal;
            if (is_wall && plane.y > 0 && displacement.y <= 0) plane = {plane.x < 0 ? -1.0 : 1.0, 0};
            planes[static_cast<std::size_t>(i)] = plane;
            displacement -= std::min(math::dot(displacement, plane), 0.0) * plane;
            // In a corner there is no way on.
            for (int k = 0; k < i; ++k)
                if (math::dot(displacement, planes[static_cast<std::size_t>(k)]) < -1e-12) return way;
        }
        return way;
    }

    // The normal of the ground that was hit; zero if it is too steep to stand on. A round foot meets the edge
    // of a step at a steep angle: then the surface just behind the edge counts.
    Vec2 ground_normal_at(const RayHit& hit) const {
        if (!hit.body) return {};
        if (hit.normal.y >= config_.walkable) return hit.normal;
        if (!(hit.normal.y > 0)) return {};
        const double probe = 4 * linear_slop;
        const Vec2 above = hit.point + Vec2{hit.normal.x < 0 ? probe : -probe, probe};
        const RayHit behind = queries_.cast_ray(above, above - Vec2{0, 2 * probe}, config_.filter);
        return behind.normal.y >= config_.walkable ? behind.normal : Vec2{};
    }

    // Over a step, if that gets farther and ends on walkable ground.
    void climb(Vec2 start, Vec2 across, Vec2& end) const {
        const Vec2 up{0, config_.step_height};
        const Vec2 top = advanced(start, up, cast(start, up));
        const Vec2 over = slide(top, across).end;
        const Vec2 down{0, start.y - top.y - config_.skin};
        const RayHit ground = cast(over, down);
        if (ground_normal_at(ground) == Vec2{}) return;
        const Vec2 landed = advanced(over, down, ground);
        const double sign = across.x < 0 ? -1 : 1;
        if (sign * (landed.x - end.x) > linear_slop * 0.1 && landed.y > start.y) end = landed;
    }

    void stand(MoverState& state, double reach) const {
        const Vec2 down{0, -(2 * config_.skin + reach)};
        const RayHit hit = cast(state.position, down);
        const Vec2 normal = ground_normal_at(hit);
        if (normal == Vec2{}) return;
        state.position = advanced(state.position, down, hit);
        state.on_ground = true;
        state.ground_normal = normal;
        state.ground = hit.body;
    }

    const Queries& queries_;
    const MoverConfig& config_;
    Hull capsule_;
};

}  // namespace

MoverState move(const Queries& queries, const MoverConfig& config, const MoverState& state,
                Vec2 displacement) {
    return Mover(queries, config).move(state, displacement);
}

Vec2 ground_velocity(const Space& space, const MoverConfig& config, const MoverState& state) {
    const auto ground = space.bodies.find(state.ground);
    if (!state.on_ground || !ground) return {};
    const Vec2 foot = state.position - Vec2{0, config.half_height} - config.radius * state.ground_normal;
    return ground->velocity + ground->angular_velocity * math::perpendicular(foot - ground->position);
}

}  // namespace instep::rigid
