// SPDX-License-Identifier: MIT
// What the other modules must know of a world. Facts come from the
// setup, so two levels of one world may differ in them.
#pragma once

#include <cstdint>

#include <instep/math/vec2.h>

namespace instep::contract {

// Players sit in slots. A room never has more than this many, so that a set of slots is one 64-bit word.
inline constexpr std::uint32_t most_slots = 64;

using Slot = std::uint8_t;
using SlotSet = std::uint64_t;
inline constexpr Slot no_player = 255;  // no player's slot

constexpr SlotSet only(Slot slot) { return SlotSet{1} << slot; }
constexpr bool contains(SlotSet set, Slot slot) { return (set >> slot & 1) != 0; }

struct Facts {
    std::uint32_t tick_rate = 60;  // Hz; constants given per tick are not rescaled when a setup changes it
    std::uint32_t snapshot_every = 3;  // ticks between two snapshots on the wire
    double teleport_distance = 0;  // world units; a longer distance between two snapshots is shown as a jump
    std::uint32_t most_players = 0;   // at most most_slots
    std::uint32_t most_events = 256;  // per tick; further events are counted, not kept
    bool relays_inputs =
        false;            // for worlds that are hard to predict: inputs are fewer bytes than corrections
    bool y_up = false;    // whether y points up on the screen
    math::Vec2 view_low;  // the part of the plane worth looking at, world units
    math::Vec2 view_high;
};

}  // namespace instep::contract
