// SPDX-License-Identifier: MIT
#include <instep/browser/recorded_stage.h>

#include <algorithm>
#include <bit>

namespace instep::browser {

state::Result<std::unique_ptr<RecordedStage>> RecordedStage::open(codec::Bytes file) {
    auto kept = std::make_unique<codec::Bytes>(std::move(file));
    auto replay = record::Replay::open(*kept, [](const std::string& world, const std::string& level) {
        return match::load_builtin_setup(world, level);
    });
    if (!replay) return std::unexpected(replay.error());
    return std::unique_ptr<RecordedStage>(new RecordedStage(std::move(kept), std::move(*replay)));
}

RecordedStage::RecordedStage(std::unique_ptr<codec::Bytes> file, record::Replay replay)
    : Stage(replay.setup()),
      file_(std::move(file)),
      replay_(std::move(replay)),
      before_(setup_->layout),
      pace_(setup_->facts.tick_rate) {
    stand_still();
}

// The one who is followed, or whoever is there.
std::optional<contract::Slot> RecordedStage::own_slot() const {
    const contract::SlotSet live = replay_.match().live_slots();
    if (live == 0) return {};
    return contract::contains(live, followed_) ? followed_
                                               : static_cast<contract::Slot>(std::countr_zero(live));
}

void RecordedStage::stand_still() { state::copy(setup_->layout, replay_.match().state(), before_.data()); }

void RecordedStage::go_to(std::uint64_t tick) {
    trouble_.clear();
    events_.clear();
    if (auto gone = replay_.go_to(std::min(tick, last_tick())); !gone) trouble_ = gone.error().text();
    stand_still();
}

bool RecordedStage::move_on(double now) {
    for (std::uint32_t due = pace_.advance(now); due > 0 && trouble_.empty(); --due) {
        stand_still();
        const auto played = replay_.next();
        if (!played) trouble_ = played.error().text();
        if (!played || !*played) break;
        events_.add_tick(replay_.match());
    }
    const bool goes_on = trouble_.empty() && tick() < last_tick();
    times_ = show_between(replay_.match(), before_.data(), goes_on ? pace_.fraction() : 1, shown_.data());
    return true;
}

}  // namespace instep::browser
