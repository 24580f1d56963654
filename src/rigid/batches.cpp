// SPDX-License-Identifier: MIT
// Colouring, and dealing contacts out to lanes.
#include <instep/rigid/batches.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace instep::rigid {
Batches::Batches(std::uint32_t max_bodies, std::uint32_t max_contacts)
    : colours_of_(max_bodies),
      groups_of_(max_contacts),
      batches_(std::make_unique_for_overwrite<Batch[]>(max_contacts)),
      points_(std::make_unique_for_overwrite<PointLanes[]>(2 * std::size_t{max_contacts})),
      impacts_(std::make_unique_for_overwrite<ImpactLanes[]>(max_contacts)),
      couplings_(std::make_unique_for_overwrite<CouplingLanes[]>(max_contacts)) {}

void Batches::clear(std::uint32_t bodies) {
    std::fill_n(colours_of_.begin(), bodies, std::uint64_t{0});
    groups_ = {};
    batch_count_ = 0;
    counted_ = 0;
    next_ = 0;
}

void Batches::count(std::uint32_t a, bool a_is_pushed, std::uint32_t b, bool b_is_pushed,
                    std::uint32_t points) {
    assert(points == 1 || points == 2);
    const std::uint64_t taken = (a_is_pushed ? colours_of_[a] : 0) | (b_is_pushed ? colours_of_[b] : 0);
    const std::uint32_t colour = std::min(static_cast<std::uint32_t>(std::countr_one(taken)), no_colour);
    if (a_is_pushed) colours_of_[a] |= std::uint64_t{1} << colour;
    if (b_is_pushed) colours_of_[b] |= std::uint64_t{1} << colour;
    const std::uint32_t group = 2 * colour + points - 1;
    groups_of_[counted_++] = static_cast<std::uint8_t>(group);
    ++groups_[group].contacts;
}

void Batches::open(std::uint32_t idle_mover) {
    std::uint32_t points = 0;
    for (std::uint32_t i = 0; i < group_count; ++i) {
        Group& group = groups_[i];
        group.first_batch = batch_count_;
        for (std::uint32_t lanes = 0; lanes < group.contacts; lanes += lanes_in(i)) {
            Batch& batch = batches_[batch_count_++];
            batch = Batch{};
            batch.a.fill(idle_mover);
            batch.b.fill(idle_mover);
            batch.first_point = points;
            batch.points = 1 + i % 2;
            impact_of(batch) = ImpactLanes{};
            for (std::uint32_t k = 0; k < batch.points; ++k) points_[points++] = PointLanes{};
        }
        group.contacts = 0;  // from now on: those dealt out
    }
}

LanePlace Batches::next() {
    assert(next_ < counted_);
    const std::uint32_t group = groups_of_[next_++];
    const std::uint32_t number = groups_[group].contacts++;
    return {groups_[group].first_batch + number / lanes_in(group), number % lanes_in(group)};
}

}  // namespace instep::rigid
