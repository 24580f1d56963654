// SPDX-License-Identifier: MIT
// What enters a step. Joining and leaving are inputs like any other, so a match is its setup and its ticks'
// inputs and nothing else; only a server makes joins and leaves. A step takes leaves first, then joins, each
// in slot order, then one input for each live slot.
#pragma once

#include <cstdint>
#include <span>

#include <instep/contract/facts.h>
#include <instep/state/field.h>

namespace instep::contract {

using PlayerName = state::FixedText<24>;

struct Join {
    PlayerName name;
    std::uint64_t seed = 0;  // for whatever the world wants to draw for this player
    Slot slot = 0;
    state::Reserved<7> unused;
};

constexpr auto fields_of(state::Type<Join>) {
    using state::field;
    return state::fields("Join", field("name", &Join::name), field("seed", &Join::seed),
                         field("slot", &Join::slot), field("unused", &Join::unused));
}

template <class Input>
struct Tick {
    std::span<const Slot> leaves;
    std::span<const Join> joins;
    std::span<const Input> inputs;  // by slot; rows of slots that are not live mean nothing
};

}  // namespace instep::contract
