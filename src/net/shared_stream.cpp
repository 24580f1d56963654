// SPDX-License-Identifier: MIT
#include <instep/net/shared_stream.h>

#include <algorithm>
#include <utility>

namespace instep::net {

void SharedStream::encode(const Snapshot& snapshot, std::optional<math::Vec2> focus, bool with_hash) {
    delta_.clear();
    encoder_.encode(
        snapshot,
        {.focus = focus, .with_hash = with_hash, .fresh_model = std::exchange(has_new_client_, false)},
        delta_);
}

bool SharedStream::encode_keyframe(const codec::TickLog& log, codec::Bytes& out) {
    if (!encoder_.has_snapshot()) return false;
    if (restarted_at_ != encoder_.number()) {
        keyframe_.clear();
        encoder_.encode_keyframe(log, keyframe_);
        restarted_at_ = encoder_.number();
    }
    out.insert(out.end(), keyframe_.begin(), keyframe_.end());
    has_new_client_ = true;
    return true;
}

InterestCells::InterestCells(const match::Setup& setup, ReplicationMode mode, const HostConfig& config,
                             std::uint32_t budget)
    : setup_(setup), mode_(mode), config_(config), budget_(budget) {
    streams_.push_back(std::make_unique<SharedStream>(setup, mode, budget));
}

SharedStream& InterestCells::stream(Cell cell) {
    if (!streams_[cell]) streams_[cell] = std::make_unique<SharedStream>(setup_, mode_, budget_);
    return *streams_[cell];
}

// Cells are numbered row by row, after whole_room.
Cell InterestCells::cell_at(math::Vec2 position) const {
    const math::Vec2 offset = position - setup_.facts.view_low;
    const math::Vec2 size = setup_.facts.view_high - setup_.facts.view_low;
    const auto index = [side = config_.cells_per_side](double at, double extent) {
        const double cells = extent > 0 ? at / extent * side : 0;
        return static_cast<std::uint32_t>(std::clamp(cells, 0.0, side - 1.0));
    };
    return 1 + index(offset.y, size.y) * config_.cells_per_side + index(offset.x, size.x);
}

math::Vec2 InterestCells::centre_of(Cell cell) const {
    const math::Vec2 size = setup_.facts.view_high - setup_.facts.view_low;
    const std::uint32_t column = (cell - 1) % config_.cells_per_side;
    const std::uint32_t row = (cell - 1) / config_.cells_per_side;
    return setup_.facts.view_low +
           math::Vec2{size.x * (column + 0.5), size.y * (row + 0.5)} / config_.cells_per_side;
}

void InterestCells::split_if_over_budget() {
    if (is_split()) return;
    over_budget_ = streams_[whole_room]->encoder().budget().was_short() ? over_budget_ + 1 : 0;
    if (over_budget_ > snapshots_in(config_.budget_patience, setup_.facts))
        streams_.resize(1 + std::size_t{config_.cells_per_side} * config_.cells_per_side);
}

}  // namespace instep::net
