// SPDX-License-Identifier: MIT
#include <instep/motion/constraint.h>

namespace instep::motion {

ChainEnd forward_pass(std::span<Particle> nodes, std::span<const Bone> bones, ChainEnd from) {
    for (const Bone& bone : bones) {
        Vec2& position = nodes[bone.node].position;
        if (!bone.held) {
            const Vec2 wanted = direction_of(position - from.position);
            from.direction = limited_direction(wanted, from.direction, bone.limit);
            position = from.position + from.direction * bone.length;
        }
        from.position = position;
    }
    return from;
}

ChainEnd limit_angles(std::span<Particle> nodes, std::span<const Bone> bones, ChainEnd from) {
    for (const Bone& bone : bones) {
        Vec2& position = nodes[bone.node].position;
        if (bone.held) {
            from.carried = {};
        } else {
            position += from.carried;
            const Vec2 wanted = direction_of(position - from.position);
            from.direction = limited_direction(wanted, from.direction, bone.limit);
            if (!(from.direction == wanted)) {
                const Vec2 goal = from.position + from.direction * bone.length;
                from.carried += goal - position;
                position = goal;
            }
        }
        from.position = position;
    }
    return from;
}

}  // namespace instep::motion
