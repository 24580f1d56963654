// SPDX-License-Identifier: MIT
#include <instep/net/snapshot_decoder.h>

#include <utility>

#include <instep/codec/byte_model.h>

namespace instep::net {

bool SnapshotDecoder::predict(codec::Reader& reader, std::uint32_t baseline, std::uint32_t number) {
    codec::TickRecord record = codec::make_tick_record(setup_);
    if (!restore_baseline(baseline, record)) return false;
    // In relay mode the newest state is exact: ticks up to it are decoded but not stepped again.
    std::uint64_t known = tick_of(baseline);
    if (mode_ == ReplicationMode::relay && number_ > baseline) {
        known = tick();
        state::copy(setup_.layout, replicated_.data(), predicted_.data());
    }
    for (std::uint64_t tick = tick_of(baseline) + 1; tick <= tick_of(number); ++tick) {
        if (!decode_tick(reader, setup_, model_.ticks, record)) return true;  // reader.ok() is false
        record.tick = tick;
        ticks_.begin(tick) = record;
        if (tick <= known) continue;
        stepper_.step_record(predicted_.data(), record);
        const auto events = stepper_.events();
        codec::TickEvents& decoded =
            events_.emplace_back(codec::TickEvents{tick, {events.begin(), events.end()}});
        if (mode_ == ReplicationMode::relay) continue;
        codec::Bytes predicted = decoded.rows;
        if (!decode_events(reader, *setup_.world->event, model_.events, setup_.facts.most_events, predicted,
                           decoded.rows))
            reader.fail();
    }
    if (mode_ == ReplicationMode::snapshots) codec::quantise(setup_.layout, predicted_.data());
    return true;
}

bool SnapshotDecoder::read_keyframe_events(codec::Reader& reader, std::uint32_t number) {
    const state::StructInfo& event = *setup_.world->event;
    codec::EventModel model(event);
    for (std::uint64_t tick = tick_of(number - 1) + 1; tick <= tick_of(number); ++tick) {
        codec::TickEvents& decoded = events_.emplace_back(codec::TickEvents{tick, {}});
        const std::uint32_t limit = setup_.facts.most_events;
        const bool good = mode_ == ReplicationMode::relay
                              ? decode_exact_events(reader, event, limit, decoded.rows)
                              : decode_events(reader, event, model, limit, {}, decoded.rows);
        if (!good) return false;
    }
    return true;
}

bool SnapshotDecoder::decode_state(codec::Reader& reader, bool keyframe) {
    if (mode_ == ReplicationMode::relay) {
        if (!keyframe) {
            state::copy(setup_.layout, predicted_.data(), decoded_.data());
            return reader.ok();
        }
        codec::Bytes image;
        return decode_bytes(reader, image, setup_.layout.max_image_size) &&
               state::load(setup_.layout, image, decoded_.data());
    }
    if (!keyframe)
        return codec::decode_state(reader, setup_.layout, model_.state, predicted_.data(), decoded_.data());
    codec::StateModel model(setup_.layout);
    return codec::decode_state(reader, setup_.layout, model, initial_.data(), decoded_.data());
}

DecodeResult SnapshotDecoder::decode(codec::ByteView message) {
    events_.clear();
    codec::Reader reader(message);
    DeltaHeader header;
    code_header(reader, header);
    const DecodeResult result = reader.ok() ? decode_delta(reader, header) : DecodeResult::malformed;
    // Deltas after a gap cannot be decoded: the models they were coded with are unknown.
    if (result == DecodeResult::desync || (result == DecodeResult::malformed && !header.numbered))
        oldest_usable_.reset();
    return result;
}

DecodeResult SnapshotDecoder::decode_delta(codec::Reader& reader, const DeltaHeader& header) {
    if (!header.keyframe && !has_snapshot_) return DecodeResult::no_baseline;
    std::uint32_t number = header.keyframe ? header.number : number_ + header.back;
    if (header.numbered && !header.keyframe)
        number = number_ + static_cast<std::uint32_t>(static_cast<std::int16_t>(header.number - number_));
    if (number == 0) return DecodeResult::malformed;  // numbers count from 1
    // A keyframe may be older than the newest snapshot only if that one cannot be a baseline.
    if (number <= number_ && (!header.keyframe || is_usable())) return DecodeResult::stale;
    if (!header.keyframe && header.back > number) return DecodeResult::no_baseline;
    const std::uint32_t baseline = header.keyframe ? 0 : number - header.back;
    if (!header.keyframe && (!oldest_usable_ || baseline < *oldest_usable_ || baseline > number_))
        return DecodeResult::no_baseline;
    if (header.fresh_model)
        model_ = fresh_model_;
    else if (header.numbered && !restore_model(baseline))
        return DecodeResult::no_baseline;
    if (!header.keyframe && !predict(reader, baseline, number)) return DecodeResult::no_baseline;
    if (header.keyframe && !read_keyframe_events(reader, number)) return DecodeResult::malformed;
    if (!decode_state(reader, header.keyframe)) return DecodeResult::malformed;
    reader.finish();
    if (!reader.ok() || !is_legal(setup_, decoded_.data())) return DecodeResult::malformed;
    if (setup_.world->tick(setup_.layout, decoded_.data()) != tick_of(number)) return DecodeResult::malformed;
    std::swap(replicated_, decoded_);
    store(number);
    if (header.numbered) store_model(number);
    if (header.has_hash && header.hash != short_hash(setup_.layout, replicated_.data()))
        return DecodeResult::desync;
    if (header.keyframe && !oldest_usable_) oldest_usable_ = number;
    return DecodeResult::applied;
}

}  // namespace instep::net
