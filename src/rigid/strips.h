// SPDX-License-Identifier: MIT
// The broad phase: which boxes overlap? The plane is cut into horizontal strips, twice as high as a box is on
// average. A box is filed in every strip that it touches, and each strip is kept in the order of left sides,
// so that one walk through a strip, looking ahead as far as each box is wide, meets every pair:
//
//     strip 2  |   |   a   |      |  c  |            a and b meet in strips 1 and 2, and are told of in the
//     strip 1  |  [b]  a   |   [d]   c               higher one of the two in which they begin
//     strip 0  |  [b]        [e]
//
// Everything is built anew in every step by two counting sorts, so that there is nothing to save. Strips
// repeat, the one after the last being the first again: what falls out of the world costs nothing. Left sides
// are sorted by `levels`, steps across where most boxes are: coarse, but a box that is looked at in vain
// costs less than a finer sort. There are about as many strips and levels as boxes, so that a tower and a
// row of them cost no more than a heap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <instep/rigid/hull.h>

namespace instep::rigid {

class Strips {
public:
    explicit Strips(std::uint32_t max_boxes);

    // Boxes are numbered by their places in the span. One with a side that is no number overlaps nothing.
    void build(std::span<const Box> boxes);

    // Calls found(a, b) once for each two boxes that overlap, in an order that only depends on the boxes.
    template <class Found>
    void for_each_pair(Found found) const {
        for (std::uint32_t strip = 0; strip < strip_count_; ++strip) {
            const std::uint32_t end = strip_ends_[strip];
            for (std::uint32_t i = strip_start(strip); i < end; ++i) {
                const Entry& entry = entries_[i];
                for (std::uint32_t k = i + 1; k < end && entries_[k].level <= entry.last_level; ++k) {
                    const Entry& other = entries_[k];
                    if (entry.box.overlaps(other.box) && is_told_in(strip, entry.first_strip, other))
                        found(entry.number, other.number);
                }
            }
        }
    }

    // Calls found(number) once for each box that overlaps `box`, in an order that only depends on the boxes.
    template <class Found>
    void for_each_overlap(const Box& box, Found found) const {
        if (!is_box(box)) return;
        const StripRange range = strips_of(box);
        const std::uint32_t last_level = level_of(box.high.x);
        for (std::int64_t strip = range.first; strip <= range.last; ++strip) {
            const std::uint32_t here = wrapped(strip);
            const std::uint32_t end = strip_ends_[here];
            for (std::uint32_t i = strip_start(here); i < end && entries_[i].level <= last_level; ++i)
                if (entries_[i].box.overlaps(box) && is_told_in(here, range.first, entries_[i]))
                    found(entries_[i].number);
        }
    }

private:
    struct Entry {
        Box box;
        std::uint32_t number = 0;
        std::int32_t first_strip = 0;  // before wrapping
        std::uint32_t level = 0;       // of its left side
        std::uint32_t last_level = 0;  // of its right side
    };
    struct StripRange {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };
    struct Filed {  // how a box will be filed
        StripRange strips;
        std::uint32_t level = 0;
        std::uint32_t last_level = 0;
    };

    static bool is_box(const Box& box) { return box.low.x <= box.high.x && box.low.y <= box.high.y; }
    std::uint32_t wrapped(std::int64_t strip) const {
        return static_cast<std::uint32_t>(strip) & (strip_count_ - 1);
    }
    std::uint32_t strip_start(std::uint32_t strip) const { return strip == 0 ? 0 : strip_ends_[strip - 1]; }
    // Two boxes that overlap share the strip in which the higher one begins.
    bool is_told_in(std::uint32_t strip, std::int32_t first_strip, const Entry& other) const {
        return wrapped(first_strip > other.first_strip ? first_strip : other.first_strip) == strip;
    }

    void choose_scale(std::span<const Box> boxes);
    std::uint32_t level_of(double x) const;
    StripRange strips_of(const Box& box) const;

    double strips_a_unit_ = 0;
    double levels_a_unit_ = 0;
    double leftmost_ = 0;            // where level 0 begins
    std::uint32_t strip_count_ = 1;  // a power of two
    std::uint32_t level_count_ = 1;
    std::vector<Filed> filed_;
    std::vector<std::uint32_t> level_ends_;  // where each level ends among the numbers
    std::vector<std::uint32_t> by_level_;    // numbers of boxes
    std::vector<std::uint32_t> strip_ends_;  // where each strip ends among the entries
    std::vector<Entry> entries_;
};

}  // namespace instep::rigid
