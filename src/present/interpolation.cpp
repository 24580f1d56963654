// SPDX-License-Identifier: MIT
#include <instep/present/interpolation.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <instep/present/blend.h>
#include <instep/state/raw_pool.h>

namespace instep::present {
namespace {

using state::Field;

bool teleported(const state::PoolLayout& pool, const std::byte* from, const std::byte* to, double distance) {
    if (pool.kind.position.empty() || distance <= 0) return false;
    const std::string path(pool.kind.position);
    const Field* x = pool.element->find(path + ".x");
    const Field* y = pool.element->find(path + ".y");
    if (!x || !y) return false;
    const double dx = number_at(*x, to) - number_at(*x, from);
    const double dy = number_at(*y, to) - number_at(*y, from);
    return !(std::sqrt(dx * dx + dy * dy) <= distance);
}

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
    if (entries_.size() > most) entries_.pop_front();
}

std::optional<Timeline::Pair> Timeline::at(double time) const {
    if (entries_.empty()) return {};
    if (entries_.size() == 1) return Pair{entries_.front(), entries_.front(), 1};
    std::size_t i = 0;
    while (i + 2 < entries_.size() && entries_[i + 1].time < time) ++i;
    const Entry& from = entries_[i];
    const Entry& to = entries_[i + 1];
    const double part = (time - from.time) / (to.time - from.time);
    return Pair{from, to, std::clamp(part, 0.0, farthest_ahead)};
}

void Timeline::forget_before(double time) {
    while (entries_.size() > kept && entries_[1].time < time) entries_.pop_front();
}

double InterpolationDelay::wanted() const {
    const double normal = std::max(least, 2 * interval_);
    if (missing_ <= tolerated) return normal;
    return normal + interval_ * std::min(3.0, std::ceil(missing_ * 10));
}

double InterpolationDelay::advance(double seconds) {
    if (current_ == 0) current_ = wanted();
    const double most = std::max(0.0, seconds) * 0.05;
    current_ += std::clamp(wanted() - current_, -most, most);
    return current_;
}

void blend_states(const state::Layout& layout, const std::byte* from, const std::byte* to, double part,
                  double teleport_distance, std::byte* out) {
    state::copy(layout, to, out);
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::RawPool before = state::RawPool::looking_at(layout, i, from);
        state::RawPool shown(layout, i, out);
        for (std::uint32_t place = 0; place < shown.size(); ++place) {
            const std::byte* earlier = before.find(shown.handle_at(place));
            if (!earlier || teleported(layout.pools[i], earlier, shown.element(place), teleport_distance))
                continue;
            blend_struct(shown.element_info(), earlier, part, shown.element(place));
        }
    }
}

}  // namespace instep::present
