// SPDX-License-Identifier: MIT
// Aimless wandering that looks where it goes. A wanderer has a direction that drifts slowly and a point ahead
// that it heads for. Each tick it looks at six points ahead, and turns from walls and from others
// near them. The numbers are the original program's; lengths are world units, time is in seconds.
#pragma once

#include <array>
#include <cstddef>

#include <instep/motion/box.h>

namespace instep::worlds::creature {

struct WanderStyle {
    double reach = 100;  // how far ahead the point it makes for is
    double speed = 12;   // per tick; how far it looks beyond that point depends on it
    double radius = 10;
};

// Slowly to one side and the other, and back to the nearer of straight right and straight left.
[[nodiscard]] double drifted(double direction, double time);

// A small swing to and fro around the direction.
[[nodiscard]] double sway(double time);

// One look ahead. Show it every body that might be near, in a fixed order, then ask for the
// turn.
class LookAhead {
public:
    // `area` is the box in which the wanderer's centre may be.
    LookAhead(math::Vec2 position, double direction, double time, const WanderStyle& style,
              const motion::Box& area);

    // Bodies whose extent does not touch this box need not be shown.
    [[nodiscard]] motion::Box field_of_view() const;

    void see(math::Vec2 center, double radius);

    // How hard to turn, in [-pi, pi]; positive is counterclockwise.
    [[nodiscard]] double turn() const;

private:
    static constexpr std::size_t points = 6;

    [[nodiscard]] math::Vec2 point(std::size_t i) const { return {x_[i], y_[i]}; }
    [[nodiscard]] double away_from_walls(std::size_t i) const;

    math::Vec2 position_;
    double direction_;
    double radius_;
    double cos_direction_;
    motion::Box area_;
    // Of the points, in columns, so that the compiler takes several at once.
    std::array<double, points> x_;
    std::array<double, points> y_;
    std::array<double, points> weight_;  // less for points farther away
    std::array<double, points> away_from_others_{};
};

// Makes the turn in one tick of `dt`.
[[nodiscard]] double steered(double direction, double turn, double dt);

struct Wanderer {
    double direction = 0;  // rad
    math::Vec2 target;     // the point it heads for; follows the point ahead with a delay
};

// The new point ahead. A point beyond a wall is moved back and turns the wanderer inward.
void make_for_next_point(Wanderer& wanderer, math::Vec2 position, double time, const WanderStyle& style,
                         const motion::Box& area, double dt);

}  // namespace instep::worlds::creature
