// SPDX-License-Identifier: MIT
// A room on a server, as its player sees it. The page's sliders can make the real connection worse: only then
// messages pass through a simulated link in each direction.
#pragma once

#include <array>
#include <optional>
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
    // The room goes on, perhaps at another server, over a new socket: see net::Client.
    void relink();
    // A message from the socket, and when it arrived there.
    void receive(codec::ByteView message, double arrival);
    // The next message for the socket, to be sent right now; false if no message is due.
    bool speak(double now, codec::Bytes& out);
    // Seconds added to the round trip, seconds by which a message may be late, and the part of messages that
    // is lost. All zero: the real connection as it is.
    void set_link(double latency, double jitter, double loss);

    // Chat: see net::Client.
    bool say(std::string_view text) { return client_.say({.text = decltype(net::Say::text)::of(text)}); }
    bool emote(net::Emote emote) { return client_.say({.emote = emote, .text = {}}); }
    bool next_said(net::Said& said) { return client_.next_said(said); }

    StageKind kind() const override { return stage_kind; }
    std::optional<contract::Slot> own_slot() const override;
    bool next_event(present::EventNotice& notice) override { return client_.next_event(notice); }
    const std::byte* base() const override { return client_.joined() ? client_.base() : nullptr; }
    // The newest snapshot, to compare with the prediction; while an earlier state is shown, the server's of
    // the tick that the own player had there.
    void draw_ghost(contract::DrawList& list);
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
    // Decorates the real connection.
    struct WorseLink {
        net::SimulatedLink down;
        net::SimulatedLink up;
        bool is_wanted = true;  // false: it goes once it has delivered everything, so that the order stays
    };

    bool move_on(double now) override;
    void keep_snapshot();

    net::Client client_;
    StateHistory snapshots_;  // by room time
    state::Block ghost_;
    std::optional<WorseLink> worse_link_;
    codec::Bytes message_;
    std::vector<std::byte> input_;
    std::uint64_t bytes_down_ = 0;
    std::uint64_t bytes_up_ = 0;
};

}  // namespace instep::browser
