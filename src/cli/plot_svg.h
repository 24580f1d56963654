// SPDX-License-Identifier: MIT
// A match as an SVG: the paths of all entities, fading with age, under the world's drawing of the last tick.
// Pure: the same match gives the same bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <instep/cli/numbers.h>
#include <instep/cli/paths.h>
#include <instep/cli/state_text.h>
#include <instep/contract/draw_list.h>

namespace instep::cli {

// Size target. A level whose drawing alone is larger is still drawn completely.
inline constexpr std::size_t most_plot_bytes = 480'000;

struct Plot {
    contract::Facts facts;
    std::string title;    // "bounce / box"
    std::string caption;  // "seed 1 · 600 ticks · hash ..."
    std::vector<Score> scores;
    std::optional<Size> size;  // pixels; not given: from the aspect of the view
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
};

std::string plot_svg(const Plot& plot, std::span<const Path> paths, const contract::DrawList& drawing);

// Escaped for XML; invalid UTF-8 and characters that XML forbids become U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace instep::cli
