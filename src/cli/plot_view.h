// SPDX-License-Identifier: MIT
// What part of the plane a plot shows. A level says where to look, but a match may leave that place, keep to
// a corner of it, or throw something a million miles away.
#pragma once

#include <span>

#include <instep/cli/paths.h>
#include <instep/contract/draw_list.h>

namespace instep::cli {

struct Rect {
    math::Vec2 low;
    math::Vec2 high;
};

// The part of the plane to be shown: the facts' view; more of it if most of the paths lead further, and less
// if they keep to a small part. A single stray cannot shrink everything else to a dot.
Rect plot_view(const contract::Facts& facts, std::span<const Path> paths, const contract::DrawList& drawing);

}  // namespace instep::cli
