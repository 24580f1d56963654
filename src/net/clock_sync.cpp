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

bool ClockSync::receive(const OwnPlayerPart& part, double arrival) {
    if (part.margin)
        if (const auto lead = leads_[part.margin->tick])
            clock_.add_input_margin(*lead, part.margin->margin / 8.0 * tick_seconds_, arrival);
    if (!part.pong) return false;
    // A second copy of an answer says nothing new.
    const auto sent = std::exchange(sent_[part.pong->probe], {});
    if (!sent) return false;
    // The time for which the server held the answer back counts as passed before the probe was sent.
    const double held = part.pong->held * 1e-6;
    const double room_time = static_cast<double>(part.pong->microseconds) * 1e-6;
    if (!clock_.add_probe(*sent + held, room_time + held, arrival)) return false;
    fast_probes_sent_ = 0;
    return true;
}

}  // namespace instep::net
