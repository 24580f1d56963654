// SPDX-License-Identifier: MIT
// The sandbox: a match that runs in the page alone, with bots, and with a hand that reaches into it. A level
// can be exchanged for one with other rules while it runs; bodies can be dragged, copied and taken out. What
// would be no legal state is refused, and the match goes on as it was.
#pragma once

#include <string>

#include <instep/browser/between_ticks.h>
#include <instep/browser/event_queue.h>
#include <instep/browser/stage.h>
#include <instep/match/tick_builder.h>

namespace instep::browser {

// One element of one pool.
struct EntityName {
    std::size_t pool = 0;
    state::Handle handle;
};

// Of all entities that have a velocity. Where a kind has no mass, each counts as 1.
struct Totals {
    double entities = 0;
    double kinetic_energy = 0;
    math::Vec2 momentum;
};

class LocalStage final : public Stage {
public:
    static constexpr StageKind stage_kind = StageKind::local;
    static constexpr contract::Slot me = 0;

    LocalStage(match::SharedSetup setup, std::uint64_t seed, std::uint32_t bots);

    StageKind kind() const override { return stage_kind; }
    std::optional<contract::Slot> own_slot() const override;
    bool next_event(net::EventNotice& notice) override { return events_.next(notice); }
    const match::Match& match() const { return *match_; }
    std::uint32_t most_bots() const { return setup_->facts.most_players - 1; }

    void set_speed(double speed) { pace_.set_speed(speed); }
    void step(std::uint32_t ticks);
    // Back in time for good: what came after never was.
    void rewind(double seconds);
    void set_bots(std::uint32_t count) { bots_ = std::min(count, most_bots()); }
    // Goes on by another level's rules, if its states are of the same form.
    state::Result<void> retune(match::SharedSetup setup);

    state::Result<void> move(const EntityName& entity, math::Vec2 to);
    state::Result<void> copy(const EntityName& entity, math::Vec2 to);
    state::Result<void> remove(const EntityName& entity);
    Totals totals() const;

private:
    bool move_on(double now) override;
    void play_tick();
    // Changes a copy of the state, and makes it the match's if it is legal.
    template <class Change>
    state::Result<void> reach_in(Change change);

    std::uint64_t seed_;
    std::uint32_t bots_ = 0;
    std::optional<match::Match> match_;
    match::TickBuilder builder_;
    state::Block before_;
    match::SharedSetup first_;  // keeps the layout that past_ knows
    Album past_;                // by the match's own time
    Pace pace_;
    EventQueue events_;
};

}  // namespace instep::browser
