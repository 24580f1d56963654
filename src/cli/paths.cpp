// SPDX-License-Identifier: MIT
#include <instep/cli/paths.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <instep/state/raw_pool.h>

namespace instep::cli {

PathRecorder::PathRecorder(const match::Match& match, std::size_t most_points)
    : match_(match), most_points_(most_points), first_tick_(match.tick()) {
    for (std::size_t i = 0; i < match.layout().pools.size(); ++i) {
        const state::PoolLayout& pool = match.layout().pools[i];
        if (pool.kind.position.empty()) continue;
        const std::string position(pool.kind.position);
        const state::Field* x = pool.element->find(position + ".x");
        const state::Field* y = pool.element->find(position + ".y");
        const state::Field* owner = pool.kind.owner.empty() ? nullptr : pool.element->find(pool.kind.owner);
        if (x && y) sources_.push_back({i, x, y, owner, std::vector<Tracked>(pool.capacity)});
    }
}

void PathRecorder::add_tick() {
    for (Source& source : sources_) {
        const auto pool = state::RawPool::looking_at(match_.layout(), source.pool, match_.state());
        for (std::uint32_t index = 0; index < pool.size(); ++index)
            follow(source, pool.handle_at(index), pool.element(index));
    }
    if (point_count_ > most_points_) drop_older_half();
}

void PathRecorder::follow(Source& source, state::Handle handle, const std::byte* element) {
    const math::Vec2 at{state::number_at(*source.x, element), state::number_at(*source.y, element)};
    if (!math::all_finite(at)) return;
    const double slot = source.owner ? state::number_at(*source.owner, element) : -1;
    const bool is_owned = slot >= 0 && slot < match_.facts().most_players;
    const std::uint32_t owner = is_owned ? static_cast<std::uint32_t>(slot) : no_owner;

    Tracked& tracked = source.by_id[handle.id];
    const bool is_known = tracked.path != none && tracked.generation == handle.generation;
    const bool jumped = !is_known || (match_.facts().teleport_distance > 0 &&
                                      math::length(at - tracked.last) > match_.facts().teleport_distance);
    if (!is_known || paths_[tracked.path].owner != owner) {
        tracked.generation = handle.generation;
        tracked.path = paths_.size();
        paths_.push_back({owner, {}});
        if (!jumped) {  // only the owner changed: the new path goes on where the old one ended
            paths_.back().points.push_back({tracked.last, match_.tick(), true});
            ++point_count_;
        }
    } else if (at == tracked.last) {
        return;
    }
    paths_[tracked.path].points.push_back({at, match_.tick(), jumped});
    ++point_count_;
    tracked.last = at;
}

void PathRecorder::drop_older_half() {
    first_tick_ += (match_.tick() - first_tick_ + 1) / 2;
    point_count_ = 0;
    std::vector<bool> is_tracked(paths_.size());
    for (const Source& source : sources_)
        for (const Tracked& tracked : source.by_id)
            if (tracked.path != none) is_tracked[tracked.path] = true;

    std::vector<std::size_t> new_index(paths_.size(), none);
    std::vector<Path> kept;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        std::vector<PathPoint>& points = paths_[i].points;
        const auto young = std::find_if(points.begin(), points.end(),
                                        [this](const PathPoint& point) { return point.tick >= first_tick_; });
        // One older point stays: an entity at rest keeps its path, a moving one the line to its next point.
        points.erase(points.begin(), young == points.begin() ? young : young - 1);
        if (!is_tracked[i] && points.back().tick < first_tick_) continue;
        new_index[i] = kept.size();
        point_count_ += points.size();
        kept.push_back(std::move(paths_[i]));
    }
    for (Source& source : sources_)
        for (Tracked& tracked : source.by_id)
            if (tracked.path != none) tracked.path = new_index[tracked.path];
    paths_ = std::move(kept);
}

}  // namespace instep::cli
