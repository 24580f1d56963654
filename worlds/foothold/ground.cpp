// SPDX-License-Identifier: MIT
#include <foothold/ground.h>

#include <algorithm>
#include <limits>

namespace instep::worlds::foothold {
namespace {

constexpr double body_height = 50;  // a wall blocks y - 50 .. y - 1
constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

}  // namespace

FootholdIndex FootholdSet::find(std::int32_t id) const {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), std::pair(id, FootholdIndex{0}));
    return found != ids_.end() && found->first == id ? found->second : FootholdIndex{0};
}

std::uint32_t FootholdSet::bucket_of(double x) const {
    const double scaled = (x - bucket_origin_) * buckets_per_pixel_;
    if (!(scaled > 0)) return 0;
    return static_cast<std::uint32_t>(scaled < bucket_last_ ? scaled : bucket_last_);
}

std::span<const FootholdSet::Span> FootholdSet::spans_near(double x, double y) const {
    const std::uint32_t bucket = bucket_of(x);
    std::uint32_t begin = bucket == 0 ? 0 : bucket_ends_[bucket - 1];
    const std::uint32_t end = bucket_ends_[bucket];
    // All before the first that is deep enough end above y, and depths only grow.
    std::uint32_t count = end - begin;
    while (count > 4) {
        const std::uint32_t half = count / 2;
        if (depths_[begin + half - 1] < y) begin += half;
        count -= half;
    }
    return {spans_.data() + begin, spans_.data() + end};
}

FootholdIndex FootholdSet::search_below(double x, double y, bool exact) const {
    const double pixel = exact ? x : std::trunc(x);
    double best_y = borders_.high;
    FootholdIndex best = 0;
    for (const Span& span : spans_near(pixel, y)) {
        if (span.top > best_y) break;
        if (pixel < span.left || pixel > span.right) continue;
        const double ground = span.slope * (x - span.x1) + span.y1;
        if (ground >= y && (ground < best_y || (ground == best_y && span.index > best))) {
            best_y = ground;
            best = span.index;
        }
    }
    return best;
}

bool FootholdSet::wall_blocks(const Foothold& wall, double y, WallTest test) const {
    if (!wall.is_wall) return false;
    const double low = y - body_height;
    const double high = y - 1;
    const auto overlaps = [=](double top, double bottom) { return top <= high && bottom >= low; };
    if (test == WallTest::as_stored) {
        const auto holds = [&](double v) { return wall.y1 <= v && v <= wall.y2; };
        const auto is_held = [&](double v) { return low <= v && v <= high; };
        return holds(low) || holds(high) || is_held(wall.y1) || is_held(wall.y2);
    }
    if (overlaps(wall.top(), wall.bottom())) return true;
    if (test != WallTest::tall_columns || wall.column == 0) return false;
    const std::uint32_t begin = wall.column == 1 ? 0 : column_ends_[wall.column - 2u];
    for (std::uint32_t i = begin; i < column_ends_[wall.column - 1u]; ++i)
        if (overlaps(column_pieces_[i].low, column_pieces_[i].high)) return true;
    return false;
}

double FootholdSet::wall_in_way(FootholdIndex current, const Stretch& way, double y, WallTest test) const {
    const Foothold& here = footholds_[current];
    if (way.left ? way.to > here.left_reach : way.to < here.right_reach) return not_there;
    const Foothold& first = footholds_[way.left ? here.prev : here.next];
    const Foothold& second = footholds_[way.left ? first.prev : first.next];
    const auto end_of = [&](const Foothold& f) -> double { return way.left ? f.left : f.right; };
    const double limit = wall_blocks(first, y, test)    ? end_of(here)
                         : wall_blocks(second, y, test) ? end_of(first)
                         : way.left                     ? walls_.low
                                                        : walls_.high;
    return way.crosses(limit) ? limit : not_there;
}

double FootholdSet::edge_in_way(FootholdIndex current, const Stretch& way) const {
    const Foothold& here = footholds_[current];
    if (way.left ? way.to > here.left_reach : way.to < here.right_reach) return not_there;
    const FootholdIndex first = way.left ? here.prev : here.next;
    const FootholdIndex second = way.left ? footholds_[first].prev : footholds_[first].next;
    const auto end_of = [&](const Foothold& f) -> double { return way.left ? f.left : f.right; };
    const double limit = first == 0    ? end_of(here)
                         : second == 0 ? end_of(footholds_[first])
                         : way.left    ? walls_.low
                                       : walls_.high;
    return way.crosses(limit) ? limit : not_there;
}

}  // namespace instep::worlds::foothold
