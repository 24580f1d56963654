// SPDX-License-Identifier: MIT
// The path of each entity with a position, tick by tick. Memory is bounded: above the limit the older half of
// the ticks is dropped, so the rest stays exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <instep/match/match.h>

namespace instep::cli {

inline constexpr std::uint32_t no_owner = std::numeric_limits<std::uint32_t>::max();

struct PathPoint {
    math::Vec2 at;
    std::uint64_t tick = 0;
    bool jumped = false;  // further than the teleport distance from the last point: no line is drawn to it
};

struct Path {
    std::uint32_t owner = no_owner;  // a slot
    std::vector<PathPoint> points;
};

class PathRecorder {
public:
    explicit PathRecorder(const match::Match& match, std::size_t most_points = 1'000'000);

    void add_tick();  // adds the match's current positions

    const std::vector<Path>& paths() const { return paths_; }
    std::uint64_t first_tick() const { return first_tick_; }  // older ticks have been dropped

private:
    struct Tracked {  // the entity that currently has an id
        std::uint32_t generation = 0;
        std::size_t path = none;
        math::Vec2 last;
    };
    struct Source {  // a pool whose elements have a position
        std::size_t pool;
        const state::Field* x;
        const state::Field* y;
        const state::Field* owner;  // may be null
        std::vector<Tracked> by_id;
    };
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    void follow(Source& source, state::Handle handle, const std::byte* element);
    void drop_older_half();

    const match::Match& match_;
    std::size_t most_points_;
    std::size_t point_count_ = 0;
    std::uint64_t first_tick_ = 0;
    std::vector<Source> sources_;
    std::vector<Path> paths_;
};

}  // namespace instep::cli
