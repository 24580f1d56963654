// SPDX-License-Identifier: MIT
#include <creature/wander.h>

#include <cmath>

#include <instep/math/trig.h>
#include <instep/math/units.h>
#include <instep/motion/angle_limit.h>

namespace instep::worlds::creature {

using math::Vec2;

namespace {

constexpr double wall_distance = 60;   // within which a wall is steered away from
constexpr double other_distance = 40;  // the same for the edge of another body
constexpr double least_turn = 0.001;   // smaller turns count as 0
constexpr double wall_strength = 2.5;  // of walls, compared with others

double counted(double turn) { return std::abs(turn) > least_turn ? turn : 0; }

// From 1 at the wall to 0 where it is out of sight.
double nearness(double distance) {
    const double part = 1 - std::min(std::max(distance, 0.1) / wall_distance, 1.0);
    return part * part;
}

}  // namespace

double drifted(double direction, double time) {
    const double push = (math::sin(0.3 * time) * 0.15 + math::sin(0.17 * time) * 0.08) * 0.008;
    const double level = std::abs(direction) < math::half_pi ? 0 : direction > 0 ? math::pi : -math::pi;
    return direction + (push + (level - direction) * 0.05);
}

double sway(double time) { return math::sin(0.7 * time) * 0.15 + math::sin(1.3 * time) * 0.08; }

LookAhead::LookAhead(Vec2 position, double direction, double time, const WanderStyle& style,
                     const motion::Box& area)
    : position_(position),
      direction_(direction),
      radius_(style.radius),
      cos_direction_(math::cos(direction)),
      area_(area) {
    const Vec2 ahead = motion::direction_at(direction + sway(time));
    const double stride = style.speed * 0.6;
    const std::array<double, points> distances{style.reach + 1.5 * stride, style.reach + stride,
                                               style.reach + 0.5 * stride, style.reach,
                                               3 * style.radius,           1.5 * style.radius};
    for (std::size_t i = 0; i < points; ++i) {
        x_[i] = position.x + ahead.x * distances[i];
        y_[i] = position.y + ahead.y * distances[i];
        weight_[i] = 0.15 / std::max(distances[i] / style.reach, 1.0);
    }
}

motion::Box LookAhead::field_of_view() const {
    motion::Box view{position_, position_};
    for (std::size_t i = 0; i < points; ++i) view = view.joined_with({point(i), point(i)});
    return view.shrunk(-(radius_ + other_distance));
}

void LookAhead::see(Vec2 center, double radius) {
    const double sight = radius + radius_ + other_distance;
    const double farthest = sight * sight;
    constexpr double nearest = 0.01 * 0.01;
    std::array<double, points> squared;
    bool sees = false;
    for (std::size_t i = 0; i < points; ++i) {
        squared[i] = distance_squared(point(i), center);
        sees |= squared[i] < farthest;
    }
    if (!sees) return;
    const double away = motion::wrapped(motion::angle_of(position_ - center) - direction_);
    for (std::size_t i = 0; i < points; ++i) {
        const double turn = away * weight_[i] * (1 - std::sqrt(squared[i]) / sight);
        away_from_others_[i] += squared[i] < farthest && squared[i] > nearest ? turn : 0;
    }
}

double LookAhead::away_from_walls(std::size_t i) const {
    const double strength = wall_strength * weight_[i];
    const auto towards = [&](double angle, double distance) {
        return motion::wrapped(angle - direction_) * strength * nearness(distance);
    };
    const bool rightward = cos_direction_ > 0;
    const Vec2 above_low = point(i) - area_.low;
    const Vec2 below_high = area_.high - point(i);
    double turn = 0;
    if (above_low.x < wall_distance)
        turn += towards(0, above_low.x);
    else if (below_high.x < wall_distance)
        turn += towards(math::pi, below_high.x);
    if (above_low.y < wall_distance)
        turn += towards(rightward ? 0.2 : math::pi - 0.2, above_low.y);
    else if (below_high.y < wall_distance)
        turn += towards(rightward ? -0.2 : -math::pi + 0.2, below_high.y);
    return turn;
}

double LookAhead::turn() const {
    double sum = 0;
    for (std::size_t i = 0; i < points; ++i) {
        sum += counted(away_from_walls(i));
        sum += counted(away_from_others_[i]);
    }
    return std::clamp(counted(sum), -math::pi, math::pi);
}

double steered(double direction, double turn, double dt) {
    return turn == 0 ? direction : motion::wrapped(direction + turn * 4 * dt);
}

void make_for_next_point(Wanderer& wanderer, Vec2 position, double time, const WanderStyle& style,
                         const motion::Box& area, double dt) {
    double& direction = wanderer.direction;
    Vec2 next = position + motion::direction_at(direction + sway(time)) * style.reach;
    const Vec2 inside = area.clamp(next);
    if (next.x != inside.x && next.y != inside.y) {
        const Vec2 center = (area.low + area.high) * 0.5;
        direction = motion::wrapped(
            direction + motion::wrapped(motion::angle_of(center - position) - direction) * (4 * dt));
        next = area.clamp(position + motion::direction_at(direction) * distance(position, next));
    } else {
        const auto throw_back = [&](double& at, double wall, double inward) {
            at = wall + (wall - at) * 1.2;
            direction += motion::wrapped(inward - direction) * (8 * dt);
        };
        if (next.x < area.low.x) throw_back(next.x, area.low.x, 0);
        if (next.x > area.high.x) throw_back(next.x, area.high.x, math::pi);
        if (next.y < area.low.y) throw_back(next.y, area.low.y, math::half_pi);
        if (next.y > area.high.y) throw_back(next.y, area.high.y, -math::half_pi);
        next = area.clamp(next);
    }
    constexpr double too_near = 5;
    if (distance(position, next) < too_near) direction = motion::wrapped(direction + 2 * dt);
    constexpr double caught_up = 0.08;  // part of the distance to the new point, per tick
    wanderer.target = wanderer.target * (1 - caught_up) + next * caught_up;
}

}  // namespace instep::worlds::creature
