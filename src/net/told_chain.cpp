// SPDX-License-Identifier: MIT
#include <instep/net/told_chain.h>

#include <cassert>
#include <utility>

#include <instep/net/byte_model.h>
#include <instep/state/raw_pool.h>

namespace instep::net {
// What stands before a room part's ticks and state.
struct PartHeader {
    bool whole = false;        // against the level's beginning
    bool fresh_model = false;  // both sides forget what they have learnt first
    bool named = false;        // the baseline is `back` before this one; else it is the last one heard
    bool checked = false;      // with the hash of the told state
    std::uint32_t number = 0;  // if whole or named; if named, no more of it than tells it from its neighbours
    std::uint32_t back = 1;    // how many snapshots the baseline lies back
    std::uint32_t hash = 0;
};

namespace {

template <class Stream>
void code_header(Stream& stream, PartHeader& header) {
    code_raw(stream, header.whole, 1);
    code_raw(stream, header.fresh_model, 1);
    code_raw(stream, header.named, 1);
    code_raw(stream, header.checked, 1);
    if (header.whole || header.named) code_raw(stream, header.number, header.whole ? 32 : 16);
    NumberModel model;
    std::uint64_t back = header.back;
    if (!header.whole) code_unsigned(stream, back, model);
    if (back > told_kept || back == 0) return stream.fail();
    header.back = static_cast<std::uint32_t>(back);
    if (header.checked) code_raw(stream, header.hash, 32);
}

std::uint32_t short_hash(const state::Layout& layout, const std::byte* block) {
    return static_cast<std::uint32_t>(state::hash(layout, block));
}

}  // namespace

bool is_legal(const match::Setup& setup, std::byte* block) {
    const state::Layout& layout = setup.layout;
    if (!state::fields_are_legal(*layout.head, block)) return false;
    for (std::size_t i = 0; i < layout.pools.size(); ++i) {
        const state::RawPool pool(layout, i, block);
        for (std::uint32_t place = 0; place < pool.size(); ++place)
            if (!state::fields_are_legal(pool.element_info(), pool.element(place))) return false;
    }
    return setup.world->validate(setup.value.get(), layout, block).has_value();
}

ToldChain::ToldChain(const match::Setup& setup, RoomKind room)
    : setup_(setup),
      room_(room),
      stepper_(setup),
      ring_(setup.layout, told_kept + 1),
      beginning_(setup.layout),
      predicted_(setup.layout),
      told_(setup.layout),
      new_model_(setup, room),
      model_(new_model_) {
    setup.world->start(setup.value.get(), setup.layout, beginning_.data(), 0);
    quantise(setup.layout, beginning_.data());
}

bool ToldChain::go_to(std::uint32_t baseline, TickRecord& record) {
    if (!ring_.restore_to(baseline, predicted_.data())) return false;
    record.live = setup_.world->live_slots(setup_.layout, predicted_.data());
    setup_.world->held_inputs(setup_.layout, predicted_.data(), record.inputs.data());
    return true;
}

void ToldChain::keep(std::uint32_t number) {
    ring_.store(number, told_.data());
    number_ = number;
    begun_ = true;
}

void ToldChain::keep_model(std::uint32_t number) {
    if (kept_models_.empty()) kept_models_.assign(told_kept + 1, {0, new_model_});
    KeptModel& kept = kept_models_[number % kept_models_.size()];
    kept.number = number;
    kept.model = model_;
}

bool ToldChain::go_to_model(std::uint32_t number) {
    if (kept_models_.empty()) return false;
    const KeptModel& kept = kept_models_[number % kept_models_.size()];
    if (kept.number != number) return false;
    model_ = kept.model;
    return true;
}

Teller::Teller(const match::Setup& setup, RoomKind room, LinkKind link, std::uint32_t budget)
    : ToldChain(setup, room),
      link_(link),
      budget_(setup.layout, budget, distance(setup.facts.view_low, setup.facts.view_high) / 8),
      held_(make_tick_record(setup)) {}

bool Teller::foresee(std::uint32_t number, const TickLog& log) {
    foreseen_ticks_ = 0;
    if (*baseline_ >= number || number - *baseline_ > told_kept || !go_to(*baseline_, held_)) return false;
    for (std::uint64_t tick = tick_of(*baseline_) + 1; tick <= tick_of(number); ++tick) {
        const TickRecord* record = log.find(tick);
        if (!record) return false;
        if (foreseen_ticks_ == foreseen_events_.size())
            foreseen_events_.emplace_back().rows.reserve(usual_event_bytes(setup_));
        TickEvents& foreseen = foreseen_events_[foreseen_ticks_++];
        foreseen.tick = tick;
        if (room_ == RoomKind::relay) continue;  // what is exact needs no correction
        stepper_.step_record(predicted_.data(), *record);
        const auto events = stepper_.events();
        foreseen.rows.assign(events.begin(), events.end());
    }
    if (room_ == RoomKind::snapshots) quantise(setup_.layout, predicted_.data());
    return true;
}

void Teller::tell(std::uint32_t number, const std::byte* actual, const TickLog& log,
                  std::optional<std::uint32_t> baseline) {
    log_ = &log;
    baseline_ = baseline;
    if (link_ == LinkKind::ordered && begun_) baseline_ = number_;
    if (baseline_ && !foresee(number, log)) baseline_.reset();
    if (room_ == RoomKind::relay)
        state::copy(setup_.layout, actual, told_.data());
    else
        settle(setup_.layout, baseline_ ? predicted_.data() : beginning_.data(), actual, told_.data());
    if (room_ == RoomKind::snapshots && baseline_) {
        budget_.apply(predicted_.data(), told_.data());
        // Where one element that waits does not go together with another that was told, nobody waits.
        if (budget_.was_short() && !is_legal(setup_, told_.data()))
            settle(setup_.layout, predicted_.data(), actual, told_.data());
    }
    keep(number);
}

void Teller::write(Bytes& out, bool checked) {
    if (!baseline_) return write_whole(out);
    const bool is_datagram = link_ == LinkKind::datagram;
    PartHeader header{.fresh_model = is_datagram ? !go_to_model(*baseline_) : fresh_model_,
                      .named = is_datagram,
                      .checked = checked,
                      .number = number_,
                      .back = number_ - *baseline_};
    if (checked) header.hash = short_hash(setup_.layout, told_.data());
    if (header.fresh_model) model_ = new_model_;
    fresh_model_ = false;
    const std::size_t size_before = out.size();
    Writer writer(out);
    code_header(writer, header);
    const TickRecord* before = &held_;
    for (TickEvents& foreseen : std::span(foreseen_events_).first(foreseen_ticks_)) {
        const TickRecord* record = log_->find(foreseen.tick);
        encode_tick(writer, setup_, model_.ticks, *before, *record);
        before = record;
        if (room_ == RoomKind::relay) continue;  // what is exact foresees exactly
        const state::StructInfo& event = *setup_.world->event;
        settle_events(event, foreseen.rows, record->events, told_events_);
        encode_events(writer, event, model_.events, foreseen.rows, told_events_);
    }
    if (room_ == RoomKind::snapshots)
        encode_state(writer, setup_.layout, model_.state, predicted_.data(), told_.data());
    writer.finish();
    if (is_datagram) keep_model(number_);
    budget_.note_size(out.size() - size_before);
}

void Teller::write_whole(Bytes& out) {
    PartHeader header{.whole = true, .fresh_model = true, .checked = true, .number = number_};
    header.hash = short_hash(setup_.layout, told_.data());
    Writer writer(out);
    code_header(writer, header);
    write_last_events(writer);
    if (room_ == RoomKind::snapshots) {
        StateModel model(setup_.layout);
        encode_state(writer, setup_.layout, model, beginning_.data(), told_.data());
    } else {
        Bytes image(state::image_size(setup_.layout, told_.data()));
        state::save(setup_.layout, told_.data(), image);
        encode_bytes(writer, image);
    }
    writer.finish();
    fresh_model_ = true;
}

// Nothing was foreseen of them. Where states are exact, so are they.
void Teller::write_last_events(Writer& writer) {
    const state::StructInfo& event = *setup_.world->event;
    EventModel model(event);
    for (std::uint64_t tick = tick_of(number_ - 1) + 1; tick <= tick_of(number_); ++tick) {
        const TickRecord* record = log_->find(tick);
        const ByteView events = record ? ByteView(record->events) : ByteView();
        if (room_ == RoomKind::relay) {
            told_events_.assign(events.begin(), events.end());
            encode_bytes(writer, told_events_);
        } else {
            settle_events(event, {}, events, told_events_);
            encode_events(writer, event, model, {}, told_events_);
        }
    }
}

bool Listener::foresee(Reader& reader, std::uint32_t baseline, std::uint32_t number) {
    TickRecord record = make_tick_record(setup_);
    if (!go_to(baseline, record)) return false;
    // What is exact need not be played twice: ticks up to the last one heard are read, and no more.
    std::uint64_t known = tick_of(baseline);
    if (room_ == RoomKind::relay && number_ > baseline) {
        known = tick();
        state::copy(setup_.layout, told_.data(), predicted_.data());
    }
    for (std::uint64_t tick = tick_of(baseline) + 1; tick <= tick_of(number); ++tick) {
        if (!decode_tick(reader, setup_, model_.ticks, record)) return true;  // whoever asks ok() will know
        record.tick = tick;
        ticks_.begin(tick) = record;
        if (tick <= known) continue;
        stepper_.step_record(predicted_.data(), record);
        const auto events = stepper_.events();
        TickEvents& told = events_.emplace_back(TickEvents{tick, {events.begin(), events.end()}});
        if (room_ == RoomKind::relay) continue;
        Bytes foreseen = told.rows;
        if (!decode_events(reader, *setup_.world->event, model_.events, setup_.facts.most_events, foreseen,
                           told.rows))
            reader.fail();
    }
    if (room_ == RoomKind::snapshots) quantise(setup_.layout, predicted_.data());
    return true;
}

bool Listener::read_last_events(Reader& reader, std::uint32_t number) {
    const state::StructInfo& event = *setup_.world->event;
    EventModel model(event);
    for (std::uint64_t tick = tick_of(number - 1) + 1; tick <= tick_of(number); ++tick) {
        TickEvents& told = events_.emplace_back(TickEvents{tick, {}});
        const std::uint32_t most = setup_.facts.most_events;
        const bool good = room_ == RoomKind::relay ? decode_exact_events(reader, event, most, told.rows)
                                                   : decode_events(reader, event, model, most, {}, told.rows);
        if (!good) return false;
    }
    return true;
}

bool Listener::decode(Reader& reader, bool whole) {
    if (room_ == RoomKind::relay) {
        if (!whole) {
            state::copy(setup_.layout, predicted_.data(), decoded_.data());
            return reader.ok();
        }
        Bytes image;
        return decode_bytes(reader, image, setup_.layout.max_image_size) &&
               state::load(setup_.layout, image, decoded_.data());
    }
    if (!whole) return decode_state(reader, setup_.layout, model_.state, predicted_.data(), decoded_.data());
    StateModel model(setup_.layout);
    return decode_state(reader, setup_.layout, model, beginning_.data(), decoded_.data());
}

Heard Listener::hear(ByteView message) {
    events_.clear();
    Reader reader(message);
    PartHeader header;
    code_header(reader, header);
    const Heard heard = reader.ok() ? hear_part(reader, header) : Heard::broken;
    // What came after a part that was missed means something else than it seems to.
    if (heard == Heard::differs || (heard == Heard::broken && !header.named)) oldest_sound_ = no_baseline;
    return heard;
}

Heard Listener::hear_part(Reader& reader, const PartHeader& header) {
    if (!header.whole && !begun_) return Heard::unusable;
    std::uint32_t number = header.whole ? header.number : number_ + header.back;
    if (header.named && !header.whole)
        number = number_ + static_cast<std::uint32_t>(static_cast<std::int16_t>(header.number - number_));
    if (number == 0) return Heard::broken;  // they count from 1
    // Only to whoever holds something else than was told a whole one may be older than what it replaces.
    if (number <= number_ && (!header.whole || is_sound())) return Heard::old;
    if (!header.whole && header.back > number) return Heard::unusable;
    const std::uint32_t baseline = header.whole ? 0 : number - header.back;
    if (!header.whole && (baseline < oldest_sound_ || baseline > number_)) return Heard::unusable;
    if (header.fresh_model)
        model_ = new_model_;
    else if (header.named && !go_to_model(baseline))
        return Heard::unusable;
    if (!header.whole && !foresee(reader, baseline, number)) return Heard::unusable;
    if (header.whole && !read_last_events(reader, number)) return Heard::broken;
    if (!decode(reader, header.whole)) return Heard::broken;
    reader.finish();
    if (!reader.ok() || !is_legal(setup_, decoded_.data())) return Heard::broken;
    if (setup_.world->tick(setup_.layout, decoded_.data()) != tick_of(number)) return Heard::broken;
    std::swap(told_, decoded_);
    keep(number);
    if (header.named) keep_model(number);
    if (header.checked && header.hash != short_hash(setup_.layout, told_.data())) return Heard::differs;
    if (header.whole && oldest_sound_ == no_baseline) oldest_sound_ = number;
    return Heard::told;
}

}  // namespace instep::net
