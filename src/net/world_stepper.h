// SPDX-License-Identifier: MIT
// The world's step on any block: what the encoder, the decoder and the predictor predict with.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include <instep/codec/tick_log.h>
#include <instep/match/tick_builder.h>

namespace instep::net {

class WorldStepper {
public:
    explicit WorldStepper(const match::Setup& setup)
        : setup_(setup),
          tick_(setup),
          event_rows_(std::size_t{setup.facts.most_events} * setup.world->event->size) {}

    // Every player repeats the last input that the state holds, except `slot`, which has `input`.
    void step_holding(std::byte* block, contract::Slot slot, const std::byte* input) {
        tick_.begin();
        setup_.world->held_inputs(setup_.layout, block, tick_.input(0));
        std::memcpy(tick_.input(slot), input, setup_.world->input->size);
        step(block);
    }
    void step_record(std::byte* block, const codec::TickRecord& record) {
        codec::fill_tick(record, tick_);
        step(block);
    }

    // Of the last step.
    std::span<const std::byte> events() const {
        return std::span(event_rows_).first(std::size_t{events_.count} * setup_.world->event->size);
    }

private:
    void step(std::byte* block) {
        events_ = {event_rows_};
        setup_.world->step(setup_.value.get(), setup_.layout, block, tick_.bytes(), events_);
    }

    const match::Setup& setup_;
    match::TickBuilder tick_;
    std::vector<std::byte> event_rows_;
    match::EventBytes events_;
};

}  // namespace instep::net
