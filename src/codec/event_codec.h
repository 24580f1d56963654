// SPDX-License-Identifier: MIT
// The events of a tick. Both ends step the replicated state, so both predict its events; an event that is as
// predicted, within a step of its grids, costs a fraction of a bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/codec/state_codec.h>

namespace instep::codec {

struct TickEvents {
    std::uint64_t tick = 0;
    std::vector<std::byte> rows;  // rows of the world's Event, in the order of the step
};

struct EventModel {
    BitModel as_predicted{65000};
    NumberModel count;
    StructModel event;

    explicit EventModel(const state::StructInfo& info) : event(info) {}
    friend bool operator==(const EventModel&, const EventModel&) = default;
};

// `actual` on the grids, as near to the prediction as they allow. `predicted` is quantised as well, as in the
// decoder.
void quantise_events_against(const state::StructInfo& info, std::span<std::byte> predicted,
                             std::span<const std::byte> actual, std::vector<std::byte>& replicated);

void encode_events(Writer& writer, const state::StructInfo& info, EventModel& model,
                   std::span<const std::byte> predicted, std::span<const std::byte> replicated);
// Takes any bytes. False if they hold more than `limit` events, or illegal ones.
bool decode_events(Reader& reader, const state::StructInfo& info, EventModel& model, std::uint32_t limit,
                   std::span<std::byte> predicted, std::vector<std::byte>& replicated);

// Events that were not predicted, exactly.
bool decode_exact_events(Reader& reader, const state::StructInfo& info, std::uint32_t limit,
                         std::vector<std::byte>& replicated);

}  // namespace instep::codec
