// SPDX-License-Identifier: MIT
// Mass, centre of mass and moment of inertia. A polygon is a fan of triangles from its first point; a
// triangle of density 1 with two sides a and b has the area a×b/2, its centroid at (a+b)/3, and about their
// common corner the moment (a×b/12)(a·a + a·b + b·b). The parallel axis theorem moves a moment to another
// axis. A radius adds a rectangle to every edge and a sector of a disc to every corner.
#include <instep/rigid/body_def.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <instep/math/trig.h>

namespace instep::rigid {
namespace {

struct MassData {
    double mass = 0;
    Vec2 centre{};
    double inertia = 0;  // about the centre
};

MassData circle_mass(const Hull& hull, double density) {
    const double mass = density * math::pi * hull.radius * hull.radius;
    return {mass, hull.points[0], 0.5 * mass * hull.radius * hull.radius};
}

MassData polygon_mass(const Hull& hull, double density) {
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

// Sums of area, first and second moment about a point, of parts of density 1.
struct Moments {
    double area = 0;
    Vec2 first{};
    double second = 0;

    void add(double part, Vec2 first_moment, double about_point) {
        area += part;
        first += first_moment;
        second += about_point;
    }
};

MassData rounded_mass(const Hull& hull, double density) {
    const Vec2 origin = hull.points[0];
    const double r = hull.radius;
    Moments sum;
    if (hull.count > 2) {
        const MassData core = polygon_mass(hull, 1);
        const Vec2 centre = core.centre - origin;
        sum.add(core.mass, core.mass * centre, core.inertia + core.mass * math::length_squared(centre));
    }
    for (std::uint32_t i = 0; i < hull.count; ++i) {
        const std::uint32_t next = hull.after(i);
        const Vec2 normal = hull.normals[i];
        const double length = math::distance(hull.points[i], hull.points[next]);
        const Vec2 middle = 0.5 * (hull.points[i] + hull.points[next]) + (0.5 * r) * normal - origin;
        const double area = length * r;
        sum.add(area, area * middle, area * ((length * length + r * r) / 12 + math::length_squared(middle)));

        // The corner at the end of the edge: a sector from this edge's normal to the next one's. Its first
        // moment about the corner is r³/3 times the integral of the unit vectors between them.
        const Vec2 corner = hull.points[next] - origin;
        const Vec2 next_normal = hull.normals[next];
        const double angle =
            std::fabs(math::atan2(math::cross(normal, next_normal), math::dot(normal, next_normal)));
        const double sector = 0.5 * r * r * angle;
        const Vec2 about_corner = (-r * r * r / 3) * math::perpendicular(next_normal - normal);
        sum.add(sector, sector * corner + about_corner,
                0.5 * sector * r * r + 2 * math::dot(corner, about_corner) +
                    sector * math::length_squared(corner));
    }
    const Vec2 centre = sum.first / sum.area;
    return {density * sum.area, origin + centre,
            density * (sum.second - sum.area * math::length_squared(centre))};
}

MassData mass_of(const Shape& shape) {
    const double density = shape.material.density;
    if (shape.hull.count == 1) return circle_mass(shape.hull, density);
    if (shape.hull.radius > 0) return rounded_mass(shape.hull, density);
    return shape.hull.count == 2 ? MassData{} : polygon_mass(shape.hull, density);  // a line has no area
}

MassData mass_of(const std::vector<Shape>& shapes) {
    MassData all;
    for (const Shape& shape : shapes) {
        const MassData one = mass_of(shape);
        all.mass += one.mass;
        all.centre += one.mass * one.centre;
    }
    if (all.mass > 0) all.centre /= all.mass;
    for (const Shape& shape : shapes) {
        const MassData one = mass_of(shape);
        all.inertia += one.inertia + one.mass * math::distance_squared(one.centre, all.centre);
    }
    return all;
}

Vec2 centroid_of(const Hull& hull) {
    switch (hull.count) {
        case 1: return hull.points[0];
        case 2: return 0.5 * (hull.points[0] + hull.points[1]);
        default: return polygon_mass(hull, 1).centre;
    }
}

// The radius of the largest disc about the centroid inside the hull.
double inner_radius(const Hull& hull, Vec2 centroid) {
    if (hull.count == 1) return hull.radius;
    double least = max_shape_coordinate;
    for (std::uint32_t i = 0; i < hull.count; ++i)
        least = std::min(least, math::dot(hull.normals[i], hull.points[i] - centroid));
    return std::max(least, 0.0) + hull.radius;
}

bool is_from_0_to(double most, double value) { return value >= 0 && value <= most; }

state::Result<void> check(const Shape& shape, std::size_t index) {
    const std::string where = "shape " + std::to_string(index);
    if (shape.hull.count == 0) return state::refuse(where, "it has no points: make its hull first");
    if (!is_from_0_to(1e6, shape.material.density))
        return state::refuse(where, "expected a density from 0 to 1000000");
    if (!is_from_0_to(100, shape.material.friction))
        return state::refuse(where, "expected a friction from 0 to 100");
    if (!is_from_0_to(1, shape.material.restitution))
        return state::refuse(where, "expected a restitution from 0 to 1: more would create energy");
    if (!is_from_0_to(100, shape.material.rolling_resistance))
        return state::refuse(where, "expected a rolling resistance from 0 to 100");
    if (!is_from_0_to(1e6, std::fabs(shape.material.tangent_speed)))
        return state::refuse(where, "expected a tangent speed from -1000000 to 1000000");
    if (shape.one_way.is_set() && !(std::fabs(math::length(shape.one_way.direction) - 1) <= 1e-6))
        return state::refuse(where, "expected a one-way direction of length 1, or none");
    if (!is_from_0_to(max_shape_coordinate, shape.one_way.tolerance))
        return state::refuse(where, "expected a one-way tolerance from 0 to 10000");
    return {};
}

}  // namespace

state::Result<BodyDef> make_body_def(BodyType type, std::vector<Shape> shapes, const BodyOptions& options) {
    if (shapes.empty() || shapes.size() > max_shapes)
        return state::refuse("body", "expected 1 to 255 shapes, got " + std::to_string(shapes.size()));
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (auto checked = check(shapes[i], i); !checked) return state::within("body", checked.error());
    if (!is_from_0_to(1e6, options.linear_damping) || !is_from_0_to(1e6, options.angular_damping))
        return state::refuse("body", "expected damping from 0 to 1000000");

    BodyDef def;
    def.type = type;
    def.options = options;
    const MassData mass = mass_of(shapes);
    if (type == BodyType::dynamic) {
        if (!(mass.mass > 1e-9))
            return state::refuse("body",
                                 "a dynamic body needs a mass: a circle, capsule or polygon with a density");
        def.mass = mass.mass;
        def.inverse_mass = 1 / mass.mass;
        if (options.turns) {
            def.inertia = mass.inertia;
            def.inverse_inertia = 1 / mass.inertia;
        }
    }
    def.origin = -mass.centre;
    def.min_extent = max_shape_coordinate;
    for (Shape& shape : shapes) {
        shape.hull = translated(shape.hull, def.origin);
        shape.max_extent = 0;
        for (std::uint32_t i = 0; i < shape.hull.count; ++i)
            shape.max_extent = std::max(shape.max_extent, math::length(shape.hull.points[i]));
        shape.centroid = centroid_of(shape.hull);
        shape.min_extent = inner_radius(shape.hull, shape.centroid);
        if (shape.sensor) continue;
        def.max_extent = std::max(def.max_extent, shape.max_extent);
        def.min_extent = std::min(def.min_extent, shape.min_extent);
    }
    def.is_circle = shapes.size() == 1 && shapes[0].hull.count == 1 && shapes[0].hull.points[0] == Vec2{};
    def.shapes = std::move(shapes);
    return def;
}

}  // namespace instep::rigid
