// SPDX-License-Identifier: MIT
#include <instep/match/random_script.h>

#include <string>

#include <instep/match/random_input.h>

namespace instep::match {

using contract::Slot;

TickBytes RandomScript::next() {
    tick_.begin();
    const contract::SlotSet live = match_.live_slots();
    for (std::uint32_t i = 0; i < match_.facts().most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        if (contract::contains(live, slot))
            play_or_leave(slot);
        else if (random_.below(200) == 0)
            tick_.join({.name = contract::PlayerName::of("player " + std::to_string(i)),
                        .seed = random_.next(),
                        .slot = slot,
                        .player = i + 1});
    }
    return tick_.bytes();
}

void RandomScript::play_or_leave(Slot slot) {
    if (random_.below(1500) == 0) return tick_.leave(slot);
    if (random_.below(40) == 0) moods_[slot] = static_cast<Mood>(random_.below(3));
    std::byte* input = tick_.input(slot);
    switch (moods_[slot]) {
        case Mood::bot: return match_.bot(slot, input);
        case Mood::random:
            if (random_.below(8) == 0) {
                random_input(*match_.world().input, random_, input);
                match_.sanitize(input);
            }
            return;
        case Mood::hold: return;
    }
}

}  // namespace instep::match
