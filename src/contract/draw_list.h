// SPDX-License-Identifier: MIT
// The picture of a world: circles, polygons, polylines and labels in world units, back to front. Every
// world can be drawn without code for that world in the program that draws: the terminal, an SVG plot and the
// page all draw this list. It is flat, so that a page can read it straight out of WebAssembly's memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <instep/math/vec2.h>
#include <instep/state/pool.h>

namespace instep::state {
struct Layout;
}

namespace instep::contract {

struct Color {
    std::uint8_t red = 255, green = 255, blue = 255, alpha = 255;
};

namespace palette {
inline constexpr Color ink{226, 232, 240, 255};
inline constexpr Color faint{100, 116, 139, 255};
inline constexpr Color danger{248, 113, 113, 255};
inline constexpr Color gold{250, 204, 21, 255};

// Neighbouring slots differ in hue and in lightness, so that colour is never the only difference.
inline constexpr std::array<Color, 12> players{{{96, 165, 250, 255},
                                                {251, 146, 60, 255},
                                                {74, 222, 128, 255},
                                                {232, 121, 249, 255},
                                                {253, 224, 71, 255},
                                                {45, 212, 191, 255},
                                                {248, 113, 113, 255},
                                                {167, 139, 250, 255},
                                                {163, 230, 53, 255},
                                                {244, 114, 182, 255},
                                                {125, 211, 252, 255},
                                                {217, 119, 6, 255}}};
constexpr Color player(std::uint32_t slot) { return players[slot % players.size()]; }
}  // namespace palette

enum class ShapeKind : std::uint32_t { circle, disc, polygon, polyline, label };

struct Shape {
    ShapeKind kind = ShapeKind::circle;
    Color color;
    std::uint32_t first_point =
        0;  // a circle's and a label's position, a polygon's corners, a polyline's path
    std::uint32_t point_count = 0;
    std::uint32_t first_letter = 0;  // of a label, in `letters`
    std::uint32_t letter_count = 0;
    double size = 0;  // radius of a circle or disc, width of a line, height of a label; world units
    // The element that it is a picture of, so that a page can put an image in its place.
    double angle = 0;  // rad
    state::Handle entity;
    std::uint32_t pool = no_pool;  // its index; no_pool: the shape is of the level or the score
    std::uint32_t unused = 0;

    static constexpr std::uint32_t no_pool = 0xFFFFFFFF;
};

struct DrawList {
    std::vector<Shape> shapes;
    std::vector<math::Vec2> points;
    std::string letters;  // UTF-8

    // The list of another state. Without a layout its shapes belong to no element.
    void clear(const state::Layout* layout = nullptr, const std::byte* block = nullptr);
    // The shapes that are added from now on are of this element, which lies in the state; null: of none.
    void belongs_to(const void* element);

    void circle(math::Vec2 center, double radius, Color color) {
        add(ShapeKind::circle, {&center, 1}, radius, color);
    }
    void disc(math::Vec2 center, double radius, Color color) {
        add(ShapeKind::disc, {&center, 1}, radius, color);
    }
    void polygon(std::span<const math::Vec2> corners, Color color) {
        add(ShapeKind::polygon, corners, 0, color);
    }
    void polyline(std::span<const math::Vec2> path, double width, Color color) {
        add(ShapeKind::polyline, path, width, color);
    }
    void label(math::Vec2 at, double height, std::string_view text, Color color);

    std::span<const math::Vec2> points_of(const Shape& shape) const {
        return std::span(points).subspan(shape.first_point, shape.point_count);
    }
    std::string_view text_of(const Shape& shape) const {
        return std::string_view(letters).substr(shape.first_letter, shape.letter_count);
    }

private:
    Shape& add(ShapeKind kind, std::span<const math::Vec2> at, double size, Color color);

    const state::Layout* layout_ = nullptr;
    const std::byte* block_ = nullptr;
    Shape subject_;  // only the element that the next shapes belong to
};

}  // namespace instep::contract
