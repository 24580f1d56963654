// SPDX-License-Identifier: MIT
#include <instep/net/correction_budget.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

#include <instep/codec/grid.h>
#include <instep/present/own_entities.h>
#include <instep/state/raw_pool.h>

namespace instep::net {
namespace {

using state::Field;
using state::FieldKind;

bool differs(const Field& field, const std::byte* a, const std::byte* b) {
    return std::memcmp(a + field.offset, b + field.offset, field.size) != 0;
}

// About what the coder will need for a field that is not as predicted.
double bits_of(const Field& field, const std::byte* predicted, const std::byte* told) {
    if (field.kind == FieldKind::text) return 8.0 * field.size;
    const double from = state::number_at(field, predicted);
    const double to = state::number_at(field, told);
    const bool real = state::is_real(field.kind);
    if (real && (!codec::is_quantised(field) || !codec::is_in_range(field.rules, to)))
        return 8.0 * field.size;
    const double steps = std::abs(to - from) / (codec::is_quantised(field) ? field.rules.precision : 1);
    return 3 + 2.0 * static_cast<double>(std::bit_width(static_cast<std::uint64_t>(std::min(steps, 1e15))));
}

double bits_of(const state::StructInfo& info, const std::byte* predicted, const std::byte* told) {
    double bits = 0;
    for (const Field& field : info.fields)
        if (field.kind != FieldKind::reserved && differs(field, predicted, told))
            bits += bits_of(field, predicted, told);
    return bits;
}

}  // namespace

CorrectionBudget::CorrectionBudget(const state::Layout& layout, std::uint32_t bytes, double reach)
    : layout_(layout), bytes_(bytes), reach_(reach), allowed_bits_(8.0 * bytes) {
    for (const state::PoolLayout& pool : layout.pools) {
        positions_.emplace_back(pool);
        owners_.push_back(present::owner_of(pool));
        waited_.emplace_back(pool.capacity);
    }
}

double CorrectionBudget::urgency_of(std::size_t pool, const std::byte* element, std::uint32_t waited) const {
    const auto position = focus_ ? positions_[pool].of(element) : std::nullopt;
    const double away = position ? distance(*position, *focus_) / reach_ : 0;
    return (1.0 + waited) / (1 + away);
}

void CorrectionBudget::find_corrections(const std::byte* predicted, std::byte* told) {
    corrections_.clear();
    for (std::size_t i = 0; i < layout_.pools.size(); ++i) {
        const state::RawPool pool(layout_, i, told);
        const state::RawPool guesses = state::RawPool::looking_at(layout_, i, predicted);
        for (std::uint32_t place = 0; place < pool.size(); ++place) {
            std::uint32_t& waited = waited_[i][pool.handle_at(place).id];
            const std::byte* guess = guesses.find(pool.handle_at(place));
            // Two who are born at once may be foreseen in each other's places. Told so, the state would be
            // legal, and none of them could be told its exact own player.
            const bool is_anothers = guess && owners_[i] && differs(*owners_[i], guess, pool.element(place));
            const bool may_wait = guess && !is_anothers;
            const double bits = may_wait ? bits_of(pool.element_info(), guess, pool.element(place)) : 0;
            if (bits > 0)
                corrections_.push_back({i, place, bits, urgency_of(i, pool.element(place), waited)});
            else
                waited = 0;  // new, another's, or as foreseen
        }
    }
}

void CorrectionBudget::apply(const std::byte* predicted, std::byte* told) {
    find_corrections(predicted, told);
    // total order: no two are at the same place; a stable sort would allocate
    std::sort(corrections_.begin(), corrections_.end(), [](const Correction& a, const Correction& b) {
        return std::tie(b.urgency, a.pool, a.place) < std::tie(a.urgency, b.pool, b.place);
    });
    short_ = false;
    double used = 0;
    for (const Correction& correction : corrections_) {
        state::RawPool pool(layout_, correction.pool, told);
        const state::Handle handle = pool.handle_at(correction.place);
        std::uint32_t& waited = waited_[correction.pool][handle.id];
        if (used == 0 || used + correction.bits <= allowed_bits_) {
            used += correction.bits;
            waited = 0;
            continue;
        }
        const state::RawPool guesses = state::RawPool::looking_at(layout_, correction.pool, predicted);
        std::memcpy(pool.element(correction.place), guesses.find(handle), pool.element_info().size);
        longest_ = std::max(longest_, ++waited);
        short_ = true;
    }
}

void CorrectionBudget::note_size(std::size_t bytes) {
    if (bytes > bytes_)
        allowed_bits_ *= std::max(0.5, static_cast<double>(bytes_) / static_cast<double>(bytes));
    else if (short_)
        allowed_bits_ *=
            std::min(1.1, static_cast<double>(bytes_) / static_cast<double>(std::max<std::size_t>(1, bytes)));
    allowed_bits_ = std::clamp(allowed_bits_, 64.0, 64.0 * bytes_);
}

}  // namespace instep::net
