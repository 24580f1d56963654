// SPDX-License-Identifier: MIT
// A client without prediction or drawing, for load tests: it keeps the clock, sends an input for each tick in
// time, and reads only the own-player part of snapshots.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include <instep/net/clock_sync.h>
#include <instep/net/input_sender.h>

namespace instep::headless {

class ThinClient {
public:
    ThinClient(match::SharedSetup setup, std::uint64_t seed, const net::Config& config = {});

    void write_hello(std::string_view name, codec::Bytes& out) const;
    void receive(codec::ByteView message, double arrival);
    // The player has a new link: see net::Client::relink.
    void relink();
    // Where the room goes on; empty: here.
    const std::optional<net::Moved>& moved() const { return moved_; }
    // The inputs that are due, if any, or a probe.
    bool write_message(double now, codec::Bytes& out);

    bool joined() const { return snapshots_ > 0; }
    // Of the welcome; empty: it cannot resume.
    std::string_view ticket() const { return ticket_.view(); }
    std::uint64_t snapshots() const { return snapshots_; }
    std::uint64_t ticks() const { return ticks_; }
    std::uint64_t broken() const { return broken_; }
    // Of the last inputs: s from sending one to the snapshot that acknowledges it.
    const std::vector<float>& input_delays() const { return delays_; }

private:
    struct Sent {
        std::uint32_t sequence;
        double time;
    };
    static constexpr std::size_t most_delays = 512;
    static constexpr std::size_t most_sent = 255;  // so that an acknowledgement's eight bits name one

    void add_due_inputs(double now);
    void measure_delay(std::uint8_t acknowledged, double arrival);

    match::SharedSetup setup_;
    math::Random random_;
    net::ClockSync clock_;
    net::InputSender inputs_;
    codec::Bytes input_;
    std::deque<Sent> sent_;  // the newest input of each message that is not acknowledged
    std::vector<float> delays_;
    std::size_t next_delay_ = 0;
    net::TicketText ticket_;
    std::optional<net::Moved> moved_;
    std::uint64_t snapshots_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t ticks_ = 0;
    std::uint32_t tick_ = 0;    // the last that an input was made for
    bool has_stepped_ = false;  // room time, since then
};

}  // namespace instep::headless
