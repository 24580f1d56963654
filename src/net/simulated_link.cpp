// SPDX-License-Identifier: MIT
#include <instep/net/simulated_link.h>

#include <algorithm>

namespace instep::net {
namespace {

constexpr double min_time_out = 0.2;  // s beyond the round trip, as in Linux
constexpr double max_time_out = 2;    // s; a time-out doubles with each attempt up to this
constexpr double reorder_wait =
    0.25;  // round trips until a missing packet counts as lost and not as reordered

}  // namespace

SimulatedLink::SimulatedLink(LinkKind kind, const LinkConditions& conditions, std::uint64_t seed)
    : kind_(kind), conditions_(conditions), random_(math::Random::from_seed(seed)) {}

// A burst lasts for a time and not for a number of packets: retransmissions every two seconds must not
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
            {leaves, codec::Bytes(message.begin(), message.end()), round_trip() + min_time_out});
        in_flight_ += message.size();
        return;
    }
    if (!is_lost(leaves)) put(leaves + delay(), message);
    if (random_.uniform() < conditions_.duplicates) put(leaves + delay(), message);
}

// An ordered packet is sent until it arrives, under the link's conditions at the time of the call. Attempts
// are made in the order of time, since the acknowledgement of one may reveal the loss of others.
void SimulatedLink::send_packets(double now) {
    for (;;) {
        Packet* next = nullptr;
        for (Packet& packet : packets_)
            if (packet.time_out && packet.time <= now && (!next || packet.time < next->time)) next = &packet;
        if (!next) return;
        send_packet(*next);
    }
}

void SimulatedLink::send_packet(Packet& packet) {
    const double now = packet.time;
    if (is_lost(now)) {
        if (packet.attempts > 0 && !packet.loss_detected)
            packet.time_out = std::max(*packet.time_out, std::min(2 * *packet.time_out, max_time_out));
        ++packet.attempts;
        packet.loss_detected = false;
        packet.sent_at = now;
        packet.time = now + *packet.time_out;
        return;
    }
    packet.time_out.reset();
    packet.time = now + delay();
    if (random_.uniform() < loss_at(now)) return;  // the acknowledgement is lost
    for (Packet& other : packets_) {
        if (!other.time_out || other.attempts == 0 || other.sent_at >= now) continue;
        const double reordered = other.attempts == 1 ? other.sent_at + reorder_wait * round_trip() : 0;
        const double again = std::max(now, reordered) + round_trip();
        if (again >= other.time) continue;
        other.time = again;
        other.loss_detected = true;
    }
}

std::optional<double> SimulatedLink::receive(double now, codec::Bytes& message) {
    if (kind_ == LinkKind::ordered) send_packets(now);
    if (packets_.empty() || packets_.front().time_out || packets_.front().time > now) return {};
    last_arrival_ =
        std::max(last_arrival_, packets_.front().time);  // an ordered link holds back what is behind
    message = std::move(packets_.front().message);
    in_flight_ -= message.size();
    packets_.pop_front();
    return last_arrival_;
}

void SimulatedLink::clear() {
    packets_.clear();
    in_flight_ = 0;
}

}  // namespace instep::net
