// SPDX-License-Identifier: MIT
// Queries between steps: ray casts and overlaps. They visit all bodies in the order of the pool, with a
// bounding circle as a first test: no acceleration structure is kept between steps, and a game asks few.
#pragma once

#include <cstdint>

#include <instep/rigid/distance.h>
#include <instep/rigid/space.h>

namespace instep::rigid {

struct RayHit {
    Handle body;  // empty: no hit
    std::uint8_t shape = 0;
    double fraction = 1;  // of the distance from start to end
    Vec2 point{};
    Vec2 normal{};  // of the surface, against the ray
};

// The first shape between `start` and `end` whose category is in `mask`. A ray that starts inside a shape
// does not hit that shape.
[[nodiscard]] RayHit cast_ray(const Space& space, Vec2 start, Vec2 end, std::uint32_t mask = 0xFFFFFFFF);

// Where the ray from `start` to `end` enters a hull in world coordinates; RayHit::body stays empty.
[[nodiscard]] RayHit cast_ray(const Hull& hull, Vec2 start, Vec2 end);

// Calls found(handle, shape) for every shape that overlaps a hull in world coordinates.
template <class Found>
void for_each_overlapping(const Space& space, const Hull& hull, std::uint32_t mask, Found found) {
    const Aabb box = aabb_of(hull);
    Hull placed;
    space.bodies.for_each([&](const BodyRef& body) {
        const BodyDef& def = body.def;
        for (std::size_t shape = 0; shape < def.shapes.size(); ++shape) {
            if ((def.shapes[shape].filter.category & mask) == 0 || def.shapes[shape].sensor) continue;
            const double max_extent = def.shapes[shape].max_extent + def.shapes[shape].hull.radius;
            if (!box.expanded(max_extent).overlaps({body.position, body.position})) continue;
            transform(def.shapes[shape].hull, body.pose(), placed);
            if (hull_distance(placed, hull).distance <= 0)
                found(body.handle, static_cast<std::uint8_t>(shape));
        }
    });
}

}  // namespace instep::rigid
