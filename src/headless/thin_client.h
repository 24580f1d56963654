// SPDX-License-Identifier: MIT
// As much of net::Client as it takes to be a player whom nobody watches: keeps the clock, sends an input for
// each tick in time, and looks no further into snapshots than its own part.
#pragma once

#include <array>

#include <instep/net/clock.h>
#include <instep/net/messages.h>

namespace instep::headless {

class ThinClient {
public:
    ThinClient(match::SharedSetup setup, std::uint64_t seed);

    void write_hello(std::string_view name, codec::Bytes& out) const;
    void receive(codec::ByteView message, double now);
    // The inputs that are due, if any, or a probe.
    bool write_message(double now, codec::Bytes& out);

    bool joined() const { return joined_; }
    std::uint64_t snapshots() const { return snapshots_; }
    std::uint64_t ticks() const { return ticks_; }
    std::uint64_t broken() const { return broken_; }

private:
    match::SharedSetup setup_;
    math::Random random_;
    net::Clock clock_;
    std::vector<std::byte> input_;
    bool joined_ = false;
    std::uint64_t snapshots_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t ticks_ = 0;
    std::uint32_t tick_ = 0;  // the last that an input was sent for
    std::uint32_t sequence_ = 0;
    std::uint8_t probe_ = 0;
    double last_probe_ = -1;
    std::array<double, 256> probe_times_{};
    std::array<double, 256> leads_{};
};

}  // namespace instep::headless
