// SPDX-License-Identifier: MIT
#include <instep/net/simulated_link.h>

#include <algorithm>

namespace instep::net {
namespace {

constexpr double first_resend = 0.05;  // s
constexpr double least_resend = 0.2;   // s: TCP's least time-out after that
constexpr double most_resend = 2;      // s: it waits twice as long each time, but not longer than this here

}  // namespace

SimulatedLink::SimulatedLink(LinkKind kind, const LinkConditions& conditions, std::uint64_t seed)
    : kind_(kind), conditions_(conditions), random_(math::Random::from_seed(seed)) {}

// A burst lasts for a time and not for a number of packets: one that is sent again every two seconds must not
// prolong it.
bool SimulatedLink::is_lost(double when) {
    if (when >= burst_end_ && random_.uniform() < conditions_.burst_chance)
        burst_end_ = when + 2 * random_.uniform() * conditions_.burst_length;
    return random_.uniform() < (when < burst_end_ ? conditions_.burst_loss : conditions_.loss);
}

void SimulatedLink::put(double arrives, ByteView message) {
    auto at = packets_.end();
    while (at != packets_.begin() && std::prev(at)->time > arrives) --at;
    packets_.insert(at, {arrives, 0, Bytes(message.begin(), message.end())});
    under_way_ += message.size();
}

void SimulatedLink::send(ByteView message, double now) {
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
        const double wait = 4 * conditions_.latency + conditions_.jitter;  // TCP's tail loss probe
        packets_.push_back({leaves, std::max(wait, first_resend), Bytes(message.begin(), message.end())});
        under_way_ += message.size();
        return;
    }
    if (!is_lost(leaves)) put(leaves + way(), message);
    if (random_.uniform() < conditions_.copies) put(leaves + way(), message);
}

// An ordered packet is sent until it gets through; each try meets the conditions of its own time.
void SimulatedLink::send_again(Packet& packet, double now) {
    while (packet.wait > 0 && packet.time <= now) {
        if (is_lost(packet.time)) {
            packet.time += packet.wait;
            packet.wait = std::clamp(2 * packet.wait, least_resend, most_resend);
        } else {
            packet.time += way();
            packet.wait = 0;
        }
    }
}

bool SimulatedLink::receive(double now, Bytes& message) {
    if (kind_ == LinkKind::ordered)
        for (Packet& packet : packets_) send_again(packet, now);
    if (packets_.empty() || packets_.front().wait > 0 || packets_.front().time > now) return false;
    message = std::move(packets_.front().message);
    under_way_ -= message.size();
    packets_.pop_front();
    return true;
}

}  // namespace instep::net
