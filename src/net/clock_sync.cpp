// SPDX-License-Identifier: MIT
#include <instep/net/clock_sync.h>

namespace instep::net {

bool ClockSync::wants_probe(double now) const {
    const double interval =
        fast_probes_sent_ < config_.fast_probes ? config_.fast_probe_interval : config_.probe_interval;
    return !last_probe_ || now - *last_probe_ >= interval;
}

std::uint8_t ClockSync::send_probe(double now) {
    sent_[++probe_] = now;
    last_probe_ = now;
    if (fast_probes_sent_ < config_.fast_probes) ++fast_probes_sent_;
    return probe_;
}

void ClockSync::receive(const OwnPlayerPart& part, double arrival) {
    if (part.margin)
        if (const auto lead = leads_[part.margin->tick])
            clock_.add_input_margin(*lead, part.margin->margin / 8.0 * tick_seconds_, arrival);
    if (!part.pong) return;
    // The time that the server held the answer back counts as passed before the probe was sent. A second copy
    // of an answer says nothing new.
    if (const auto sent = std::exchange(sent_[part.pong->probe], {})) {
        const double held = part.pong->held * 1e-6;
        clock_.add_probe(*sent + held, static_cast<double>(part.pong->microseconds) * 1e-6 + held, arrival);
    }
}

}  // namespace instep::net
