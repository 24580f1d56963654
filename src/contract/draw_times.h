// SPDX-License-Identifier: MIT
// The times of the parts of a drawn state. A client draws its own player in the predicted present, and the
// other players in the interpolated past or, where the world wants it, in the present too; an offline match
// or a recording has one time for all.
#pragma once

#include <instep/contract/facts.h>

namespace instep::contract {

struct DrawTimes {
    static constexpr Slot no_player = 255;

    double past = 0;     // ticks: of everything that is interpolated
    double present = 0;  // ticks: of the own player, and of whatever follows from time alone (a moving trap)
    Slot own = no_player;         // the player that is drawn in the present; no_player: all are in the past
    bool others_present = false;  // the other players are drawn in the present, too

    double others() const { return others_present ? present : past; }
    double of(Slot slot) const { return slot == own && own != no_player ? present : others(); }
};

}  // namespace instep::contract
