// SPDX-License-Identifier: MIT
// A canvas of terminal cells: letters over dots, eight dots to a cell (Unicode braille, 2x4), which are about
// square on most terminals. A cell has one colour, that of the last letter or dot drawn in it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <instep/contract/draw_list.h>
#include <instep/math/vec2.h>

namespace instep::cli {

class Canvas {
public:
    Canvas(int columns, int rows);

    int columns() const { return columns_; }
    int rows() const { return rows_; }

    // Letters, in cells from the top left; clipped at the edges.
    void text(int column, int row, std::string_view letters, contract::Color color);

    // Shapes, in dots from the top left; clipped to the rectangle of set_clip.
    struct Clip {
        int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are exclusive
    };
    void set_clip(const Clip& clip) { clip_ = clip; }
    void line(math::Vec2 from, math::Vec2 to, contract::Color color);
    void circle(math::Vec2 center, double radius, contract::Color color);
    void disc(math::Vec2 center, double radius, contract::Color color);
    void polygon(std::span<const math::Vec2> corners, contract::Color color);

    // Without escape codes; each row ends with a newline.
    std::string plain() const;
    // For a terminal: cursor to the top left, 24-bit colour, each row cleared to its end.
    std::string with_colors() const;

private:
    struct Cell {
        std::uint8_t dots = 0;
        contract::Color color;
        std::string letter;  // one character, drawn instead of the dots; may be empty
    };
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column);
    }
    Cell& at(int column, int row) { return cells_[index(column, row)]; }
    const Cell& at(int column, int row) const { return cells_[index(column, row)]; }
    void dot(int x, int y, contract::Color color);

    int columns_;
    int rows_;
    Clip clip_;
    std::vector<Cell> cells_;
};

}  // namespace instep::cli
