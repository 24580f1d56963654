// SPDX-License-Identifier: MIT
// What stops the feet of an object on the straight path of one tick, where the ground is solid (without
// loose_joints). The original looks at the ground below the start and at two links beside it; at the lip of
// a step or a pit its answers leave gaps through which an object falls.
#include <foothold/ground.h>

#include <algorithm>
#include <limits>

namespace instep::worlds::foothold {
namespace {

// A wall does not block feet that are less than a pixel below its top (the window y - 50 .. y - 1 of whole
// pixels), so an object that comes in that low steps up.
constexpr double lip = 1;              // px
constexpr int most_links_ahead = 32;   // looked at in one tick
constexpr double longest_path = 4096;  // px: no object moves farther in a tick
constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

double height_of(const FootholdSet::Span& span, double x) { return span.slope * (x - span.x1) + span.y1; }

// A straight path as a function of x.
struct Path {
    math::Vec2 from, to;

    double part_at(double x, double vertical) const {
        return from.x == to.x ? vertical : (x - from.x) / (to.x - from.x);
    }
    double height_at(double part) const {
        return part <= 0 ? from.y : part >= 1 ? to.y : from.y + (to.y - from.y) * part;
    }
    // How high feet get that pass x: an object that rises past the edge of something is not caught by it.
    double highest_past(double x) const { return std::min(height_at(part_at(x, 0)), to.y); }
    Stretch stretch() const { return {to.x < from.x, from.x, to.x}; }
};

}  // namespace

FootholdSet::Crossing FootholdSet::first_crossed(math::Vec2 from, math::Vec2 to) const {
    const Path path{from, to};
    const double first = std::min(from.x, to.x);
    const double last = std::max(from.x, to.x);
    const double highest = std::min(from.y, to.y);
    const double lowest = std::max(from.y, to.y);
    Crossing crossing;
    double earliest = 2;
    const auto try_spans = [&](double x) {
        for (const Span& span : spans_near(x, highest - lip)) {
            if (span.top > lowest) break;
            if (last < span.left || first > span.right) continue;
            const double in = std::clamp(from.x, span.left * 1.0, span.right * 1.0);
            const double out = std::clamp(to.x, span.left * 1.0, span.right * 1.0);
            if (out == from.x && to.x != from.x) continue;  // it leaves this one at once
            const double part_in = path.part_at(in, 0);
            const double part_out = path.part_at(out, 1);
            const double depth_in = path.height_at(part_in) - height_of(span, in);
            const double depth_out = path.height_at(part_out) - height_of(span, out);
            const bool over_end = to.x > from.x ? from.x <= span.left : to.x < from.x && from.x >= span.right;
            const double least_in = path.highest_past(in) - height_of(span, in);
            if (depth_out < 0 || (over_end ? least_in >= lip : depth_in > 0)) continue;
            const double part = depth_in < 0
                                    ? part_in + (part_out - part_in) * (-depth_in / (depth_out - depth_in))
                                    : part_in;
            if (part >= earliest) continue;
            earliest = part;
            crossing = {span.index, over_end && depth_in > 0};
        }
    };
    const double end = std::min(last, first + longest_path);
    for (double x = first; x < end; x += narrowest_bucket) try_spans(x);
    try_spans(end);
    return crossing;
}

double FootholdSet::wall_on_chain(FootholdIndex current, math::Vec2 from, math::Vec2 to,
                                  WallTest test) const {
    const Path path{from, to};
    const Stretch way = path.stretch();
    const auto end_of = [&](const Foothold& f) -> double { return way.left ? f.left : f.right; };
    const double side = way.left ? walls_.low : walls_.high;
    const bool is_outside = way.left ? way.from < side : way.from > side;
    // Beyond a side wall there is only the end of the map; a map narrower than its insets has no side walls.
    if (is_outside && walls_.low <= walls_.high) return way.from;
    double limit = side;
    const Foothold* at = &footholds_[current];
    for (int i = 0; i < most_links_ahead && at->exists() && way.crosses(end_of(*at)); ++i) {
        const double end = end_of(*at);
        const Foothold& link = footholds_[way.left ? at->prev : at->next];
        if (wall_blocks(link, std::trunc(path.highest_past(end)), test)) {
            limit = way.left ? std::max(limit, end) : std::min(limit, end);
            break;
        }
        at = &link;
    }
    return way.crosses(limit) ? limit : not_there;
}

double FootholdSet::wall_before_void(math::Vec2 from, math::Vec2 to) const {
    if (has_ground_below(to)) return not_there;
    const Path path{from, to};
    const Stretch way = path.stretch();
    double limit = not_there;
    auto at = std::lower_bound(walls_by_x_.begin(), walls_by_x_.end(), std::min(from.x, to.x),
                               [&](FootholdIndex wall, double x) { return footholds_[wall].x1 < x; });
    for (; at != walls_by_x_.end() && footholds_[*at].x1 <= std::max(from.x, to.x); ++at) {
        const Foothold& wall = footholds_[*at];
        const double feet = path.highest_past(wall.x1);
        // Ground that ends at its foot may be a rounding error lower.
        if (feet < wall.top() + lip || feet > wall.bottom() + lip) continue;
        limit = wall.x1;
        if (!way.left) break;  // the first one in the way; leftwards that is the last one found
    }
    return limit;
}

bool FootholdSet::has_ground_below(math::Vec2 at) const {
    for (const Span& span : spans_near(at.x, at.y))
        if (at.x >= span.left && at.x <= span.right && height_of(span, at.x) >= at.y) return true;
    return false;
}

}  // namespace instep::worlds::foothold
