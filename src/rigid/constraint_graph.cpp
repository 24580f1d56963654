// SPDX-License-Identifier: MIT
// Greedy colouring, and the assignment of contacts to lanes.
#include <instep/rigid/constraint_graph.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace instep::rigid {
ConstraintGraph::ConstraintGraph(std::uint32_t max_bodies, std::uint32_t max_contacts)
    : colours_of_(max_bodies),
      group_of_(max_contacts),
      constraints_(std::make_unique_for_overwrite<ContactConstraintW[]>(max_contacts)),
      points_(std::make_unique_for_overwrite<ContactPointW[]>(2 * std::size_t{max_contacts})),
      impacts_(std::make_unique_for_overwrite<ImpactW[]>(max_contacts)),
      blocks_(std::make_unique_for_overwrite<BlockW[]>(max_contacts)),
      surfaces_(std::make_unique_for_overwrite<SurfaceW[]>(max_contacts)) {}

void ConstraintGraph::clear(std::uint32_t bodies) {
    std::fill_n(colours_of_.begin(), bodies, std::uint64_t{0});
    groups_ = {};
    constraint_count_ = 0;
    added_ = 0;
    next_ = 0;
}

void ConstraintGraph::add(std::uint32_t a, bool a_is_dynamic, std::uint32_t b, bool b_is_dynamic,
                          std::uint32_t points) {
    assert(points == 1 || points == 2);
    const std::uint64_t taken = (a_is_dynamic ? colours_of_[a] : 0) | (b_is_dynamic ? colours_of_[b] : 0);
    const std::uint32_t colour =
        std::min(static_cast<std::uint32_t>(std::countr_one(taken)), overflow_colour);
    if (a_is_dynamic) colours_of_[a] |= std::uint64_t{1} << colour;
    if (b_is_dynamic) colours_of_[b] |= std::uint64_t{1} << colour;
    const std::uint32_t group = 2 * colour + points - 1;
    group_of_[added_++] = static_cast<std::uint8_t>(group);
    ++groups_[group].contacts;
}

void ConstraintGraph::allocate(std::uint32_t idle_body) {
    std::uint32_t points = 0;
    for (std::uint32_t i = 0; i < group_count; ++i) {
        Group& group = groups_[i];
        group.first_constraint = constraint_count_;
        for (std::uint32_t lanes = 0; lanes < group.contacts; lanes += lanes_used_in(i)) {
            ContactConstraintW& constraint = constraints_[constraint_count_++];
            constraint = ContactConstraintW{};
            constraint.a.fill(idle_body);
            constraint.b.fill(idle_body);
            constraint.first_point = points;
            constraint.points = 1 + i % 2;
            impact_of(constraint) = ImpactW{};
            for (std::uint32_t k = 0; k < constraint.points; ++k) points_[points++] = ContactPointW{};
        }
        group.contacts = 0;  // from now on: those that have a lane
    }
}

ConstraintLane ConstraintGraph::next_lane() {
    assert(next_ < added_);
    const std::uint32_t group = group_of_[next_++];
    const std::uint32_t number = groups_[group].contacts++;
    return {groups_[group].first_constraint + number / lanes_used_in(group), number % lanes_used_in(group)};
}

}  // namespace instep::rigid
