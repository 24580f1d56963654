// SPDX-License-Identifier: MIT
// The last ticks: leaves, joins, the players' inputs in canonical form (input_codec.h), and the events of the
// step. Deltas carry them, so that both ends predict with the real inputs; in relay mode a delta is nothing
// else.
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
    std::vector<std::byte> events;  // of the step: rows of the world's Event

    std::span<std::byte> row(contract::Slot slot, std::size_t size) {
        return std::span(inputs).subspan(slot * size, size);
    }
    std::span<const std::byte> row(contract::Slot slot, std::size_t size) const {
        return std::span(inputs).subspan(slot * size, size);
    }
};

TickRecord make_tick_record(const match::Setup& setup);
// Reserved for a tick's events: enough for all but the wildest ticks, small enough for a hundred ticks in
// hundreds of rooms.
inline std::size_t usual_event_bytes(const match::Setup& setup) {
    const std::uint32_t usual = std::min({setup.facts.most_events, 8 + 2 * setup.facts.most_players, 48u});
    return usual * std::size_t{setup.world->event->size};
}

class TickLog {
public:
    TickLog(const match::Setup& setup, std::uint32_t capacity) : records_(capacity, make_tick_record(setup)) {
        for (TickRecord& record : records_) record.events.reserve(usual_event_bytes(setup));
    }

    // A record to fill in; tick t replaces tick t - capacity.
    TickRecord& begin(std::uint64_t tick) {
        TickRecord& record = records_[tick % records_.size()];
        record.tick = tick;
        record.leaves.clear();
        record.joins.clear();
        record.events.clear();
        return record;
    }
    // Null if it is not remembered.
    const TickRecord* find(std::uint64_t tick) const {
        const TickRecord& record = records_[tick % records_.size()];
        return tick > 0 && record.tick == tick ? &record : nullptr;
    }

private:
    std::vector<TickRecord> records_;
};

// The record as a step takes it.
void fill_tick(const TickRecord& record, match::TickBuilder& tick);

// The adaptive models of ticks.
struct TickModel {
    BitModel membership{65000};
    StructModel input;

    explicit TickModel(const match::Setup& setup) : input(*setup.world->input) {}
    friend bool operator==(const TickModel&, const TickModel&) = default;
};

// A tick as the difference from the one before it. The decoder has that one in `record`, and overwrites it.
void encode_tick(Writer& writer, const match::Setup& setup, TickModel& model, const TickRecord& before,
                 const TickRecord& record);
// Takes any bytes. False if a server cannot have written them: illegal joins or leaves, or an input that is
// not canonical.
bool decode_tick(Reader& reader, const match::Setup& setup, TickModel& model, TickRecord& record);

}  // namespace instep::codec
