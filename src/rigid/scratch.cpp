// SPDX-License-Identifier: MIT
// Allocation of all the memory of a step.
#include <instep/rigid/scratch.h>

#include <algorithm>

namespace instep::rigid {
namespace {

std::uint32_t max_proxies(const Setup& setup) {
    std::size_t most = 1;
    for (const BodyDef& def : setup.body_defs) most = std::max(most, def.shapes.size());
    return setup.max_bodies * static_cast<std::uint32_t>(most);
}

bool has_sensor(const BodyDef& def) {
    return std::ranges::any_of(def.shapes, [](const Shape& shape) { return shape.sensor; });
}

}  // namespace

Scratch::Scratch(const Setup& setup)
    : index_of_id(setup.max_bodies),
      first_proxy(setup.max_bodies),
      hulls(max_proxies(setup)),
      broad_phase(max_proxies(setup)),
      pair_starts(max_proxies(setup) + 1),
      first_obstacle(max_proxies(setup)),
      is_deep(setup.max_bodies),
      solver_bodies(setup.max_bodies + 1),
      constraint_graph(setup.max_bodies, setup.max_contacts),
      first_joint_link(setup.max_joints > 0 ? setup.max_bodies : 0),
      has_joint(first_joint_link.size()),
      joint_stiffness(first_joint_link.size()),
      joint_tree(static_cast<std::uint32_t>(first_joint_link.size()), setup.max_joints),
      has_sensors(std::ranges::any_of(setup.body_defs, has_sensor)),
      sensor_phase(has_sensors ? max_proxies(setup) : 0),
      island_of(setup.max_bodies),
      island_marks(setup.max_bodies),
      island_energy(setup.max_bodies) {
    // Vectors that grow during the step, never beyond these capacities.
    bodies.reserve(setup.max_bodies);
    events.reserve(std::size_t{setup.max_contacts} * 4);
    proxies.reserve(max_proxies(setup));
    boxes.reserve(max_proxies(setup));
    swept.reserve(max_proxies(setup));
    pairs.reserve(std::size_t{setup.max_contacts} * 4);
    sorted_pairs.resize(pairs.capacity());
    obstacles.reserve(2 * pairs.capacity());
    contacts.reserve(setup.max_contacts);
    joints.reserve(setup.max_joints);
    joint_links.reserve(2 * std::size_t{setup.max_joints});
    joint_events.reserve(setup.max_joints);
    touching_bodies.reserve(setup.max_bodies);
    if (!has_sensors) return;
    sensor_boxes.reserve(max_proxies(setup));
    sensor_pairs.reserve(pairs.capacity());
    sensor_contacts.reserve(setup.max_contacts);
    sensor_events.reserve(events.capacity());
}

}  // namespace instep::rigid
