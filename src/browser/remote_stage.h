// SPDX-License-Identifier: MIT
// A room on a server, as its player sees it. Messages pass through a simulated link in each direction, which
// is perfect until the page's sliders make it a bad one: what the inspector shows then happens to the real
// connection, in both directions.
#pragma once

#include <array>
#include <string_view>

#include <instep/browser/stage.h>
#include <instep/net/client.h>
#include <instep/net/simulated_link.h>

namespace instep::browser {

class RemoteStage final : public Stage {
public:
    static constexpr StageKind stage_kind = StageKind::remote;
    explicit RemoteStage(match::SharedSetup setup);

    void write_hello(std::string_view name, codec::Bytes& out) const { client_.write_hello(name, out); }
    void receive(codec::ByteView message, double now);
    // The next message for the socket; false if there is none by now.
    bool speak(double now, codec::Bytes& out);
    // Round-trip seconds that are added, the most that a message is late by, and the part that is lost.
    void set_link(double latency, double jitter, double loss);

    StageKind kind() const override { return stage_kind; }
    std::optional<contract::Slot> own_slot() const override;
    bool next_event(present::EventNotice& notice) override { return client_.next_event(notice); }
    // What the server last told, beside what is predicted.
    void draw_ghost(contract::DrawList& list) const;
    const net::Client& client() const { return client_; }

    // For graphs; in the order of the names.
    static constexpr std::array<std::string_view, 19> statistic_names{"joined",
                                                                      "room_time",
                                                                      "round_trip",
                                                                      "jitter",
                                                                      "lead",
                                                                      "wanted_lead",
                                                                      "interpolation_delay",
                                                                      "missing",
                                                                      "snapshot_tick",
                                                                      "predicted_tick",
                                                                      "snapshots",
                                                                      "corrections",
                                                                      "largest_correction",
                                                                      "deepest_rollback",
                                                                      "desyncs",
                                                                      "malformed",
                                                                      "skipped_ticks",
                                                                      "bytes_down",
                                                                      "bytes_up"};
    std::array<double, statistic_names.size()> statistics(double now) const;

private:
    bool move_on(double now) override;

    net::Client client_;
    net::SimulatedLink down_;
    net::SimulatedLink up_;
    codec::Bytes message_;
    std::vector<std::byte> input_;
    std::uint64_t bytes_down_ = 0;
    std::uint64_t bytes_up_ = 0;
};

}  // namespace instep::browser
