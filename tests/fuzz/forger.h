// SPDX-License-Identifier: MIT
// A server that lies: what it tells is written as any server writes it, so the range coder lets all of it
// through, but the states, ticks and events are what a script makes of them.
#pragma once

#include <optional>

#include <instep/codec/input_codec.h>
#include <instep/net/snapshot_encoder.h>
#include <instep/net/world_stepper.h>

#include <tests/fuzz/script.h>

namespace instep::fuzz {

// Whether a match would take this state from outside.
inline state::Result<void> legality(const match::Setup& setup, const std::byte* block) {
    std::vector<std::byte> image(state::image_size(setup.layout, block));
    state::save(setup.layout, block, image);
    state::Block loaded(setup.layout);
    if (auto result = state::load(setup.layout, image, loaded.data()); !result) return result;
    return setup.world->validate(setup.value.get(), setup.layout, loaded.data());
}

class Forger {
public:
    Forger(const match::Setup& setup, net::ReplicationMode room)
        : setup_(setup),
          room_(room),
          stepper_(setup),
          state_(setup.layout),
          log_(setup, (net::snapshots_kept + 1) * setup.facts.snapshot_every) {}

    // The state that was told last.
    const std::byte* replicated() const { return encoder_->replicated(); }
    // Whether the next one can be told to somebody who heard this one last.
    bool may_go_on_from(std::uint32_t number) const {
        return encoder_ && is_legal_ && encoder_->number() == number &&
               number < UINT32_MAX - net::snapshots_kept;
    }

    // A state as it is, told whole as another snapshot's.
    void write_keyframe(const std::byte* actual, std::uint32_t number, codec::Bytes& out) {
        state::copy(setup_.layout, actual, state_.data());
        send_keyframe(number, out);
    }
    // Whatever the script makes of it.
    void write_changed(Script& script, const std::byte* actual, std::uint32_t number, codec::Bytes& out) {
        state::copy(setup_.layout, actual, state_.data());
        if (script.flag()) number = static_cast<std::uint32_t>(script.take(4));
        change(script);
        send_keyframe(number, out);
    }
    // What comes of the state told last in a few ticks, or what the script makes of that.
    void write_next(Script& script, codec::Bytes& out) {
        const std::uint32_t baseline = encoder_->number();
        const auto number = static_cast<std::uint32_t>(baseline + 1 + script.choose(4));
        state::copy(setup_.layout, encoder_->replicated(), state_.data());
        for (std::uint64_t tick = encoder_->tick_of(baseline) + 1; tick <= encoder_->tick_of(number); ++tick)
            play(script, tick);
        change(script);
        send(number, baseline, out);
    }

private:
    void play(Script& script, std::uint64_t tick) {
        codec::TickRecord& record = log_.begin(tick);
        record.live = setup_.world->live_slots(setup_.layout, state_.data());
        setup_.world->held_inputs(setup_.layout, state_.data(), record.inputs.data());
        const std::size_t what = script.choose(8);
        const auto slot = static_cast<contract::Slot>(script.choose(setup_.facts.most_players));
        if (what == 1 && contract::contains(record.live, slot)) {
            record.leaves.push_back(slot);
            record.live &= ~contract::only(slot);
        } else if (what == 2 && !contract::contains(record.live, slot)) {
            record.joins.push_back({contract::PlayerName::of("forged"), script.take(2), slot, {}});
            record.live |= contract::only(slot);
        } else if (what == 3) {
            change_struct(script, *setup_.world->input, record.row(slot, setup_.world->input->size).data());
        }
        // As a server would have sent it.
        for (std::uint32_t i = 0; i < setup_.facts.most_players; ++i)
            codec::make_canonical(
                setup_, record.row(static_cast<contract::Slot>(i), setup_.world->input->size).data());
        stepper_.step_record(state_.data(), record);
        record.events.assign(stepper_.events().begin(), stepper_.events().end());
        const state::StructInfo& event = *setup_.world->event;
        if (what == 4 && record.events.size() < setup_.facts.most_events * event.size) {
            record.events.resize(record.events.size() + event.size);
            std::byte* row = record.events.data() + record.events.size() - event.size;
            for (int i = 0; i < 2; ++i) change_struct(script, event, row);
        }
        if (what == 5) record.events.clear();
    }

    void change(Script& script) {
        change_elements(script, setup_.layout, state_.data());
        change_fields(script, setup_.layout, state_.data());
    }

    void send_keyframe(std::uint32_t number, codec::Bytes& out) {
        encoder_.emplace(setup_, room_, net::LinkKind::datagram);
        send(number, {}, out);
    }

    void send(std::uint32_t number, std::optional<std::uint32_t> baseline, codec::Bytes& out) {
        const std::uint64_t tick = encoder_->tick_of(number);
        std::memcpy(state_.data() + setup_.layout.head->find("tick")->offset, &tick, sizeof tick);
        encoder_->encode({number, state_.data(), log_}, {.baseline = baseline, .with_hash = true}, out);
        // Nothing must be stepped from a state that is not.
        is_legal_ = legality(setup_, encoder_->replicated()).has_value();
    }

    const match::Setup& setup_;
    net::ReplicationMode room_;
    net::WorldStepper stepper_;
    state::Block state_;
    codec::TickLog log_;
    std::optional<net::SnapshotEncoder> encoder_;
    bool is_legal_ = false;
};

}  // namespace instep::fuzz
