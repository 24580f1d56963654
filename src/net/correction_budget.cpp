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

// About the bits that the coder needs for a field that differs from the prediction.
double bits_of(const Field& field, const std::byte* predicted, const std::byte* replicated) {
    if (field.kind == FieldKind::text) return 8.0 * field.size;
    const double from = state::number_at(field, predicted);
    const double to = state::number_at(field, replicated);
    const bool real = state::is_real(field.kind);
    if (real && (!codec::is_quantised(field) || !codec::is_in_range(field.rules, to)))
        return 8.0 * field.size;
    const double steps = std::abs(to - from) / (codec::is_quantised(field) ? field.rules.precision : 1);
    return 3 + 2.0 * static_cast<double>(std::bit_width(static_cast<std::uint64_t>(std::min(steps, 1e15))));
}

double bits_of(const state::StructInfo& info, const std::byte* predicted, const std::byte* replicated) {
    double bits = 0;
    for (const Field& field : info.fields)
        if (field.kind != FieldKind::reserved && differs(field, predicted, replicated))
            bits += bits_of(field, predicted, replicated);
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

void CorrectionBudget::find_corrections(const std::byte* predicted, std::byte* replicated) {
    corrections_.clear();
    for (std::size_t i = 0; i < layout_.pools.size(); ++i) {
        const state::RawPool pool(layout_, i, replicated);
        const state::RawPool predictions = state::RawPool::looking_at(layout_, i, predicted);
        for (std::uint32_t index = 0; index < pool.size(); ++index) {
            std::uint32_t& waited = waited_[i][pool.handle_at(index).id];
            const std::byte* prediction = predictions.find(pool.handle_at(index));
            // Two players that spawn at once may be predicted in each other's elements. Left so, the state
            // would be legal, but neither could receive its exact own player.
            const bool is_another_owners =
                prediction && owners_[i] && differs(*owners_[i], prediction, pool.element(index));
            const bool may_wait = prediction && !is_another_owners;
            const double bits = may_wait ? bits_of(pool.element_info(), prediction, pool.element(index)) : 0;
            if (bits > 0)
                corrections_.push_back({i, index, bits, urgency_of(i, pool.element(index), waited)});
            else
                waited = 0;  // new, of another owner, or as predicted
        }
    }
}

void CorrectionBudget::apply(const std::byte* predicted, std::byte* replicated) {
    find_corrections(predicted, replicated);
    // total order: no two have the same pool and index; a stable sort would allocate
    std::sort(corrections_.begin(), corrections_.end(), [](const Correction& a, const Correction& b) {
        return std::tie(b.urgency, a.pool, a.index) < std::tie(a.urgency, b.pool, b.index);
    });
    short_ = false;
    double used = 0;
    for (const Correction& correction : corrections_) {
        state::RawPool pool(layout_, correction.pool, replicated);
        const state::Handle handle = pool.handle_at(correction.index);
        std::uint32_t& waited = waited_[correction.pool][handle.id];
        if (used == 0 || used + correction.bits <= allowed_bits_) {
            used += correction.bits;
            waited = 0;
            continue;
        }
        const state::RawPool predictions = state::RawPool::looking_at(layout_, correction.pool, predicted);
        std::memcpy(pool.element(correction.index), predictions.find(handle), pool.element_info().size);
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
    allowed_bits_ = std::clamp(allowed_bits_, 64.0, std::max(64.0, 64.0 * bytes_));
}

}  // namespace instep::net
