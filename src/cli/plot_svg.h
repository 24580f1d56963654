// SPDX-License-Identifier: MIT
// A match as a picture: the paths of everything that moved, fading from new to old, under the world's own
// drawing of its last tick. Pure: the same match gives the same bytes of SVG.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <instep/cli/look.h>
#include <instep/cli/numbers.h>
#include <instep/cli/paths.h>
#include <instep/contract/draw_list.h>

namespace instep::cli {

// What a plot aims to stay below. A level whose own drawing is larger is still drawn whole.
inline constexpr std::size_t most_plot_bytes = 480'000;

struct Plot {
    contract::Facts facts;
    std::string title;    // "bounce / box"
    std::string caption;  // "seed 1 · 600 ticks · hash ..."
    std::vector<Score> scores;
    std::optional<Size> size;  // in pixels; by the shape of the view if not given
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
};

std::string plot_svg(const Plot& plot, std::span<const Path> paths, const contract::DrawList& drawing);

// As XML wants it: what is no well-formed UTF-8 or no XML character becomes U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace instep::cli
