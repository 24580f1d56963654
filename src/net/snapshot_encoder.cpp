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

SnapshotEncoder::Encoded SnapshotEncoder::encode(const Snapshot& snapshot, const EncodeOptions& options,
                                                 codec::Bytes& out) {
    std::optional<std::uint32_t> baseline = options.baseline;
    if (link_ == LinkKind::ordered) baseline = has_snapshot_ ? std::optional(number_) : std::nullopt;
    if (baseline && predict(*baseline, snapshot)) {
        correct(snapshot.state, options.focus);
        store(snapshot.number);
        write_delta(*baseline, snapshot, options, out);
        return Encoded::delta;
    }
    if (mode_ == ReplicationMode::relay)
        state::copy(setup_.layout, snapshot.state, replicated_.data());
    else
        codec::quantise_against(setup_.layout, initial_.data(), snapshot.state, replicated_.data());
    store(snapshot.number);
    encode_keyframe(snapshot.log, out);
    fresh_model_next_ = true;
    return Encoded::keyframe;
}

// Steps the baseline with the inputs since then. False if the baseline or one of its ticks is not remembered.
bool SnapshotEncoder::predict(std::uint32_t baseline, const Snapshot& snapshot) {
    predicted_ticks_ = 0;
    if (baseline >= snapshot.number || snapshot.number - baseline > snapshots_kept ||
        !restore_baseline(baseline, held_))
        return false;
    for (std::uint64_t tick = tick_of(baseline) + 1; tick <= tick_of(snapshot.number); ++tick) {
        const codec::TickRecord* record = snapshot.log.find(tick);
        if (!record) return false;
        if (predicted_ticks_ == predicted_events_.size())
            predicted_events_.emplace_back().rows.reserve(codec::usual_event_bytes(setup_));
        codec::TickEvents& predicted = predicted_events_[predicted_ticks_++];
        predicted.tick = tick;
        if (mode_ == ReplicationMode::relay) continue;  // the client steps the exact state: no correction
        stepper_.step_record(predicted_.data(), *record);
        const auto events = stepper_.events();
        predicted.rows.assign(events.begin(), events.end());
    }
    if (mode_ == ReplicationMode::snapshots) codec::quantise(setup_.layout, predicted_.data());
    return true;
}

// The replicated state: the actual one on the fields' grids, as near to the prediction as they allow, and
// within the budget.
void SnapshotEncoder::correct(const std::byte* actual, std::optional<math::Vec2> focus) {
    if (mode_ == ReplicationMode::relay) return state::copy(setup_.layout, actual, replicated_.data());
    codec::quantise_against(setup_.layout, predicted_.data(), actual, replicated_.data());
    budget_.set_focus(focus);
    budget_.apply(predicted_.data(), replicated_.data());
    // A correction that waits may contradict one that is sent: then all are sent.
    if (budget_.was_short() && !is_legal(setup_, replicated_.data()))
        codec::quantise_against(setup_.layout, predicted_.data(), actual, replicated_.data());
}

void SnapshotEncoder::write_delta(std::uint32_t baseline, const Snapshot& snapshot,
                                  const EncodeOptions& options, codec::Bytes& out) {
    const bool is_datagram = link_ == LinkKind::datagram;
    const bool reset = is_datagram ? !restore_model(baseline) : options.fresh_model || fresh_model_next_;
    fresh_model_next_ = false;
    if (reset) model_ = fresh_model_;
    DeltaHeader header{.fresh_model = reset,
                       .numbered = is_datagram,
                       .has_hash = options.with_hash,
                       .number = snapshot.number,
                       .back = snapshot.number - baseline};
    if (options.with_hash) header.hash = short_hash(setup_.layout, replicated_.data());
    const std::size_t size_before = out.size();
    codec::Writer writer(out);
    code_header(writer, header);
    const codec::TickRecord* before = &held_;
    for (codec::TickEvents& predicted : std::span(predicted_events_).first(predicted_ticks_)) {
        const codec::TickRecord* record = snapshot.log.find(predicted.tick);
        encode_tick(writer, setup_, model_.ticks, *before, *record);
        before = record;
        if (mode_ == ReplicationMode::relay) continue;  // the client's step gives the same events
        const state::StructInfo& event = *setup_.world->event;
        codec::quantise_events_against(event, predicted.rows, record->events, event_rows_);
        encode_events(writer, event, model_.events, predicted.rows, event_rows_);
    }
    if (mode_ == ReplicationMode::snapshots)
        encode_state(writer, setup_.layout, model_.state, predicted_.data(), replicated_.data());
    writer.finish();
    if (is_datagram) store_model(snapshot.number);
    budget_.note_size(out.size() - size_before);
}

bool SnapshotEncoder::encode_keyframe(const codec::TickLog& log, codec::Bytes& out) const {
    if (!has_snapshot_) return false;
    DeltaHeader header{.keyframe = true,
                       .fresh_model = true,
                       .has_hash = true,
                       .number = number_,
                       .hash = short_hash(setup_.layout, replicated_.data())};
    codec::Writer writer(out);
    code_header(writer, header);
    write_keyframe_events(log, writer);
    if (mode_ == ReplicationMode::snapshots) {
        codec::StateModel model(setup_.layout);
        encode_state(writer, setup_.layout, model, initial_.data(), replicated_.data());
    } else {
        codec::Bytes image(state::image_size(setup_.layout, replicated_.data()));
        state::save(setup_.layout, replicated_.data(), image);
        encode_bytes(writer, image);
    }
    writer.finish();
    return true;
}

// The events since the snapshot before, so that a client that had that one misses none. In relay mode they
// are exact.
void SnapshotEncoder::write_keyframe_events(const codec::TickLog& log, codec::Writer& writer) const {
    const state::StructInfo& event = *setup_.world->event;
    codec::EventModel model(event);
    codec::Bytes rows;
    for (std::uint64_t tick = tick_of(number_ - 1) + 1; tick <= tick_of(number_); ++tick) {
        const codec::TickRecord* record = log.find(tick);
        const codec::ByteView events = record ? codec::ByteView(record->events) : codec::ByteView();
        if (mode_ == ReplicationMode::relay) {
            rows.assign(events.begin(), events.end());
            encode_bytes(writer, rows);
        } else {
            codec::quantise_events_against(event, {}, events, rows);
            encode_events(writer, event, model, {}, rows);
        }
    }
}

}  // namespace instep::net
