// SPDX-License-Identifier: MIT
// A player of a world that needs no more of one than what every world has, and a handle of what is the
// player's own: a ball, a ship.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <instep/contract/tick.h>
#include <instep/state/pool.h>

namespace instep::contract {

// A name as an argument of a template.
template <std::size_t N>
struct NameArgument {
    std::array<char, N> letters{};
    consteval NameArgument(const char (&text)[N]) { std::copy_n(text, N, letters.begin()); }
    constexpr std::string_view view() const { return {letters.data(), N - 1}; }
};

// `pool` is the one that has `own` as long as the player plays; without it, `own` may refer to anything, also
// to an element that is gone. `own_name` is what data and screens call the handle.
template <class Input, NameArgument pool = "", NameArgument own_name = "own">
struct BasicPlayer {
    PlayerName name;
    Input input;  // the last one applied
    state::Handle own;
    std::int32_t score = 0;
    Slot slot = 0;
    state::Reserved<3> unused;
};

template <class Input, NameArgument pool, NameArgument own_name>
constexpr auto fields_of(state::Type<BasicPlayer<Input, pool, own_name>>) {
    using state::field;
    using Player = BasicPlayer<Input, pool, own_name>;
    return state::fields("Player", field("name", &Player::name), field("input", &Player::input),
                         field(own_name.view(), &Player::own, {.pool = pool.view()}),
                         field("score", &Player::score), field("slot", &Player::slot),
                         field("unused", &Player::unused));
}

}  // namespace instep::contract
