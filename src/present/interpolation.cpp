// SPDX-License-Identifier: MIT
#include <instep/present/interpolation.h>

#include <algorithm>
#include <cmath>

#include <instep/present/blend.h>
#include <instep/present/position.h>
#include <instep/state/raw_pool.h>

namespace instep::present {
namespace {

using state::Field;

void blend_struct(const state::StructInfo& info, const std::byte* from, double part, std::byte* out) {
    for (const Field& field : info.fields)
        if (is_blended(field)) {
            const double a = number_at(field, from);
            state::set_real(field, a + difference(field, a, number_at(field, out)) * part, out);
        }
}

}  // namespace

void Timeline::add(const Entry& entry) {
    if (!entries_.empty() && entry.time <= entries_.back().time) return;
    entries_.push_back(entry);
    if (entries_.size() > capacity) entries_.pop_front();
}

std::optional<Timeline::Pair> Timeline::at(double time) const {
    if (entries_.empty()) return {};
    if (entries_.size() == 1) return Pair{entries_.front(), entries_.front(), 1};
    std::size_t i = 0;
    while (i + 2 < entries_.size() && entries_[i + 1].time < time) ++i;
    const Entry& from = entries_[i];
    const Entry& to = entries_[i + 1];
    const double part = (time - from.time) / (to.time - from.time);
    return Pair{from, to, std::clamp(part, 0.0, max_extrapolation)};
}

void Timeline::forget_before(double time) {
    while (entries_.size() > kept && entries_[1].time < time) entries_.pop_front();
}

double InterpolationDelay::wanted() const {
    const double normal = std::max(min_delay, 2 * interval_);
    if (missing_ <= tolerated_missing) return normal;
    return normal + interval_ * std::min(3.0, std::ceil(missing_ * 10));
}

double InterpolationDelay::advance(double seconds) {
    if (!current_) current_ = wanted();
    const double change = std::max(0.0, seconds) * max_rate_change;
    *current_ += std::clamp(wanted() - *current_, -change, change);
    return *current_;
}

void blend_states(const state::Layout& layout, const std::byte* from, const std::byte* to, double part,
                  double teleport_distance, std::byte* out) {
    state::copy(layout, to, out);
    for (std::size_t pool = 0; pool < layout.pools.size(); ++pool) {
        const state::RawPool before = state::RawPool::looking_at(layout, pool, from);
        const PositionFields position(layout.pools[pool]);
        state::RawPool shown(layout, pool, out);
        for (std::uint32_t i = 0; i < shown.size(); ++i) {
            const std::byte* earlier = before.find(shown.handle_at(i));
            if (!earlier || is_teleport(position, earlier, shown.element(i), teleport_distance)) continue;
            blend_struct(shown.element_info(), earlier, part, shown.element(i));
        }
    }
}

}  // namespace instep::present
