// SPDX-License-Identifier: MIT
// Forces, removal of bodies, and validation of setups and states.
#include <instep/rigid/space.h>

#include <cmath>
#include <string>

#include <instep/rigid/joint_rows.h>
#include <instep/state/decimal.h>

namespace instep::rigid {
namespace {

bool is_within(double value, double limit) { return std::fabs(value) <= limit; }  // false for NaN
bool is_within(Vec2 value, double limit) { return is_within(value.x, limit) && is_within(value.y, limit); }

state::Result<void> validate(const BodyRef& body, const Setup& setup, const std::string& where) {
    if (!is_within(body.position, max_coordinate))
        return state::refuse(where + ".position", "expected at most 1000000");
    if (!is_within(body.velocity, max_coordinate))
        return state::refuse(where + ".velocity", "expected at most 1000000");
    if (!is_within(body.angle, max_angle)) return state::refuse(where + ".angle", "expected at most 1e12");
    if (!is_within(body.angular_velocity, max_coordinate))
        return state::refuse(where + ".angular_velocity", "expected at most 1000000");
    if (body.asleep() && !body.is_dynamic())
        return state::refuse(where + ".asleep", "only a dynamic body can sleep");
    if (body.stored && body.stored->still_ticks > setup.config.sleep_ticks)
        return state::refuse(where + ".still_ticks", "expected at most the config's sleep_ticks");
    return {};
}

// Bodies may have been removed or redefined since the last step: the next step ends contacts whose body or
// shape does not exist, and contacts between two bodies that are not dynamic.
state::Result<void> validate(const Contact& contact, const Setup& setup, const std::string& where) {
    if (contact.a.id >= contact.b.id)
        return state::refuse(where, "its first body must be the one with the lower id");
    if (contact.b.id >= setup.max_bodies) return state::refuse(where, "its body id is beyond max_bodies");
    if (contact.points > 2)
        return state::refuse(where + ".points", "expected 0 to 2, got " + std::to_string(contact.points));
    for (std::uint8_t i = 0; i < 2; ++i)
        if (!(contact.normal_impulse[i] >= 0 && contact.normal_impulse[i] <= 1e18) ||
            !is_within(contact.tangent_impulse[i], 1e18))
            return state::refuse(where, "expected finite impulses, the normal ones not negative");
    return {};
}

// A joint of a body that was removed ends in the next step.
state::Result<void> validate(const Joint& joint, const Setup& setup, const std::string& where) {
    if (joint.def >= setup.joint_defs.size())
        return state::refuse(where + ".def", "expected an index below " +
                                                 std::to_string(setup.joint_defs.size()) + ", got " +
                                                 std::to_string(joint.def));
    if (!joint.b || joint.b.id >= setup.max_bodies || (joint.a && joint.a.id >= setup.max_bodies))
        return state::refuse(where, "its body id is beyond max_bodies");
    if (joint.a.id == joint.b.id) return state::refuse(where, "it joins a body to itself");
    if (!is_within(joint.anchor_a, max_coordinate) || !is_within(joint.anchor_b, max_coordinate))
        return state::refuse(where + ".anchor", "expected at most 1000000");
    if (!is_within(static_cast<double>(joint.angle), 10) ||
        !is_within(static_cast<double>(joint.motor_speed), max_coordinate))
        return state::refuse(where, "expected an angle of at most 10 and a speed of at most 1000000");
    for (const float impulse : joint.impulse)
        if (!is_within(static_cast<double>(impulse), 1.001 * max_joint_impulse))
            return state::refuse(where + ".impulse", "expected finite impulses");
    return {};
}

bool is_positive(double value, double most) { return value >= 0 && value <= most; }  // false for NaN

bool is_legal(const Spring& spring) {
    return is_positive(spring.frequency, 1000) && is_positive(spring.damping_ratio, 1000);
}

state::Result<void> check(const JointDef& def, const std::string& where) {
    if (!(std::fabs(math::length(def.axis) - 1) <= 1e-6))
        return state::refuse(where + ".axis", "expected a unit vector");
    if (!is_positive(def.length, max_shape_coordinate))
        return state::refuse(where + ".length", "expected 0 to 10000");
    if (!is_legal(def.spring) || !is_legal(def.angular))
        return state::refuse(where, "expected a frequency and a damping ratio from 0 to 1000");
    if (!is_within(def.lower, max_shape_coordinate) || !is_within(def.upper, max_shape_coordinate) ||
        def.lower > def.upper)
        return state::refuse(where + ".lower", "expected limits from low to high, at most 10000");
    if (def.has_limit && def.type == JointType::revolute && (def.lower < -math::pi || def.upper > math::pi))
        return state::refuse(where + ".lower", "expected angles from -pi to pi");
    for (const double most : {def.max_force, def.max_torque, def.break_force, def.break_torque})
        if (!is_positive(most, 1e12)) return state::refuse(where, "expected forces from 0 to 1e12");
    return {};
}

}  // namespace

void apply_force(Body& body, const Setup& setup, Vec2 force, double dt) {
    body.velocity += force * (dt * def_of(body, setup).inverse_mass);
    wake(body);
}

void apply_torque(Body& body, const Setup& setup, double torque, double dt) {
    body.angular_velocity += dt * def_of(body, setup).inverse_inertia * torque;
    wake(body);
}

void apply_impulse(Body& body, const Setup& setup, Vec2 impulse, Vec2 point) {
    const BodyDef& def = def_of(body, setup);
    body.velocity += impulse * def.inverse_mass;
    body.angular_velocity += def.inverse_inertia * math::cross(point - body.position, impulse);
    wake(body);
}

void wake_touching(const Space& space, Handle body) {
    for (const Contact& contact : space.contacts) {
        if ((contact.a != body && contact.b != body) || contact.points == 0) continue;
        if (const auto other = space.bodies.find(contact.a == body ? contact.b : contact.a)) other->wake();
    }
}

state::Pool<Joint> Space::no_joints() {
    static state::PoolHeader nothing;  // never written: the pool's capacity is 0
    return {&nothing, nullptr, nullptr, 0};
}

Joint make_joint(const Space& space, std::uint16_t def, Handle a, Vec2 point_a, Handle b, Vec2 point_b) {
    Joint joint;
    joint.a = a;
    joint.b = b;
    joint.def = def;
    joint.anchor_a = point_a;
    const auto body_a = space.bodies.find(a);
    const auto body_b = space.bodies.find(b);
    if (body_a) joint.anchor_a = body_a->pose().to_local(point_a);
    if (!body_b) return joint;
    joint.anchor_b = body_b->pose().to_local(point_b);
    joint.angle = static_cast<float>(math::wrap_angle(body_b->angle - (body_a ? body_a->angle : 0)));
    return joint;
}

Joint make_joint(const Space& space, std::uint16_t def, Handle a, Handle b, Vec2 point) {
    return make_joint(space, def, a, point, b, point);
}

Reaction reaction_of(const Space& space, const Setup& setup, const Joint& joint, double dt) {
    const auto a = space.bodies.find(joint.a);
    const auto b = space.bodies.find(joint.b);
    if ((joint.a && !a) || !b || joint.def >= setup.joint_defs.size()) return {};
    JointSim sim;
    JointPoses poses{.position_b = b->position, .angle_b = b->angle};
    sim.inverse_mass_b = b->def.inverse_mass;
    sim.inverse_inertia_b = b->def.inverse_inertia;
    if (a) {
        poses.position_a = a->position;
        poses.angle_a = a->angle;
        sim.inverse_mass_a = a->def.inverse_mass;
        sim.inverse_inertia_a = a->def.inverse_inertia;
    }
    make_rows(joint, setup.joint_defs[joint.def], poses, dt, sim);
    return reaction_of(sim, dt);
}

void wake_bodies(const Space& space, const Joint& joint) {
    for (const Handle body : {joint.a, joint.b})
        if (const auto found = space.bodies.find(body)) found->wake();
}

void change_body_def(const Space& space, Handle body, std::uint16_t def) {
    const auto found = space.bodies.find(body);
    if (!found || !found->stored) return;
    found->stored->def = def;
    found->wake();
    wake_touching(space, body);
}

state::Result<void> check(const Setup& setup) {
    if (setup.max_bodies < 1 || setup.max_bodies > body_limit)
        return state::refuse("max_bodies", "expected 1 to 1048576");
    if (setup.max_contacts < 1 || setup.max_contacts > contact_limit)
        return state::refuse("max_contacts", "expected 1 to 4194304");
    if (setup.body_defs.empty() || setup.body_defs.size() > body_def_limit)
        return state::refuse("body_defs",
                             "expected 1 to 65536, got " + std::to_string(setup.body_defs.size()));
    for (std::size_t i = 0; i < setup.body_defs.size(); ++i)
        if (setup.body_defs[i].shapes.empty())
            return state::refuse("body_defs[" + std::to_string(i) + "]",
                                 "it has no shapes: use make_body_def()");
    if (setup.fixed_bodies.size() > setup.max_bodies)
        return state::refuse("fixed_bodies", "expected at most max_bodies");
    for (std::size_t i = 0; i < setup.fixed_bodies.size(); ++i) {
        const std::uint16_t def = setup.fixed_bodies[i].def;
        if (def >= setup.body_defs.size() || setup.body_defs[def].type != BodyType::fixed)
            return state::refuse("fixed_bodies[" + std::to_string(i) + "]",
                                 "expected the def of a fixed body");
    }
    if (setup.max_joints > joint_limit) return state::refuse("max_joints", "expected at most 1048576");
    for (std::size_t i = 0; i < setup.joint_defs.size(); ++i)
        if (auto checked = check(setup.joint_defs[i], "joint_defs[" + std::to_string(i) + "]"); !checked)
            return checked;
    const state::StructInfo& info = state::describe<Config>();
    for (const state::Field& field : info.fields) {
        if (field.kind == state::FieldKind::reserved) continue;
        const double value = state::number_at(field, reinterpret_cast<const std::byte*>(&setup.config));
        if (value >= field.rules.low && value <= field.rules.high) continue;
        std::string expected = "expected a number from ";
        state::append_decimal(expected, field.rules.low);
        expected += " to ";
        state::append_decimal(expected, field.rules.high);
        return state::refuse("config." + field.path, expected);
    }
    return {};
}

state::Result<void> validate(const Space& space, const Setup& setup) {
    if (auto valid = space.bodies.validate_defs(); !valid) return valid;
    state::Result<void> bodies;
    space.bodies.for_each([&](const BodyRef& body) {
        if (bodies) bodies = validate(body, setup, "body " + std::to_string(body.handle.id));
    });
    if (!bodies) return bodies;
    for (std::uint32_t i = 0; i < space.contacts.size(); ++i) {
        const std::string where = "contacts[" + std::to_string(i) + "]";
        if (auto valid = validate(space.contacts[i], setup, where); !valid) return valid;
        if (i > 0 && key_of(space.contacts[i - 1]) >= key_of(space.contacts[i]))
            return state::refuse(where,
                                 "contacts must be in the order of their bodies' ids, without duplicates");
    }
    for (std::uint32_t i = 0; i < space.joints.size(); ++i)
        if (auto valid = validate(space.joints[i], setup, "joints[" + std::to_string(i) + "]"); !valid)
            return valid;
    return {};
}

double kinetic_energy(const Space& space) {
    double energy = 0;
    space.bodies.for_each([&](const BodyRef& body) {
        energy += 0.5 * (body.def.mass * math::length_squared(body.velocity) +
                         body.def.inertia * body.angular_velocity * body.angular_velocity);
    });
    return energy;
}

Vec2 momentum(const Space& space) {
    Vec2 sum{};
    space.bodies.for_each([&](const BodyRef& body) { sum += body.def.mass * body.velocity; });
    return sum;
}

double angular_momentum(const Space& space) {
    double sum = 0;
    space.bodies.for_each([&](const BodyRef& body) {
        sum += body.def.mass * math::cross(body.position, body.velocity) +
               body.def.inertia * body.angular_velocity;
    });
    return sum;
}

}  // namespace instep::rigid
