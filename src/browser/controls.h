// SPDX-License-Identifier: MIT
// From what a player's hands do to what a world is asked for. The page samples keyboard, mouse, touch and
// gamepad into one Pad; which field of the world's input means what stands in its field list
// (state::Control), so a new world is played without a line of code here or in the page.
#pragma once

#include <cstddef>
#include <cstdint>

#include <instep/contract/facts.h>
#include <instep/match/match.h>
#include <instep/math/vec2.h>

namespace instep::browser {

enum Held : std::uint32_t {
    first_button = 1,
    second_button = 2,
    third_button = 4,
    fourth_button = 8,
    pointer_pressed = 16,
    pointer_known = 32,  // there is a pointer at all
};

struct Pad {
    math::Vec2 stick;    // -1 to 1 each; y is up on the screen, whatever the world's y is
    math::Vec2 pointer;  // world units
    std::uint32_t held = 0;

    // Whatever a page hands over: a stick within its circle, and no NaN.
    Pad sane() const;
};

// Fills a row of the world's input for the player of `slot`, whose place is looked up in `block`.
void fill_input(const match::Setup& setup, const std::byte* block, contract::Slot slot, const Pad& pad,
                std::byte* input);

}  // namespace instep::browser
