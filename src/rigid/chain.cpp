// SPDX-License-Identifier: MIT
// Making chains, and which contact normals a segment of a chain allows.
#include <instep/rigid/chain.h>

#include <string>

namespace instep::rigid {
namespace {

// Closer to straight than this, a corner counts as a joint within a straight line.
constexpr double least_turn = 0.01;  // sine of the angle

Vec2 outward_normal(Vec2 start, Vec2 end) {
    return math::normalized_or_zero(-math::perpendicular(end - start));
}

Vec2 centre_of(const Hull& hull) {
    Vec2 sum{};
    for (std::uint32_t i = 0; i < hull.count; ++i) sum += hull.points[i];
    return sum / static_cast<double>(hull.count);
}

// The end of a segment towards which a contact normal leans.
struct Corner {
    bool at_end = false;
    Vec2 neighbour{};  // its normal
    // Whether it sticks out, so that normals between the two are allowed.
    bool is_convex(Vec2 own) const { return turn(own, neighbour) > least_turn; }
    bool allows(Vec2 normal) const { return turn(normal, neighbour) >= -least_turn; }

private:
    double turn(Vec2 from, Vec2 to) const { return at_end ? math::cross(from, to) : math::cross(to, from); }
};

Corner corner_of(const Hull& segment, bool at_end) {
    return {at_end, at_end ? outward_normal(segment.points[1], segment.points[3])
                           : outward_normal(segment.points[2], segment.points[0])};
}

// The point of a hull that is deepest along a normal, from a point of the surface.
struct Deepest {
    double separation = 1e300;
    Vec2 point{};
};
Deepest deepest_of(const Hull& hull, Vec2 normal, Vec2 surface) {
    Deepest deepest;
    for (std::uint32_t i = 0; i < hull.count; ++i) {
        const double separation = math::dot(normal, hull.points[i] - surface) - hull.radius;
        if (separation < deepest.separation) deepest = {separation, hull.points[i] - hull.radius * normal};
    }
    return deepest;
}

// A hull whose corner is deep at a convex corner of the chain: the edge that it is less deep in pushes it.
Manifold collide_deep_corner(const Hull& segment, const Corner& corner, const Hull& other, double margin) {
    const Vec2 own = segment.normals[0];
    const Vec2 surface = segment.points[corner.at_end ? 1 : 0];
    const Deepest deepest = deepest_of(other, own, surface);
    if (deepest.separation < deepest_of(other, corner.neighbour, surface).separation) return {};
    Manifold manifold = collide_edge(segment, 0, other, margin);
    if (manifold.count > 0) return manifold;
    manifold.normal = own;
    manifold.points[0] = {deepest.point - 0.5 * deepest.separation * own, deepest.separation, 0};
    manifold.count = 1;
    return manifold;
}

}  // namespace

state::Result<std::vector<Hull>> make_chain(std::span<const Vec2> points, ChainEnds ends) {
    const bool is_loop = ends == ChainEnds::loop;
    const std::size_t least = is_loop ? 3 : 2;
    if (points.size() < least)
        return state::refuse("chain", "expected at least " + std::to_string(least) + " points, got " +
                                          std::to_string(points.size()));
    std::vector<Hull> segments;
    const std::size_t count = is_loop ? points.size() : points.size() - 1;
    segments.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto made = make_segment(points[i], points[(i + 1) % points.size()]);
        if (!made) return state::within("chain, point " + std::to_string(i), made.error());
        made->is_chained = true;
        // An open end turns away behind the segment.
        made->points[2] = made->points[0] - made->normals[0];
        made->points[3] = made->points[1] - made->normals[0];
        if (is_loop || i > 0) made->points[2] = points[(i + points.size() - 1) % points.size()];
        if (is_loop || i + 1 < count) made->points[3] = points[(i + 2) % points.size()];
        segments.push_back(*made);
    }
    return segments;
}

Manifold collide_chained(const Hull& segment, const Hull& other, const Manifold& plain, double margin) {
    if (plain.count == 0 || is_behind(segment, centre_of(other))) return {};
    const Vec2 own = segment.normals[0];
    const double lean = math::dot(plain.normal, math::perpendicular(own));  // towards the end of the segment
    constexpr double upright = 1e-3;
    if (lean > -upright && lean < upright) return collide_edge(segment, 0, other, margin);
    const Corner corner = corner_of(segment, lean > 0);
    if (!corner.is_convex(own)) return collide_edge(segment, 0, other, margin);
    if (corner.allows(plain.normal)) return plain;
    const bool is_apart = plain.points[0].separation >= 0;
    return is_apart ? Manifold{} : collide_deep_corner(segment, corner, other, margin);
}

}  // namespace instep::rigid
