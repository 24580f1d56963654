// SPDX-License-Identifier: MIT
// Pushing bodies, taking them out, and telling a legal space from any other bytes.
#include <instep/rigid/space.h>

#include <cmath>
#include <string>

#include <instep/state/decimal.h>

namespace instep::rigid {
namespace {

bool is_within(double value, double most) { return std::fabs(value) <= most; }  // false for NaN
bool is_within(Vec2 value, double most) { return is_within(value.x, most) && is_within(value.y, most); }

state::Result<void> validate(const Body& body, const Setup& setup, const std::string& where) {
    if (body.form >= setup.forms.size())
        return state::refuse(where + ".form", "expected one of the setup's " +
                                                  std::to_string(setup.forms.size()) + " forms, got " +
                                                  std::to_string(body.form));
    if (!is_within(body.position, farthest))
        return state::refuse(where + ".position", "expected at most 1000000");
    if (!is_within(body.velocity, farthest))
        return state::refuse(where + ".velocity", "expected at most 1000000");
    if (!is_within(body.angle, farthest_turn))
        return state::refuse(where + ".angle", "expected at most 1e12");
    if (!is_within(body.angular_velocity, farthest))
        return state::refuse(where + ".angular_velocity", "expected at most 1000000");
    if (body.asleep && form_of(body, setup).type != BodyType::dynamic)
        return state::refuse(where + ".asleep", "only a dynamic body sleeps");
    if (body.still_ticks > setup.rules.sleep_ticks)
        return state::refuse(where + ".still_ticks", "it stops counting at the rules' sleep_ticks");
    return {};
}

// A body may have been taken out since the last step, or have changed its form: a contact of one that is not
// there, of a shape that it does not have, or of two that nothing can push is ended by the next step.
state::Result<void> validate(const Contact& contact, const Setup& setup, const std::string& where) {
    if (contact.a.id >= contact.b.id)
        return state::refuse(where, "its first body must be the one with the lower id");
    if (contact.b.id >= setup.max_bodies) return state::refuse(where, "it names a body that cannot be");
    if (contact.points < 1 || contact.points > 2)
        return state::refuse(where + ".points", "expected 1 or 2, got " + std::to_string(contact.points));
    for (std::uint8_t i = 0; i < 2; ++i)
        if (!(contact.normal_impulse[i] >= 0 && contact.normal_impulse[i] <= 1e18) ||
            !is_within(contact.tangent_impulse[i], 1e18))
            return state::refuse(where, "expected finite impulses that push");
    return {};
}

}  // namespace

void push(Body& body, const Setup& setup, Vec2 force, double dt) {
    body.velocity += force * (dt * form_of(body, setup).inverse_mass);
    wake(body);
}

void turn(Body& body, const Setup& setup, double torque, double dt) {
    body.angular_velocity += dt * form_of(body, setup).inverse_inertia * torque;
    wake(body);
}

void strike(Body& body, const Setup& setup, Vec2 impulse, Vec2 at) {
    const Form& form = form_of(body, setup);
    body.velocity += impulse * form.inverse_mass;
    body.angular_velocity += form.inverse_inertia * math::cross(at - body.position, impulse);
    wake(body);
}

void wake_touching(Space& space, Handle body) {
    for (const Contact& contact : space.contacts) {
        if (contact.a != body && contact.b != body) continue;
        if (Body* other = space.bodies.find(contact.a == body ? contact.b : contact.a)) wake(*other);
    }
}

void change_form(Space& space, Handle body, std::uint16_t form) {
    Body* found = space.bodies.find(body);
    if (!found) return;
    found->form = form;
    wake(*found);
    wake_touching(space, body);
}

void remove_body(Space& space, Handle body) {
    const Body* found = space.bodies.find(body);
    if (!found) return;
    wake_touching(space, body);
    space.bodies.remove_at(static_cast<std::uint32_t>(found - space.bodies.begin()));
}

state::Result<void> check(const Setup& setup) {
    if (setup.max_bodies < 1 || setup.max_bodies > most_bodies)
        return state::refuse("max_bodies", "expected 1 to 1048576");
    if (setup.max_contacts < 1 || setup.max_contacts > most_contacts)
        return state::refuse("max_contacts", "expected 1 to 4194304");
    if (setup.forms.empty() || setup.forms.size() > most_forms)
        return state::refuse("forms", "expected 1 to 65536, got " + std::to_string(setup.forms.size()));
    for (std::size_t i = 0; i < setup.forms.size(); ++i)
        if (setup.forms[i].shapes.empty())
            return state::refuse("forms[" + std::to_string(i) + "]", "it has no shapes: use make_form()");
    const state::StructInfo& info = state::describe<Rules>();
    for (const state::Field& field : info.fields) {
        if (field.kind == state::FieldKind::reserved) continue;
        const double value = state::number_at(field, reinterpret_cast<const std::byte*>(&setup.rules));
        if (value >= field.rules.low && value <= field.rules.high) continue;
        std::string expected = "expected a number from ";
        state::append_decimal(expected, field.rules.low);
        expected += " to ";
        state::append_decimal(expected, field.rules.high);
        return state::refuse("rules." + field.path, expected);
    }
    return {};
}

state::Result<void> validate(const Space& space, const Setup& setup) {
    for (std::uint32_t i = 0; i < space.bodies.size(); ++i)
        if (auto legal = validate(space.bodies[i], setup, "bodies[" + std::to_string(i) + "]"); !legal)
            return legal;
    for (std::uint32_t i = 0; i < space.contacts.size(); ++i) {
        const std::string where = "contacts[" + std::to_string(i) + "]";
        if (auto legal = validate(space.contacts[i], setup, where); !legal) return legal;
        if (i > 0 && key_of(space.contacts[i - 1]) >= key_of(space.contacts[i]))
            return state::refuse(where, "contacts must stand in the order of their bodies' ids, each once");
    }
    return {};
}

double kinetic_energy(const Space& space, const Setup& setup) {
    double energy = 0;
    for (const Body& body : space.bodies) {
        const Form& form = form_of(body, setup);
        energy += 0.5 * (form.mass * math::length_squared(body.velocity) +
                         form.inertia * body.angular_velocity * body.angular_velocity);
    }
    return energy;
}

Vec2 momentum(const Space& space, const Setup& setup) {
    Vec2 sum{};
    for (const Body& body : space.bodies) sum += form_of(body, setup).mass * body.velocity;
    return sum;
}

double angular_momentum(const Space& space, const Setup& setup) {
    double sum = 0;
    for (const Body& body : space.bodies) {
        const Form& form = form_of(body, setup);
        sum += form.mass * math::cross(body.position, body.velocity) + form.inertia * body.angular_velocity;
    }
    return sum;
}

}  // namespace instep::rigid
