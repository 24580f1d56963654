// SPDX-License-Identifier: MIT
// A state as the difference from the prediction. Both ends step the last state that they share, round the
// result to the grids of its fields, and only what differs from that is sent.
//
//     server:  predicted  = quantise(step(baseline))
//              replicated = quantise_against(predicted, actual), bytes = encode(predicted, replicated)
//     client:  predicted  = quantise(step(baseline))
//              replicated = decode(predicted, bytes)
//
// The replicated state is on the grids and has the same bits on both ends. A field that the prediction misses
// by at most one step of its grid stays as predicted, so an entity that moves as the step says costs nothing.
// Pools that are replicated as events (projectiles) are never corrected while their elements live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <instep/codec/number.h>
#include <instep/codec/range_coder.h>
#include <instep/state/layout.h>

namespace instep::codec {

// The adaptive models of one field.
struct FieldModel {
    BitModel changed{60000};
    BitModel off_grid{64000};  // out of range: sent with all its bits
    NumberModel number;

    friend bool operator==(const FieldModel&, const FieldModel&) = default;
};

struct StructModel {
    BitModel changed{50000};
    std::vector<FieldModel> fields;

    StructModel() = default;
    explicit StructModel(const state::StructInfo& info) : fields(info.fields.size()) {}
    friend bool operator==(const StructModel&, const StructModel&) = default;
};

struct PoolModel {
    StructModel known;  // elements that were predicted
    StructModel fresh;  // elements that were not predicted
    BitModel regrouped{60000};
    BitModel moved{60000};
    NumberModel count;
    NumberModel id;
    NumberModel age;

    friend bool operator==(const PoolModel&, const PoolModel&) = default;
};

// The models of a state. They belong to the state that was coded last: a coder that goes back to an older
// baseline goes back to its models.
struct StateModel {
    StructModel head;
    std::vector<PoolModel> pools;

    StateModel() = default;
    explicit StateModel(const state::Layout& layout);
    friend bool operator==(const StateModel&, const StateModel&) = default;
};

// Rounds every quantised field that is within its range to its grid. Doing it twice changes nothing.
void quantise(const state::Layout& layout, std::byte* block);

// `actual` on the grids, with each field as predicted where that is within one step. Both blocks belong to
// the layout; `predicted` is quantised.
void quantise_against(const state::Layout& layout, const std::byte* predicted, const std::byte* actual,
                      std::byte* replicated);

// New elements are coded as the difference from zeros: as many as any struct has bytes.
const std::byte* zeros_of(const state::StructInfo& info);

// One struct alone, an input or an event for example.
void quantise_struct(const state::StructInfo& info, std::byte* bytes);
// `replicated` holds the actual values on entry. `predicted` may be null: nothing was predicted.
void quantise_struct_against(const state::StructInfo& info, const std::byte* predicted,
                             std::byte* replicated);
void encode_struct(Writer& writer, const state::StructInfo& info, StructModel& model,
                   const std::byte* predicted, const std::byte* replicated);
bool decode_struct(Reader& reader, const state::StructInfo& info, StructModel& model,
                   const std::byte* predicted, std::byte* replicated);

void encode_state(Writer& writer, const state::Layout& layout, StateModel& model, const std::byte* predicted,
                  const std::byte* replicated);

// Takes any bytes. False if they cannot be a state of this layout; `replicated` is then undefined.
bool decode_state(Reader& reader, const state::Layout& layout, StateModel& model, const std::byte* predicted,
                  std::byte* replicated);

}  // namespace instep::codec
