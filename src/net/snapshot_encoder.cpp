// SPDX-License-Identifier: MIT
#include <instep/net/snapshot_encoder.h>

#include <instep/codec/byte_model.h>

namespace instep::net {

SnapshotEncoder::SnapshotEncoder(const match::Setup& setup, ReplicationMode mode, LinkKind link,
                                 std::uint32_t budget)
    : SnapshotHistory(setup, mode),
      link_(link),
      budget_(setup.layout, budget, distance(setup.facts.view_low, setup.facts.view_high) / 8),
      held_(codec::make_tick_record(setup)) {}

bool SnapshotEncoder::predict(std::uint32_t number, const codec::TickLog& log) {
    predicted_ticks_ = 0;
    if (*baseline_ >= number || number - *baseline_ > snapshots_kept || !restore_baseline(*baseline_, held_))
        return false;
    for (std::uint64_t tick = tick_of(*baseline_) + 1; tick <= tick_of(number); ++tick) {
        const codec::TickRecord* record = log.find(tick);
        if (!record) return false;
        if (predicted_ticks_ == predicted_events_.size())
            predicted_events_.emplace_back().rows.reserve(codec::usual_event_bytes(setup_));
        codec::TickEvents& predicted_events = predicted_events_[predicted_ticks_++];
        predicted_events.tick = tick;
        if (mode_ == ReplicationMode::relay) continue;  // what is exact needs no correction
        stepper_.step_record(predicted_.data(), *record);
        const auto events = stepper_.events();
        predicted_events.rows.assign(events.begin(), events.end());
    }
    if (mode_ == ReplicationMode::snapshots) codec::quantise(setup_.layout, predicted_.data());
    return true;
}

void SnapshotEncoder::tell(std::uint32_t number, const std::byte* actual, const codec::TickLog& log,
                           std::optional<std::uint32_t> baseline) {
    log_ = &log;
    baseline_ = baseline;
    if (link_ == LinkKind::ordered && has_snapshot_) baseline_ = number_;
    if (baseline_ && !predict(number, log)) baseline_.reset();
    if (mode_ == ReplicationMode::relay)
        state::copy(setup_.layout, actual, replicated_.data());
    else
        codec::quantise_against(setup_.layout, baseline_ ? predicted_.data() : initial_.data(), actual,
                                replicated_.data());
    if (mode_ == ReplicationMode::snapshots && baseline_) {
        budget_.apply(predicted_.data(), replicated_.data());
        // Where one element that waits does not go together with another that was told, nobody waits.
        if (budget_.was_short() && !is_legal(setup_, replicated_.data()))
            codec::quantise_against(setup_.layout, predicted_.data(), actual, replicated_.data());
    }
    store(number);
}

void SnapshotEncoder::write(codec::Bytes& out, bool checked) {
    if (!baseline_) return write_keyframe(out);
    const bool is_datagram = link_ == LinkKind::datagram;
    DeltaHeader header{.fresh_model = is_datagram ? !restore_model(*baseline_) : restart_model_,
                       .numbered = is_datagram,
                       .has_hash = checked,
                       .number = number_,
                       .back = number_ - *baseline_};
    if (checked) header.hash = short_hash(setup_.layout, replicated_.data());
    if (header.fresh_model) model_ = fresh_model_;
    restart_model_ = false;
    const std::size_t size_before = out.size();
    codec::Writer writer(out);
    code_header(writer, header);
    const codec::TickRecord* before = &held_;
    for (codec::TickEvents& predicted_events : std::span(predicted_events_).first(predicted_ticks_)) {
        const codec::TickRecord* record = log_->find(predicted_events.tick);
        encode_tick(writer, setup_, model_.ticks, *before, *record);
        before = record;
        if (mode_ == ReplicationMode::relay) continue;  // what is exact foresees exactly
        const state::StructInfo& event = *setup_.world->event;
        codec::quantise_events_against(event, predicted_events.rows, record->events, event_rows_);
        encode_events(writer, event, model_.events, predicted_events.rows, event_rows_);
    }
    if (mode_ == ReplicationMode::snapshots)
        codec::encode_state(writer, setup_.layout, model_.state, predicted_.data(), replicated_.data());
    writer.finish();
    if (is_datagram) store_model(number_);
    budget_.note_size(out.size() - size_before);
}

void SnapshotEncoder::write_keyframe(codec::Bytes& out) {
    DeltaHeader header{.keyframe = true, .fresh_model = true, .has_hash = true, .number = number_};
    header.hash = short_hash(setup_.layout, replicated_.data());
    codec::Writer writer(out);
    code_header(writer, header);
    write_keyframe_events(writer);
    if (mode_ == ReplicationMode::snapshots) {
        codec::StateModel model(setup_.layout);
        codec::encode_state(writer, setup_.layout, model, initial_.data(), replicated_.data());
    } else {
        codec::Bytes image(state::image_size(setup_.layout, replicated_.data()));
        state::save(setup_.layout, replicated_.data(), image);
        encode_bytes(writer, image);
    }
    writer.finish();
    restart_model_ = true;
}

// Nothing was predicted_events of them. Where states are exact, so are they.
void SnapshotEncoder::write_keyframe_events(codec::Writer& writer) {
    const state::StructInfo& event = *setup_.world->event;
    codec::EventModel model(event);
    for (std::uint64_t tick = tick_of(number_ - 1) + 1; tick <= tick_of(number_); ++tick) {
        const codec::TickRecord* record = log_->find(tick);
        const codec::ByteView events = record ? codec::ByteView(record->events) : codec::ByteView();
        if (mode_ == ReplicationMode::relay) {
            event_rows_.assign(events.begin(), events.end());
            encode_bytes(writer, event_rows_);
        } else {
            codec::quantise_events_against(event, {}, events, event_rows_);
            encode_events(writer, event, model, {}, event_rows_);
        }
    }
}

}  // namespace instep::net
