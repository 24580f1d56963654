// SPDX-License-Identifier: MIT
#include <instep/net/host.h>

#include <algorithm>
#include <cmath>

#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

namespace instep::net {

using contract::Slot;

namespace {

constexpr std::uint32_t margin_every = 4;   // snapshots between two reports of how early inputs come
constexpr std::uint32_t restart_every = 8;  // snapshots between two whole ones on the ordered chain
constexpr double whole_patience = 2;        // s until a client that is still lost gets another whole one
constexpr double whole_patience_of_datagrams = 0.25;  // where nobody else's model begins anew with it
constexpr double distrust = 10;  // s after a loss in which only what was acknowledged counts as heard
constexpr double silence_without_exact = 1;     // s without inputs after which nobody needs an exact player
constexpr std::size_t most_waiting = 8 * 1024;  // bytes on a line, besides a whole one

}  // namespace

Host::Host(match::SharedSetup setup, std::uint64_t seed, ReplicationMode room, std::uint32_t budget)
    : setup_(std::move(setup)),
      match_(setup_, seed),
      room_(room),
      tick_(*setup_),
      log_(*setup_, (snapshots_kept + 1) * setup_->facts.snapshot_every),
      reader_(*setup_->world->input),
      budget_(budget),
      field_count_(match_.hash_fields().size()),
      seed_(seed) {
    if (budget_ == 0)
        budget_ = static_cast<std::uint32_t>(default_budget * setup_->facts.snapshot_every /
                                             setup_->facts.tick_rate);
    chains_.push_back(std::make_unique<Chain>(*setup_, room, budget_));
}

std::uint32_t Host::ticks_in(double seconds) const {
    return static_cast<std::uint32_t>(std::ceil(seconds * setup_->facts.tick_rate));
}

state::Result<Slot> Host::join(std::string_view name, LinkKind link) {
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        if (seats_[slot] || contract::contains(match_.live_slots(), slot)) continue;
        auto seed = math::Random::from_seed(seed_ + ++joined_);
        joins_.push_back({.name = contract::PlayerName::of(name), .seed = seed.next(), .slot = slot});
        reconnect(slot, link);
        return slot;
    }
    return state::refuse("", "the room is full: it takes " + std::to_string(setup_->facts.most_players) +
                                 " players; try another room, or wait until somebody leaves");
}

state::Result<Slot> Host::join_bot(std::string_view name) {
    const auto slot = join(name, LinkKind::ordered);
    if (slot) seats_[*slot]->is_bot = true;
    return slot;
}

state::Result<Slot> Host::watch(LinkKind link) {
    for (std::size_t i = contract::most_slots; i < seats_.size(); ++i) {
        if (seats_[i]) continue;
        reconnect(static_cast<Slot>(i), link);
        return static_cast<Slot>(i);
    }
    return state::refuse("", "the room has all the watchers it takes: " + std::to_string(most_watchers));
}

void Host::reconnect(Slot slot, LinkKind link) {
    seats_[slot] = std::make_unique<Seat>(*setup_, link, ticks_in(window_seconds), ticks_in(hold_seconds));
    if (link == LinkKind::datagram)
        seats_[slot]->teller = std::make_unique<SnapshotEncoder>(*setup_, room_, LinkKind::datagram, budget_);
}

void Host::leave(Slot slot) {
    if (slot >= contract::most_slots)
        seats_[slot].reset();
    else if (seats_[slot])
        seats_[slot]->leaving = true;
}

void Host::receive(Slot slot, codec::ByteView message, double now) {
    if (slot >= seats_.size() || !seats_[slot] || seats_[slot]->is_bot) return;
    Seat& seat = *seats_[slot];
    switch (kind_of(message).value_or(MessageKind::welcome)) {
        case MessageKind::inputs:
            if (InputMessage* inputs = reader_.read(message)) {
                if (slot >= contract::most_slots) inputs->count = 0;  // it only watches
                return take_inputs(seat, *inputs, now);
            }
            break;
        case MessageKind::report:  // to judge one takes long, so only one a second is looked at
            if (seat.judged && seat.judged->serial == serial_of_report(message)) {
                seat.verdict = seat.judged;  // which was lost, it seems
                return;
            }
            if (match_.tick() < seat.next_report_tick || is_outdated(seat, serial_of_report(message))) {
                ++stats_.reports_ignored;
                return;
            }
            seat.next_report_tick = match_.tick() + setup_->facts.tick_rate;
            if (auto report = read_report(message, field_count_))
                return take_report(slot, std::move(*report));
            break;
        default: break;
    }
    ++stats_.messages_malformed;
}

void Host::take_inputs(Seat& seat, const InputMessage& message, double now) {
    const std::size_t size = setup_->world->input->size;
    const std::uint64_t next_tick = match_.tick() + 1;
    if (message.count > 0) {
        // The first of them that was new is the one that was longest under way.
        const std::uint32_t newest = message.first_tick + message.count - 1;
        std::optional<std::uint32_t> oldest_news;
        for (std::uint32_t i = message.count; i-- > 0;) {
            const std::uint32_t tick = message.first_tick + i;
            const InputVerdict taking = seat.queue.offer(next_tick, tick, message.first_sequence + i,
                                                         message.inputs.data() + i * size);
            count(taking);
            if (taking == InputVerdict::accepted || (tick == newest && taking != InputVerdict::duplicate))
                oldest_news = tick;
        }
        if (oldest_news) note_margin(seat, *oldest_news, now);
        seat.has_played = true;
        seat.last_input_tick = match_.tick();
        const std::uint32_t number = newest / setup_->facts.snapshot_every;
        if (message.predicted_hash)
            seat.announced[number % seat.announced.size()] = {number, *message.predicted_hash};
    }
    if (message.probe) seat.pong = {*message.probe, static_cast<std::uint64_t>(std::max(0.0, now) * 1e6)};
    const bool was_told = message.acknowledged <= teller_of(seat).number();
    if (message.acknowledged > seat.acknowledged && was_told) {
        seat.acknowledged = message.acknowledged;
        seat.welcomed = true;
    }
    if (!message.decode_failed) return;
    seat.trusted_from = teller_of(seat).number() + ticks_in(distrust) / setup_->facts.snapshot_every;
    if (!seat.teller || message.acknowledged == 0 || message.acknowledged < seat.whole_at)
        tell_whole_soon(seat);
}

// Not right after one: it may still be on its way, and over a long line it is then told twice.
void Host::tell_whole_soon(Seat& seat) const {
    const std::uint32_t patience =
        ticks_in(seat.teller ? whole_patience_of_datagrams : whole_patience) / setup_->facts.snapshot_every;
    if (seat.whole_at > 0 && teller_of(seat).number() - seat.whole_at <= patience) return;
    seat.in_chain = false;
    seat.acknowledged = seat.sent = seat.whole_at = 0;
}

// The last one sent, as long as what is sent arrives; then the newest that is known to have arrived. One that
// was told whole may have: if it has not, the client says that what it heard is older.
std::optional<std::uint32_t> Host::baseline_for(const Seat& seat, std::uint32_t number) const {
    const std::uint32_t baseline =
        number >= seat.trusted_from ? seat.sent : std::max(seat.acknowledged, seat.whole_at);
    return baseline > 0 ? std::optional(baseline) : std::nullopt;
}

void Host::note_margin(Seat& seat, std::uint32_t tick, double now) const {
    const double early = static_cast<double>(tick) - now * setup_->facts.tick_rate;
    const auto margin = static_cast<std::int16_t>(std::clamp(std::floor(early * 8), -32767.0, 32767.0));
    if (!seat.worst_margin || margin < seat.worst_margin->margin)
        seat.worst_margin = {static_cast<std::uint8_t>(tick), margin};
}

void Host::count(InputVerdict taking) {
    switch (taking) {
        case InputVerdict::accepted: ++stats_.inputs_accepted; break;
        case InputVerdict::duplicate: ++stats_.inputs_duplicate; break;
        case InputVerdict::late: ++stats_.inputs_late; break;
        case InputVerdict::early: ++stats_.inputs_early; break;
        case InputVerdict::illegal: ++stats_.inputs_illegal; break;
    }
}

// A copy that others have overtaken.
bool Host::is_outdated(const Seat& seat, std::uint8_t serial) {
    return seat.judged && static_cast<std::int8_t>(serial - seat.judged->serial) < 0;
}

void Host::take_report(Slot slot, Report report) {
    Seat& seat = *seats_[slot];
    const SnapshotEncoder& teller = teller_of(seat);
    const ExactState exact = exact_state(slot);
    const std::uint32_t newest = report.states.empty() ? 0 : report.states.back().number;
    // What it was told in another cell is not in this chain, and what differed before has been named.
    const std::uint32_t first = std::max(seat.moved_at, seat.named_until + 1);
    std::erase_if(report.states, [&](const ReportedState& state) { return state.number < first; });
    if (report.exact && report.exact->number < first) report.exact.reset();
    seat.verdict = seat.judged = judge(*setup_, teller, report, exact);
    if (seat.verdict->found && !seat.verdict->is_own) {
        seat.named_until = std::min(newest, teller.number());
        tell_whole_soon(seat);
    }
    ++stats_.desyncs;
    desyncs_.push_back(describe(*setup_, teller, log_, *seat.verdict, exact));
    if (desyncs_.size() > most_desyncs) desyncs_.pop_front();
}

// What the last hash of its own player was of, if it is still remembered.
ExactState Host::exact_state(Slot slot) const {
    const Seat& seat = *seats_[slot];
    const codec::ByteView told = teller_of(seat).find(seat.checked.number);
    if (told.empty() || seat.checked.entities.empty()) return {};
    state::Block block(setup_->layout);
    state::restore(setup_->layout, told, block.data());
    if (!restore_own(setup_->layout, seat.checked.entities, block.data(), slot)) return {};
    ExactState exact{seat.checked.number, codec::Bytes(state::image_size(setup_->layout, block.data()))};
    state::save(setup_->layout, block.data(), exact.image);
    return exact;
}

void Host::step() {
    const contract::SlotSet live_before = match_.live_slots();
    codec::TickRecord& record = log_.begin(match_.tick() + 1);
    record.live = live_before;
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        if (!seats_[slot] || !seats_[slot]->leaving) continue;
        seats_[slot].reset();
        std::erase_if(joins_, [&](const contract::Join& join) { return join.slot == slot; });
        if (contract::contains(live_before, slot)) record.leaves.push_back(slot);
        record.live &= ~contract::only(slot);
    }
    std::stable_sort(joins_.begin(), joins_.end(),
                     [](const auto& a, const auto& b) { return a.slot < b.slot; });
    record.joins = joins_;
    for (const contract::Join& join : joins_) record.live |= contract::only(join.slot);
    joins_.clear();

    const std::size_t size = setup_->world->input->size;
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        std::byte* row = record.row(slot, size).data();
        std::memset(row, 0, size);
        if (!contract::contains(record.live, slot) || !seats_[slot]) continue;
        if (seats_[slot]->is_bot) {
            if (contract::contains(live_before, slot)) write_bot_input(slot, row);
            continue;
        }
        const bool came = seats_[slot]->queue.take(record.tick, row);
        if (came) seats_[slot]->last_played_tick = record.tick;
        if (!seats_[slot]->has_played) continue;  // it is still on its way in
        ++stats_.ticks_played;
        if (!came) ++stats_.ticks_starved;
    }
    codec::fill_tick(*setup_, record, tick_);
    match_.step(tick_.bytes());
    record.events.assign(match_.events().begin(), match_.events().end());
    if (match_.tick() % setup_->facts.snapshot_every == 0) tell_all();
}

// As it would have come over the wire, so that it is told and recorded without loss.
void Host::write_bot_input(Slot slot, std::byte* row) const {
    match_.bot(slot, row);
    match_.sanitize(row);
    codec::quantise_struct(*setup_->world->input, row);
}

bool Host::checks_hash() const {  // about once a second
    const std::uint32_t a_second = setup_->facts.tick_rate / setup_->facts.snapshot_every;
    return match_.tick() / setup_->facts.snapshot_every % std::max(1u, a_second) == 0;
}

void Host::tell_all() {
    const auto number = static_cast<std::uint32_t>(match_.tick() / setup_->facts.snapshot_every);
    if (chains_.size() > 1) move_to_cells(number);
    for (std::uint32_t slot = 0; slot < seats_.size(); ++slot) {
        Seat* seat = seats_[slot].get();
        if (!seat || seat->is_bot) continue;
        if (!seat->teller) {
            chains_[seat->cell]->is_heard = true;
            continue;
        }
        seat->teller->set_focus(
            present::own_position(setup_->layout, match_.state(), static_cast<Slot>(slot)));
        seat->teller->tell(number, match_.state(), log_, baseline_for(*seat, number));
        if (seat->teller->needs_keyframe()) seat->whole_at = number;
        count_part(*seat->teller);
    }
    for (std::uint32_t cell = 0; cell < chains_.size(); ++cell) {
        if (!chains_[cell]) continue;
        Chain& chain = *chains_[cell];
        if (!std::exchange(chain.is_heard, false)) {
            if (cell > 0) chains_[cell].reset();
            continue;
        }
        if (cell > 0) chain.teller.set_focus(middle_of(cell));
        chain.teller.tell(number, match_.state(), log_);
        chain.part.clear();
        chain.teller.write(chain.part, checks_hash());
        count_part(chain.teller);
    }
    cut_up_if_short();
}

void Host::count_part(const SnapshotEncoder& teller) {
    ++stats_.parts;
    if (teller.budget().was_short()) ++stats_.deltas_over_budget;
    stats_.longest_wait = std::max(stats_.longest_wait, teller.budget().longest_wait());
}

// --- Writing -----------------------------------------------------------------------------------------------

// A whole one makes everybody's model begin anew, so they come together and not too often.
bool Host::may_restart(const Chain& chain, std::uint32_t number) {
    return chain.last_restart == 0 || number == chain.last_restart ||
           number - chain.last_restart >= restart_every;
}

// Nothing if this player misses the snapshot. Good until the next is asked for.
std::optional<codec::ByteView> Host::delta_for(Seat& seat, bool link_is_free) {
    if (!link_is_free) {
        seat.in_chain = false;
        if (seat.whole_at == seat.written) seat.whole_at = 0;
        return {};
    }
    own_delta_.clear();
    if (seat.teller) {
        seat.teller->write(own_delta_, checks_hash());
        seat.sent = seat.written;
        if (seat.teller->needs_keyframe()) ++stats_.keyframes;
        return own_delta_;
    }
    Chain& chain = *chains_[seat.cell];
    if (seat.in_chain) return chain.part;
    const std::uint32_t number = chain.teller.number();
    if (!may_restart(chain, number)) return {};
    chain.teller.write_keyframe(own_delta_);
    chain.last_restart = number;
    seat.whole_at = number;
    seat.in_chain = true;
    ++stats_.keyframes;
    return own_delta_;
}

OwnState Host::judge_own(Slot slot, Seat& seat) {
    if (slot >= contract::most_slots || room_ == ReplicationMode::relay ||
        !contract::contains(match_.live_slots(), slot))
        return OwnState::as_replicated;
    const std::uint32_t number = teller_of(seat).number();
    const Announced& announced = seat.announced[number % seat.announced.size()];
    if (announced.number == number && announced.hash == hash_own(setup_->layout, match_.state(), slot)) {
        ++stats_.own_confirmed;
        return OwnState::as_predicted;
    }
    if (seat.welcomed && match_.tick() - seat.last_input_tick > ticks_in(silence_without_exact))
        return OwnState::as_replicated;
    ++stats_.own_exact;
    return OwnState::exact;
}

// A whole one that is still on its way may be larger than all that should wait: it must not make itself late,
// and be sent again and again.
std::size_t Host::full_line(Slot slot) const {
    const Seat* seat = seats_[slot].get();
    const bool is_coming = seat && seat->acknowledged < seat->whole_at;
    return most_waiting + (is_coming ? seat->whole_size : 0);
}

bool Host::write_message(Slot slot, bool link_is_free, double now, codec::Bytes& out) {
    if (!seats_[slot] || seats_[slot]->is_bot) return false;
    Seat& seat = *seats_[slot];
    if (seat.verdict && link_is_free) {
        write(*seat.verdict, out);
        seat.verdict.reset();
        return true;
    }
    const SnapshotEncoder& teller = teller_of(seat);
    if (teller.number() == seat.written || !teller.has_snapshot() || match_.tick() != teller.tick())
        return false;
    seat.written = teller.number();
    const auto world_delta = delta_for(seat, link_is_free);
    if (!world_delta) return false;

    OwnPlayerPart part;
    part.acknowledged = static_cast<std::uint8_t>(seat.queue.newest_sequence());
    part.own = judge_own(slot, seat);
    if (checks_hash() && part.own != OwnState::as_replicated) {
        part.hash = hash_own(setup_->layout, match_.state(), slot);
        seat.checked.number = teller.number();
        seat.checked.entities.clear();
        save_own(setup_->layout, match_.state(), slot, seat.checked.entities);
    }
    if (seat.worst_margin && (teller.number() % margin_every == 0 || seat.worst_margin->margin < 0)) {
        part.margin = seat.worst_margin;
        seat.worst_margin.reset();
    }
    if (seat.pong) {
        const double held = now * 1e6 - static_cast<double>(seat.pong->microseconds);
        seat.pong->held = static_cast<std::uint32_t>(std::clamp(held, 0.0, 16e6));
    }
    part.pong = seat.pong;
    seat.pong.reset();
    const Welcome welcome{
        .fingerprint = setup_->fingerprint, .slot = std::min(slot, watcher_slot), .room = room_};
    SnapshotWriter(out).write(
        seat.welcomed ? nullptr : &welcome, part, *world_delta, [&](codec::Writer& writer) {
            encode_own(writer, setup_->layout, teller.replicated(), match_.state(), slot);
        });
    if (seat.whole_at == teller.number()) seat.whole_size = out.size();
    if (seat.link == LinkKind::ordered) seat.welcomed = true;
    return true;
}

}  // namespace instep::net
