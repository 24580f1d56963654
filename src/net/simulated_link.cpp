// SPDX-License-Identifier: MIT
#include <instep/net/simulated_link.h>

#include <algorithm>

namespace instep::net {
namespace {

constexpr double least_time_out = 0.2;  // s: Linux's, beyond the round trip
constexpr double most_time_out = 2;     // s: it waits twice as long each time, but not longer than this here
constexpr double patience = 0.25;       // of a round trip, with packets that may only have been overtaken

}  // namespace

SimulatedLink::SimulatedLink(LinkKind kind, const LinkConditions& conditions, std::uint64_t seed)
    : kind_(kind), conditions_(conditions), random_(math::Random::from_seed(seed)) {}

// A burst lasts for a time and not for a number of packets: one that is sent again every two seconds must not
// prolong it.
bool SimulatedLink::is_lost(double when) {
    if (when >= burst_end_ && random_.uniform() < conditions_.burst_chance)
        burst_end_ = when + 2 * random_.uniform() * conditions_.burst_length;
    return random_.uniform() < loss_at(when);
}

void SimulatedLink::put(double arrives, codec::ByteView message) {
    auto at = packets_.end();
    while (at != packets_.begin() && std::prev(at)->time > arrives) --at;
    packets_.insert(at, {arrives, codec::Bytes(message.begin(), message.end())});
    in_flight_ += message.size();
}

void SimulatedLink::send(codec::ByteView message, double now) {
    sent_ += message.size();
    ++count_;
    double leaves = now;
    if (conditions_.rate > 0) {
        const double waiting = std::max(0.0, free_at_ - now) * conditions_.rate;
        if (kind_ == LinkKind::datagram && waiting > static_cast<double>(conditions_.queue)) return;
        free_at_ = std::max(free_at_, now) + static_cast<double>(message.size()) / conditions_.rate;
        leaves = free_at_;
    }
    if (kind_ == LinkKind::ordered) {
        packets_.push_back(
            {leaves, codec::Bytes(message.begin(), message.end()), round_trip() + least_time_out});
        in_flight_ += message.size();
        return;
    }
    if (!is_lost(leaves)) put(leaves + way(), message);
    if (random_.uniform() < conditions_.duplicates) put(leaves + way(), message);
}

// An ordered packet is sent until it gets through; each try meets the conditions of the moment at which
// somebody looks. Tries are made one after the other in time, since each may tell of the loss of others.
void SimulatedLink::try_packets(double now) {
    for (;;) {
        Packet* next = nullptr;
        for (Packet& packet : packets_)
            if (packet.time_out > 0 && packet.time <= now && (!next || packet.time < next->time))
                next = &packet;
        if (!next) return;
        try_packet(*next);
    }
}

void SimulatedLink::try_packet(Packet& packet) {
    const double now = packet.time;
    if (is_lost(now)) {
        if (packet.tries > 0 && !packet.noticed)
            packet.time_out = std::max(packet.time_out, std::min(2 * packet.time_out, most_time_out));
        ++packet.tries;
        packet.noticed = false;
        packet.tried_at = now;
        packet.time = now + packet.time_out;
        return;
    }
    packet.time_out = 0;
    packet.time = now + way();
    if (random_.uniform() < loss_at(now)) return;  // its acknowledgement
    for (Packet& other : packets_) {
        if (other.time_out == 0 || other.tries == 0 || other.tried_at >= now) continue;
        const double reordered = other.tries == 1 ? other.tried_at + patience * round_trip() : 0;
        const double again = std::max(now, reordered) + round_trip();
        if (again >= other.time) continue;
        other.time = again;
        other.noticed = true;
    }
}

bool SimulatedLink::receive(double now, codec::Bytes& message) {
    if (kind_ == LinkKind::ordered) try_packets(now);
    if (packets_.empty() || packets_.front().time_out > 0 || packets_.front().time > now) return false;
    message = std::move(packets_.front().message);
    in_flight_ -= message.size();
    packets_.pop_front();
    return true;
}

}  // namespace instep::net
