// SPDX-License-Identifier: MIT
// A room that does not fit its budget is cut into cells of the plane, each with a chain of told states of its
// own: who is in a cell is told first what is near its middle.
#include <instep/net/host.h>

#include <algorithm>

#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

namespace instep::net {

using contract::Slot;

// Cell 0 is for who is nowhere; the others are numbered row by row.
std::uint32_t Host::cell_at(math::Vec2 position) const {
    const math::Vec2 part = position - setup_->facts.view_low;
    const math::Vec2 size = setup_->facts.view_high - setup_->facts.view_low;
    const auto index = [](double at, double extent) {
        const double cells = extent > 0 ? at / extent * cells_a_side : 0;
        return static_cast<std::uint32_t>(std::clamp(cells, 0.0, cells_a_side - 1.0));
    };
    return 1 + index(part.y, size.y) * cells_a_side + index(part.x, size.x);
}

math::Vec2 Host::middle_of(std::uint32_t cell) const {
    const math::Vec2 size = setup_->facts.view_high - setup_->facts.view_low;
    const std::uint32_t column = (cell - 1) % cells_a_side;
    const std::uint32_t row = (cell - 1) / cells_a_side;
    return setup_->facts.view_low + math::Vec2{size.x * (column + 0.5), size.y * (row + 0.5)} / cells_a_side;
}

// For good: what did not fit once will not fit again.
void Host::cut_up_if_short() {
    if (chains_.size() > 1) return;
    short_for_ = chains_[0]->teller.budget().was_short() ? short_for_ + 1 : 0;
    if (short_for_ > ticks_in(patience_with_budget) / setup_->facts.snapshot_every)
        chains_.resize(1 + std::size_t{cells_a_side} * cells_a_side);
}

// Who has changed cells is told whole there, so nobody does it often, nor while that chain must not restart.
void Host::move_to_cells(std::uint32_t number) {
    const std::uint32_t rest = ticks_in(rest_between_moves) / setup_->facts.snapshot_every;
    for (std::uint32_t slot = 0; slot < seats_.size(); ++slot) {
        Seat* seat = seats_[slot].get();
        if (!seat || seat->teller || seat->is_bot) continue;
        const auto position = present::own_position(setup_->layout, match_.state(), static_cast<Slot>(slot));
        const std::uint32_t cell = position ? cell_at(*position) : seat->cell;
        if (cell == seat->cell || (seat->cell > 0 && number - seat->moved_at < rest)) continue;
        auto& chain = chains_[cell];
        if (!chain) chain = std::make_unique<Chain>(*setup_, room_, budget_);
        if (!may_restart(*chain, number)) continue;
        seat->cell = cell;
        seat->moved_at = number;
        seat->in_chain = false;
    }
}

}  // namespace instep::net
