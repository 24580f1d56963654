// SPDX-License-Identifier: MIT
// Paths for tests of plots, and the facts of a small world.
#pragma once

#include <algorithm>
#include <initializer_list>

#include <instep/cli/paths.h>
#include <instep/math/random.h>

namespace instep::test {

inline constexpr contract::Facts small_world{
    .teleport_distance = 10, .most_players = 4, .view_low = {0, 0}, .view_high = {100, 50}};

// A path through these points, one per tick.
inline cli::Path path_through(std::initializer_list<math::Vec2> points, std::uint32_t owner = cli::no_owner) {
    cli::Path path{owner, {}};
    for (const math::Vec2 at : points) path.points.push_back({at, path.points.size(), path.points.empty()});
    return path;
}

inline cli::Path random_walk(math::Random& random, std::size_t points, std::uint32_t owner,
                             double stride = 1) {
    cli::Path path{owner, {{{50, 25}, 0, true}}};
    while (path.points.size() < points) {
        const math::Vec2 last = path.points.back().at;
        path.points.push_back({{std::clamp(last.x + random.uniform(-stride, stride), 0.0, 100.0),
                                std::clamp(last.y + random.uniform(-stride, stride), 0.0, 50.0)},
                               path.points.size(),
                               false});
    }
    return path;
}

}  // namespace instep::test
