// SPDX-License-Identifier: MIT
// Drawn from back to front: background, field and grid, paths from the oldest slice of time to the newest,
// the glow of the newest, the shapes, then the text below the field. Path coordinates are integer tenths of a
// pixel, relative to the previous point, which keeps the file small.
#include <instep/cli/plot_svg.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <instep/cli/plot_view.h>
#include <instep/state/utf8.h>

namespace instep::cli {
namespace {

using contract::Color;
using contract::Shape;
using contract::ShapeKind;
using math::Vec2;

constexpr int slice_count = 32;  // slices of time, each with its own opacity
constexpr double edge = 16;      // pixels around the field
constexpr double footer = 52;    // pixels for the text below it

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", std::clamp(value, -1e6, 1e6));
    std::string short_text = text;
    while (short_text.back() == '0') short_text.pop_back();
    if (short_text.back() == '.') short_text.pop_back();
    return short_text == "-0" ? "0" : short_text;
}

std::string color_text(Color color) {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", color.red, color.green, color.blue);
    return text;
}

// fill="#rrggbb", with an opacity if it is not opaque.
std::string paint(std::string_view attribute, Color color) {
    std::string text = " " + std::string(attribute) + "=\"" + color_text(color) + "\"";
    if (color.alpha < 255)
        text += " " + std::string(attribute) + "-opacity=\"" + number(color.alpha / 255.0) + "\"";
    return text;
}

// From the world's plane to pixels.
struct Frame {
    Rect view;
    double scale = 1;
    bool y_up = false;
    double width = 0;  // of the whole picture
    double height = 0;
    Vec2 field_low;  // pixels
    Vec2 field_high;

    Vec2 operator()(Vec2 at) const {
        const double y = y_up ? view.high.y - at.y : at.y - view.low.y;
        return field_low + Vec2{at.x - view.low.x, y} * scale;
    }
};

Frame make_frame(const Plot& plot, const Rect& view) {
    const Vec2 extent = view.high - view.low;
    double width = 1280;
    double height = std::clamp((width - 2 * edge) * extent.y / extent.x, 320.0, 1600.0) + 2 * edge + footer;
    if (plot.size) {
        width = plot.size->width;
        height = plot.size->height;
    }
    const Vec2 available{std::max(width - 2 * edge, 10.0), std::max(height - 2 * edge - footer, 10.0)};
    const double scale = std::min(available.x / extent.x, available.y / extent.y);
    // A view of another aspect than the picture is extended evenly on both sides.
    const Vec2 middle = (view.low + view.high) / 2;
    const Vec2 half = available / (2 * scale);
    return {{middle - half, middle + half}, scale, plot.facts.y_up, width, height, {edge, edge},
            Vec2{edge, edge} + available};
}

// --- Paths ------------------------------------------------------------------------------------------------

double distance_to_line(Vec2 point, Vec2 a, Vec2 b) {
    const Vec2 along = b - a;
    const double squared = math::length_squared(along);
    if (squared == 0) return math::length(point - a);
    const double t = std::clamp(math::dot(point - a, along) / squared, 0.0, 1.0);
    return math::length(point - a - along * t);
}

// Ramer-Douglas-Peucker: removes the points that lie within `tolerance` of the simplified line.
std::vector<Vec2> simplify(std::span<const Vec2> points, double tolerance) {
    std::vector<bool> keep(points.size());
    keep.front() = keep.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> spans{{0, points.size() - 1}};
    while (!spans.empty()) {
        const auto [first, last] = spans.back();
        spans.pop_back();
        double furthest = tolerance;
        std::size_t split = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double distance = distance_to_line(points[i], points[first], points[last]);
            if (distance > furthest) furthest = distance, split = i;
        }
        if (split == first) continue;
        keep[split] = true;
        spans.emplace_back(first, split);
        spans.emplace_back(split, last);
    }
    std::vector<Vec2> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (keep[i]) kept.push_back(points[i]);
    return kept;
}

long in_tenths(double pixels) { return std::lround(std::clamp(pixels, -1e6, 1e6) * 10); }

void append_line(std::string& d, std::span<const Vec2> points, double tolerance) {
    if (points.size() < 2) return;
    long x = in_tenths(points[0].x);
    long y = in_tenths(points[0].y);
    d += "M" + std::to_string(x) + " " + std::to_string(y) + "l";
    bool is_first = true;
    for (const Vec2& point : simplify(points, tolerance)) {
        const long dx = in_tenths(point.x) - x;
        const long dy = in_tenths(point.y) - y;
        if (dx == 0 && dy == 0) continue;
        d += (is_first ? "" : " ") + std::to_string(dx) + " " + std::to_string(dy);
        x += dx;
        y += dy;
        is_first = false;
    }
    if (is_first) d += "0 0";
}

// Whether a line lies entirely on one side of the field, and need not be drawn.
bool out_of_sight(const Frame& frame, Vec2 a, Vec2 b) {
    const Vec2 low = frame.field_low;
    const Vec2 high = frame.field_high;
    return std::max(a.x, b.x) < low.x || std::min(a.x, b.x) > high.x || std::max(a.y, b.y) < low.y ||
           std::min(a.y, b.y) > high.y;
}

// The `d` of an SVG path for each slice of time and owner. Entities without an owner come first, at the
// bottom.
using Slices = std::array<std::map<std::uint32_t, std::string>, slice_count>;
constexpr std::uint32_t unowned_key = 0;

Slices cut_slices(const Frame& frame, std::span<const Path> paths, std::uint64_t first_tick,
                  std::uint64_t last_tick, double tolerance) {
    Slices slices;
    const std::uint64_t ticks = last_tick - first_tick + 1;
    const auto slice_of = [&](std::uint64_t tick) {
        return std::min<std::size_t>((tick - first_tick) * slice_count / ticks, slice_count - 1);
    };
    std::vector<Vec2> line;
    for (const Path& path : paths) {
        const std::uint32_t key = path.owner == no_owner ? unowned_key : path.owner + 1;
        std::size_t slice = 0;
        const auto finish_line = [&] {
            if (line.size() > 1) append_line(slices[slice][key], line, tolerance);
            line.clear();
        };
        for (std::size_t i = 1; i < path.points.size(); ++i) {
            const PathPoint& from = path.points[i - 1];
            const PathPoint& to = path.points[i];
            if (to.tick < first_tick) continue;
            const Vec2 a = frame(from.at);
            const Vec2 b = frame(to.at);
            if (to.jumped || out_of_sight(frame, a, b)) {
                finish_line();
                continue;
            }
            if (slice_of(to.tick) != slice) finish_line();
            slice = slice_of(to.tick);
            if (line.empty()) line.push_back(a);
            line.push_back(b);
        }
        finish_line();
    }
    return slices;
}

void append_slice(std::string& svg, const std::map<std::uint32_t, std::string>& slice, double age) {
    const double freshness = 1 - age;
    const double opacity = 0.08 + 0.82 * std::pow(freshness, 1.6);
    svg +=
        "<g stroke-opacity=\"" + number(opacity) + "\" stroke-width=\"" + number(10 + 12 * freshness) + "\">";
    for (const auto& [key, d] : slice) {
        const bool is_unowned = key == unowned_key;
        svg += "<path stroke=\"" +
               color_text(is_unowned ? contract::palette::faint : contract::palette::player(key - 1)) + "\"" +
               (is_unowned ? " stroke-width=\"10\" opacity=\".8\"" : "") + " d=\"" + d + "\"/>";
    }
    svg += "</g>\n";
}

std::string paths_svg(const Slices& slices) {
    constexpr int fresh_from = slice_count - 6;
    std::string svg = "<g transform=\"scale(.1)\" fill=\"none\" stroke-linejoin=\"round\">\n";
    for (int i = 0; i < slice_count; ++i) {
        if (i == fresh_from) svg += "<g id=\"fresh\">\n";
        append_slice(svg, slices[static_cast<std::size_t>(i)], (slice_count - 1.0 - i) / (slice_count - 1));
    }
    svg += "</g>\n</g>\n";
    return svg +
           "<g transform=\"scale(.1)\" fill=\"none\" filter=\"url(#glow)\" opacity=\".8\"><use "
           "href=\"#fresh\"/></g>\n";
}

// --- The drawing ------------------------------------------------------------------------------------------

std::string points_text(const Frame& frame, std::span<const Vec2> points) {
    std::string text;
    for (const Vec2 point : points) {
        const Vec2 at = frame(point);
        text += (text.empty() ? "" : " ") + number(at.x) + "," + number(at.y);
    }
    return text;
}

std::string shape_svg(const Frame& frame, const contract::DrawList& drawing, const Shape& shape) {
    const std::span<const Vec2> points = drawing.points_of(shape);
    const bool is_finite = std::all_of(points.begin(), points.end(), math::all_finite);
    if (points.empty() || !is_finite || !std::isfinite(shape.size)) return "";
    const Vec2 at = frame(points[0]);
    const double size = std::abs(shape.size) * frame.scale;
    const std::string circle =
        "cx=\"" + number(at.x) + "\" cy=\"" + number(at.y) + "\" r=\"" + number(size) + "\"";
    switch (shape.kind) {
        case ShapeKind::disc: return "<circle " + circle + paint("fill", shape.color) + "/>\n";
        case ShapeKind::circle:
            return "<circle " + circle + " fill=\"none\" stroke-width=\"1.5\"" +
                   paint("stroke", shape.color) + "/>\n";
        case ShapeKind::polygon:
            return "<polygon points=\"" + points_text(frame, points) + "\"" + paint("fill", shape.color) +
                   "/>\n";
        case ShapeKind::polyline:
            return "<polyline points=\"" + points_text(frame, points) +
                   "\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke-width=\"" +
                   number(std::max(size, 0.75)) + "\"" + paint("stroke", shape.color) + "/>\n";
        case ShapeKind::label:
            return "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" font-size=\"" +
                   number(std::clamp(size, 11.0, 48.0)) +
                   "\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"#0a0f1e\" stroke-width=\"3.5\" "
                   "stroke-linejoin=\"round\"" +
                   paint("fill", shape.color) + ">" + xml_text(drawing.text_of(shape)) + "</text>\n";
    }
    return "";
}

// --- Grid, frame and text ---------------------------------------------------------------------------------

// 1, 2 or 5 times a power of ten; gives about a dozen lines.
double grid_spacing(double extent) {
    const double wanted = extent / 12;
    const double power = std::pow(10, std::floor(std::log10(wanted)));
    for (const double step : {1.0, 2.0, 5.0})
        if (power * step >= wanted) return power * step;
    return power * 10;
}

std::string grid_svg(const Frame& frame) {
    constexpr int most_lines = 40;
    const Vec2 low = frame.view.low;
    const Vec2 high = frame.view.high;
    const double spacing = grid_spacing(std::max(high.x - low.x, high.y - low.y));
    std::string d;
    for (int i = 0; i < most_lines; ++i) {
        const Vec2 at =
            frame({(std::ceil(low.x / spacing) + i) * spacing, (std::ceil(low.y / spacing) + i) * spacing});
        if (at.x > frame.field_low.x && at.x < frame.field_high.x)
            d += "M" + number(at.x) + " " + number(frame.field_low.y) + "V" + number(frame.field_high.y);
        if (at.y > frame.field_low.y && at.y < frame.field_high.y)
            d += "M" + number(frame.field_low.x) + " " + number(at.y) + "H" + number(frame.field_high.x);
    }
    return d.empty() ? ""
                     : "<path d=\"" + d + "\" stroke=\"#94a3b8\" stroke-opacity=\".07\" fill=\"none\"/>\n";
}

std::string head_svg(const Frame& frame) {
    const std::string size = " width=\"" + number(frame.width) + "\" height=\"" + number(frame.height) + "\"";
    const std::string field = "x=\"" + number(edge) + "\" y=\"" + number(edge) + "\" width=\"" +
                              number(frame.field_high.x - edge) + "\" height=\"" +
                              number(frame.field_high.y - edge) + "\" rx=\"10\"";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + size + " viewBox=\"0 0 " + number(frame.width) +
           " " + number(frame.height) +
           "\" font-family=\"Inter, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n"
           "<defs>\n"
           "<radialGradient id=\"night\" cx=\".5\" cy=\".4\" r=\".9\"><stop offset=\"0\" "
           "stop-color=\"#131c33\"/>"
           "<stop offset=\"1\" stop-color=\"#0a0f1e\"/></radialGradient>\n"
           "<filter id=\"glow\" filterUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" width=\"" +
           number(frame.width * 10) + "\" height=\"" + number(frame.height * 10) +
           "\"><feGaussianBlur stdDeviation=\"55\"/></filter>\n"
           "<clipPath id=\"field\"><rect " +
           field + "/></clipPath>\n</defs>\n<rect" + size + " fill=\"#060a14\"/>\n<rect " + field +
           " fill=\"url(#night)\"/>\n";
}

std::string foot_svg(const Plot& plot, const Frame& frame, const std::string& extra) {
    const double y = frame.field_high.y + 26;
    std::string svg = "<text x=\"" + number(edge + 4) + "\" y=\"" + number(y) +
                      "\" font-size=\"16\" font-weight=\"600\" fill=\"#e2e8f0\">" + xml_text(plot.title) +
                      "</text>\n<text x=\"" + number(edge + 4) + "\" y=\"" + number(y + 18) +
                      "\" font-size=\"11.5\" font-family=\"'DejaVu Sans Mono', ui-monospace, monospace\" "
                      "fill=\"#64748b\">" +
                      xml_text(plot.caption + extra) + "</text>\n";
    // From the right: a long list is cut off before it reaches the title.
    double x = frame.width - edge - 4;
    const double least = frame.width * 0.45;
    const std::size_t shown = std::min<std::size_t>(plot.scores.size(), 8);
    for (std::size_t i = shown; i-- > 0;) {
        const Score& score = plot.scores[i];
        const std::string text = score.name + "  " + std::to_string(score.score);
        const double width = 8.0 * static_cast<double>(text.size()) + 22;
        if (x - width < least) continue;
        svg += "<text x=\"" + number(x) + "\" y=\"" + number(y) +
               "\" font-size=\"13\" text-anchor=\"end\" fill=\"#cbd5e1\" xml:space=\"preserve\">" +
               xml_text(text) + "</text>\n<circle cx=\"" + number(x - width + 14) + "\" cy=\"" +
               number(y - 4.5) + "\" r=\"4\"" + paint("fill", contract::palette::player(score.slot)) + "/>\n";
        x -= width + 10;
    }
    return svg;
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string clean;
    while (!text.empty()) {
        const std::size_t length = state::utf8_length(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        const bool is_forbidden = length == 0 || state::is_control(text[0]) || character == "\xEF\xBF\xBE" ||
                                  character == "\xEF\xBF\xBF";
        if (is_forbidden)
            clean += "\xEF\xBF\xBD";
        else if (character == "&")
            clean += "&amp;";
        else if (character == "<")
            clean += "&lt;";
        else if (character == ">")
            clean += "&gt;";
        else if (character == "\"")
            clean += "&quot;";
        else
            clean += character;
        text.remove_prefix(character.size());
    }
    return clean;
}

std::string plot_svg(const Plot& plot, std::span<const Path> paths, const contract::DrawList& drawing) {
    const Frame frame = make_frame(plot, plot_view(plot.facts, paths, drawing));
    std::string shapes;
    for (const bool labels : {false, true})  // labels last, on top of all shapes
        for (const Shape& shape : drawing.shapes)
            if ((shape.kind == ShapeKind::label) == labels) shapes += shape_svg(frame, drawing, shape);

    // First coarser lines, then fewer ticks, until the paths fit into the bytes that the shapes leave.
    const std::size_t budget = most_plot_bytes - std::min(most_plot_bytes / 2, shapes.size() + 8'000);
    std::uint64_t first_tick = plot.first_tick;
    std::string lines;
    for (double tolerance = 0.15;; tolerance *= 2) {
        if (tolerance > 1) {
            tolerance = 0.15;
            first_tick += (plot.last_tick - first_tick + 1) / 2;
        }
        lines = paths_svg(cut_slices(frame, paths, first_tick, plot.last_tick, tolerance));
        if (lines.size() <= budget || first_tick >= plot.last_tick) break;
    }
    const std::string extra = first_tick <= 1 ? "" : " · paths from tick " + with_commas(first_tick) + " on";
    return head_svg(frame) + "<g clip-path=\"url(#field)\">\n" + grid_svg(frame) + lines + shapes + "</g>\n" +
           foot_svg(plot, frame, extra) + "</svg>\n";
}

}  // namespace instep::cli
