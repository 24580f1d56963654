// SPDX-License-Identifier: MIT
#include <instep/codec/input_codec.h>

#include <cmath>
#include <cstring>

#include <instep/codec/bytes.h>
#include <instep/codec/grid.h>
#include <instep/codec/state_codec.h>

namespace instep::codec {
namespace {

void clear_reserved(const state::StructInfo& info, std::byte* row) {
    for (const state::Field& field : info.fields)
        if (field.kind == state::FieldKind::reserved) std::memset(row + field.offset, 0, field.size);
}

double grid_value(const state::Field& field, std::int64_t step) {
    const double value = value_at_step(field.rules, step);
    return field.kind == state::FieldKind::f32 ? static_cast<float>(value) : value;
}

void quantise_towards_zero(const state::StructInfo& info, std::byte* row) {
    for (const state::Field& field : info.fields) {
        if (!is_quantised(field)) continue;
        const double value = state::number_at(field, row);
        if (!is_in_range(field.rules, value)) continue;
        std::int64_t step = nearest_step(field.rules, value);
        if (std::abs(grid_value(field, step)) > std::abs(value)) step += value > 0 ? -1 : 1;
        state::set_real(field, grid_value(field, step), row);
    }
}

}  // namespace

bool make_canonical(const match::Setup& setup, std::byte* row) {
    const state::StructInfo& info = *setup.world->input;
    const auto sanitize = [&] { return setup.world->sanitize(setup.value.get(), row); };
    const bool is_legal = sanitize();
    clear_reserved(info, row);
    quantise_struct(info, row);
    sanitize();
    // A limit between two steps of the grid (an edge at 100.3) moves the rounded value off the grid again:
    // the step within the limit counts. Legal inputs lie around zero, so that is the step towards zero.
    quantise_towards_zero(info, row);
    return is_legal;
}

Bytes idle_input(const match::Setup& setup) {
    Bytes row(setup.world->input->size);
    make_canonical(setup, row.data());
    return row;
}

bool is_canonical(const match::Setup& setup, const std::byte* row) {
    const std::size_t size = setup.world->input->size;
    Bytes canonical(row, row + size);
    return make_canonical(setup, canonical.data()) && std::memcmp(canonical.data(), row, size) == 0;
}

}  // namespace instep::codec
