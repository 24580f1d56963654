// SPDX-License-Identifier: MIT
// Questions about a space between steps: what does a ray hit, what overlaps a hull? They walk over all bodies
// in the order of their places, with a circle around each as a first test: nothing is kept between steps that
// could answer faster, and a game asks few.
#pragma once

#include <cstdint>

#include <instep/rigid/distance.h>
#include <instep/rigid/space.h>

namespace instep::rigid {

struct RayHit {
    Handle body;  // none: nothing was hit
    std::uint8_t shape = 0;
    double fraction = 1;  // of the way from start to end
    Vec2 at{};
    Vec2 normal{};  // of the surface, against the ray
};

// The first shape on the way from `start` to `end` whose category is in `mask`. A ray that begins inside of a
// shape does not hit it.
[[nodiscard]] RayHit cast_ray(const Space& space, const Setup& setup, Vec2 start, Vec2 end,
                              std::uint32_t mask = 0xFFFFFFFF);

// Where the way from `start` to `end` enters a hull in world coordinates; no body is named.
[[nodiscard]] RayHit cast_ray(const Hull& hull, Vec2 start, Vec2 end);

// Calls found(handle, shape) for every shape that overlaps a hull in world coordinates.
template <class Found>
void for_each_overlapping(const Space& space, const Setup& setup, const Hull& hull, std::uint32_t mask,
                          Found found) {
    const Box box = box_around(hull);
    Hull placed;
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i) {
        const Body& body = space.bodies[i];
        const Form& form = form_of(body, setup);
        for (std::size_t shape = 0; shape < form.shapes.size(); ++shape) {
            if ((form.shapes[shape].filter.category & mask) == 0) continue;
            const double reach = form.shapes[shape].reach + form.shapes[shape].hull.radius;
            if (!box.grown(reach).overlaps({body.position, body.position})) continue;
            place(form.shapes[shape].hull, pose_of(body), placed);
            if (separation(placed, hull).distance <= 0)
                found(space.bodies.handle_at(i), static_cast<std::uint8_t>(shape));
        }
    }
}

}  // namespace instep::rigid
