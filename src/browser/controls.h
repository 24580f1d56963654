// SPDX-License-Identifier: MIT
// From input devices to a world's input. The page samples keyboard, mouse, touch and gamepad into one Pad;
// the world's field list says which field of its input each control fills (state::Control), so a new world
// needs no code here or in the page.
#pragma once

#include <cstddef>
#include <cstdint>

#include <instep/contract/facts.h>
#include <instep/match/match.h>
#include <instep/math/vec2.h>

namespace instep::browser {

// Bits of Pad::held.
enum Held : std::uint32_t {
    first_button = 1,
    second_button = 2,
    third_button = 4,
    fourth_button = 8,
    pointer_pressed = 16,
    pointer_known = 32,  // the page has seen a pointer
};

// A virtual gamepad.
struct Pad {
    math::Vec2 stick;    // -1 to 1 each; y is up on the screen, whichever way the world's y points
    math::Vec2 pointer;  // world units
    std::uint32_t held = 0;

    // Limits the stick to its circle, and replaces what is not finite by 0.
    Pad sanitized() const;
};

// Fills the world's input for the player in `slot`, whose position is read from `block`.
void fill_input(const match::Setup& setup, const std::byte* block, contract::Slot slot, const Pad& pad,
                std::byte* input);

}  // namespace instep::browser
