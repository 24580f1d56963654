// SPDX-License-Identifier: MIT
// A server that lies: it encodes its messages as any server does, so all of them pass the range coder, but a
// script changes the states, ticks and events in them.
#pragma once

#include <optional>

#include <instep/codec/input_codec.h>
#include <instep/net/snapshot_encoder.h>
#include <instep/net/world_stepper.h>

#include <tests/fuzz/script.h>

namespace instep::fuzz {

// Whether a match would load this state.
inline state::Result<void> legality(const match::Setup& setup, const std::byte* block) {
    std::vector<std::byte> image(state::image_size(setup.layout, block));
    state::save(setup.layout, block, image);
    state::Block loaded(setup.layout);
    if (auto result = state::load(setup.layout, image, loaded.data()); !result) return result;
    return setup.world->validate(setup.value.get(), setup.layout, loaded.data());
}

class Forger {
public:
    Forger(const match::Setup& setup, net::ReplicationMode mode)
        : setup_(setup),
          mode_(mode),
          stepper_(setup),
          state_(setup.layout),
          log_(setup, (net::snapshots_kept + 1) * setup.facts.snapshot_every) {}

    // The state that was encoded last.
    const std::byte* replicated() const { return encoder_->replicated(); }
    // Whether a client that decoded this snapshot last can decode the next delta.
    bool can_continue_from(std::uint32_t number) const {
        return encoder_ && is_legal_ && encoder_->number() == number &&
               number < UINT32_MAX - net::snapshots_kept;
    }

    // A keyframe of an unchanged state, with any snapshot number.
    void write_keyframe(const std::byte* actual, std::uint32_t number, codec::Bytes& out) {
        state::copy(setup_.layout, actual, state_.data());
        send_keyframe(number, out);
    }
    // A keyframe of a state that the script changes.
    void write_changed(Script& script, const std::byte* actual, std::uint32_t number, codec::Bytes& out) {
        state::copy(setup_.layout, actual, state_.data());
        if (script.flag()) number = static_cast<std::uint32_t>(script.take(4));
        change(script);
        send_keyframe(number, out);
    }
    // A delta to the state a few ticks after the last one, which the script may change.
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
        const std::size_t change_kind = script.choose(8);
        const auto slot = static_cast<contract::Slot>(script.choose(setup_.facts.most_players));
        if (change_kind == 1 && contract::contains(record.live, slot)) {
            record.leaves.push_back(slot);
            record.live &= ~contract::only(slot);
        } else if (change_kind == 2 && !contract::contains(record.live, slot)) {
            record.joins.push_back({contract::PlayerName::of("forged"), script.take(2), slot, {}});
            record.live |= contract::only(slot);
        } else if (change_kind == 3) {
            change_struct(script, *setup_.world->input, record.row(slot, setup_.world->input->size).data());
        }
        // A server sends canonical inputs only.
        for (std::uint32_t i = 0; i < setup_.facts.most_players; ++i)
            codec::make_canonical(
                setup_, record.row(static_cast<contract::Slot>(i), setup_.world->input->size).data());
        stepper_.step_record(state_.data(), record);
        record.events.assign(stepper_.events().begin(), stepper_.events().end());
        const state::StructInfo& event = *setup_.world->event;
        if (change_kind == 4 && record.events.size() < setup_.facts.most_events * event.size) {
            record.events.resize(record.events.size() + event.size);
            std::byte* row = record.events.data() + record.events.size() - event.size;
            for (int i = 0; i < 2; ++i) change_struct(script, event, row);
        }
        if (change_kind == 5) record.events.clear();
    }

    void change(Script& script) {
        change_elements(script, setup_.layout, state_.data());
        change_fields(script, setup_.layout, state_.data());
    }

    void send_keyframe(std::uint32_t number, codec::Bytes& out) {
        encoder_.emplace(setup_, mode_, net::LinkKind::datagram);
        send(number, {}, out);
    }

    void send(std::uint32_t number, std::optional<std::uint32_t> baseline, codec::Bytes& out) {
        const std::uint64_t tick = encoder_->tick_of(number);
        std::memcpy(state_.data() + setup_.layout.head->find("tick")->offset, &tick, sizeof tick);
        encoder_->encode({number, state_.data(), log_}, {.baseline = baseline, .with_hash = true}, out);
        // An illegal state must not be stepped.
        is_legal_ = legality(setup_, encoder_->replicated()).has_value();
    }

    const match::Setup& setup_;
    net::ReplicationMode mode_;
    net::WorldStepper stepper_;
    state::Block state_;
    codec::TickLog log_;
    std::optional<net::SnapshotEncoder> encoder_;
    bool is_legal_ = false;
};

}  // namespace instep::fuzz
