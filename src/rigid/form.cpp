// SPDX-License-Identifier: MIT
// Mass, centre and moment of inertia. A polygon is a fan of triangles from its first point; a triangle of
// density 1 with two sides a and b has the area a×b/2, its centroid at (a+b)/3, and about their common corner
// the moment (a×b/12)(a·a + a·b + b·b). Steiner's theorem carries moments from one axis to another.
#include <instep/rigid/form.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace instep::rigid {
namespace {

struct MassOf {
    double mass = 0;
    Vec2 centre{};
    double inertia = 0;  // about the centre
};

MassOf circle_mass(const Hull& hull, double density) {
    const double mass = density * math::pi * hull.radius * hull.radius;
    return {mass, hull.points[0], 0.5 * mass * hull.radius * hull.radius};
}

MassOf polygon_mass(const Hull& hull, double density) {
    const Vec2 corner = hull.points[0];
    double area = 0;
    double inertia = 0;
    Vec2 first_moment{};
    for (std::uint32_t i = 1; i + 1 < hull.count; ++i) {
        const Vec2 a = hull.points[i] - corner;
        const Vec2 b = hull.points[i + 1] - corner;
        const double twice_area = math::cross(a, b);
        area += 0.5 * twice_area;
        first_moment += (a + b) * (twice_area / 6);
        inertia += twice_area / 12 * (math::dot(a, a) + math::dot(a, b) + math::dot(b, b));
    }
    const Vec2 centre = first_moment / area;
    const double mass = density * area;
    return {mass, corner + centre, density * inertia - mass * math::length_squared(centre)};
}

MassOf mass_of(const Shape& shape) {
    switch (shape.hull.count) {
        case 1: return circle_mass(shape.hull, shape.material.density);
        case 2: return {};  // a line has no area
        default: return polygon_mass(shape.hull, shape.material.density);
    }
}

MassOf mass_of(const std::vector<Shape>& shapes) {
    MassOf all;
    for (const Shape& shape : shapes) {
        const MassOf one = mass_of(shape);
        all.mass += one.mass;
        all.centre += one.mass * one.centre;
    }
    if (all.mass > 0) all.centre /= all.mass;
    for (const Shape& shape : shapes) {
        const MassOf one = mass_of(shape);
        all.inertia += one.inertia + one.mass * math::distance_squared(one.centre, all.centre);
    }
    return all;
}

Vec2 middle_of(const Hull& hull) {
    switch (hull.count) {
        case 1: return hull.points[0];
        case 2: return 0.5 * (hull.points[0] + hull.points[1]);
        default: return polygon_mass(hull, 1).centre;
    }
}

// Of a disc about its middle that lies inside of it.
double inner_radius(const Hull& hull, Vec2 middle) {
    if (hull.count == 1) return hull.radius;
    double least = largest_extent;
    for (std::uint32_t i = 0; i < hull.count; ++i)
        least = std::min(least, math::dot(hull.normals[i], hull.points[i] - middle));
    return std::max(least, 0.0);
}

bool is_from_0_to(double most, double value) { return value >= 0 && value <= most; }

state::Result<void> check(const Shape& shape, std::size_t number) {
    const std::string where = "shape " + std::to_string(number);
    if (shape.hull.count == 0) return state::refuse(where, "it has no points: make its hull first");
    if (!is_from_0_to(1e6, shape.material.density))
        return state::refuse(where, "expected a density from 0 to 1000000");
    if (!is_from_0_to(100, shape.material.friction))
        return state::refuse(where, "expected a friction from 0 to 100");
    if (!is_from_0_to(1, shape.material.restitution))
        return state::refuse(where, "expected a restitution from 0 to 1: more would create energy");
    return {};
}

}  // namespace

state::Result<Form> make_form(BodyType type, std::vector<Shape> shapes, const FormOptions& options) {
    if (shapes.empty() || shapes.size() > max_shapes)
        return state::refuse("form", "expected 1 to 255 shapes, got " + std::to_string(shapes.size()));
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (auto checked = check(shapes[i], i); !checked) return state::within("form", checked.error());
    if (!is_from_0_to(1e6, options.linear_damping) || !is_from_0_to(1e6, options.angular_damping))
        return state::refuse("form", "expected damping from 0 to 1000000");

    Form form;
    form.type = type;
    form.options = options;
    const MassOf mass = mass_of(shapes);
    if (type == BodyType::dynamic) {
        if (!(mass.mass > 1e-9))
            return state::refuse("form", "a dynamic body needs a mass: a circle or polygon with a density");
        form.mass = mass.mass;
        form.inverse_mass = 1 / mass.mass;
        if (options.turns) {
            form.inertia = mass.inertia;
            form.inverse_inertia = 1 / mass.inertia;
        }
    }
    form.origin = -mass.centre;
    form.core = largest_extent;
    for (Shape& shape : shapes) {
        shape.hull = moved(shape.hull, form.origin);
        shape.reach = 0;
        for (std::uint32_t i = 0; i < shape.hull.count; ++i)
            shape.reach = std::max(shape.reach, math::length(shape.hull.points[i]));
        shape.middle = middle_of(shape.hull);
        shape.core = inner_radius(shape.hull, shape.middle);
        form.reach = std::max(form.reach, shape.reach);
        form.core = std::min(form.core, shape.core);
    }
    form.round = shapes.size() == 1 && shapes[0].hull.count == 1 && shapes[0].hull.points[0] == Vec2{};
    form.shapes = std::move(shapes);
    return form;
}

}  // namespace instep::rigid
