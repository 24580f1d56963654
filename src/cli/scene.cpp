// SPDX-License-Identifier: MIT
#include <instep/cli/scene.h>

#include <algorithm>
#include <cmath>

#include <instep/cli/numbers.h>
#include <instep/cli/paths.h>

namespace instep::cli {
namespace {

using contract::Color;
using contract::Shape;
using contract::ShapeKind;
using math::Vec2;
namespace palette = contract::palette;

constexpr int panel_width = 30;
constexpr int widest_below = 72;  // columns; up to this width the panel is below the field
constexpr Color quiet{71, 85, 105, 255};

std::string clock_text(const match::Match& match) {
    const auto tenths = match.tick() * 10 / match.facts().tick_rate;
    char text[32];
    std::snprintf(text, sizeof text, "%llu:%02llu.%llu", static_cast<unsigned long long>(tenths / 600),
                  static_cast<unsigned long long>(tenths / 10 % 60),
                  static_cast<unsigned long long>(tenths % 10));
    return text;
}

std::string name_in_slot(const std::vector<Score>& scores, double slot) {
    for (const Score& score : scores)
        if (score.slot == slot) return score.name.empty() ? "slot " + std::to_string(score.slot) : score.name;
    return "";
}

std::string spaced(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

// "Cleo hit" and ", amount 12, by Bix": player and kind, then the other fields except vectors. Empty for an
// event whose `slot` is no player.
EventLog::Line event_line(const state::StructInfo& info, const std::byte* event,
                          const std::vector<Score>& scores) {
    std::string player;
    std::string what;
    std::string more;
    for (const state::Field& field : info.fields) {
        const double value = state::number_at(field, event);
        const bool is_slot = field.kind == state::FieldKind::u8 && field.rules.labels.empty();
        if (field.path == "kind") {
            what = spaced(field_text(field, event));
        } else if (field.path == "slot") {
            player = name_in_slot(scores, value);
            if (player.empty()) return {};
            player += " ";
        } else if (is_slot) {
            const std::string name = name_in_slot(scores, value);
            if (!name.empty()) more += ", " + field.path + " " + name;
        } else if (field.kind != state::FieldKind::reserved && value != 0 &&
                   field.path.find('.') == std::string::npos) {
            more += ", " + field.path + " " + std::to_string(std::lround(std::clamp(value, -1e9, 1e9)));
        }
    }
    return {player + what, more};
}

// From world units to dots of the canvas.
struct Projection {
    Vec2 center;
    Vec2 middle;  // dots
    double scale;
    bool y_up;

    Vec2 operator()(Vec2 at) const {
        const Vec2 from_center = at - center;
        return middle + Vec2{from_center.x, y_up ? -from_center.y : from_center.y} * scale;
    }
};

void draw_shape(Canvas& canvas, const Projection& project, const contract::DrawList& list,
                const Shape& shape) {
    std::vector<Vec2> points;
    for (const Vec2 point : list.points_of(shape)) points.push_back(project(point));
    if (points.empty()) return;
    const double size = shape.size * project.scale;
    switch (shape.kind) {
        case ShapeKind::disc: return canvas.disc(points[0], size, shape.color);
        case ShapeKind::circle: return canvas.circle(points[0], size, shape.color);
        case ShapeKind::polygon: return canvas.polygon(points, shape.color);
        case ShapeKind::polyline:
            for (std::size_t i = 1; i < points.size(); ++i)
                canvas.line(points[i - 1], points[i], shape.color);
            return;
        case ShapeKind::label: return;  // drawn later, on top
    }
}

void draw_label(Canvas& canvas, const Canvas::Clip& clip, Vec2 at, std::string_view text, Color color) {
    const auto length = static_cast<int>(text.size());
    if (!(at.x >= clip.left && at.x < clip.right && at.y >= clip.top && at.y < clip.bottom)) return;
    const int row = static_cast<int>(std::floor(at.y / 4));
    const int last = clip.right / 2 - length;
    const int column = std::max(clip.left / 2, std::min(static_cast<int>(at.x / 2) - length / 2, last));
    canvas.text(column, row, text, color);
}

void draw_field(Canvas& canvas, const Scene& scene, int columns, int top, int rows) {
    const Canvas::Clip clip{0, top * 4, columns * 2, (top + rows) * 4};
    canvas.set_clip(clip);
    const Vec2 dots{columns * 2.0, rows * 4.0};
    const Vec2 extent = scene.camera.extent();
    const double scale = std::min((dots.x - 2) / extent.x, (dots.y - 2) / extent.y);
    const Projection project{
        scene.camera.center(), {dots.x / 2, top * 4 + dots.y / 2}, scale, scene.match.facts().y_up};
    contract::DrawList list;
    scene.match.view(list);
    for (const Shape& shape : list.shapes) draw_shape(canvas, project, list, shape);
    for (const Shape& shape : list.shapes)
        if (shape.kind == ShapeKind::label)
            draw_label(canvas, clip, project(list.points_of(shape)[0]), list.text_of(shape), shape.color);
}

void draw_scores(Canvas& canvas, const std::vector<Score>& scores, int column, int top, int width, int rows) {
    const int count = static_cast<int>(scores.size());
    for (int i = 0; i < std::min(count, rows); ++i) {
        if (i == rows - 1 && count > rows) {
            canvas.text(column, top + i, "and " + std::to_string(count - i) + " more", palette::faint);
            return;
        }
        const Score& score = scores[static_cast<std::size_t>(i)];
        const std::string points = std::to_string(score.score);
        canvas.text(column, top + i, "● " + score.name, palette::player(score.slot));
        canvas.text(column + width - static_cast<int>(points.size()), top + i, points, palette::ink);
    }
}

void draw_events(Canvas& canvas, const EventLog& events, int column, int top, int rows) {
    for (int i = 0; i < std::min(static_cast<int>(events.lines().size()), rows); ++i)
        canvas.text(column, top + i, events.lines()[static_cast<std::size_t>(i)].text(),
                    i == 0 ? palette::ink : palette::faint);
}

}  // namespace

std::string EventLog::Line::text() const {
    return what + (times > 1 ? " ×" + std::to_string(times) : "") + more;
}

void EventLog::add_tick(const match::Match& match) {
    constexpr std::ptrdiff_t merge_window = 6;  // lines
    const state::StructInfo& info = *match.world().event;
    const std::vector<Score> scores = match.events().empty() ? std::vector<Score>() : score_board(match);
    for (auto bytes = match.events(); !bytes.empty(); bytes = bytes.subspan(info.size)) {
        ++total_;
        Line line = event_line(info, bytes.data(), scores);
        if (line.what.empty()) continue;
        const auto end = lines_.begin() + std::min(merge_window, std::ssize(lines_));
        const auto before =
            std::find_if(lines_.begin(), end, [&line](const Line& old) { return old.what == line.what; });
        if (before != end) {
            line.times = before->times + 1;
            lines_.erase(before);
        }
        lines_.push_front(std::move(line));
        if (lines_.size() > most_lines) lines_.pop_back();
    }
}

void Camera::follow(const match::Match& match) {
    const contract::Facts& facts = match.facts();
    Vec2 low{1e300, 1e300};
    Vec2 high = -low;
    PathRecorder now(match);
    now.add_tick();
    for (const Path& path : now.paths()) {
        const bool counts = path.owner != no_owner || match.live_slots() == 0;
        if (!counts) continue;
        low = {std::min(low.x, path.points[0].at.x), std::min(low.y, path.points[0].at.y)};
        high = {std::max(high.x, path.points[0].at.x), std::max(high.y, path.points[0].at.y)};
    }
    const Vec2 whole = facts.view_high - facts.view_low;
    const bool has_view = whole.x > 0 && whole.y > 0;
    Vec2 extent = has_view ? whole : Vec2{100, 100};
    Vec2 center = has_view ? (facts.view_low + facts.view_high) / 2 : Vec2{};
    if (low.x <= high.x) {
        const Vec2 wanted = (high - low) * 1.5;
        const bool players_are_close = has_view && wanted.x < whole.x * 0.6 && wanted.y < whole.y * 0.6;
        const bool players_are_outside = low.x < facts.view_low.x || low.y < facts.view_low.y ||
                                         high.x > facts.view_high.x || high.y > facts.view_high.y;
        if (!has_view || players_are_close || players_are_outside) {
            center = (low + high) / 2;
            const Vec2 least = extent * 0.25;
            extent = {std::max(wanted.x, least.x), std::max(wanted.y, least.y)};
        }
    }
    const double part = is_set_ ? 0.08 : 1;
    center_ += (center - center_) * part;
    extent_ += (extent - extent_) * part;
    is_set_ = true;
}

Canvas draw_scene(const Scene& scene, int columns, int rows) {
    const match::Match& match = scene.match;
    Canvas canvas(columns, rows);
    const bool has_side = columns > widest_below;
    const int field_columns = has_side ? columns - panel_width - 1 : columns;
    const std::vector<Score> scores = score_board(match);
    const int below = has_side ? 0 : std::min(rows / 3, static_cast<int>(scores.size()) + 4);
    const int field_rows = rows - 2 - below;
    if (field_rows > 0) draw_field(canvas, scene, field_columns, 1, field_rows);

    const std::string title = std::string(match.world().name) + " / " + match.setup().level;
    canvas.text(1, 0, title, palette::ink);
    canvas.text(static_cast<int>(title.size()) + 3, 0,
                clock_text(match) + "  tick " + with_commas(match.tick()) + "  " +
                    std::to_string(match.facts().tick_rate) + " Hz  seed " + std::to_string(scene.seed),
                palette::faint);
    canvas.text(1, rows - 1, "hash " + hash_text(match.hash()), palette::gold);
    canvas.text(24, rows - 1, scene.hint, quiet);

    if (has_side) {
        const int column = columns - panel_width;
        const int score_rows = std::clamp(static_cast<int>(scores.size()), 0, std::max(rows - 9, 0));
        draw_scores(canvas, scores, column, 2, panel_width - 1, score_rows);
        const int top = score_rows + 3;
        canvas.text(column, top, with_commas(scene.events.total()) + " events", quiet);
        draw_events(canvas, scene.events, column, top + 1, rows - top - 2);
    } else if (below > 0) {
        const int top = rows - 1 - below;
        const int score_rows = std::min(below, static_cast<int>(scores.size()));
        draw_scores(canvas, scores, 1, top, columns - 2, score_rows);
        draw_events(canvas, scene.events, 1, top + score_rows, below - score_rows);
    }
    return canvas;
}

}  // namespace instep::cli
