// SPDX-License-Identifier: MIT
// The broad phase finds the boxes that overlap, by sweep and prune (Baraff 1992) along x within horizontal
// strips. A strip is twice as high as a box is on average. A box is entered in every strip that it touches,
// and each strip is sorted by left sides, so one pass through a strip, looking ahead as far as each box is
// wide, finds every pair:
//
//     strip 2  |   |   a   |      |  c  |            a and b overlap in strips 1 and 2; the pair is reported
//     in strip 1  |  [b]  a   |   [d]   c               the higher of the two strips in which they begin
//     strip 0  |  [b]        [e]
//
// Two counting sorts rebuild everything in every step, so there is nothing to save. Strips wrap around, so a
// body that falls out of the world costs nothing. Left sides are sorted only into buckets: a few useless
// comparisons cost less than a finer sort. There are about as many strips and buckets as boxes, so a tower
// and a row cost no more than a heap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/hull.h>

namespace instep::rigid {

class BroadPhase {
public:
    explicit BroadPhase(std::uint32_t max_boxes);

    // A box is named by its index in the span. One with a NaN side overlaps nothing.
    void build(std::span<const Aabb> boxes);

    // Calls found(a, b) once for every pair that overlaps, in an order that depends only on the boxes.
    template <class Found>
    void for_each_pair(Found found) const {
        for (std::uint32_t strip = 0; strip < strip_count_; ++strip) {
            const std::uint32_t end = strip_ends_[strip];
            for (std::uint32_t i = strip_start(strip); i < end; ++i) {
                const Entry& entry = entries_[i];
                for (std::uint32_t k = i + 1; k < end && entries_[k].bucket <= entry.last_bucket; ++k) {
                    const Entry& other = entries_[k];
                    if (entry.box.overlaps(other.box) && is_reported_in(strip, entry.first_strip, other))
                        found(entry.index, other.index);
                }
            }
        }
    }

    // Calls found(index) once for every box that overlaps `box`, in an order that depends only on the boxes.
    template <class Found>
    void for_each_overlap(const Aabb& box, Found found) const {
        if (!is_box(box)) return;
        const StripRange range = strips_of(box);
        const std::uint32_t last_bucket = bucket_of(box.high.x);
        for (std::int64_t strip = range.first; strip <= range.last; ++strip) {
            const std::uint32_t here = wrapped(strip);
            const std::uint32_t end = strip_ends_[here];
            for (std::uint32_t i = strip_start(here); i < end && entries_[i].bucket <= last_bucket; ++i)
                if (entries_[i].box.overlaps(box) && is_reported_in(here, range.first, entries_[i]))
                    found(entries_[i].index);
        }
    }

private:
    struct Entry {
        Aabb box;
        std::uint32_t index = 0;
        std::int32_t first_strip = 0;   // before wrapping
        std::uint32_t bucket = 0;       // of its left side
        std::uint32_t last_bucket = 0;  // of its right side
    };
    struct StripRange {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };
    struct Cells {  // the strips and buckets of a box
        StripRange strips;
        std::uint32_t bucket = 0;
        std::uint32_t last_bucket = 0;
    };

    static bool is_box(const Aabb& box) { return box.low.x <= box.high.x && box.low.y <= box.high.y; }
    std::uint32_t wrapped(std::int64_t strip) const {
        return static_cast<std::uint32_t>(strip) & (strip_count_ - 1);
    }
    std::uint32_t strip_start(std::uint32_t strip) const { return strip == 0 ? 0 : strip_ends_[strip - 1]; }
    // Two boxes that overlap share the strip in which the higher one begins: report the pair there.
    bool is_reported_in(std::uint32_t strip, std::int32_t first_strip, const Entry& other) const {
        return wrapped(first_strip > other.first_strip ? first_strip : other.first_strip) == strip;
    }

    void choose_scale(std::span<const Aabb> boxes);
    std::uint32_t bucket_of(double x) const;
    StripRange strips_of(const Aabb& box) const;

    double strips_per_unit_ = 0;
    double buckets_per_unit_ = 0;
    double bucket_origin_ = 0;       // x at which bucket 0 begins
    std::uint32_t strip_count_ = 1;  // a power of two
    std::uint32_t bucket_count_ = 1;
    std::vector<Cells> cells_;                // by box
    std::vector<std::uint32_t> bucket_ends_;  // end of each bucket in by_bucket_
    std::vector<std::uint32_t> by_bucket_;    // indices of boxes
    std::vector<std::uint32_t> strip_ends_;   // end of each strip in entries_
    std::vector<Entry> entries_;
};

}  // namespace instep::rigid
