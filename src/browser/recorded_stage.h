// SPDX-License-Identifier: MIT
// A recorded match, played again at any speed, from any tick, following any player. Every tick's hash is
// compared with the recorded one.
#pragma once

#include <memory>
#include <string>

#include <instep/browser/between_ticks.h>
#include <instep/browser/event_queue.h>
#include <instep/browser/stage.h>
#include <instep/record/recording.h>

namespace instep::browser {

class RecordedStage final : public Stage {
public:
    static constexpr StageKind stage_kind = StageKind::recorded;
    // Refuses what is no recording, or one of another build or level.
    static state::Result<std::unique_ptr<RecordedStage>> open(codec::Bytes file);

    std::uint64_t tick() const { return replay_.match().tick(); }
    std::uint64_t last_tick() const { return replay_.last_tick(); }
    bool breaks_off() const { return replay_.breaks_off(); }
    // Why it does not go on; empty if it does, or has come to its end.
    const std::string& trouble() const { return trouble_; }

    void set_speed(double speed) { pace_.set_speed(speed); }
    void go_to(std::uint64_t tick);
    void follow(contract::Slot slot) { followed_ = slot; }

    StageKind kind() const override { return stage_kind; }
    std::optional<contract::Slot> own_slot() const override;
    bool next_event(present::EventNotice& notice) override { return events_.next(notice); }

private:
    RecordedStage(std::unique_ptr<codec::Bytes> file, record::Replay replay);
    bool move_on(double now) override;
    void stand_still();

    std::unique_ptr<codec::Bytes> file_;  // what replay_ reads
    record::Replay replay_;
    state::Block before_;
    Pace pace_;
    contract::Slot followed_ = 0;
    EventQueue events_;
    std::string trouble_;
};

}  // namespace instep::browser
