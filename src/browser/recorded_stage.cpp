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
      previous_(setup_->layout),
      pacer_(setup_->facts.tick_rate) {
    save_previous();
    show(replay_.match());
}

// The followed player, or the first one that is in the match.
std::optional<contract::Slot> RecordedStage::own_slot() const {
    const contract::SlotSet live = replay_.match().live_slots();
    if (live == 0) return {};
    return contract::contains(live, followed_) ? followed_
                                               : static_cast<contract::Slot>(std::countr_zero(live));
}

void RecordedStage::save_previous() {
    state::copy(setup_->layout, replay_.match().state(), previous_.data());
}

void RecordedStage::go_to(std::uint64_t tick) {
    error_.clear();
    events_.clear();
    if (auto reached = replay_.go_to(std::clamp(tick, first_tick(), last_tick())); !reached)
        error_ = reached.error().text();
    save_previous();
    show(replay_.match());
}

bool RecordedStage::move_on(double now) {
    for (std::uint32_t due = pacer_.advance(now); due > 0 && error_.empty(); --due) {
        save_previous();
        const auto played = replay_.next();
        if (!played) error_ = played.error().text();
        if (!played || !*played) break;
        events_.add_tick(replay_.match());
    }
    const bool goes_on = error_.empty() && tick() < last_tick();
    times_ =
        blend_last_tick(replay_.match(), previous_.data(), goes_on ? pacer_.fraction() : 1, shown_.data());
    return true;
}

}  // namespace instep::browser
