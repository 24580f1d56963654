// SPDX-License-Identifier: MIT
// A player of a world that needs no more of one than what every world has, and a handle of what is the
// player's own: a ball, a ship.
#pragma once

#include <instep/contract/tick.h>
#include <instep/state/pool.h>

namespace instep::contract {

template <class Input>
struct BasicPlayer {
    PlayerName name;
    Input input;  // the last one applied
    state::Handle own;
    std::int32_t score = 0;
    Slot slot = 0;
    state::Reserved<3> unused;
};

template <class Input>
constexpr auto fields_of(state::Type<BasicPlayer<Input>>) {
    using state::field;
    using Player = BasicPlayer<Input>;
    return state::fields("Player", field("name", &Player::name), field("input", &Player::input),
                         field("own", &Player::own), field("score", &Player::score),
                         field("slot", &Player::slot), field("unused", &Player::unused));
}

}  // namespace instep::contract
