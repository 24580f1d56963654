// SPDX-License-Identifier: MIT
#include <instep/net/client.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

namespace instep::net {
namespace {

constexpr std::uint32_t quick_probes = 8;   // the first ones come quickly
constexpr double quick_probe_every = 0.1;   // s
constexpr double probe_every = 0.5;         // s
constexpr double sign_of_life_every = 0.1;  // s between messages while there are no inputs to send
constexpr std::uint32_t most_unacknowledged = 64;
constexpr double report_rest = 1.1;       // s between two reports: the server judges one a second
constexpr std::uint32_t most_copies = 4;  // of a report, over datagrams; else one more, if it came too early
constexpr double copy_every = 0.3;        // s, over datagrams: the server soon forgets what it is about

}  // namespace

Client::Client(match::SharedSetup setup, LinkKind link)
    : setup_(std::move(setup)),
      link_(link),
      tick_seconds_(1.0 / setup_->facts.tick_rate),
      clock_(tick_seconds_),
      predictor_(*setup_, static_cast<std::uint32_t>(std::ceil(most_rollback * setup_->facts.tick_rate))),
      events_(*setup_->world->event,
              static_cast<std::uint32_t>(std::ceil(same_event * setup_->facts.tick_rate))),
      base_(setup_->layout),
      announced_(setup_->layout, 2 * snapshots_kept),
      delay_(tick_seconds_ * setup_->facts.snapshot_every),
      from_(setup_->layout),
      to_(setup_->layout) {}

void Client::write_hello(std::string_view name, codec::Bytes& out) const {
    write(Hello{.fingerprint = setup_->fingerprint, .name = contract::PlayerName::of(name)}, out);
}

// --- Hearing ----------------------------------------------------------------------------------------------

void Client::receive(codec::ByteView message, double now) {
    now_ = now;
    switch (kind_of(message).value_or(MessageKind::hello)) {
        case MessageKind::welcome:
        case MessageKind::snapshot:
            if (auto parts = read_snapshot(message)) return take_snapshot(*parts, now);
            break;
        case MessageKind::refusal:
            if (const auto text = read_refusal(message)) {
                refusal_ = *text;
                return;
            }
            break;
        case MessageKind::verdict:
            if (const auto verdict = read_verdict(message)) return take_verdict(*verdict);
            break;
        default: break;
    }
    ++stats_.messages_malformed;
}

void Client::take_snapshot(SnapshotParts& parts, double now) {
    if (parts.welcome && !decoder_) {
        if (parts.welcome->version != wire_version || parts.welcome->fingerprint != setup_->fingerprint) {
            refusal_ = "the server was built from another version; reload the page";
            return;
        }
        if (parts.welcome->slot >= setup_->facts.most_players && parts.welcome->slot != watcher_slot) {
            ++stats_.messages_malformed;
            return;
        }
        slot_ = parts.welcome->slot;
        decoder_.emplace(*setup_, parts.welcome->room);
    }
    if (!decoder_) {
        ++stats_.messages_malformed;
        return;
    }
    take_own_part(parts.part, now);
    switch (decoder_->decode(parts.world_delta)) {
        case DecodeResult::stale: return;
        case DecodeResult::applied: return begin_base(parts);
        case DecodeResult::desync: lost_ = must_say_lost_ = true; return note_desync();
        case DecodeResult::malformed: ++stats_.messages_malformed; [[fallthrough]];
        case DecodeResult::no_baseline: lost_ = must_say_lost_ = true; return;
    }
}

void Client::note_desync() {
    ++stats_.desyncs;
    owes_report_ = true;
}

void Client::take_verdict(const Verdict& verdict) {
    if (!report_ || verdict.serial != report_->report.serial) return;  // it was told before
    desyncs_.push_back(describe(*setup_, *decoder_, decoder_->ticks(), verdict, report_->exact));
    report_.reset();
    if (desyncs_.size() > snapshots_kept) desyncs_.pop_front();
}

void Client::take_own_part(const OwnPlayerPart& part, double now) {
    const auto unacknowledged =
        static_cast<std::uint8_t>(static_cast<std::uint8_t>(sequence_) - part.acknowledged);
    const std::uint32_t acknowledged = sequence_ >= unacknowledged ? sequence_ - unacknowledged : 0;
    while (!unacknowledged_.empty() && unacknowledged_.front().sequence <= acknowledged)
        unacknowledged_.pop_front();
    if (part.margin)
        clock_.add_input_margin(leads_[part.margin->tick], part.margin->margin / 8.0 * tick_seconds_, now);
    if (part.pong) {
        const double held = part.pong->held * 1e-6;
        double& sent = probe_times_[part.pong->probe];
        clock_.add_probe(sent + held, static_cast<double>(part.pong->microseconds) * 1e-6 + held, now);
        sent = std::numeric_limits<double>::quiet_NaN();  // a copy of this message says nothing new
    }
}

// The told state with the own player as exact as it is known.
void Client::begin_base(SnapshotParts& parts) {
    ++stats_.snapshots;
    lost_ = false;
    state::copy(setup_->layout, decoder_->replicated(), base_.data());
    const std::uint32_t number = decoder_->number();
    if (parts.part.own == OwnState::exact) {
        decode_own(parts.own, setup_->layout, base_.data(), slot_);
    } else if (parts.part.own == OwnState::as_predicted) {
        if (announced_.restore_to(number, from_.data()))
            copy_own(setup_->layout, from_.data(), base_.data(), slot_);
    }
    if (parts.part.own != OwnState::as_replicated && (!parts.own.ok() || !is_legal(*setup_, base_.data()))) {
        ++stats_.messages_malformed;
        state::copy(setup_->layout, decoder_->replicated(), base_.data());
    }
    if (parts.part.hash && *parts.part.hash != hash_own(setup_->layout, base_.data(), slot_)) {
        differing_own_ = {number, codec::Bytes(state::image_size(setup_->layout, base_.data()))};
        state::save(setup_->layout, base_.data(), differing_own_.image);
        note_desync();
    }
    tell_events();
    predictor_.set_base(base_.data(), decoder_->tick());
    timeline_.add({static_cast<double>(decoder_->tick()) * tick_seconds_, number});
}

void Client::tell_events() {
    const std::span<const codec::TickEvents> events = decoder_->events();
    for (const codec::TickEvents& told : events)
        if (told.tick > events_told_)
            events_.tell(told.tick, slot_, told.rows);  // datagrams tell ticks twice
    // Between what was heard last and a whole one there may be ticks of which nobody tells.
    if (!events.empty() && events.front().tick > events_told_ + 1) events_.let_stand(events.front().tick - 1);
    events_told_ = std::max(events_told_, decoder_->tick());
    events_.settle(events_told_);
}

// --- Playing ----------------------------------------------------------------------------------------------

void Client::reconcile() {
    if (!predictor_.has_new_base()) return;
    const auto before_place = present::own_position(setup_->layout, predictor_.state(), slot_);
    const std::vector<double> before = present::own_blended(setup_->layout, predictor_.state(), slot_);
    const std::uint64_t before_tick = predictor_.tick();
    predictor_.replay(slot_, events_);
    const auto depth = static_cast<std::uint32_t>(predictor_.tick() - predictor_.base_tick());
    stats_.deepest_rollback = std::max(stats_.deepest_rollback, depth);
    const auto after_place = present::own_position(setup_->layout, predictor_.state(), slot_);
    if (!before_place || !after_place || predictor_.tick() != before_tick) return;
    const double moved = distance(*before_place, *after_place);
    stats_.largest_correction = std::max(stats_.largest_correction, moved);
    if (moved > correction_worth_counting) ++stats_.corrections;
    const double teleport = setup_->facts.teleport_distance;
    const std::vector<double> error = present::own_error(setup_->layout, predictor_.state(), slot_, before);
    if (error.size() != error_.size() || (teleport > 0 && moved > teleport)) error_.assign(error.size(), 0.0);
    if (teleport > 0 && moved > teleport) return;
    for (std::size_t i = 0; i < error.size(); ++i) error_[i] += error[i];
}

bool Client::wants_tick(double now) {
    now_ = now;
    clock_.advance(now);
    if (!joined()) return false;
    reconcile();
    if (watches()) return false;
    const auto due = static_cast<std::uint64_t>(std::max(0.0, clock_.time() * setup_->facts.tick_rate));
    const auto most = static_cast<std::uint64_t>(most_catching_up * setup_->facts.tick_rate);
    const std::uint64_t tick = predictor_.tick();
    if (tick + most < due || due + 2 * most < tick) {
        const std::uint64_t before = predictor_.tick();
        predictor_.skip_to(std::max<std::uint64_t>(due, 1) - 1, slot_, events_);
        if (predictor_.tick() > before) stats_.skipped_ticks += predictor_.tick() - before;
    }
    return predictor_.tick() < due && predictor_.may_go_on();
}

void Client::tick(const std::byte* input) {
    if (watches()) return;
    const std::size_t size = setup_->world->input->size;
    codec::Bytes wire(input, input + size);
    codec::Bytes legal = wire;
    if (!setup_->world->sanitize(setup_->value.get(), legal.data())) wire = legal;  // all zeros
    codec::quantise_struct(*setup_->world->input, wire.data());
    legal = wire;
    setup_->world->sanitize(setup_->value.get(), legal.data());
    predictor_.advance(slot_, legal.data(), events_);
    ++stats_.ticks;
    const auto tick = static_cast<std::uint32_t>(predictor_.tick());
    unacknowledged_.push_back({tick, ++sequence_, std::move(wire)});
    if (unacknowledged_.size() > most_unacknowledged) unacknowledged_.pop_front();
    leads_[tick & 255] = clock_.lead(now_);
    announce();
}

// Once for each snapshot to come: what is confirmed later must be what was said.
void Client::announce() {
    if (predictor_.tick() % setup_->facts.snapshot_every != 0) return;
    const auto number = static_cast<std::uint32_t>(predictor_.tick() / setup_->facts.snapshot_every);
    if (!announced_.find(number).empty()) return;
    announced_.store(number, predictor_.state());
    own_hash_ = {number, hash_own(setup_->layout, predictor_.state(), slot_)};
}

bool Client::write_message(double now, codec::Bytes& out) {
    if (!decoder_) return false;
    if (owes_report_ && now >= next_report_ && (!report_ || report_->copies_left == 0)) {
        owes_report_ = false;
        next_report_ = now + report_rest;
        report_ = {make_report(*setup_, *decoder_, differing_own_), std::exchange(differing_own_, {}),
                   link_ == LinkKind::datagram ? most_copies : 2, now};
        report_->report.serial = ++report_serial_;
    }
    if (report_ && report_->copies_left > 0 && now >= report_->next_copy) {
        --report_->copies_left;
        report_->next_copy = now + (link_ == LinkKind::datagram ? copy_every : report_rest);
        write(report_->report, out);
        return true;
    }
    const bool has_input = !unacknowledged_.empty() && unacknowledged_.back().sequence > sent_sequence_;
    const double every = probes_sent_ < quick_probes ? quick_probe_every : probe_every;
    const bool probes = last_probe_ < 0 || now - last_probe_ >= every;
    if (!has_input && !probes && now - last_message_ < sign_of_life_every) return false;

    InputMessage message;
    message.acknowledged = decoder_->is_usable() ? decoder_->number() : 0;
    message.decode_failed = lost_ || must_say_lost_;
    must_say_lost_ = false;
    if (has_input) {
        // The newest and those before it that follow one another; what an ordered link has taken is not
        // repeated.
        std::size_t first = unacknowledged_.size() - 1;
        while (first > 0 && unacknowledged_.size() - first < most_repeated_inputs &&
               unacknowledged_[first - 1].tick + 1 == unacknowledged_[first].tick &&
               (link_ == LinkKind::datagram || unacknowledged_[first - 1].sequence > sent_sequence_))
            --first;
        message.first_tick = unacknowledged_[first].tick;
        message.first_sequence = unacknowledged_[first].sequence;
        for (std::size_t i = first; i < unacknowledged_.size(); ++i, ++message.count)
            message.inputs.insert(message.inputs.end(), unacknowledged_[i].input.begin(),
                                  unacknowledged_[i].input.end());
        const std::uint32_t newest = unacknowledged_.back().tick / setup_->facts.snapshot_every;
        if (own_hash_.number == newest && newest > 0) message.predicted_hash = own_hash_.hash;
        own_hash_.number = 0;
        sent_sequence_ = unacknowledged_.back().sequence;
    }
    if (probes) {
        message.probe = ++probe_;
        probe_times_[probe_] = now;
        last_probe_ = now;
        ++probes_sent_;
    }
    last_message_ = now;
    write(message, *setup_->world->input, out);
    return true;
}

// --- Drawing ----------------------------------------------------------------------------------------------

std::optional<contract::DrawTimes> Client::draw(double now, std::byte* block) {
    if (!joined()) return {};
    const double passed = now - last_draw_;
    last_draw_ = now;
    const double time = clock_.room_time(now) - delay_.advance(passed);
    const double interval = tick_seconds_ * setup_->facts.snapshot_every;
    // Each snapshot that falls due is there, or is counted as missing.
    const auto due = static_cast<std::uint32_t>(std::clamp(time / interval, 0.0, 4e9)) + 1;
    if (due > last_due_ && last_due_ != 0 && due - last_due_ < snapshots_kept)
        for (std::uint32_t n = last_due_ + 1; n <= due; ++n) delay_.add(!decoder_->find(n).empty());
    last_due_ = due;

    const auto pair = timeline_.at(time);
    timeline_.forget_before(time);
    if (!pair) return {};
    const codec::ByteView from = decoder_->find(pair->from.number);
    const codec::ByteView to = decoder_->find(pair->to.number);
    if (to.empty()) return {};
    state::restore(setup_->layout, to, to_.data());
    state::restore(setup_->layout, from.empty() ? to : from, from_.data());
    present::blend_states(setup_->layout, from_.data(), to_.data(), pair->part,
                          setup_->facts.teleport_distance, block);
    contract::DrawTimes times;
    times.past = times.present =
        (pair->from.time + (pair->to.time - pair->from.time) * pair->part) / tick_seconds_;
    if (watches()) return times;  // without an own player
    // The own player and its shots between their last tick and the next, so that they move in every frame.
    const double part = clock_.time() / tick_seconds_ - static_cast<double>(predictor_.tick());
    // What there is is what there is in the last one: of the next nobody knows yet what will be pressed.
    times.own = slot_;
    times.present = static_cast<double>(predictor_.tick()) + std::clamp(part, 0.0, 1.0);
    present::blend_states(setup_->layout, predictor_.next(slot_), predictor_.state(),
                          1 - std::clamp(part, 0.0, 1.0), setup_->facts.teleport_distance, from_.data());
    present::show_own(setup_->layout, from_.data(), slot_, block);
    const double left = passed > 10 * smoothing ? 0 : smoothing / (smoothing + std::max(0.0, passed));
    for (double& error : error_) error *= left;
    present::add_to_own(setup_->layout, block, slot_, error_);
    return times;
}

}  // namespace instep::net
