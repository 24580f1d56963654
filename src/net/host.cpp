// SPDX-License-Identifier: MIT
#include <instep/net/host.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <instep/codec/input_codec.h>
#include <instep/present/own_entities.h>

namespace instep::net {

using contract::Slot;

Host::Client::Client(const Host& host, LinkKind link)
    : stream(*host.setup_, host.config_, host.mode_, link, host.budget_),
      inputs(*host.setup_, ticks_in(host.config_.input_window, host.setup_->facts),
             ticks_in(host.config_.input_hold, host.setup_->facts)) {}

Host::Host(match::SharedSetup setup, std::uint64_t seed, ReplicationMode mode, const HostConfig& config)
    : setup_(std::move(setup)),
      checked_(check(config)),
      config_(checked_ ? config : HostConfig{}),
      match_(setup_, seed),
      mode_(mode),
      tick_(*setup_),
      log_(*setup_, (snapshots_kept + 1) * setup_->facts.snapshot_every),
      reader_(*setup_->world->input),
      report_limit_(config_, setup_->facts),
      budget_(config_.delta_budget
                  ? *config_.delta_budget
                  : static_cast<std::uint32_t>(config_.bytes_per_second * setup_->facts.snapshot_every /
                                               setup_->facts.tick_rate)),
      field_count_(match_.hash_fields().size()),
      cells_(*setup_, mode, config_, budget_),
      idle_input_(codec::idle_input(*setup_)),
      seed_(seed) {}

// --- Clients -----------------------------------------------------------------------------------------------

state::Result<Slot> Host::join(std::string_view name, LinkKind link, std::uint32_t player) {
    if (!checked_) return std::unexpected(checked_.error());
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        if (clients_[slot] || contract::contains(match_.live_slots(), slot)) continue;
        auto seed = math::Random::from_seed(seed_ + ++joined_);
        joins_.push_back(
            {.name = contract::PlayerName::of(name), .seed = seed.next(), .slot = slot, .player = player});
        reconnect(slot, link);
        return slot;
    }
    return state::refuse("", "the room is full: it takes " + std::to_string(setup_->facts.most_players) +
                                 " players; try another room, or wait until a player leaves");
}

state::Result<Slot> Host::join_bot(std::string_view name) {
    const auto slot = join(name, LinkKind::ordered);
    if (!slot) return slot;
    clients_[*slot]->is_bot = true;
    unlink(*slot);
    return slot;
}

state::Result<Slot> Host::watch(LinkKind link) {
    if (!checked_) return std::unexpected(checked_.error());
    for (std::size_t i = contract::most_slots; i < clients_.size(); ++i) {
        if (clients_[i]) continue;
        reconnect(static_cast<Slot>(i), link);
        return static_cast<Slot>(i);
    }
    return state::refuse("",
                         "the room has " + std::to_string(max_watchers) + " watchers, which is all it takes");
}

void Host::reconnect(Slot slot, LinkKind link) {
    auto client = std::make_unique<Client>(*this, link);
    if (is_player(slot) && clients_[slot]) {
        const std::uint64_t next_tick = match_.tick() + 1;
        client->inputs.load(clients_[slot]->inputs.save(next_tick), next_tick);
        client->inputs.restart_sequence();
        client->last_played = clients_[slot]->last_played;
    }
    clients_[slot] = std::move(client);
}

void Host::leave(Slot slot) {
    if (!is_player(slot))
        clients_[slot].reset();
    else if (clients_[slot])
        clients_[slot]->stream.leave();
}

// --- Receiving ---------------------------------------------------------------------------------------------

void Host::receive(Slot slot, codec::ByteView message, double now) {
    if (!has_client(slot) || !clients_[slot]->has_link) return;
    Client& client = *clients_[slot];
    const auto kind = kind_of(message);
    if (kind == MessageKind::inputs) {
        if (const InputMessage* inputs = reader_.read(message))
            return receive_inputs(slot, client, *inputs, now);
    } else if (kind == MessageKind::report) {
        return receive_report(slot, client, message);
    }
    ++stats_.messages_malformed;
}

void Host::offer_input(Slot slot, const std::byte* input) {
    Client& client = *clients_[slot];
    const std::uint64_t tick = match_.tick() + 1;
    count(client.inputs.offer(tick, static_cast<std::uint32_t>(tick), client.inputs.newest_sequence() + 1,
                              input));
    client.last_input = match_.tick();
}

// Reports are parsed only within the limit: they are long, and any client can send them.
void Host::receive_report(Slot slot, Client& client, codec::ByteView message) {
    using enum DesyncJudge::ReportAge;
    const auto age = client.judge.age_of(serial_of_report(message));
    if (age == last) return client.judge.answer_again();
    if (!is_player(slot) || age == outdated || !report_limit_.take(slot, match_.tick())) {
        ++stats_.reports_ignored;
        return;
    }
    if (auto report = read_report(message, field_count_))
        judge(slot, client, std::move(*report));
    else
        ++stats_.messages_malformed;
}

void Host::receive_inputs(Slot slot, Client& client, const InputMessage& message, double now) {
    const bool is_outdated = message.acknowledged > 0 && message.acknowledged < client.inputs_since;
    if (is_outdated) {
        stats_.inputs_early += message.count;
    } else if (message.count > 0 && is_player(slot)) {
        const std::size_t size = setup_->world->input->size;
        const std::uint32_t newest = message.first_tick + message.count - 1;
        std::optional<std::uint32_t> oldest_new;  // was on its way for longest
        for (std::uint32_t i = message.count; i-- > 0;) {
            const std::uint32_t tick = message.first_tick + i;
            const InputVerdict verdict = client.inputs.offer(
                match_.tick() + 1, tick, message.first_sequence + i, message.inputs.data() + i * size);
            count(verdict);
            if (verdict == InputVerdict::accepted || (tick == newest && verdict != InputVerdict::duplicate))
                oldest_new = tick;
        }
        if (oldest_new) note_margin(client, *oldest_new, now);
        client.last_input = match_.tick();
        const std::uint32_t number = newest / setup_->facts.snapshot_every;
        if (message.predicted_hash)
            client.predicted[number % client.predicted.size()] =
                PredictedHash{number, *message.predicted_hash};
    }
    if (message.probe) client.pong = {*message.probe, static_cast<std::uint64_t>(std::max(0.0, now) * 1e6)};
    client.stream.acknowledge(message.acknowledged, encoder_of(client).number());
    if (message.decode_failed)
        client.stream.report_loss(
            message.acknowledged > 0 ? std::optional(message.acknowledged) : std::nullopt, newest_snapshot());
}

void Host::step_back_time() {
    for (const auto& client : clients_) {
        if (!client) continue;
        client->inputs.clear();
        client->predicted = {};
        client->inputs_since = newest_snapshot() + 1;
    }
}

void Host::note_margin(Client& client, std::uint32_t tick, double now) const {
    const double early = static_cast<double>(tick) - now * setup_->facts.tick_rate;
    const auto margin = static_cast<std::int16_t>(std::clamp(std::floor(early * 8), -32767.0, 32767.0));
    if (!client.worst_margin || margin < client.worst_margin->margin)
        client.worst_margin = {static_cast<std::uint8_t>(tick), margin};
}

void Host::count(InputVerdict verdict) {
    switch (verdict) {
        case InputVerdict::accepted: ++stats_.inputs_accepted; break;
        case InputVerdict::duplicate: ++stats_.inputs_duplicate; break;
        case InputVerdict::late: ++stats_.inputs_late; break;
        case InputVerdict::early: ++stats_.inputs_early; break;
        case InputVerdict::illegal: ++stats_.inputs_illegal; break;
    }
}

void Host::judge(Slot slot, Client& client, Report report) {
    const SnapshotEncoder& encoder = encoder_of(client);
    const ExactState exact = report.exact ? client.judge.exact_state(*setup_, encoder, slot) : ExactState();
    // Snapshots from before it changed cells are not in this encoder's history.
    const Verdict& verdict =
        client.judge.judge(*setup_, encoder, std::move(report), client.stream.in_cell_since(), exact);
    if (verdict.found && !verdict.is_own) client.stream.request_keyframe(newest_snapshot());
    ++stats_.reports_judged;
    if (!verdict.found) {
        ++stats_.reports_unfounded;
        return;
    }
    desyncs_.push_back(describe(*setup_, encoder, log_, verdict, exact));
    if (desyncs_.size() > config_.max_desyncs) desyncs_.pop_front();
}

std::uint64_t Host::states_hashed() const {
    std::uint64_t sum = cells_.states_hashed();
    for (const auto& client : clients_)
        if (client && client->stream.own_encoder()) sum += client->stream.own_encoder()->states_hashed();
    return sum;
}

// --- Stepping ----------------------------------------------------------------------------------------------

void Host::step() {
    const contract::SlotSet live_before = match_.live_slots();
    codec::TickRecord& record = log_.begin(match_.tick() + 1);
    record.live = live_before;
    begin_tick(record);
    collect_inputs(record, live_before);
    fill_tick(record, tick_);
    match_.step(tick_.bytes());
    record.events.assign(match_.events().begin(), match_.events().end());
    if (match_.tick() % setup_->facts.snapshot_every == 0) encode_shared();
}

// Leaves, then joins, each in slot order.
void Host::begin_tick(codec::TickRecord& record) {
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        if (!clients_[slot] || clients_[slot]->stream.state() != StreamState::leaving) continue;
        clients_[slot].reset();
        std::erase_if(joins_, [&](const contract::Join& join) { return join.slot == slot; });
        if (contract::contains(record.live, slot)) record.leaves.push_back(slot);
        record.live &= ~contract::only(slot);
    }
    std::stable_sort(joins_.begin(), joins_.end(),
                     [](const auto& a, const auto& b) { return a.slot < b.slot; });
    record.joins = joins_;
    for (const contract::Join& join : joins_) record.live |= contract::only(join.slot);
    joins_.clear();
}

void Host::collect_inputs(codec::TickRecord& record, contract::SlotSet live_before) {
    const std::size_t size = setup_->world->input->size;
    for (std::uint32_t i = 0; i < setup_->facts.most_players; ++i) {
        const auto slot = static_cast<Slot>(i);
        std::byte* row = record.row(slot, size).data();
        std::memcpy(row, idle_input_.data(), size);
        if (!contract::contains(record.live, slot) || !clients_[slot]) continue;
        Client& client = *clients_[slot];
        if (client.is_bot) {
            if (contract::contains(live_before, slot)) write_bot_input(slot, row);
            continue;
        }
        const bool in_time = client.inputs.take(record.tick, row);
        if (in_time) client.last_played = record.tick;
        if (!client.last_input) continue;  // the client has not begun to play
        ++stats_.ticks_played;
        if (!in_time) ++stats_.ticks_starved;
    }
}

void Host::write_bot_input(Slot slot, std::byte* row) const {
    match_.bot(slot, row);
    codec::make_canonical(*setup_, row);
}

bool Host::sends_hash() const {
    const std::uint32_t interval =
        setup_->facts.tick_rate / setup_->facts.snapshot_every / config_.hashes_per_second;
    return newest_snapshot() % std::max(1u, interval) == 0;
}

// --- Sending -----------------------------------------------------------------------------------------------

void Host::encode_shared() {
    const std::uint32_t number = newest_snapshot();
    if (cells_.is_split()) move_between_cells(number);
    used_cells_.assign(cells_.size(), false);
    for (const auto& client : clients_)
        if (client && client->has_link && client->stream.link() == LinkKind::ordered)
            used_cells_[client->stream.cell()] = true;
    cells_.encode({number, match_.state(), log_}, used_cells_, sends_hash(),
                  [&](const CorrectionBudget& budget) { count_delta(budget); });
    if (used_cells_[InterestCells::whole_room]) cells_.split_if_over_budget();
}

// A client gets a keyframe in its new cell, so it stays there for a while, and waits until that stream may
// restart.
void Host::move_between_cells(std::uint32_t number) {
    for (std::uint32_t slot = 0; slot < clients_.size(); ++slot) {
        Client* client = clients_[slot].get();
        if (!client || !client->has_link || client->stream.link() == LinkKind::datagram) continue;
        const auto position = present::own_position(setup_->layout, match_.state(), static_cast<Slot>(slot));
        const Cell cell = position ? cells_.cell_at(*position) : client->stream.cell();
        if (cell == client->stream.cell() || !client->stream.may_change_cell(number)) continue;
        if (!cells_.stream(cell).may_restart(number, config_.restart_interval)) continue;
        client->stream.change_cell(cell, number);
    }
}

void Host::count_delta(const CorrectionBudget& budget) {
    ++stats_.deltas;
    if (budget.was_short()) ++stats_.deltas_over_budget;
    stats_.longest_wait = std::max(stats_.longest_wait, budget.longest_wait());
}

std::size_t Host::link_capacity(Slot slot) const {
    return has_client(slot) ? clients_[slot]->stream.link_capacity() : config_.link_capacity;
}

bool Host::write_message(Slot slot, bool link_is_free, double now, codec::Bytes& out) {
    if (!has_client(slot) || !clients_[slot]->has_link) return false;
    Client& client = *clients_[slot];
    if (link_is_free) {
        if (const auto verdict = client.judge.take_answer()) {
            write(*verdict, out);
            return true;
        }
    }
    const std::uint32_t number = newest_snapshot();
    SharedStream& shared = cells_.stream(client.stream.cell());
    const bool is_ordered = client.stream.link() == LinkKind::ordered;
    if (number == 0 || match_.tick() % setup_->facts.snapshot_every != 0 ||
        (is_ordered && shared.encoder().number() != number))
        return false;
    EncodeOptions options{.with_hash = sends_hash()};
    if (!is_ordered) options.focus = present::own_position(setup_->layout, match_.state(), slot);
    own_delta_.clear();
    const auto sent =
        client.stream.choose({number, match_.state(), log_}, shared, link_is_free, options, own_delta_);
    if (sent == ClientStream::Sent::nothing) return false;
    if (!is_ordered) count_delta(encoder_of(client).budget());
    const bool is_shared = is_ordered && sent == ClientStream::Sent::delta;
    std::optional<Welcome> welcome;
    if (!client.stream.is_welcomed())
        welcome = {.fingerprint = setup_->fingerprint,
                   .slot = std::min(slot, watcher_slot),
                   .mode = mode_,
                   .ticket = client.ticket};
    SnapshotWriter(out).write(
        welcome ? &*welcome : nullptr, own_player_part(slot, client, number, now),
        is_shared ? shared.delta() : codec::ByteView(own_delta_), [&](codec::Writer& writer) {
            encode_own(writer, setup_->layout, encoder_of(client).replicated(), match_.state(), slot);
        });
    if (sent == ClientStream::Sent::keyframe) {
        ++stats_.keyframes;
        client.stream.note_keyframe_size(out.size());
    }
    client.stream.note_sent();
    return true;
}

OwnPlayerPart Host::own_player_part(Slot slot, Client& client, std::uint32_t number, double now) {
    OwnPlayerPart part;
    part.acknowledged = static_cast<std::uint8_t>(client.inputs.newest_sequence());
    part.own = own_state(slot, client, number);
    if (sends_hash() && part.own != OwnState::as_replicated) {
        part.hash = hash_own(setup_->layout, match_.state(), slot);
        client.judge.remember_own(*setup_, number, match_.state(), slot);
    }
    if (client.worst_margin && (number % config_.margin_interval == 0 || client.worst_margin->margin < 0))
        part.margin = std::exchange(client.worst_margin, {});
    if (client.pong) {
        const double held = now * 1e6 - static_cast<double>(client.pong->microseconds);
        client.pong->held = static_cast<std::uint32_t>(std::clamp(held, 0.0, 16e6));
    }
    part.pong = std::exchange(client.pong, {});
    return part;
}

OwnState Host::own_state(Slot slot, const Client& client, std::uint32_t number) {
    if (!is_player(slot) || mode_ == ReplicationMode::relay || !contract::contains(match_.live_slots(), slot))
        return OwnState::as_replicated;
    const std::optional<PredictedHash>& predicted = client.predicted[number % client.predicted.size()];
    if (predicted && predicted->snapshot == number &&
        predicted->hash == hash_own(setup_->layout, match_.state(), slot)) {
        ++stats_.own_confirmed;
        return OwnState::as_predicted;
    }
    const std::uint64_t silence = match_.tick() - client.last_input.value_or(0);
    if (client.stream.is_welcomed() && silence > ticks_in(config_.exact_silence, setup_->facts))
        return OwnState::as_replicated;
    ++stats_.own_exact;
    return OwnState::exact;
}

}  // namespace instep::net
