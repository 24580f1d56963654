// SPDX-License-Identifier: MIT
// Client-side prediction: the world's step on the newest snapshot, with the own inputs since then, while
// other players keep theirs. Each new snapshot is a rollback: it replays the own inputs from there, at most
// `max_ticks` of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <instep/net/world_stepper.h>
#include <instep/present/event_feed.h>

namespace instep::net {

class Predictor {
public:
    Predictor(const match::Setup& setup, std::uint32_t max_ticks);

    std::uint64_t tick() const { return tick_; }
    std::uint64_t base_tick() const { return base_tick_; }
    const std::byte* state() const { return state_.data(); }
    // The state of the next tick if the own player keeps its input: the drawn state lies between the two.
    const std::byte* next(contract::Slot slot);
    bool has_new_base() const { return has_new_base_; }
    bool may_go_on() const { return tick_ < base_tick_ + max_ticks_; }

    // The state to predict from, at this tick.
    void set_base(const std::byte* block, std::uint64_t tick);
    // Replays everything since the base.
    void replay(contract::Slot slot, present::EventFeed& events);
    // One tick more; `input` is canonical.
    void advance(contract::Slot slot, const std::byte* input, present::EventFeed& events);
    // Moves to another tick: skipped ticks use the last input, as the server does. Costs nothing at the
    // limit: a client that receives nothing calls it in every frame.
    void skip_to(std::uint64_t tick, contract::Slot slot, present::EventFeed& events);

    std::uint64_t steps() const { return steps_; }

private:
    void step_with_last_input(contract::Slot slot, present::EventFeed& events);
    std::byte* input_at(std::uint64_t tick) { return inputs_.data() + tick % (max_ticks_ + 1) * input_size_; }

    const match::Setup& setup_;
    std::uint32_t max_ticks_;
    std::size_t input_size_;
    WorldStepper stepper_;
    state::Block base_;
    state::Block state_;
    state::Block next_;
    bool next_is_known_ = false;
    std::vector<std::byte> inputs_;  // by tick
    codec::Bytes last_;
    std::uint64_t base_tick_ = 0;
    std::uint64_t tick_ = 0;
    bool has_new_base_ = false;
    std::uint64_t steps_ = 0;
};

}  // namespace instep::net
