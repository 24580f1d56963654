// SPDX-License-Identifier: MIT
// What happened, for whoever makes sounds and sparks of it: each event once. A client sees its own player's
// events before the server does, plays ticks again, and is told later what was true:
//
//     predicted ─┬─► confirmed    the server says so too
//                └─► cancelled   it does not: the spark was nothing
//     told                        the server says what was not predicted; others' events are always told
//
// Two are the same event if all fields without a grid are the same (what, who, by whom) and their ticks are
// near. An event is of a player if its field `slot` or `by` says so.
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
    EventStatus news = EventStatus::received;
    std::uint32_t number = 0;      // the same for a prediction and what becomes of it
    std::uint64_t tick = 0;        // in which it happened: the server's, once that is known
    std::vector<std::byte> event;  // a row of the world's Event
};

class EventFeed {
public:
    static constexpr std::size_t most_pending = 256;   // further ones are not predicted, but told
    static constexpr std::size_t most_notices = 4096;  // that nobody has taken; then the oldest goes

    // `near`: by how many ticks a prediction may be off and still mean the same event.
    EventFeed(const state::StructInfo& event, std::uint32_t near) : info_(event), near_(near) {}

    // Ticks from now on are played again.
    void begin_replay();
    // What the own step makes of a tick, played for the first time or again; `slot` is the own player.
    void predict(std::uint64_t tick, contract::Slot slot, std::span<const std::byte> rows);
    // What the server says of a tick.
    void tell(std::uint64_t tick, contract::Slot slot, std::span<const std::byte> rows);
    // All that happened until then has been told: what is still pending from before was nothing.
    void settle(std::uint64_t tick);
    // What happened until then will never be told: what is still pending from before stands.
    void let_stand(std::uint64_t tick);

    bool next(EventNotice& notice);
    std::uint64_t lost() const { return lost_; }  // notices that had to go

private:
    struct Pending {
        std::uint32_t number = 0;
        std::uint64_t tick = 0;
        bool foreseen = true;  // by the last replay, too
        std::vector<std::byte> event;
    };

    bool concerns(std::span<const std::byte> event, contract::Slot slot) const;
    bool is_same(std::span<const std::byte> a, std::span<const std::byte> b) const;
    std::deque<Pending>::iterator find(std::uint64_t tick, std::span<const std::byte> event,
                                       bool vanished_only);
    void end_pending(std::uint64_t until, EventStatus news);
    void announce(EventStatus news, std::uint32_t number, std::uint64_t tick,
                  std::span<const std::byte> event);

    const state::StructInfo& info_;
    std::uint32_t near_;
    std::deque<Pending> pending_;
    std::deque<EventNotice> notices_;
    std::uint32_t numbers_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace instep::present
