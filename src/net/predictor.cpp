// SPDX-License-Identifier: MIT
#include <instep/net/predictor.h>

#include <algorithm>
#include <cstring>

#include <instep/codec/input_codec.h>

namespace instep::net {

Predictor::Predictor(const match::Setup& setup, std::uint32_t max_ticks)
    : setup_(setup),
      max_ticks_(max_ticks),
      input_size_(setup.world->input->size),
      stepper_(setup),
      base_(setup.layout),
      state_(setup.layout),
      next_(setup.layout),
      inputs_((max_ticks + 1) * input_size_),
      last_(codec::idle_input(setup)) {}  // as the server repeats it before the first input

void Predictor::set_base(const std::byte* block, std::uint64_t tick) {
    state::copy(setup_.layout, block, base_.data());
    base_tick_ = tick;
    has_new_base_ = true;
}

void Predictor::replay(contract::Slot slot, present::EventFeed& events) {
    has_new_base_ = false;
    next_is_known_ = false;
    events.begin_replay();
    state::copy(setup_.layout, base_.data(), state_.data());
    const bool has_inputs = slot < setup_.facts.most_players;  // a watcher has none
    if (tick_ < base_tick_ || !has_inputs) tick_ = base_tick_;
    if (tick_ > base_tick_ + max_ticks_) tick_ = base_tick_ + max_ticks_;
    for (std::uint64_t tick = base_tick_ + 1; tick <= tick_; ++tick, ++steps_) {
        stepper_.step_holding(state_.data(), slot, input_at(tick));
        events.predict(tick, slot, stepper_.events());
    }
}

void Predictor::advance(contract::Slot slot, const std::byte* input, present::EventFeed& events) {
    std::memcpy(last_.data(), input, input_size_);
    step_with_last_input(slot, events);
}

void Predictor::step_with_last_input(contract::Slot slot, present::EventFeed& events) {
    ++tick_;
    next_is_known_ = false;
    std::memcpy(input_at(tick_), last_.data(), input_size_);
    stepper_.step_holding(state_.data(), slot, last_.data());
    events.predict(tick_, slot, stepper_.events());
    ++steps_;
}

const std::byte* Predictor::next(contract::Slot slot) {
    if (!next_is_known_) {
        state::copy(setup_.layout, state_.data(), next_.data());
        stepper_.step_holding(next_.data(), slot, last_.data());
        next_is_known_ = true;
    }
    return next_.data();
}

void Predictor::skip_to(std::uint64_t tick, contract::Slot slot, present::EventFeed& events) {
    tick = std::clamp(tick, base_tick_, base_tick_ + max_ticks_);
    if (has_new_base_ || tick < tick_) {
        tick_ = std::min(tick, tick_);
        replay(slot, events);
    }
    while (tick_ < tick) step_with_last_input(slot, events);
}

}  // namespace instep::net
