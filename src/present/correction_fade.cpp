// SPDX-License-Identifier: MIT
#include <instep/present/correction_fade.h>

#include <algorithm>
#include <cmath>

#include <instep/present/blend.h>
#include <instep/present/own_entities.h>
#include <instep/present/position.h>

namespace instep::present {

using state::Field;
using state::RawPool;

void CorrectionFade::add(const std::byte* before, const std::byte* after, contract::Slot slot) {
    std::vector<Element> elements;
    std::vector<double> errors;
    for (std::uint32_t i = 0; i < layout_.pools.size(); ++i) {
        const state::PoolLayout& pool = layout_.pools[i];
        const bool is_present = pool.kind.shown == state::Shown::present;
        const Field* owner = owner_of(pool);
        if ((!is_present && !owner) || pool.kind.replication == state::Replication::events) continue;
        const RawPool then = RawPool::looking_at(layout_, i, before);
        const RawPool now = RawPool::looking_at(layout_, i, after);
        const PositionFields position(pool);
        for (std::uint32_t index = 0; index < now.size(); ++index) {
            const std::byte* element = now.element(index);
            if (!is_present && number_at(*owner, element) != slot) continue;
            const state::Handle handle = now.handle_at(index);
            const std::byte* earlier = then.find(handle);
            if (!earlier || is_teleport(position, earlier, element, teleport_distance_)) continue;
            const Element* known = find(i, handle);
            elements.push_back({i, handle, errors.size()});
            std::size_t at = known ? known->first : 0;
            for (const Field& field : pool.element->fields)
                if (is_blended(field))
                    errors.push_back(difference(field, number_at(field, element), number_at(field, earlier)) +
                                     (known ? errors_[at++] : 0));
        }
    }
    elements_ = std::move(elements);
    errors_ = std::move(errors);
}

const CorrectionFade::Element* CorrectionFade::find(std::uint32_t pool, state::Handle handle) const {
    const auto found = std::ranges::find_if(
        elements_, [&](const Element& each) { return each.pool == pool && each.handle == handle; });
    return found == elements_.end() ? nullptr : &*found;
}

void CorrectionFade::fade(double part) {
    for (double& error : errors_) error *= part;
}

void CorrectionFade::apply(std::byte* block) const {
    for (const Element& each : elements_) {
        RawPool pool(layout_, each.pool, block);
        const std::uint32_t index = pool.index_of(each.handle);
        if (index == RawPool::no_index) continue;
        std::size_t at = each.first;
        for (const Field& field : pool.element_info().fields)
            if (is_blended(field))
                state::set_real(field, number_at(field, pool.element(index)) + errors_[at++],
                                pool.element(index));
    }
}

double CorrectionFade::largest() const {
    double most = 0;
    for (const double error : errors_) most = std::max(most, std::abs(error));
    return most;
}

}  // namespace instep::present
