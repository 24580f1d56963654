// SPDX-License-Identifier: MIT
// A match as a screen of text: the world seen by a camera that follows the players, the score board, recent
// events, and the hash. Independent of terminal and clock, so that it can be tested.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <instep/cli/canvas.h>
#include <instep/cli/state_text.h>
#include <instep/match/match.h>

namespace instep::cli {

// Recent events as text. Repeated events of one player are one line with a count; events without a player
// are counted only.
class EventLog {
public:
    void add_tick(const match::Match& match);  // adds the events of the match's last tick

    struct Line {
        std::string what;  // "Bix knocked"
        std::string more;  // ", speed 44"
        std::uint64_t times = 1;

        std::string text() const;
    };
    const std::deque<Line>& lines() const { return lines_; }  // newest first
    std::uint64_t total() const { return total_; }

private:
    static constexpr std::size_t most_lines = 40;

    std::deque<Line> lines_;
    std::uint64_t total_ = 0;
};

// The visible part of the plane. Each call moves it a part of the way towards the players.
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
    std::string hint;  // shown in the last row: how to quit
};

Canvas draw_scene(const Scene& scene, int columns, int rows);

}  // namespace instep::cli
