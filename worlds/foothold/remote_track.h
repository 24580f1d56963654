// SPDX-License-Identifier: MIT
// How the document's client shows other players: between the snapshots it has of them, a tenth of a second
// ago. Kept for comparison with recordings of it; rooms use the netcode, which does the same for every world.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

#include <instep/math/vec2.h>

namespace instep::worlds::foothold {

struct RemoteSnapshot {
    double time = 0;  // of arrival, ms
    math::Vec2 position;
};

class RemoteTrack {
public:
    static constexpr double delay = 100;               // REMOTE_INTERP_DELAY_MS
    static constexpr std::size_t most_snapshots = 20;  // REMOTE_SNAPSHOT_MAX
    static constexpr double farthest_ahead = 1.5;      // of the interval from one snapshot to the next
    static constexpr double teleport_distance = 300;   // px
    static constexpr std::size_t kept = 3;

    void add(const RemoteSnapshot& snapshot) {
        snapshots_.push_back(snapshot);
        if (snapshots_.size() > most_snapshots) snapshots_.pop_front();
    }

    // Where the player is shown, after which snapshots that are no longer needed are forgotten.
    math::Vec2 show(double now) {
        const double time = now - delay;
        const math::Vec2 position = place_at(time);
        while (snapshots_.size() > kept && snapshots_[1].time < time) snapshots_.pop_front();
        return position;
    }

    std::size_t buffered() const { return snapshots_.size(); }

private:
    math::Vec2 place_at(double time) const {
        if (snapshots_.empty()) return {};
        if (snapshots_.size() == 1) return snapshots_.front().position;
        std::size_t i = 0;
        while (i + 2 < snapshots_.size() && snapshots_[i + 1].time < time) ++i;
        const RemoteSnapshot& from = snapshots_[i];
        const RemoteSnapshot& to = snapshots_[i + 1];
        if (math::distance(from.position, to.position) > teleport_distance) return to.position;
        const double length = to.time - from.time;
        const double part =
            length > 0 ? std::clamp((time - from.time) / length, 0.0, farthest_ahead) : farthest_ahead;
        return from.position + (to.position - from.position) * part;
    }

    std::deque<RemoteSnapshot> snapshots_;
};

}  // namespace instep::worlds::foothold
