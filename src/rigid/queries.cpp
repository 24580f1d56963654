// SPDX-License-Identifier: MIT
// Long ways are asked for in pieces, so that a ray across the world does not visit all that is in its box.
#include <instep/rigid/queries.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/continuous.h>

namespace instep::rigid {
namespace {

constexpr double sizes_per_piece = 8;  // mean sizes of a box
constexpr double most_pieces = 64;

Hull point_at(Vec2 position) {
    Hull point;
    point.count = 1;
    point.points[0] = position;
    return point;
}

std::size_t most_shapes(const Setup& setup) {
    std::size_t most = 1;
    for (const BodyDef& def : setup.body_defs) most = std::max(most, def.shapes.size());
    return most * setup.max_bodies;
}

// The box of a way in equal pieces, from its start.
class Pieces {
public:
    Pieces(const Aabb& start, Vec2 way, double mean_size) : start_(start), way_(way) {
        const double pieces = std::ceil(math::length(way) / (sizes_per_piece * mean_size));
        count_ = pieces >= 1 ? std::min(pieces, most_pieces) : 1;
    }
    int count() const { return static_cast<int>(count_); }
    double start_of(int piece) const { return static_cast<double>(piece) / count_; }
    double end_of(int piece) const { return piece + 1 == count() ? 1 : start_of(piece + 1); }
    Aabb box_of(int piece) const {
        const Vec2 from = start_of(piece) * way_;
        const Vec2 by = (end_of(piece) - start_of(piece)) * way_;
        return Aabb{start_.low + from, start_.high + from}.swept(by).expanded(2 * linear_slop);
    }

private:
    Aabb start_;
    Vec2 way_;
    double count_ = 1;
};

}  // namespace

QueryIndex::QueryIndex(const Setup& setup) : broad_phase_(static_cast<std::uint32_t>(most_shapes(setup))) {
    entries_.reserve(most_shapes(setup));
    hulls_.reserve(most_shapes(setup));
    boxes_.reserve(most_shapes(setup));
    hits_.reserve(most_shapes(setup));
}

void QueryIndex::build(const Space& space) {
    entries_.clear();
    hulls_.clear();
    boxes_.clear();
    double sizes = 0;
    space.bodies.for_each([&](const BodyRef& body) {
        const Pose pose = body.pose();
        for (std::size_t i = 0; i < body.def.shapes.size(); ++i) {
            const Shape& shape = body.def.shapes[i];
            entries_.push_back({body.handle, &shape, static_cast<std::uint8_t>(i)});
            transform(shape.hull, pose, hulls_.emplace_back());
            boxes_.push_back(aabb_of(hulls_.back()));
            sizes += std::max(boxes_.back().high.x - boxes_.back().low.x,
                              boxes_.back().high.y - boxes_.back().low.y);
        }
    });
    mean_size_ = sizes > 0 ? sizes / static_cast<double>(entries_.size()) : 1;
    broad_phase_.build(boxes_);
    ++builds_;
}

void Queries::update() const {
    if (build_ != 0 && build_ == index_.builds_) return;
    index_.build(space_);
    build_ = index_.builds_;
}

bool Queries::comes_before(const RayHit& a, const RayHit& b) const {
    if (a.fraction != b.fraction) return a.fraction < b.fraction;
    return a.body.id != b.body.id ? a.body.id < b.body.id : a.shape < b.shape;
}

// The first hit that cast(entry, hull) gives, walking the pieces of the way.
template <class Cast>
RayHit Queries::first_along(const Aabb& start, Vec2 way, const QueryFilter& filter, Cast cast) const {
    update();
    RayHit first;
    const Pieces pieces(start, way, index_.mean_size_);
    for (int piece = 0; piece < pieces.count(); ++piece) {
        for_each_near(pieces.box_of(piece), filter, [&](std::uint32_t i) {
            RayHit hit = cast(index_.hulls_[i]);
            if (hit.normal == Vec2{}) return;
            hit.body = index_.entries_[i].body;
            hit.shape = index_.entries_[i].number;
            if (!first.body || comes_before(hit, first)) first = hit;
        });
        if (first.body && first.fraction <= pieces.end_of(piece)) break;
    }
    return first;
}

RayHit Queries::cast_ray(Vec2 start, Vec2 end, const QueryFilter& filter) const {
    return first_along({start, start}, end - start, filter,
                       [&](const Hull& hull) { return rigid::cast_ray(hull, start, end); });
}

std::span<const RayHit> Queries::cast_ray_all(Vec2 start, Vec2 end, const QueryFilter& filter) const {
    update();
    std::vector<RayHit>& hits = index_.hits_;
    hits.clear();
    const Pieces pieces({start, start}, end - start, index_.mean_size_);
    for (int piece = 0; piece < pieces.count(); ++piece)
        for_each_near(pieces.box_of(piece), filter, [&](std::uint32_t i) {
            RayHit hit = rigid::cast_ray(index_.hulls_[i], start, end);
            // A shape in the boxes of several pieces counts in the one where it is hit.
            const bool is_last = piece + 1 == pieces.count();
            if (hit.normal == Vec2{} || hit.fraction < pieces.start_of(piece) ||
                (!is_last && hit.fraction >= pieces.end_of(piece)))
                return;
            hit.body = index_.entries_[i].body;
            hit.shape = index_.entries_[i].number;
            hits.push_back(hit);
        });
    // total order: no two hits are of the same shape
    std::sort(hits.begin(), hits.end(), [&](const RayHit& a, const RayHit& b) { return comes_before(a, b); });
    return hits;
}

RayHit Queries::cast_shape(const Hull& hull, Vec2 displacement, const QueryFilter& filter) const {
    constexpr double not_a_circle = 1;  // nothing rotates, so no other extent matters
    return first_along(aabb_of(hull), displacement, filter, [&](const Hull& other) {
        RayHit hit;
        if (hull_distance(other, hull).distance > 0) {
            hit.fraction =
                time_of_impact(hull, not_a_circle, {{}, displacement, 0, 0}, other, not_a_circle, {}, 0);
            if (!(hit.fraction < 1)) return RayHit{};
        } else {
            hit.fraction = 0;
        }
        const Hull moved = translated(hull, hit.fraction * displacement);
        hit.normal = hull_distance(other, moved).normal;
        if (hit.normal == Vec2{}) hit.normal = {0, 1};  // two cores in one point
        const NearestPoints nearest = nearest_points(other, moved);
        hit.point = nearest.are_apart ? nearest.on_a + other.radius * hit.normal : moved.points[0];
        return hit;
    });
}

ClosestHit Queries::closest(Vec2 point, double max_distance, const QueryFilter& filter) const {
    ClosestHit best;
    const Hull at = point_at(point);
    for_each_near(Aabb{point, point}.expanded(max_distance), filter, [&](std::uint32_t i) {
        const HullDistance between = hull_distance(index_.hulls_[i], at);
        const double distance = std::max(between.distance, 0.0);
        const QueryIndex::Entry& entry = index_.entries_[i];
        if (!(distance <= max_distance)) return;
        const bool is_better =
            !best.body || distance < best.distance ||
            (distance == best.distance &&
             (entry.body.id != best.body.id ? entry.body.id < best.body.id : entry.number < best.shape));
        if (is_better) best = {entry.body, entry.number, distance, point - distance * between.normal};
    });
    return best;
}

Handle Queries::body_at(Vec2 point, const QueryFilter& filter) const {
    Handle lowest;
    for_each_overlapping(point_at(point), filter, [&](Handle body, std::uint8_t, const Hull&) {
        if (!lowest || body.id < lowest.id) lowest = body;
    });
    return lowest;
}

}  // namespace instep::rigid
