// SPDX-License-Identifier: MIT
#include <instep/cli/plot_view.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace instep::cli {
namespace {

using contract::Shape;
using contract::ShapeKind;
using math::Vec2;

// The range of the values without the outermost 2 % on each side.
std::pair<double, double> usual_range(std::vector<double>& values) {
    const std::size_t cut = values.size() / 50;
    const auto at = [&values](std::size_t rank) {
        const auto nth = values.begin() + static_cast<std::ptrdiff_t>(rank);
        std::nth_element(values.begin(), nth, values.end());
        return *nth;
    };
    return {at(cut), at(values.size() - 1 - cut)};
}

std::optional<Rect> visited(std::span<const Path> paths) {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const Path& path : paths)
        for (const PathPoint& point : path.points) {
            xs.push_back(point.at.x);
            ys.push_back(point.at.y);
        }
    if (xs.empty()) return {};
    const auto [left, right] = usual_range(xs);
    const auto [top, bottom] = usual_range(ys);
    return Rect{{left, top}, {right, bottom}};
}

Rect join(const Rect& a, const Rect& b) {
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)}};
}

Rect grown(const Rect& rect, Vec2 by) { return {rect.low - by, rect.high + by}; }

bool is_inside(const Rect& rect, const Rect& outer) {
    return rect.low.x >= outer.low.x && rect.low.y >= outer.low.y && rect.high.x <= outer.high.x &&
           rect.high.y <= outer.high.y;
}

Rect box_of(const contract::DrawList& drawing, const Shape& shape) {
    const std::span<const Vec2> points = drawing.points_of(shape);
    Rect box{points[0], points[0]};
    for (const Vec2 point : points) box = join(box, {point, point});
    const bool has_width = shape.kind != ShapeKind::polygon;
    return has_width ? grown(box, {shape.size, shape.size}) : box;
}

// If only a small part of a large map was visited: that part, with the shapes in it.
Rect close_up(const Rect& view, const Rect& core, const contract::DrawList& drawing) {
    const Vec2 whole = view.high - view.low;
    const Rect near = grown(core, whole * 0.1);
    Rect close = core;
    for (const Shape& shape : drawing.shapes)
        if (shape.point_count > 0 && is_inside(box_of(drawing, shape), near))
            close = join(close, box_of(drawing, shape));
    const Vec2 extent = close.high - close.low;
    const bool is_small = extent.x < whole.x * 0.5 && extent.y < whole.y * 0.5;
    if (!is_small) return view;
    return grown(close, {std::max(extent.x * 0.08, (whole.x * 0.05 - extent.x) / 2),
                         std::max(extent.y * 0.08, (whole.y * 0.05 - extent.y) / 2)});
}

}  // namespace

Rect plot_view(const contract::Facts& facts, std::span<const Path> paths, const contract::DrawList& drawing) {
    Rect view{facts.view_low, facts.view_high};
    if (const auto core = visited(paths)) {
        const bool has_view = view.high.x > view.low.x && view.high.y > view.low.y;
        if (!has_view) view = *core;
        view = is_inside(*core, view) ? close_up(view, *core, drawing)
                                      : join(view, grown(*core, (core->high - core->low) * 0.04));
    }
    const Vec2 extent = view.high - view.low;
    constexpr double largest = 1e100;  // above, differences overflow
    if (!(extent.x < largest && extent.y < largest)) return {{-1, -1}, {1, 1}};
    const double least = std::max({extent.x, extent.y, 1e-6}) * 0.05;  // a line or a point gets some extent
    return grown(view, {std::max(extent.x * 0.02, (least - extent.x) / 2),
                        std::max(extent.y * 0.02, (least - extent.y) / 2)});
}

}  // namespace instep::cli
