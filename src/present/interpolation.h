// SPDX-License-Identifier: MIT
// How others are shown: between two snapshots, a little in the past. The foothold document's "Remote Player
// Interpolation", for every world: 20 snapshots, at least 100 ms behind, up to 1.5 of the way from one
// snapshot to the next, and a jump that is too long to be a movement shown as one. Snapshots are stamped by
// the room's time, not by their arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <instep/state/layout.h>

namespace instep::present {

// Which two snapshots to show at a time, and how far between them.
class Timeline {
public:
    static constexpr std::size_t most = 20;        // REMOTE_SNAPSHOT_MAX
    static constexpr double farthest_ahead = 1.5;  // of the way from one snapshot to the next
    static constexpr std::size_t kept = 3;

    struct Entry {
        double time = 0;
        std::uint32_t number = 0;
    };
    struct Pair {
        Entry from;
        Entry to;
        double part = 0;  // 0 is `from`, 1 is `to`
    };

    // Ones that are not newer than the last are left out.
    void add(const Entry& entry);
    std::optional<Pair> at(double time) const;
    // Forgets what is not needed to show `time` or later.
    void forget_before(double time);
    void clear() { entries_.clear(); }
    std::size_t size() const { return entries_.size(); }

private:
    std::deque<Entry> entries_;
};

// How far behind to show: two intervals, and not less than 100 ms; where more than 2 % of snapshots are not
// there when they should be shown, an interval more for every 10 % begun, up to three.
class InterpolationDelay {
public:
    static constexpr double least = 0.1;       // s: REMOTE_INTERP_DELAY_MS
    static constexpr double tolerated = 0.02;  // part of snapshots missing

    explicit InterpolationDelay(double interval) : interval_(interval) {}
    // One snapshot after the other: was it there in time?
    void add(bool in_time) { missing_ += ((in_time ? 0.0 : 1.0) - missing_) / 100; }
    double missing() const { return missing_; }
    double wanted() const;
    // What is in use; moves to what is wanted by at most 5 % of the time that passes.
    double advance(double seconds);

private:
    double interval_;
    double missing_ = 0;
    double current_ = 0;
};

// `to` as it was `part` of the way from `from`: each field as its list says (linear, angle, newest). Elements
// that `from` does not have, or that moved farther than `teleport_distance`, are as in `to`.
void blend_states(const state::Layout& layout, const std::byte* from, const std::byte* to, double part,
                  double teleport_distance, std::byte* out);

}  // namespace instep::present
