// SPDX-License-Identifier: MIT
// The sandbox: a match that runs in the page alone, with bots, and with a hand that reaches into it. A level
// can be exchanged for one with other rules while it runs; bodies can be dragged, dropped and taken out. What
// would be no legal state is refused, and the match goes on as it was.
//
// There are three ways to drop a body, and which is right depends on whose it is: a player's comes with a bot
// that joins, one that the level lists comes with a level that lists one more, and any other is a copy.
#pragma once

#include <bit>
#include <memory>
#include <string>
#include <vector>

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

// Of all entities that move. Where a kind has no mass, each counts as 1. A body that is many nodes (a rope, a
// creature) is measured node by node, each of mass 1, by the way that it went in the last tick: some nodes
// are led rather than moved, and those have no velocity of their own.
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
    bool next_event(present::EventNotice& notice) override { return events_.next(notice); }
    const match::Match& match() const { return *match_; }
    std::uint32_t most_bots() const { return setup_->facts.most_players - 1; }

    void set_speed(double speed) { pace_.set_speed(speed); }
    void step(std::uint32_t ticks);
    // Back in time for good: what came after never was.
    void rewind(double seconds);
    void set_bots(std::uint32_t count);
    std::uint32_t bots() const { return static_cast<std::uint32_t>(std::popcount(bots_)); }
    // Goes on by another level's rules, if its states are of the same form.
    state::Result<void> retune(match::SharedSetup setup);
    // The same match in a level that lists one body more, which is put at `place`. Its past stays behind.
    state::Result<std::unique_ptr<LocalStage>> grown(const match::SharedSetup& setup, math::Vec2 place) const;

    state::Result<void> move(const EntityName& entity, math::Vec2 to);
    state::Result<void> copy(const EntityName& entity, math::Vec2 to);
    // One more like the newest of this pool, whether or not that is still there.
    state::Result<void> drop_copy(std::size_t pool, math::Vec2 to);
    // One more bot, whose body is put there. A tick passes: it joins like anybody.
    state::Result<void> drop_bot(math::Vec2 to);
    // A body that is a bot's goes with its bot, in a tick.
    state::Result<void> remove(const EntityName& entity);
    Totals totals() const;

private:
    LocalStage(match::SharedSetup setup, std::uint64_t seed);
    bool move_on(double now) override;
    double time_of(double) const override { return match_time(); }
    double match_time() const { return static_cast<double>(match_->tick()) / setup_->facts.tick_rate; }
    void play_tick();
    void go_back_to(const std::vector<std::byte>& image);
    void keep_samples();
    void add_nodes(std::size_t pool, Totals& totals) const;
    // Changes a copy of the state, and makes it the match's if it is legal.
    template <class Change>
    state::Result<void> reach_in(Change change);

    std::uint64_t seed_;
    contract::SlotSet bots_ = 0;
    std::optional<match::Match> match_;
    match::TickBuilder builder_;
    state::Block before_;
    Pace pace_;
    EventQueue events_;
    std::vector<std::vector<std::byte>> samples_;  // of each pool, the newest element that was seen
};

}  // namespace instep::browser
