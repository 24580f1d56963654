// SPDX-License-Identifier: MIT
// Events for sounds and sparks: each one once. A client predicts its own player's events, replays ticks, and
// later receives the events from the server:
//
//     predicted ─┬─► confirmed    the server sent it too
//                └─► cancelled    the server did not: remove the spark
//     received                    it was not predicted; other players' events never are
//
// Two events are the same if all fields without a grid are equal (kind, slot, by) and their ticks are near.
// An event belongs to a player if its field `slot` or `by` is that player's slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <instep/contract/facts.h>
#include <instep/state/field.h>

namespace instep::present {

enum class EventStatus : std::uint8_t { predicted, confirmed, cancelled, received };

struct EventNotice {
    EventStatus status = EventStatus::received;
    std::uint32_t number = 0;      // the same for a prediction and its confirmation or cancellation
    std::uint64_t tick = 0;        // in which it happened: the server's, once that is known
    std::vector<std::byte> event;  // a row of the world's Event
};

class EventFeed {
public:
    static constexpr std::size_t max_pending = 256;   // further events are not predicted, only received
    static constexpr std::size_t max_notices = 4096;  // not taken yet; beyond that the oldest is dropped

    // `tolerance`: by how many ticks a prediction may be off and still be the same event.
    EventFeed(const state::StructInfo& event, std::uint32_t tolerance)
        : info_(event), tolerance_(tolerance) {}

    // The ticks that predict() is called with next are replayed.
    void begin_replay();
    // The predicted events of a tick, played for the first time or replayed; `slot` is the own player.
    void predict(std::uint64_t tick, contract::Slot slot, std::span<const std::byte> rows);
    // The server's events of a tick.
    void receive(std::uint64_t tick, contract::Slot slot, std::span<const std::byte> rows);
    // All events up to this tick were received: cancels the predictions that are still pending, once they are
    // out of tolerance.
    void cancel_until(std::uint64_t tick);
    // The events up to this tick will never be received: confirms the predictions that are still pending.
    void confirm_until(std::uint64_t tick);

    bool next(EventNotice& notice);
    std::uint64_t dropped() const { return dropped_; }  // notices that were never taken

private:
    struct Pending {
        std::uint32_t number = 0;
        std::uint64_t tick = 0;
        bool still_predicted = true;  // by the last replay, too
        std::vector<std::byte> event;
    };

    bool concerns(std::span<const std::byte> event, contract::Slot slot) const;
    bool is_same(std::span<const std::byte> a, std::span<const std::byte> b) const;
    std::deque<Pending>::iterator find(std::uint64_t tick, std::span<const std::byte> event,
                                       bool vanished_only);
    void end_pending(std::uint64_t until, EventStatus status);
    void notify(EventStatus status, std::uint32_t number, std::uint64_t tick,
                std::span<const std::byte> event);

    const state::StructInfo& info_;
    std::uint32_t tolerance_;  // ticks
    std::deque<Pending> pending_;
    std::deque<EventNotice> notices_;
    std::uint32_t last_number_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace instep::present
