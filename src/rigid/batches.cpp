// SPDX-License-Identifier: MIT
// Colouring, and dealing contacts out to lanes.
#include <instep/rigid/batches.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace instep::rigid {
namespace {

// Every group may leave lanes of its last batch idle.
std::size_t max_batches(std::uint32_t max_contacts, std::uint32_t groups) {
    return max_contacts / lane_count + std::min(groups, max_contacts) + 1;
}

}  // namespace

Batches::Batches(std::uint32_t max_bodies, std::uint32_t max_contacts)
    : colours_of_(max_bodies),
      groups_of_(max_contacts),
      batches_(max_batches(max_contacts, group_count)),
      points_(2 * batches_.size()),
      couplings_(batches_.size()) {}

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
    constexpr std::uint32_t last = colour_count - 1;
    const std::uint64_t taken = (a_is_pushed ? colours_of_[a] : 0) | (b_is_pushed ? colours_of_[b] : 0);
    const std::uint32_t colour = std::min(static_cast<std::uint32_t>(std::countr_one(taken)), last);
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
        for (std::uint32_t lanes = 0; lanes < group.contacts; lanes += lane_count) {
            Batch& batch = batches_[batch_count_++];
            batch = Batch{};
            batch.a.fill(idle_mover);
            batch.b.fill(idle_mover);
            batch.first_point = points;
            batch.points = 1 + i % 2;
            batch.lane_by_lane = i / 2 == colour_count - 1;
            for (std::uint32_t k = 0; k < batch.points; ++k) points_[points++] = PointLanes{};
        }
        group.contacts = 0;  // from now on: those dealt out
    }
}

LanePlace Batches::next() {
    assert(next_ < counted_);
    Group& group = groups_[groups_of_[next_++]];
    const std::uint32_t number = group.contacts++;
    return {group.first_batch + number / lane_count, number % lane_count};
}

}  // namespace instep::rigid
