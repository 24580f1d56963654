// SPDX-License-Identifier: MIT
#include <instep/browser/controls.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <instep/math/trig.h>
#include <instep/present/own_entities.h>

namespace instep::browser {
namespace {

using math::Vec2;
using state::Control;
using state::FieldKind;

constexpr double pushed = 0.35;        // a stick beyond this counts as a key that is down
constexpr double pointer_reach = 0.2;  // of the view's width: how far from the player a stick points

struct Controls {
    Vec2 stick;     // in the world's axes
    Vec2 pointer;   // world units
    Vec2 position;  // of the player
    const Pad& pad;

    bool is_pushed() const { return math::length(pad.stick) > pushed; }
    bool holds(Held button) const { return (pad.held & button) != 0; }
};

double positive_part(double amount) { return std::max(0.0, amount); }

double value_of(const state::Field& field, const Controls& controls) {
    const bool vertical = field.path.ends_with('y');
    const Pad& pad = controls.pad;
    switch (field.rules.control) {
        case Control::left: return positive_part(-pad.stick.x);
        case Control::right: return positive_part(pad.stick.x);
        case Control::up: return positive_part(pad.stick.y);
        case Control::down: return positive_part(-pad.stick.y);
        case Control::turn: return -pad.stick.x;
        case Control::stick: return vertical ? controls.stick.y : controls.stick.x;
        case Control::pointer: return vertical ? controls.pointer.y : controls.pointer.x;
        case Control::aim: {
            const Vec2 towards = controls.is_pushed() ? controls.stick : controls.pointer - controls.position;
            return math::atan2(towards.y, towards.x);
        }
        case Control::go: return controls.is_pushed() || controls.holds(pointer_pressed) ? 1 : 0;
        case Control::first: return controls.holds(first_button) ? 1 : 0;
        case Control::second: return controls.holds(second_button) ? 1 : 0;
        case Control::third: return controls.holds(third_button) ? 1 : 0;
        case Control::fourth: return controls.holds(fourth_button) ? 1 : 0;
        case Control::none: break;
    }
    return 0;
}

void write_field(const state::Field& field, double value, std::byte* input) {
    if (field.kind == FieldKind::boolean) {
        const bool is_down = value > pushed;
        std::memcpy(input + field.offset, &is_down, sizeof is_down);
        return;
    }
    value = std::clamp(value, field.rules.low, field.rules.high);
    if (state::is_real(field.kind)) state::set_real(field, value, input);
}

}  // namespace

Pad Pad::sanitized() const {
    const auto finite = [](Vec2 v) { return math::all_finite(v) ? v : Vec2{}; };
    Pad result{finite(stick), finite(pointer), held};
    if (const double length = math::length(result.stick); length > 1) result.stick /= length;
    return result;
}

void fill_input(const match::Setup& setup, const std::byte* block, contract::Slot slot, const Pad& pad,
                std::byte* input) {
    const contract::Facts& facts = setup.facts;
    const Vec2 middle = (facts.view_low + facts.view_high) * 0.5;
    const double reach = (facts.view_high.x - facts.view_low.x) * pointer_reach;
    Controls controls{{pad.stick.x, facts.y_up ? pad.stick.y : -pad.stick.y}, pad.pointer, {}, pad};
    controls.position = present::own_position(setup.layout, block, slot).value_or(middle);
    if (controls.is_pushed() || !controls.holds(pointer_known))
        controls.pointer = controls.position + controls.stick * reach;

    std::memset(input, 0, setup.world->input->size);
    for (const state::Field& field : setup.world->input->fields)
        if (field.rules.control != Control::none) write_field(field, value_of(field, controls), input);
}

}  // namespace instep::browser
