// SPDX-License-Identifier: MIT
#include <instep/cli/canvas.h>
#include <instep/math/units.h>

#include <algorithm>
#include <cmath>

#include <instep/state/utf8.h>

namespace instep::cli {
namespace {

using contract::Color;
using math::Vec2;

// The bit for the dot in row y and column x of a cell: the character is U+2800 + bits.
constexpr std::uint8_t dot_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

std::string braille(std::uint8_t dots) {
    const unsigned code = 0x2800u + dots;
    return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
}

unsigned code_point(std::string_view character) {
    const auto byte = [character](std::size_t i) { return static_cast<unsigned char>(character[i]); };
    switch (character.size()) {
        case 1: return byte(0);
        case 2: return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
        case 3: return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
        default: return 0x10000;
    }
}

// Whether a character takes exactly one column; others would shift the rest of the row.
bool is_narrow(unsigned code) {
    constexpr unsigned ranges[][2] = {{0x20, 0x7E},     {0xA0, 0xAC},     {0xAE, 0x2FF},    {0x370, 0x482},
                                      {0x48A, 0x58F},   {0x1E00, 0x1FFE}, {0x2010, 0x2027}, {0x2030, 0x205E},
                                      {0x2190, 0x21FF}, {0x2500, 0x259F}, {0x25A0, 0x25FC}};
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [code](const auto& range) { return code >= range[0] && code <= range[1]; });
}

// Terminals have no opacity: blend with a black background.
Color on_black(Color color) {
    const auto mix = [&](std::uint8_t channel) {
        return static_cast<std::uint8_t>(channel * color.alpha / 255);
    };
    return {mix(color.red), mix(color.green), mix(color.blue), 255};
}

bool same(Color a, Color b) { return a.red == b.red && a.green == b.green && a.blue == b.blue; }

// More dots than any screen has; keeps conversions to int defined and loops short.
constexpr double furthest = 1e5;

bool is_near(Vec2 point) {
    return std::abs(point.x) < furthest && std::abs(point.y) < furthest;
}  // not for NaN

bool is_drawable(double radius) { return radius >= 0 && radius < furthest; }

int cell_of(double dots) { return static_cast<int>(std::floor(dots)); }

}  // namespace

Canvas::Canvas(int columns, int rows)
    : columns_(std::max(columns, 0)),
      rows_(std::max(rows, 0)),
      clip_{0, 0, columns_ * 2, rows_ * 4},
      cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

void Canvas::text(int column, int row, std::string_view letters, Color color) {
    if (row < 0 || row >= rows_) return;
    for (; !letters.empty(); ++column) {
        const std::size_t length = state::utf8_length(letters);
        const std::string_view character = letters.substr(0, std::max<std::size_t>(length, 1));
        letters.remove_prefix(character.size());
        if (column < 0 || column >= columns_) continue;
        Cell& cell = at(column, row);
        cell.letter = length > 0 && is_narrow(code_point(character)) ? std::string(character) : "?";
        cell.color = on_black(color);
    }
}

void Canvas::dot(int x, int y, Color color) {
    if (x < clip_.left || x >= clip_.right || y < clip_.top || y >= clip_.bottom) return;
    Cell& cell = at(x / 2, y / 4);
    cell.dots |= dot_bits[y % 4][x % 2];
    cell.color = on_black(color);
}

void Canvas::line(Vec2 from, Vec2 to, Color color) {
    if (!is_near(from) || !is_near(to)) return;
    const Vec2 along = to - from;
    const int steps = std::max(1, cell_of(std::max(std::abs(along.x), std::abs(along.y))) + 1);
    for (int i = 0; i <= steps; ++i) {
        const Vec2 point = from + along * (static_cast<double>(i) / steps);
        dot(cell_of(point.x), cell_of(point.y), color);
    }
}

void Canvas::circle(Vec2 center, double radius, Color color) {
    if (!is_near(center) || !is_drawable(radius)) return;
    const int steps = std::max(8, static_cast<int>(radius * 7));
    for (int i = 0; i < steps; ++i) {
        const double angle = math::two_pi * i / steps;
        dot(cell_of(center.x + radius * std::cos(angle)), cell_of(center.y + radius * std::sin(angle)),
            color);
    }
}

void Canvas::disc(Vec2 center, double radius, Color color) {
    if (!is_near(center) || !is_drawable(radius)) return;
    dot(cell_of(center.x), cell_of(center.y), color);  // even the smallest disc has one dot
    const int top = std::max(clip_.top, cell_of(center.y - radius));
    const int bottom = std::min(clip_.bottom, cell_of(center.y + radius) + 1);
    for (int y = top; y < bottom; ++y) {
        const double dy = y + 0.5 - center.y;
        if (std::abs(dy) > radius) continue;
        const double half = std::sqrt(radius * radius - dy * dy);
        const int left = std::max(clip_.left, cell_of(center.x - half + 0.5));
        const int right = std::min(clip_.right, cell_of(center.x + half + 0.5));
        for (int x = left; x < right; ++x) dot(x, y, color);
    }
}

// Even-odd rule: each row of dots is filled between its first and second crossing, third and fourth, and so
// on.
void Canvas::polygon(std::span<const Vec2> corners, Color color) {
    if (!std::all_of(corners.begin(), corners.end(), is_near)) return;
    std::vector<double> crossings;
    for (int y = clip_.top; y < clip_.bottom; ++y) {
        crossings.clear();
        const double middle = y + 0.5;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Vec2 a = corners[i];
            const Vec2 b = corners[(i + 1) % corners.size()];
            if ((a.y <= middle) != (b.y <= middle))
                crossings.push_back(a.x + (middle - a.y) * (b.x - a.x) / (b.y - a.y));
        }
        std::sort(crossings.begin(), crossings.end());
        for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
            const int right = std::min(clip_.right, cell_of(crossings[i + 1] + 0.5));
            for (int x = std::max(clip_.left, cell_of(crossings[i] + 0.5)); x < right; ++x) dot(x, y, color);
        }
    }
    // The outline too: a thin polygon may lie between two rows.
    for (std::size_t i = 0; i < corners.size(); ++i)
        line(corners[i], corners[(i + 1) % corners.size()], color);
}

std::string Canvas::plain() const {
    std::string text;
    for (int row = 0; row < rows_; ++row) {
        std::string line;
        for (int column = 0; column < columns_; ++column) {
            const Cell& cell = at(column, row);
            line += !cell.letter.empty() ? cell.letter : cell.dots != 0 ? braille(cell.dots) : " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string Canvas::with_colors() const {
    std::string text = "\x1b[H\x1b[0m";
    Color current{0, 0, 0, 0};
    bool has_color = false;
    for (int row = 0; row < rows_; ++row) {
        for (int column = 0; column < columns_; ++column) {
            const Cell& cell = at(column, row);
            if (cell.letter.empty() && cell.dots == 0) {
                text += ' ';
                continue;
            }
            if (!has_color || !same(current, cell.color)) {
                current = cell.color;
                has_color = true;
                text += "\x1b[38;2;" + std::to_string(current.red) + ";" + std::to_string(current.green) +
                        ";" + std::to_string(current.blue) + "m";
            }
            text += cell.letter.empty() ? braille(cell.dots) : cell.letter;
        }
        text += "\x1b[K";
        if (row + 1 < rows_) text += "\r\n";
    }
    return text;
}

}  // namespace instep::cli
