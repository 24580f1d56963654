// SPDX-License-Identifier: MIT
// Other players are drawn between two snapshots, a little in the past. The foothold document's "Remote Player
// Interpolation", for every world: 20 snapshots, at least 100 ms behind, extrapolation to at most 1.5 of the
// interval, and no interpolation of a jump that is too long to be a movement. A snapshot's time is its
// tick's, not its arrival's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <instep/state/layout.h>

namespace instep::present {

// Which two snapshots to draw at a time, and how far between them.
class Timeline {
public:
    static constexpr std::size_t capacity = 20;       // REMOTE_SNAPSHOT_MAX
    static constexpr double max_extrapolation = 1.5;  // intervals from the first of two snapshots
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

    // Ignores a snapshot that is not newer than the last.
    void add(const Entry& entry);
    std::optional<Pair> at(double time) const;
    // Forgets what is not needed to draw `time` or later.
    void forget_before(double time);
    void clear() { entries_.clear(); }
    std::size_t size() const { return entries_.size(); }

private:
    std::deque<Entry> entries_;
};

// How far in the past to draw: two intervals, but at least 100 ms. Where more than 2 % of snapshots are
// missing when they are due, an interval more for every 10 % or part of it, up to three.
class InterpolationDelay {
public:
    static constexpr double min_delay = 0.1;           // s: REMOTE_INTERP_DELAY_MS
    static constexpr double tolerated_missing = 0.02;  // part of snapshots
    static constexpr double max_rate_change = 0.05;    // of the time that passes: invisible

    explicit InterpolationDelay(double interval) : interval_(interval) {}
    // The next snapshot was received in time, or was not. Averages over about 100 snapshots.
    void add(bool in_time) { missing_ += ((in_time ? 0.0 : 1.0) - missing_) / 100; }
    double missing() const { return missing_; }
    double wanted() const;
    // The delay in use, which approaches the wanted one as `seconds` pass.
    double advance(double seconds);

private:
    double interval_;
    double missing_ = 0;
    std::optional<double> current_;
};

// The state `part` of the way from `from` to `to`: each field is blended as its list says (linear, angle,
// newest). Elements that are not in `from`, or that moved farther than `teleport_distance`, are as in `to`.
void blend_states(const state::Layout& layout, const std::byte* from, const std::byte* to, double part,
                  double teleport_distance, std::byte* out);

}  // namespace instep::present
