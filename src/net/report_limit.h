// SPDX-License-Identifier: MIT
// How many desync reports a room judges: of one player one in an interval, and of all players together a
// bounded number a second. It belongs to the room: a player that reconnects, or leaves its slot to another,
// gets no more.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <instep/net/config.h>
#include <instep/net/token_bucket.h>

namespace instep::net {

class ReportLimit {
public:
    ReportLimit(const HostConfig& config, const contract::Facts& facts)
        : interval_(ticks_in(config.report_interval, facts)),
          room_(config.reports_per_second, static_cast<double>(config.reports_per_second) / facts.tick_rate) {
    }

    // Whether a report of this player may be judged in this tick.
    bool take(contract::Slot slot, std::uint64_t tick) {
        std::optional<std::uint64_t>& last = last_[slot];
        if ((last && tick < *last + interval_) || !room_.take(tick)) return false;
        last = tick;
        return true;
    }

private:
    std::uint64_t interval_;  // ticks
    TokenBucket room_;
    std::array<std::optional<std::uint64_t>, contract::most_slots> last_;  // by slot: the tick of the last
};

}  // namespace instep::net
