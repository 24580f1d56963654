// SPDX-License-Identifier: MIT
#include <instep/cli/bots.h>

#include <cassert>

#include <instep/match/bot_name.h>

namespace instep::cli {

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
    const contract::SlotSet live = match_.live_slots();
    for (std::uint32_t i = 0; i < count_; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (!contract::contains(live, slot)) continue;
        match_.bot(slot, tick_.input(slot));
        match_.sanitize(tick_.input(slot));
    }
    return tick_.bytes();
}

}  // namespace instep::cli
