// SPDX-License-Identifier: MIT
// What the client shows of its own player before the server has seen its inputs: the real step on the last
// state it was told, with its own inputs since then and everybody else holding theirs. With each new snapshot
// it goes back to that one and plays its inputs again; never more than `most_ticks` of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <instep/net/world_stepper.h>
#include <instep/present/event_feed.h>

namespace instep::net {

class Predictor {
public:
    Predictor(const match::Setup& setup, std::uint32_t most_ticks);

    std::uint64_t tick() const { return tick_; }
    std::uint64_t base_tick() const { return base_tick_; }
    const std::byte* state() const { return state_.data(); }
    // The tick after that, should the own player go on as it does: what is drawn lies between the two.
    const std::byte* next(contract::Slot slot);
    bool has_new_base() const { return stale_; }
    bool may_go_on() const { return tick_ < base_tick_ + most_ticks_; }

    // The state that all goes on from, at this tick.
    void set_base(const std::byte* block, std::uint64_t tick);
    // Plays everything since the base again.
    void replay(contract::Slot slot, present::EventFeed& events);
    // One tick more; `input` is sanitized.
    void advance(contract::Slot slot, const std::byte* input, present::EventFeed& events);
    // To another tick at once: ticks that were left out use the last input, as the server will. Costs nothing
    // where there is no farther to go: a client that hears nothing asks in every frame.
    void skip_to(std::uint64_t tick, contract::Slot slot, present::EventFeed& events);

    std::uint64_t steps() const { return steps_; }

private:
    void play_last(contract::Slot slot, present::EventFeed& events);
    std::byte* input_at(std::uint64_t tick) {
        return inputs_.data() + tick % (most_ticks_ + 1) * input_size_;
    }

    const match::Setup& setup_;
    std::uint32_t most_ticks_;
    std::size_t input_size_;
    WorldStepper stepper_;
    state::Block base_;
    state::Block state_;
    state::Block next_;
    bool next_is_known_ = false;
    std::vector<std::byte> inputs_;  // by tick
    std::vector<std::byte> last_;
    std::uint64_t base_tick_ = 0;
    std::uint64_t tick_ = 0;
    bool stale_ = false;
    std::uint64_t steps_ = 0;
};

}  // namespace instep::net
