// SPDX-License-Identifier: MIT
// One direction of a bad network, seeded: latency, jitter, loss (independent and in bursts), duplicates,
// reordering and a limited rate. A datagram link drops lost packets; an ordered link retransmits them and
// delays all packets behind them.
//
// Retransmission follows Linux (RACK, RFC 8985; bench/tcp_delays.py measures the kernel): a loss is detected
// when a later packet is acknowledged, about a round trip after it, or by a time-out if no packet follows.
// Acknowledgements are lost as often as packets. Tail loss probes and the congestion window are not
// simulated: at 10 % loss and more real links are worse, much worse without BBR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include <instep/codec/bytes.h>
#include <instep/math/random.h>
#include <instep/net/link_kind.h>

namespace instep::net {

struct LinkConditions {
    double latency = 0.025;         // s, one way
    double jitter = 0;              // s: each packet is late by up to this; datagrams overtake one another
    double loss = 0;                // part of packets, independently
    double burst_chance = 0;        // for each packet, that a burst of losses begins
    double burst_length = 0;        // s that a burst lasts, on average
    double burst_loss = 0.9;        // part of packets lost within a burst
    double duplicates = 0;          // part of packets that arrive twice
    double rate = 0;                // bytes a second; 0: no limit
    std::size_t queue = 64 * 1024;  // bytes that wait for the rate before datagrams are dropped
};

class SimulatedLink {
public:
    SimulatedLink(LinkKind kind, const LinkConditions& conditions, std::uint64_t seed);

    void set_conditions(const LinkConditions& conditions) { conditions_ = conditions; }
    void send(codec::ByteView message, double now);
    // The next message that has arrived, and when it did; nothing: none has.
    std::optional<double> receive(double now, codec::Bytes& message);

    // What is on its way never arrives.
    void clear();

    std::size_t bytes_in_flight() const { return in_flight_; }
    std::uint64_t bytes_sent() const { return sent_; }
    std::uint64_t messages_sent() const { return count_; }

private:
    struct Packet {
        double time = 0;  // of arrival, or of the next attempt
        codec::Bytes message;
        std::optional<double> time_out;  // s until it is retransmitted, while it is not on its way
        double sent_at = 0;              // the last attempt
        std::uint32_t attempts = 0;
        bool loss_detected = false;  // of the last attempt, by an acknowledgement
    };

    double loss_at(double when) const {
        return when < burst_end_ ? conditions_.burst_loss : conditions_.loss;
    }
    bool is_lost(double when);
    double delay() { return conditions_.latency + random_.uniform() * conditions_.jitter; }
    double round_trip() const { return 2 * conditions_.latency + conditions_.jitter; }
    void put(double arrives, codec::ByteView message);
    void send_packets(double now);
    void send_packet(Packet& packet);

    LinkKind kind_;
    LinkConditions conditions_;
    math::Random random_;
    std::deque<Packet> packets_;  // datagrams by time of arrival, others in the order in which they were sent
    double free_at_ = 0;          // when the rate allows the next packet
    double burst_end_ = 0;
    double last_arrival_ = 0;  // of what was received
    std::size_t in_flight_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace instep::net
