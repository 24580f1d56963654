// SPDX-License-Identifier: MIT
// One direction of a bad network, seeded: latency, jitter, loss (independent and in bursts), copies,
// overtaking and a limited rate. A datagram link loses what is lost; an ordered one sends it again and holds
// back all behind it.
//
// When it is sent again is what Linux does in a stream that goes on (RFC 8985; bench/tcp_delays.py measures
// the kernel): a loss is found when a packet that was sent later is acknowledged, so after about a round trip
// as long as others follow, and after a time-out where none does. Acknowledgements are lost as often as what
// they acknowledge. Neither tail loss probes nor a sender's window are simulated: with a loss of 10 % and
// more real lines are worse, much worse where they do not use BBR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <instep/codec/bytes.h>
#include <instep/math/random.h>
#include <instep/net/link_kind.h>

namespace instep::net {

struct LinkConditions {
    double latency = 0.025;         // s, one way
    double jitter = 0;              // s: each packet is late by up to this; more on a datagram link overtakes
    double loss = 0;                // part of packets, each on its own
    double burst_chance = 0;        // that a burst of losses begins, a packet
    double burst_length = 0;        // s that a burst lasts, on average
    double burst_loss = 0.9;        // part of packets lost within one
    double duplicates = 0;          // part of packets that arrive twice
    double rate = 0;                // bytes a second; 0: no limit
    std::size_t queue = 64 * 1024;  // bytes that wait for the rate before datagrams are dropped
};

class SimulatedLink {
public:
    SimulatedLink(LinkKind kind, const LinkConditions& conditions, std::uint64_t seed);

    void set_conditions(const LinkConditions& conditions) { conditions_ = conditions; }
    void send(codec::ByteView message, double now);
    // The next message that has arrived; false if there is none.
    bool receive(double now, codec::Bytes& message);

    std::size_t bytes_in_flight() const { return in_flight_; }
    std::uint64_t bytes_sent() const { return sent_; }
    std::uint64_t messages_sent() const { return count_; }

private:
    struct Packet {
        double time = 0;  // of arrival, or of the next try
        codec::Bytes message;
        double time_out = 0;  // s, should a try be lost and nobody notice; 0: it is on its way
        double tried_at = 0;  // the last time
        std::uint32_t tries = 0;
        bool noticed = false;  // that the last try was lost
    };

    double loss_at(double when) const {
        return when < burst_end_ ? conditions_.burst_loss : conditions_.loss;
    }
    bool is_lost(double when);
    double way() { return conditions_.latency + random_.uniform() * conditions_.jitter; }
    double round_trip() const { return 2 * conditions_.latency + conditions_.jitter; }
    void put(double arrives, codec::ByteView message);
    void try_packets(double now);
    void try_packet(Packet& packet);

    LinkKind kind_;
    LinkConditions conditions_;
    math::Random random_;
    std::deque<Packet> packets_;  // datagrams by time of arrival, others in the order in which they were sent
    double free_at_ = 0;          // when the rate allows the next one
    double burst_end_ = 0;
    std::size_t in_flight_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace instep::net
