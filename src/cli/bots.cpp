// SPDX-License-Identifier: MIT
#include <instep/cli/bots.h>

#include <cassert>

#include <instep/match/bot_name.h>

namespace instep::cli {

void add_bot_inputs(const match::Match& match, std::uint32_t count, match::TickBuilder& tick) {
    const contract::SlotSet live = match.live_slots();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (!contract::contains(live, slot)) continue;
        match.bot(slot, tick.input(slot));
        match.sanitize(tick.input(slot));
    }
}

Bots::Bots(const match::Match& match, std::uint32_t count, std::uint64_t seed)
    : match_(match), tick_(match.setup()), count_(count), seed_(seed) {
    assert(count <= match.facts().most_players);
}

match::TickBytes Bots::next() {
    tick_.begin();
    const bool is_first = match_.tick() == 0;
    for (std::uint32_t i = 0; is_first && i < count_; ++i)
        tick_.join({.name = contract::PlayerName::of(match::bot_name(i)),
                    .seed = seed_ + i,
                    .slot = static_cast<contract::Slot>(i)});
    add_bot_inputs(match_, count_, tick_);
    return tick_.bytes();
}

}  // namespace instep::cli
