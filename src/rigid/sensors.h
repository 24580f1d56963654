// SPDX-License-Identifier: MIT
// Sensors: shapes that notice others and push nothing (Shape::sensor). A sensor of any type of body sees
// every shape that its filter lets touch it and that is no sensor; two fixed bodies don't see each other.
//
//     o - - [ | ] - - ->     A step reports a begin event when a shape enters and an end event when it has
//     start  sensor   end    left. A shape that passes through within one step gives both.
//
// Who is inside is part of the state: a contact without points. So events survive a restore, and a body that
// a world moved or removed by hand gets its event in the next step.
#pragma once

#include <instep/rigid/scratch.h>

namespace instep::rigid {

// Runs when the displacements of a step are final: fills sensor_events and sensor_contacts.
void update_sensors(const Space& space, Scratch& scratch);

[[nodiscard]] constexpr bool is_sensor_overlap(const Contact& contact) { return contact.points == 0; }

// Calls found(visitor, shape of the sensor, shape of the visitor) for all that were inside the sensors of a
// body when the last step ended.
template <class Found>
void for_each_visitor(const Space& space, Handle sensor, Found found) {
    const auto sensor_body = space.bodies.find(sensor);
    if (!sensor_body) return;
    const auto is_sensor = [&](std::uint8_t shape) {
        return shape < sensor_body->def.shapes.size() && sensor_body->def.shapes[shape].sensor;
    };
    for (const Contact& contact : space.contacts) {
        if (!is_sensor_overlap(contact)) continue;
        if (contact.a == sensor && is_sensor(contact.shape_a))
            found(contact.b, contact.shape_a, contact.shape_b);
        else if (contact.b == sensor && is_sensor(contact.shape_b))
            found(contact.a, contact.shape_b, contact.shape_a);
    }
}

}  // namespace instep::rigid
