// SPDX-License-Identifier: MIT
// A screen of text cells that can be drawn on: letters, and below them dots, eight to a cell (Unicode
// braille, 2x4), which are about square on most terminals. Each cell has one colour, that of what was drawn
// there last.
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

    // Letters, in cells from the top left. What does not fit is left out.
    void text(int column, int row, std::string_view letters, contract::Color color);

    // Shapes, in dots from the top left. Only what lies between `clip`'s corners is drawn.
    struct Clip {
        int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are just outside
    };
    void set_clip(const Clip& clip) { clip_ = clip; }
    void line(math::Vec2 from, math::Vec2 to, contract::Color color);
    void circle(math::Vec2 center, double radius, contract::Color color);
    void disc(math::Vec2 center, double radius, contract::Color color);
    void polygon(std::span<const math::Vec2> corners, contract::Color color);

    // Lines with a newline each and no escape codes.
    std::string plain() const;
    // For a terminal: from the top left, in 24-bit colour, each line cleared to its end.
    std::string with_colors() const;

private:
    struct Cell {
        std::uint8_t dots = 0;
        contract::Color color;
        std::string letter;  // one character, over the dots; empty if none
    };
    std::size_t place(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column);
    }
    Cell& at(int column, int row) { return cells_[place(column, row)]; }
    const Cell& at(int column, int row) const { return cells_[place(column, row)]; }
    void dot(int x, int y, contract::Color color);

    int columns_;
    int rows_;
    Clip clip_;
    std::vector<Cell> cells_;
};

}  // namespace instep::cli
