// SPDX-License-Identifier: MIT
// Synchronises the client's clock with the room's: sends probes, and feeds the answers and the reported input
// margins to the Clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <instep/net/clock.h>
#include <instep/net/messages.h>

namespace instep::net {

class ClockSync {
public:
    ClockSync(double tick_seconds, const Config& config)
        : config_(config.client), tick_seconds_(tick_seconds), clock_(tick_seconds, config.clock) {}

    const Clock& clock() const { return clock_; }
    void advance(double now) { clock_.advance(now); }

    // Whether the next message should carry a probe.
    bool wants_probe(double now) const;
    // The probe of a message that is sent now.
    std::uint8_t send_probe(double now);
    // An input for this tick was made now.
    void add_input(std::uint32_t tick, double now) { leads_[tick & 255] = clock_.lead(now); }
    // True if room time stepped back: ticks for which inputs were made are due later than before, so the
    // client makes those inputs again.
    bool receive(const OwnPlayerPart& part, double arrival);

private:
    ClientConfig config_;
    double tick_seconds_;
    Clock clock_;
    std::array<std::optional<double>, 256> sent_;  // when each probe was, unless it was answered
    std::array<std::optional<double>, 256>
        leads_;  // with which inputs were made, by the low bits of their ticks
    std::uint8_t probe_ = 0;
    std::uint32_t fast_probes_sent_ = 0;
    std::optional<double> last_probe_;
};

}  // namespace instep::net
