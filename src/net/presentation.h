// SPDX-License-Identifier: MIT
// What a player sees and hears of a room: the own player at the client's time, other players there too or
// interpolated between two snapshots, as the world says (state::Shown), and each event once.
#pragma once

#include <cstdint>
#include <optional>

#include <instep/contract/draw_times.h>
#include <instep/net/clock.h>
#include <instep/net/prediction.h>
#include <instep/present/event_feed.h>
#include <instep/present/interpolation.h>

namespace instep::net {

class Presentation {
public:
    Presentation(const match::Setup& setup, const ClientConfig& config);

    // The decoder has a new snapshot.
    void add_snapshot(const SnapshotDecoder& decoder, contract::Slot slot);
    // Fills `block`; nothing if there is no snapshot to draw yet. A watcher (watcher_slot) draws no own
    // player.
    std::optional<contract::DrawTimes> draw(double now, const Clock& clock, const SnapshotHistory& history,
                                            Prediction& prediction, contract::Slot slot, std::byte* block);

    present::EventFeed& events() { return events_; }
    const present::InterpolationDelay& delay() const { return delay_; }

private:
    void add_events(const SnapshotDecoder& decoder, contract::Slot slot);
    void count_missing(double room_time, const SnapshotHistory& history);
    double draw_present(double client_time, double passed, Prediction& prediction, contract::Slot slot,
                        std::byte* block);

    const match::Setup& setup_;
    double tick_seconds_;
    present::EventFeed events_;
    std::uint64_t events_until_ = 0;  // the events of all ticks up to this one were received
    present::Timeline timeline_;
    present::InterpolationDelay delay_;
    std::optional<double> last_draw_;
    std::optional<std::uint32_t> last_due_;  // the newest snapshot that was due for drawing
    bool others_present_;                    // a pool with owners is
    state::Block from_;
    state::Block to_;
};

}  // namespace instep::net
