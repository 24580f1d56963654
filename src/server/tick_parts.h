// SPDX-License-Identifier: MIT
// Where the time of a room's ticks goes. A slow tick is logged with its parts, and metrics have their sums.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include <instep/server/loop.h>

namespace instep::server {

enum class TickPart : std::uint8_t { inbox, step, record, encode, check, count };
inline constexpr std::array<std::string_view, static_cast<std::size_t>(TickPart::count)> tick_part_names{
    "inbox", "step", "record", "encode", "check"};

class TickParts {
public:
    using Times = std::array<std::chrono::nanoseconds, tick_part_names.size()>;

    void begin(Time now) {
        latest_ = {};
        at_ = now;
    }
    // What was done since begin(), or since the last part ended, was this part.
    void end(TickPart part) {
        const Time now = Clock::now();
        const auto index = static_cast<std::size_t>(part);
        latest_[index] = now - at_;
        totals_[index] += now - at_;
        at_ = now;
    }
    const Times& latest() const { return latest_; }  // of the latest tick
    const Times& totals() const { return totals_; }  // of all ticks

private:
    Time at_;
    Times latest_{};
    Times totals_{};
};

}  // namespace instep::server
