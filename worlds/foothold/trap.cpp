// SPDX-License-Identifier: MIT
#include <foothold/trap.h>

#include <algorithm>
#include <cmath>

#include <instep/math/trig.h>
#include <instep/math/units.h>

namespace instep::worlds::foothold {

Vec2 move_offset(std::int32_t type, double width, double height, double period, double now_ms) {
    if (type < 1 || type > 3) return {};
    const double length = period != 0 && period == period ? std::max(1.0, period) : math::two_pi * 1000;
    const math::SinCos phase = math::sincos(math::two_pi * now_ms / length);
    switch (type) {
        case 1: return {width * phase.sin, 0};
        case 2: return {0, height * phase.sin};
        default: return {width * phase.cos, height * phase.sin};
    }
}

const TrapFrame& frame_at(const TrapAnimation& animation, double now_ms) {
    double left = std::fmod(now_ms, animation.length);
    for (const TrapFrame& frame : animation.frames) {
        if (left < frame.delay) return frame;
        left -= frame.delay;
    }
    return animation.frames.back();
}

Box box_of(const TrapFrame& frame, bool flip) {
    if (frame.opacity < harmless_opacity) return {};
    Box box = frame.box;
    if (box.is_empty()) {
        if (frame.sprite.x <= smallest_sprite || frame.sprite.y <= smallest_sprite) return {};
        box = {-frame.origin.x, -frame.origin.y, frame.sprite.x - frame.origin.x,
               frame.sprite.y - frame.origin.y};
    }
    return flip ? box.mirrored() : box;
}

Box turned(const Box& box, double angle) {
    const math::SinCos turn = math::sincos(angle);
    Box around;
    bool is_first = true;
    for (const double x : {box.left, box.right})
        for (const double y : {box.top, box.bottom}) {
            const Vec2 corner{x * turn.cos - y * turn.sin, x * turn.sin + y * turn.cos};
            around = is_first ? Box{corner.x, corner.y, corner.x, corner.y}
                              : Box{std::min(around.left, corner.x), std::min(around.top, corner.y),
                                    std::max(around.right, corner.x), std::max(around.bottom, corner.y)};
            is_first = false;
        }
    return around;
}

int push_of(const Trap& trap, const Setup& setup) {
    const std::int32_t push = setup.trap_kinds[trap.kind].push;
    return trap.flip ? -push : push;
}

Box box_of(const Trap& trap, const Setup& setup, double now_ms) {
    const TrapKind& kind = setup.trap_kinds[trap.kind];
    Box box = box_of(frame_at(setup.trap_animations[trap.kind], now_ms), trap.flip);
    if (box.is_empty()) return {};
    if (setup.rules.traps_turn && kind.turn_period > 0) {
        const double angle = math::two_pi * std::fmod(now_ms, kind.turn_period) / kind.turn_period;
        box = turned(box, trap.flip ? -angle : angle);
    }
    return box.moved(trap.position + move_offset(kind.move_type, kind.move_width, kind.move_height,
                                                 kind.move_period, now_ms));
}

}  // namespace instep::worlds::foothold
