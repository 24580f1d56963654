// SPDX-License-Identifier: MIT
// A match as a screen of text: the world through a camera that keeps the players in sight, the score board,
// what happened lately, and the running hash. Knows no terminal and no clock, so that a test can look at it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <instep/cli/canvas.h>
#include <instep/cli/look.h>
#include <instep/match/match.h>

namespace instep::cli {

// What happened lately, in words. What happens to the same player again and again is one line with a count;
// what happens to nobody is counted, but not told.
class EventLog {
public:
    void add_tick(const match::Match& match);  // the events of the match's last step

    struct Line {
        std::string what;  // "Bix knocked"
        std::string more;  // ", speed 44"
        std::uint64_t times = 1;

        std::string text() const;
    };
    const std::deque<Line>& lines() const { return lines_; }  // the newest first
    std::uint64_t total() const { return total_; }

private:
    static constexpr std::size_t most_lines = 40;

    std::deque<Line> lines_;
    std::uint64_t total_ = 0;
};

// What of the plane is seen. It moves towards where the players are, at most half of the way in each call.
class Camera {
public:
    void follow(const match::Match& match);

    math::Vec2 center() const { return center_; }
    math::Vec2 extent() const { return extent_; }

private:
    math::Vec2 center_;
    math::Vec2 extent_;
    bool is_set_ = false;
};

struct Scene {
    const match::Match& match;
    const Camera& camera;
    const EventLog& events;
    std::uint64_t seed = 0;
    std::string hint;  // the last line: how to end it
};

Canvas draw_scene(const Scene& scene, int columns, int rows);

}  // namespace instep::cli
