// SPDX-License-Identifier: MIT
// Questions about the bodies of a space, answered by an index instead of a walk over all of them.
//
//     rigid::QueryIndex index(setup.rigid);                     // memory, allocated once
//     const rigid::Queries queries(space, index);               // the first question builds the index
//     const RayHit hit = queries.cast_ray(eye, eye + view, {.ignored = self});
//
// Answers are about the bodies as they were at the first question: make new Queries after a step, a restore
// or a change by hand. So nothing of an index is ever part of a state. Among equal answers the one with the
// lowest body id, then shape, counts. Sensors are not found unless the filter asks for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/broad_phase.h>
#include <instep/rigid/query.h>

namespace instep::rigid {

struct QueryFilter {
    std::uint32_t mask = 0xFFFFFFFF;      // categories of shapes to find
    std::uint32_t category = 0xFFFFFFFF;  // one of these is in the mask of the shapes to find
    Handle ignored{};                     // a body not to find
    bool sensors = false;                 // whether to find sensors too
};

class QueryIndex {
public:
    explicit QueryIndex(const Setup& setup);

private:
    friend class Queries;

    // A shape where it lies.
    struct Entry {
        Handle body;
        const Shape* shape = nullptr;
        std::uint8_t number = 0;  // of the shape in its body
    };

    void build(const Space& space);

    std::vector<Entry> entries_;
    std::vector<Hull> hulls_;
    std::vector<Aabb> boxes_;
    BroadPhase broad_phase_;
    std::vector<RayHit> hits_;
    double mean_size_ = 1;      // of a box, units
    std::uint64_t builds_ = 0;  // tells Queries of one index apart
};

struct ClosestHit {
    Handle body;  // empty: nothing is near
    std::uint8_t shape = 0;
    double distance = 0;  // 0 inside a shape
    Vec2 point{};         // of the shape
};

// Changes nothing but the index, which is memory.
class Queries {
public:
    Queries(const Space& space, QueryIndex& index) : space_(space), index_(index) {}

    // The first shape on the way, and all of them in the order of the way. The span is valid until the next
    // question. A ray that starts inside a shape does not hit that shape.
    [[nodiscard]] RayHit cast_ray(Vec2 start, Vec2 end, const QueryFilter& filter = {}) const;
    [[nodiscard]] std::span<const RayHit> cast_ray_all(Vec2 start, Vec2 end,
                                                       const QueryFilter& filter = {}) const;

    // The first shape that a hull in world coordinates touches if it is moved by `displacement`; its fraction
    // is up to 0.00125 units early, and 0 if they overlap from the start. The normal points to the hull.
    [[nodiscard]] RayHit cast_shape(const Hull& hull, Vec2 displacement,
                                    const QueryFilter& filter = {}) const;

    // The shape that is closest to a point, up to a distance.
    [[nodiscard]] ClosestHit closest(Vec2 point, double max_distance, const QueryFilter& filter = {}) const;

    // The body that covers a point; empty if none does.
    [[nodiscard]] Handle body_at(Vec2 point, const QueryFilter& filter = {}) const;

    // Calls found(body, shape, placed hull) for every shape that overlaps a hull in world coordinates.
    template <class Found>
    void for_each_overlapping(const Hull& hull, const QueryFilter& filter, Found found) const {
        for_each_near(aabb_of(hull), filter, [&](std::uint32_t i) {
            if (hull_distance(index_.hulls_[i], hull).distance <= 0)
                found(index_.entries_[i].body, index_.entries_[i].number, index_.hulls_[i]);
        });
    }

    [[nodiscard]] const Space& space() const { return space_; }

private:
    static bool passes(const QueryIndex::Entry& entry, const QueryFilter& filter) {
        const Shape& shape = *entry.shape;
        return (shape.filter.category & filter.mask) != 0 && (shape.filter.mask & filter.category) != 0 &&
               (!shape.sensor || filter.sensors) && entry.body != filter.ignored;
    }
    // Calls found(index of an entry) for every shape whose box overlaps `box`.
    template <class Found>
    void for_each_near(const Aabb& box, const QueryFilter& filter, Found found) const {
        update();
        index_.broad_phase_.for_each_overlap(box, [&](std::uint32_t i) {
            if (passes(index_.entries_[i], filter)) found(i);
        });
    }
    template <class Cast>
    RayHit first_along(const Aabb& start, Vec2 way, const QueryFilter& filter, Cast cast) const;
    void update() const;
    bool comes_before(const RayHit& a, const RayHit& b) const;

    const Space& space_;
    QueryIndex& index_;
    mutable std::uint64_t build_ = 0;  // the one that answers; 0: not built yet
};

}  // namespace instep::rigid
