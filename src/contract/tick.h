// SPDX-License-Identifier: MIT
// The inputs of a step. Joining and leaving are inputs like any other, so a match is fully determined by its
// setup and the inputs of its ticks; only a server makes joins and leaves. A step takes leaves first, then
// joins, each in slot order, then one input for each live slot.
#pragma once

#include <cstdint>
#include <span>

#include <instep/contract/facts.h>
#include <instep/state/field.h>

namespace instep::contract {

using PlayerName = state::FixedText<24>;

struct Join {
    PlayerName name;
    std::uint64_t seed = 0;  // for random choices of the world for this player
    Slot slot = 0;
    state::Reserved<3> unused;
    // The same number for the same player whenever it joins this room; 0: not known. Only a server can tell.
    std::uint32_t player = 0;
};

constexpr auto fields_of(state::Type<Join>) {
    using state::field;
    return state::fields("Join", field("name", &Join::name), field("seed", &Join::seed),
                         field("slot", &Join::slot), field("unused", &Join::unused),
                         field("player", &Join::player));
}

// The head of a State without values of its own.
struct Head {
    std::uint64_t tick = 0;
    math::Random random;
};

constexpr auto fields_of(state::Type<Head>) {
    return state::fields("Head", state::field("tick", &Head::tick), state::field("random", &Head::random));
}

template <class Input>
struct Tick {
    std::span<const Slot> leaves;
    std::span<const Join> joins;
    std::span<const Input> inputs;  // by slot; rows of slots that are not live mean nothing
};

}  // namespace instep::contract
