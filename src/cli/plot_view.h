// SPDX-License-Identifier: MIT
// The part of the plane that a plot shows. A level has a view, but a match may leave it, stay in a corner of
// it, or have a single entity far away.
#pragma once

#include <span>

#include <instep/cli/paths.h>
#include <instep/contract/draw_list.h>

namespace instep::cli {

struct Rect {
    math::Vec2 low;
    math::Vec2 high;
};

// The level's view; enlarged if most of the paths lead out of it, reduced if they stay in a small part. The
// outermost 2 % of points are ignored.
Rect plot_view(const contract::Facts& facts, std::span<const Path> paths, const contract::DrawList& drawing);

}  // namespace instep::cli
