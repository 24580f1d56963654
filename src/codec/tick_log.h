// SPDX-License-Identifier: MIT
// What entered each of the last ticks: leaves, joins and the players' inputs as they stood on the wire,
// before sanitize(); and the events that came of it. Snapshots carry it, so that both sides foresee with what
// players really did; where inputs are relayed it is all they carry.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <instep/codec/state_codec.h>
#include <instep/match/tick_builder.h>

namespace instep::codec {

struct TickRecord {
    std::uint64_t tick = 0;      // the one that the step leads to
    contract::SlotSet live = 0;  // after its leaves and joins
    std::vector<contract::Slot> leaves;
    std::vector<contract::Join> joins;
    std::vector<std::byte> inputs;  // a row for every slot
    std::vector<std::byte> events;  // that came out of it: rows of the world's Event

    std::span<std::byte> row(contract::Slot slot, std::size_t size) {
        return std::span(inputs).subspan(slot * size, size);
    }
    std::span<const std::byte> row(contract::Slot slot, std::size_t size) const {
        return std::span(inputs).subspan(slot * size, size);
    }
};

TickRecord make_tick_record(const match::Setup& setup);
// What a tick's events take but for the wildest ticks: room that is kept for them, in a hundred ticks of each
// of hundreds of rooms.
inline std::size_t usual_event_bytes(const match::Setup& setup) {
    const std::uint32_t usual = std::min({setup.facts.most_events, 8 + 2 * setup.facts.most_players, 48u});
    return usual * std::size_t{setup.world->event->size};
}

class TickLog {
public:
    TickLog(const match::Setup& setup, std::uint32_t capacity) : records_(capacity, make_tick_record(setup)) {
        for (TickRecord& record : records_) record.events.reserve(usual_event_bytes(setup));
    }

    // To be filled in; tick t takes the place of tick t - capacity.
    TickRecord& begin(std::uint64_t tick) {
        TickRecord& record = records_[tick % records_.size()];
        record.tick = tick;
        record.leaves.clear();
        record.joins.clear();
        record.events.clear();
        return record;
    }
    // Null if it is gone or never was.
    const TickRecord* find(std::uint64_t tick) const {
        const TickRecord& record = records_[tick % records_.size()];
        return tick > 0 && record.tick == tick ? &record : nullptr;
    }

private:
    std::vector<TickRecord> records_;
};

// The record as a step takes it.
void fill_tick(const TickRecord& record, match::TickBuilder& tick);

// What has been learnt of ticks.
struct TickModel {
    BitModel coming_and_going{65000};
    StructModel input;

    explicit TickModel(const match::Setup& setup) : input(*setup.world->input) {}
    friend bool operator==(const TickModel&, const TickModel&) = default;
};

// One tick as the difference from the one before it, which the reader has in `record`: `live` and `inputs` go
// in as they were and come out as they are.
void encode_tick(Writer& writer, const match::Setup& setup, TickModel& model, const TickRecord& before,
                 const TickRecord& record);
// Takes any bytes; false if no server could have written them.
bool decode_tick(Reader& reader, const match::Setup& setup, TickModel& model, TickRecord& record);

}  // namespace instep::codec
