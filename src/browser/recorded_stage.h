// SPDX-License-Identifier: MIT
// A recorded match, played again at any speed, from any tick, following any player. Every tick's hash is
// compared with the recorded one.
#pragma once

#include <memory>
#include <string>

#include <instep/browser/event_queue.h>
#include <instep/browser/stage.h>
#include <instep/browser/tick_pacer.h>
#include <instep/record/recording.h>

namespace instep::browser {

class RecordedStage final : public Stage {
public:
    static constexpr StageKind stage_kind = StageKind::recorded;
    // Refuses bytes that are not a recording, and a recording of another build or level.
    static state::Result<std::unique_ptr<RecordedStage>> open(codec::Bytes file);

    std::uint64_t tick() const { return replay_.match().tick(); }
    std::uint64_t first_tick() const { return replay_.first_tick(); }
    std::uint64_t last_tick() const { return replay_.last_tick(); }
    bool breaks_off() const { return replay_.breaks_off(); }
    // Why the replay stopped; empty while it plays and at its end.
    const std::string& error() const { return error_; }

    void set_speed(double speed) { pacer_.set_speed(speed); }
    void go_to(std::uint64_t tick);
    void follow(contract::Slot slot) { followed_ = slot; }

    StageKind kind() const override { return stage_kind; }
    std::optional<contract::Slot> own_slot() const override;
    bool next_event(present::EventNotice& notice) override { return events_.next(notice); }

private:
    RecordedStage(std::unique_ptr<codec::Bytes> file, record::Replay replay);
    bool move_on(double now) override;
    void save_previous();

    std::unique_ptr<codec::Bytes> file_;  // replay_ reads from it
    record::Replay replay_;
    state::Block previous_;  // the tick before the replay's current one
    TickPacer pacer_;
    contract::Slot followed_ = 0;
    EventQueue events_;
    std::string error_;
};

}  // namespace instep::browser
