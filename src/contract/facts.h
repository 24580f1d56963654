// SPDX-License-Identifier: MIT
// What everyone around a world must know of it, and nothing that only the world needs. Facts come from the
// setup, so two levels of one world may differ in them.
#pragma once

#include <cstdint>

#include <instep/math/vec2.h>

namespace instep::contract {

// Players sit in slots. A room never has more than this many, so that a set of slots is one 64-bit word.
inline constexpr std::uint32_t most_slots = 64;

using Slot = std::uint8_t;
using SlotSet = std::uint64_t;
inline constexpr Slot nobody = 255;  // no player's slot

constexpr SlotSet only(Slot slot) { return SlotSet{1} << slot; }
constexpr bool contains(SlotSet set, Slot slot) { return (set >> slot & 1) != 0; }

struct Facts {
    std::uint32_t tick_rate = 60;  // Hz; constants given per tick are not rescaled when a setup changes it
    std::uint32_t snapshot_every = 3;  // ticks between two snapshots on the wire
    double teleport_distance = 0;      // a longer jump between two snapshots is shown as a jump, world units
    std::uint32_t most_players = 0;    // at most most_slots
    std::uint32_t most_events = 256;   // a tick; what is beyond is counted, not kept
    bool relays_inputs = false;        // where nobody foresees much, inputs are less to send than corrections
    bool y_up = false;                 // which way y points, for whoever draws
    math::Vec2 view_low;               // the part of the plane worth looking at, world units
    math::Vec2 view_high;
};

}  // namespace instep::contract
