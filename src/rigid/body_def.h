// SPDX-License-Identifier: MIT
// A body definition: shapes, material, the mass that follows from them, and damping. Definitions never change
// during a match, so they belong to the setup; a body of the state refers to its definition by a two-byte
// index, which keeps saved states small. A body whose shape changes gets another definition.
#pragma once

#include <cstdint>
#include <vector>

#include <instep/rigid/hull.h>
#include <instep/rigid/material.h>
#include <instep/rigid/one_way.h>

namespace instep::rigid {

enum class BodyType : std::uint8_t {
    fixed,      // never moves
    kinematic,  // moves by its velocity alone; contacts don't push it
    dynamic,    // has a mass, and contacts push it
};

// Two shapes collide if the category of each is in the mask of the other. A common group decides before
// that.
struct Filter {
    std::uint32_t category = 1;
    std::uint32_t mask = 0xFFFFFFFF;
    std::int16_t group = 0;  // shapes of the same group: above 0 always collide, below 0 never; 0: no group
};
[[nodiscard]] constexpr bool may_touch(Filter a, Filter b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

struct Shape {
    Hull hull{};
    Material material{};
    Filter filter{};
    OneWay one_way{};
    bool sensor = false;  // notices others and pushes nothing: see sensors.h
    // make_body_def() computes these.
    double max_extent = 0;  // largest distance of its points from the body's centre of mass
    Vec2 centroid{};
    double min_extent = 0;  // radius of the largest disc about the centroid inside the shape
};

struct BodyOptions {
    double linear_damping = 0;   // 1/s
    double angular_damping = 0;  // 1/s
    bool turns = true;           // false: an infinite moment of inertia
    bool bullet =
        false;  // continuous collision against dynamic bodies too, not only fixed and kinematic ones
};

struct BodyDef {
    BodyType type = BodyType::fixed;
    BodyOptions options{};
    std::vector<Shape> shapes;  // relative to the centre of mass
    Vec2 origin{};       // origin of the shapes given to make_body_def(), relative to the centre of mass
    double mass = 0;     // these four are 0 unless the body is dynamic
    double inertia = 0;  // about the centre of mass
    double inverse_mass = 0;
    double inverse_inertia = 0;
    double max_extent = 0;   // the greatest of its shapes, sensors apart
    double min_extent = 0;   // the least of its shapes: moving less than this a step, it cannot tunnel
    bool is_circle = false;  // one circle about the centre of mass: rotation does not change it
};

inline constexpr std::size_t max_shapes = 255;  // of one body definition

// Refuses a dynamic body without mass (segments have none) and material constants out of range.
state::Result<BodyDef> make_body_def(BodyType type, std::vector<Shape> shapes,
                                     const BodyOptions& options = {});

}  // namespace instep::rigid
