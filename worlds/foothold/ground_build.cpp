// SPDX-License-Identifier: MIT
// How a set of footholds is made, once a map: ends, links, tall columns, the index over x. Apart from the
// questions, because a module that is downloaded has this part as small as it gets.
#include <foothold/ground.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

namespace instep::worlds::foothold {
namespace {

constexpr double side_wall_inset = 25;      // walls: left + 25, right - 25
constexpr double border_above = 300;        // borders: top - 300
constexpr double border_below = 100;        // borders: bottom + 100
constexpr double tall_column_height = 500;  // wallColumnsByX: shorter ones can be jumped over
constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

struct Point {
    std::int32_t x, y;
    friend bool operator==(const Point&, const Point&) = default;
};

Point left_end(const Foothold& f) { return f.x1 <= f.x2 ? Point{f.x1, f.y1} : Point{f.x2, f.y2}; }
Point right_end(const Foothold& f) { return f.x1 <= f.x2 ? Point{f.x2, f.y2} : Point{f.x1, f.y1}; }

// How far beyond its ends a segment may still be asked for: the web client allows a hundredth of its length,
// the reference the rest of a pixel.
double overhang(const Foothold& f) { return 1 + 0.01 * (f.right - f.left); }

}  // namespace

FootholdSet::FootholdSet(std::span<const FootholdSegment> segments) : count_(segments.size()) {
    assert(count_ <= most_footholds);
    footholds_.resize(count_ + 1);
    ids_.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) {
        const FootholdSegment& segment = segments[i];
        Foothold& f = footholds_[i + 1];
        f.id = segment.id;
        f.self = static_cast<FootholdIndex>(i + 1);
        f.x1 = segment.x1, f.y1 = segment.y1, f.x2 = segment.x2, f.y2 = segment.y2;
        f.left = std::min(f.x1, f.x2);
        f.right = std::max(f.x1, f.x2);
        f.is_wall = f.x1 == f.x2;
        f.slope = f.is_wall ? 0 : static_cast<double>(f.y2 - f.y1) / static_cast<double>(f.x2 - f.x1);
        f.layer = static_cast<std::uint8_t>(segment.layer);
        f.no_drop = segment.no_drop;
        ids_.emplace_back(segment.id, f.self);
    }
    std::sort(ids_.begin(), ids_.end());  // total order: ids are unique
    measure();
    link(segments);
    find_walls();
    build_index();
    find_clear_heights();
}

void FootholdSet::measure() {
    if (count_ > 0) {
        extent_x_ = {footholds_[1].left * 1.0, footholds_[1].right * 1.0};
        extent_y_ = {footholds_[1].top() * 1.0, footholds_[1].bottom() * 1.0};
    }
    for (const Foothold& f : all()) {
        extent_x_ = {std::min(extent_x_.low, f.left * 1.0), std::max(extent_x_.high, f.right * 1.0)};
        extent_y_ = {std::min(extent_y_.low, f.top() * 1.0), std::max(extent_y_.high, f.bottom() * 1.0)};
    }
    walls_ = {extent_x_.low + side_wall_inset, extent_x_.high - side_wall_inset};
    borders_ = {extent_y_.low - border_above, extent_y_.high + border_below};
}

// A link to an id that the map does not have leads to a segment of that id that is not there: it is not the
// same as no link, because an object that follows it leaves the ground first and looks for another one
// afterwards.
void FootholdSet::link(std::span<const FootholdSegment> segments) {
    std::map<std::int32_t, FootholdIndex> missing;
    const auto resolve = [&](std::int32_t id) -> FootholdIndex {
        if (id == 0) return 0;
        if (const FootholdIndex found = find(id)) return found;
        if (const auto known = missing.find(id); known != missing.end()) return known->second;
        if (footholds_.size() > std::numeric_limits<FootholdIndex>::max()) return 0;
        const auto index = static_cast<FootholdIndex>(footholds_.size());
        footholds_.emplace_back().id = id;
        return missing[id] = index;
    };
    for (std::size_t i = 0; i < count_; ++i) {
        const FootholdIndex prev = resolve(segments[i].prev);
        const FootholdIndex next = resolve(segments[i].next);
        footholds_[i + 1].prev = prev;
        footholds_[i + 1].next = next;
    }
    const auto left_wall = static_cast<std::int32_t>(walls_.low);
    const auto right_wall = static_cast<std::int32_t>(walls_.high);
    for (Foothold& f : footholds_) {
        if (!f.exists()) f.slope = not_there;
        const Foothold& prev = footholds_[f.prev];
        const Foothold& next = footholds_[f.next];
        f.prev_meets = prev.exists() && right_end(prev) == left_end(f);
        f.next_meets = next.exists() && left_end(next) == right_end(f);
        f.left_reach = std::max(left_wall, f.prev ? std::max(f.left, prev.left) : f.left);
        f.right_reach = std::min(right_wall, f.next ? std::min(f.right, next.right) : f.right);
    }
}

// All walls by their x, and those that form tall columns.
void FootholdSet::find_walls() {
    std::map<std::int32_t, std::vector<FootholdIndex>> walls_at;
    for (const Foothold& f : all())
        if (f.is_wall) walls_at[f.x1].push_back(f.self);
    for (const auto& [x, walls] : walls_at) {
        walls_by_x_.insert(walls_by_x_.end(), walls.begin(), walls.end());
        double height = 0;
        for (const FootholdIndex wall : walls) height += footholds_[wall].bottom() - footholds_[wall].top();
        if (height < tall_column_height) continue;
        for (const FootholdIndex wall : walls) {
            Foothold& f = footholds_[wall];
            f.column = static_cast<std::uint16_t>(column_ends_.size() + 1);
            column_pieces_.push_back({f.top() * 1.0, f.bottom() * 1.0});
        }
        column_ends_.push_back(static_cast<std::uint32_t>(column_pieces_.size()));
    }
}

// Buckets of equal width, a power of two, each with all stretches of ground that reach into it. As narrow as
// leaves the whole index in proportion to the map, whatever the map is like.
void FootholdSet::build_index() {
    const double first = std::floor(extent_x_.low - 2 - 0.01 * (extent_x_.high - extent_x_.low));
    const double last = std::ceil(extent_x_.high + 2 + 0.01 * (extent_x_.high - extent_x_.low));
    bucket_origin_ = first;
    const std::size_t most_buckets = 8 * count_ + 64;
    const std::size_t most_spans = 16 * count_ + 1024;
    const auto range_of = [&](const Foothold& f) {
        return std::pair(bucket_of(f.left - overhang(f)), bucket_of(f.right + overhang(f)));
    };
    for (buckets_per_pixel_ = 1 / narrowest_bucket;; buckets_per_pixel_ /= 2) {
        bucket_last_ = std::floor((last - first) * buckets_per_pixel_);
        std::size_t total = 0;
        for (const Foothold& f : all()) {
            const auto [from, to] = range_of(f);
            if (!f.is_wall) total += to - from + 1;
        }
        if (bucket_last_ == 0 || (bucket_last_ < static_cast<double>(most_buckets) && total <= most_spans))
            break;
    }

    const auto bucket_count = static_cast<std::size_t>(bucket_last_) + 1;
    std::vector<std::uint32_t> begins(bucket_count + 1);
    for (const Foothold& f : all()) {
        if (f.is_wall) continue;
        const auto [from, to] = range_of(f);
        for (std::uint32_t bucket = from; bucket <= to; ++bucket) ++begins[bucket + 1];
    }
    for (std::size_t i = 1; i <= bucket_count; ++i) begins[i] += begins[i - 1];
    spans_.resize(begins[bucket_count]);
    bucket_ends_ = begins;
    for (const Foothold& f : all()) {
        if (f.is_wall) continue;
        const double reach = std::abs(f.slope) * overhang(f);
        const Span span{f.slope, f.left, f.right,
                        f.x1,    f.y1,   static_cast<std::int32_t>(std::floor(f.top() - reach)),
                        f.self};
        const auto [from, to] = range_of(f);
        for (std::uint32_t bucket = from; bucket <= to; ++bucket) spans_[bucket_ends_[bucket]++] = span;
    }
    const auto is_higher = [](const Span& a, const Span& b) {
        return a.top != b.top ? a.top < b.top : a.index < b.index;
    };
    depths_.resize(spans_.size());
    for (std::size_t i = 0; i < bucket_count; ++i) {
        // total order: two at one height differ in their index
        std::sort(spans_.begin() + begins[i], spans_.begin() + bucket_ends_[i], is_higher);
        std::int32_t deepest = std::numeric_limits<std::int32_t>::min();
        for (std::uint32_t k = begins[i]; k < bucket_ends_[i]; ++k) {
            const Foothold& f = footholds_[spans_[k].index];
            const double reach = std::abs(f.slope) * overhang(f);
            deepest = std::max(deepest, static_cast<std::int32_t>(std::ceil(f.bottom() + reach)));
            depths_[k] = deepest;
        }
    }
}

// Pairs are looked at where both reach into a bucket, in crowded ones not at all: there the index has to do.
void FootholdSet::find_clear_heights() {
    constexpr std::uint32_t crowd = 128;
    for (Foothold& f : footholds_)
        if (f.exists() && !f.is_wall) f.clear_from = std::numeric_limits<std::int32_t>::min();
    for (std::size_t bucket = 0; bucket < bucket_ends_.size(); ++bucket) {
        const std::uint32_t begin = bucket == 0 ? 0 : bucket_ends_[bucket - 1];
        const std::span<const Span> spans{spans_.data() + begin, spans_.data() + bucket_ends_[bucket]};
        for (const Span& span : spans) {
            Foothold& f = footholds_[span.index];
            if (spans.size() > crowd) f.clear_from = std::numeric_limits<std::int32_t>::max();
            for (const Span& other : spans) {
                if (f.clear_from == std::numeric_limits<std::int32_t>::max()) break;
                // The pixels that both reach over, and all that may be cut down to one of them.
                const std::int32_t from = std::max(f.left + 1, other.left) - 1;
                const std::int32_t to = std::min(f.right - 1, other.right) + 1;
                if (other.index == f.self || to - from < 2) continue;
                const Foothold& g = footholds_[other.index];
                const bool is_lower =
                    g.ground_at(from) >= f.ground_at(from) + 1 && g.ground_at(to) >= f.ground_at(to) + 1;
                if (is_lower) continue;
                const double lowest = std::max(g.ground_at(from), g.ground_at(to)) + 1;
                f.clear_from = std::max(f.clear_from, static_cast<std::int32_t>(std::ceil(lowest)));
            }
        }
    }
}

}  // namespace instep::worlds::foothold
