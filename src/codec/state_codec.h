// SPDX-License-Identifier: MIT
// A state as the difference from another that both sides know: the prediction. Both run the real step on the
// last state they shared, round the result to the grid of its fields, and only what is not as predicted is
// sent.
//
//     server:  predicted = quantised(step(told before))
//              told = settled(predicted, actual), bytes = encode(predicted, told)
//     client:  predicted = quantised(step(told before))
//              told = decode(predicted, bytes)
//
// `told` is what clients are told: on the grid, and the same bits on both sides. A field that the prediction
// misses by no more than one step of its grid stays as predicted, so entities that move as the step says cost
// nothing. Kinds that are replicated as events (projectiles) are never corrected while they last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <instep/codec/number.h>
#include <instep/codec/range_coder.h>
#include <instep/state/layout.h>

namespace instep::codec {

// What has been learnt of one field.
struct FieldModel {
    BitModel changed{60000};
    BitModel whole{64000};  // not on the grid
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
    StructModel fresh;  // elements that were not there
    BitModel regrouped{60000};
    BitModel moved{60000};
    NumberModel count;
    NumberModel id;
    NumberModel age;

    friend bool operator==(const PoolModel&, const PoolModel&) = default;
};

// What both sides have learnt so far. It belongs to the state that was shared last: whoever goes back to an
// older state goes back to its model.
struct StateModel {
    StructModel head;
    std::vector<PoolModel> pools;

    StateModel() = default;
    explicit StateModel(const state::Layout& layout);
    friend bool operator==(const StateModel&, const StateModel&) = default;
};

// Rounds every quantised field that is within its range to its grid. Doing it twice changes nothing.
void quantise(const state::Layout& layout, std::byte* block);

// What clients will be told of `actual`, given what they predict. Both blocks belong to the layout;
// `predicted` is quantised.
void quantise_against(const state::Layout& layout, const std::byte* predicted, const std::byte* actual,
                      std::byte* told);

// What is new is told as the difference from these: as many zeros as any struct has bytes.
const std::byte* zeros_of(const state::StructInfo& info);

// One struct alone, an input or an event for example.
void quantise_struct(const state::StructInfo& info, std::byte* bytes);
// `told` holds the actual values and is changed to what is told of them. Null: nothing was predicted.
void quantise_struct_against(const state::StructInfo& info, const std::byte* predicted, std::byte* told);
void encode_struct(Writer& writer, const state::StructInfo& info, StructModel& model,
                   const std::byte* predicted, const std::byte* told);
bool decode_struct(Reader& reader, const state::StructInfo& info, StructModel& model,
                   const std::byte* predicted, std::byte* told);

void encode_state(Writer& writer, const state::Layout& layout, StateModel& model, const std::byte* predicted,
                  const std::byte* told);

// Takes any bytes. False if they are no message for this layout; `told` is then not to be used.
bool decode_state(Reader& reader, const state::Layout& layout, StateModel& model, const std::byte* predicted,
                  std::byte* told);

}  // namespace instep::codec
