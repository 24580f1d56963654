// SPDX-License-Identifier: MIT
// The events of a tick as clients are told them. Both sides step the told state, so both foresee its events;
// as long as those are what really happened, give or take a step of a grid, they cost a fraction of a bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/codec/state_codec.h>

namespace instep::codec {

struct TickEvents {
    std::uint64_t tick = 0;
    std::vector<std::byte> rows;  // whole events, in the order of the step
};

struct EventModel {
    BitModel as_foreseen{65000};
    NumberModel count;
    StructModel event;

    explicit EventModel(const state::StructInfo& info) : event(info) {}
    friend bool operator==(const EventModel&, const EventModel&) = default;
};

// What is told of `actual`; `foreseen` is rounded to its grids on the way, as the reader's will be.
void quantise_events_against(const state::StructInfo& info, std::span<std::byte> foreseen,
                             std::span<const std::byte> actual, std::vector<std::byte>& told);

void encode_events(Writer& writer, const state::StructInfo& info, EventModel& model,
                   std::span<const std::byte> foreseen, std::span<const std::byte> told);
// Takes any bytes; at most `most` events. False if no server could have written them.
bool decode_events(Reader& reader, const state::StructInfo& info, EventModel& model, std::uint32_t most,
                   std::span<std::byte> foreseen, std::vector<std::byte>& told);

// The same of what nobody foresaw and is told to the bit.
bool decode_exact_events(Reader& reader, const state::StructInfo& info, std::uint32_t most,
                         std::vector<std::byte>& told);

}  // namespace instep::codec
