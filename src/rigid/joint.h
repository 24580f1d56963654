// SPDX-License-Identifier: MIT
// Joints. What never changes is a definition in the setup; what does is an element of a pool in the state,
// with the impulses of the last step, from which the next one starts. A world adds and removes joints like
// any element.
//
//     distance    keeps the anchors at a length, within limits (a rope), or by a spring
//     revolute    pins the anchors together; limit, motor and spring of the angle
//     prismatic   lets b slide along an axis of a without turning; limit, motor and spring along it
//     weld        fixes b to a; soft if it has a frequency
//     wheel       lets b slide along an axis of a on a spring, and turn by a motor
//     motor       draws b to a pose relative to a, or to the world, with at most a force and a torque:
//                 a platform, a top-down character, or the hand that drags (a: none, max_torque 0)
//     filter      only stops the two bodies from colliding
#pragma once

#include <array>
#include <cstdint>

#include <instep/math/units.h>
#include <instep/rigid/body_pools.h>

namespace instep::rigid {

enum class JointType : std::uint8_t { distance, revolute, prismatic, weld, wheel, motor, filter };

// Mass-spring-damper: frequency 0 means no spring (of a weld or a motor: rigid).
struct Spring {
    double frequency = 0;      // Hz
    double damping_ratio = 1;  // 1: critically damped
};

struct JointDef {
    JointType type = JointType::revolute;
    Vec2 axis{1, 0};    // of prismatic and wheel, in a's frame; a unit vector
    double length = 1;  // of distance: at rest, units
    Spring spring{};    // of the length, the angle (revolute), the slide (prismatic, wheel), the point (weld)
    Spring angular{};   // of weld and motor: the angle
    bool has_limit = false;
    double lower = 0;        // units or rad, of the length, the slide or the angle
    double upper = 0;        // angles within -pi to pi
    double max_force = 0;    // of a motor along the slide or length, or to the pose, per axis; 0: none
    double max_torque = 0;   // of a motor about the anchor; 0: none
    double break_force = 0;  // at which the joint breaks; 0: never
    double break_torque = 0;
    bool collide_connected = false;  // whether the two bodies collide
};

struct Joint {
    Handle a;  // empty: the world
    Handle b;
    Vec2 anchor_a{};  // relative to a's centre of mass, in its frame; or a point of the world
    Vec2 anchor_b{};
    std::array<float, 5> impulse{};
    float motor_speed = 0;  // units/s or rad/s
    float angle = 0;        // of b relative to a at which the joint's angle is 0, rad
    std::uint16_t def = 0;  // index in Setup::joint_defs
    state::Reserved<2> unused{};
};
// An element and its row of the pool's index are in an image.
static_assert(sizeof(Joint) + sizeof(state::PoolIndex) <= 96);

constexpr auto fields_of(state::Type<Joint>) {
    using state::field;
    return state::fields("Joint", field("a", &Joint::a), field("b", &Joint::b),
                         field("anchor_a", &Joint::anchor_a, {.unit = "units"}),
                         field("anchor_b", &Joint::anchor_b, {.unit = "units"}),
                         field("impulse", &Joint::impulse), field("motor_speed", &Joint::motor_speed),
                         field("angle", &Joint::angle, {.unit = "rad"}), field("def", &Joint::def),
                         field("unused", &Joint::unused));
}

inline constexpr double max_joint_impulse = 1e18;  // of a valid state

// A joint that the step took out of its pool.
struct JointEvent {
    enum class Kind : std::uint8_t { broke, orphaned };  // orphaned: a body of it was removed
    Kind kind = Kind::broke;
    Handle joint;
    Handle a;
    Handle b;
    double force = 0;  // at which it broke
    double torque = 0;
};

// What a joint did to b in the last step.
struct Reaction {
    Vec2 force{};
    double torque = 0;
};

}  // namespace instep::rigid
