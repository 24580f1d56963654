// SPDX-License-Identifier: MIT
// The sandbox: a match that runs in the page, with bots, and that the user can edit while it runs. Rules can
// be changed; bodies can be dragged, dropped and removed. An edit that the world's `validate` rejects is
// refused and leaves the match unchanged.
//
// A body is dropped in one of three ways: a player's body by a bot that joins, a body that the level lists by
// a level that lists one more, any other body by a copy.
#pragma once

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include <instep/browser/event_queue.h>
#include <instep/browser/stage.h>
#include <instep/browser/tick_pacer.h>
#include <instep/match/tick_builder.h>

namespace instep::browser {

// One element of one pool.
struct EntityRef {
    std::size_t pool = 0;
    state::Handle handle;
};

// Sums over all entities that move. Entities without a mass count as mass 1. A body of many nodes (a rope, a
// creature) is summed node by node, each of mass 1, with its displacement in the last tick as velocity:
// nodes that are positioned directly store no velocity.
struct Totals {
    double entities = 0;
    double kinetic_energy = 0;
    math::Vec2 momentum;
};

class LocalStage final : public Stage {
public:
    static constexpr StageKind stage_kind = StageKind::local;
    static constexpr contract::Slot own_player = 0;

    LocalStage(match::SharedSetup setup, std::uint64_t seed, std::uint32_t bots);

    StageKind kind() const override { return stage_kind; }
    std::optional<contract::Slot> own_slot() const override;
    bool next_event(present::EventNotice& notice) override { return events_.next(notice); }
    const match::Match& match() const { return *match_; }
    std::uint32_t most_bots() const { return setup_->facts.most_players - 1; }

    void set_speed(double speed) { pacer_.set_speed(speed); }
    void step(std::uint32_t ticks);
    // Between two frames: after a step or an edit.
    void show_now() { show(*match_); }
    // Restores an earlier state and discards everything after it.
    void rewind(double seconds);
    void set_bots(std::uint32_t count);
    std::uint32_t bots() const { return static_cast<std::uint32_t>(std::popcount(bots_)); }
    // Goes on with another level's rules, if both have the same state layout.
    state::Result<void> change_rules(match::SharedSetup setup);
    // This match in a level that lists one more body, which is moved to `position`; without the history.
    state::Result<std::unique_ptr<LocalStage>> with_added_body(const match::SharedSetup& setup,
                                                               math::Vec2 position) const;

    state::Result<void> move(const EntityRef& entity, math::Vec2 to);
    state::Result<void> copy(const EntityRef& entity, math::Vec2 to);
    // Adds a copy of the newest element that this pool has had, whether or not it still exists.
    state::Result<void> drop_copy(std::size_t pool, math::Vec2 to);
    // Adds a bot and moves its body. This plays one tick, in which the bot joins.
    state::Result<void> drop_bot(math::Vec2 to);
    // Removing a bot's body makes the bot leave, which plays one tick.
    state::Result<void> remove(const EntityRef& entity);
    Totals totals() const;

private:
    LocalStage(match::SharedSetup setup, std::uint64_t seed);
    bool move_on(double now) override;
    double time_of(double) const override { return match_time(); }
    double match_time() const { return static_cast<double>(match_->tick()) / setup_->facts.tick_rate; }
    void play_tick();
    void restore_image(const std::vector<std::byte>& image);
    void save_templates();
    void add_nodes(std::size_t pool, Totals& totals) const;
    // Changes a copy of the state, and takes it over if the world accepts it.
    template <class Change>
    state::Result<void> edit_state(Change change);

    std::uint64_t seed_;
    contract::SlotSet bots_ = 0;
    std::optional<match::Match> match_;
    match::TickBuilder builder_;
    state::Block previous_;  // the tick before the match's current one
    TickPacer pacer_;
    EventQueue events_;
    std::vector<std::vector<std::byte>> templates_;  // the newest element each pool has had
};

}  // namespace instep::browser
