// SPDX-License-Identifier: MIT
// When a room ticks, what a tick does, and how the room ends. Who is in it: room_seats.cpp.
#include <instep/server/room.h>

#include <cmath>
#include <ctime>

namespace instep::server {
namespace {

// Processor time of this thread: the budget of a room must not depend on how busy the machine is.
std::chrono::nanoseconds processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::chrono::nanoseconds nanoseconds_in(double seconds) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(std::llround(seconds * 1e9)));
}

// Milliseconds, by this machine's clock, since a time in microseconds since 1970.
double gap_since(std::uint64_t unix_microseconds) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count() -
           static_cast<double>(unix_microseconds) / 1000;
}

}  // namespace

Room::Room(Loop& loop, RoomConfig config, const Limits& limits, Metrics& metrics, Log& log)
    : loop_(loop),
      config_(std::move(config)),
      limits_(limits),
      metrics_(metrics),
      log_(log),
      inbox_(config_.name, config_.setup->facts.most_players, limits.most_watchers),
      strand_(loop),
      join_limit_(config_.setup->facts.most_players, joins_per_second / config_.setup->facts.tick_rate),
      host_(config_.setup, config_.seed, config_.replication) {}

Time Room::due_at(std::uint64_t tick) const {
    return start_ + nanoseconds_in(static_cast<double>(tick) / setup().facts.tick_rate);
}

void Room::open(std::function<void(const std::string&)> ended) {
    ended_ = std::move(ended);
    const contract::Facts& facts = setup().facts;
    if (host_.match().tick() > 0)
        start_ = start_of_image();
    else
        start_ = Clock::now() + nanoseconds_in(config_.phase * facts.snapshot_every / facts.tick_rate);
    empty_since_ = Clock::now();
    begin_recording();
    ++metrics_.rooms;
    ++metrics_.rooms_total;
    metrics_.players += player_count_;
    log_.info("room_opened", {{"room", config_.name},
                              {"world", setup().world->name},
                              {"level", setup().level},
                              {"replication", net::name_of(config_.replication)},
                              {"seed", config_.seed},
                              {"tick", host_.match().tick()}});
    open_journal();
    strand_.run_at(due_at(host_.match().tick() + 1),
                   [self = shared_from_this()] { return self->run_due_ticks(); });
}

// --- Ticking

// An empty room sleeps: its match stands still until an event comes.
std::optional<Time> Room::run_due_ticks() {
    if (has_ended() || is_handed_over_) return {};
    const Time now = Clock::now();
    if (const auto later = wait_for_journal(now)) return has_ended() ? std::nullopt : later;
    if (is_asleep_ && !inbox_.has_events()) {
        end_if_empty(now);
        if (has_ended()) return {};
        return now + sleep_check;
    }
    try {
        if (std::exchange(is_asleep_, false)) {
            start_ += now - due_at(host_.match().tick() + 1);
            over_budget_since_.reset();
        }
        catch_up(now);
    } catch (const std::exception& error) {
        fail(std::string("its tick threw: ") + error.what());
    }
    if (has_ended()) return {};
    is_asleep_ = seats_.empty() && now - empty_since_ > sleeps_after;
    return due_at(host_.match().tick() + 1);
}

void Room::catch_up(Time now) {
    const auto behind = now - due_at(host_.match().tick() + 1);
    if (behind > nanoseconds_in(net::HostConfig{}.max_lateness)) {
        start_ += behind;
        host_.step_back_time();
        const auto skipped = static_cast<std::uint64_t>(std::chrono::duration<double>(behind).count() *
                                                        setup().facts.tick_rate);
        metrics_.ticks_skipped += skipped;
        ticks_skipped_ += skipped;
    }
    for (std::uint32_t i = 0; i < max_catch_up && !has_ended(); ++i) {
        const Time due = due_at(host_.match().tick() + 1);
        if (now < due) return;
        metrics_.lateness.add(now - due);
        lateness_.add(now - due);
        const auto before = processor_time();
        play_tick(now);
        const Time after = Clock::now();
        metrics_.tick_time.add(after - now);
        const auto used = processor_time() - before;
        check_slow_tick(after - now, used);
        check_budget(used);
        now = after;
    }
}

void Room::play_tick(Time now) {
    parts_.begin(now);
    process_inbox();
    remove_expired_players(now);
    adjust_bots();
    offer_original_inputs();
    parts_.end(TickPart::inbox);
    host_.step();
    tick_ = host_.match().tick();
    parts_.end(TickPart::step);
    record_tick();
    parts_.end(TickPart::record);
    metrics_.ticks.fetch_add(1, std::memory_order_relaxed);
    release_left_seats();
    journal_tick();
    send_messages(now);
    parts_.end(TickPart::encode);
    if (tick_ % setup().facts.tick_rate == 0) {
        update_metrics();
        check_state();
        resume_recording();
    }
    parts_.end(TickPart::check);
    if (last_due_) {
        log_.info("room_goes_on",
                  {{"room", config_.name}, {"tick", tick()}, {"gap_ms", gap_since(*last_due_)}});
        last_due_.reset();
    }
    // The seat of a lost player is kept, but does not keep the room open.
    if (!connected_.empty() || !watchers_.empty() || !waiting_.empty() || !originals_.empty())
        empty_since_ = now;
    end_if_empty(now);
}

void Room::end_if_empty(Time now) {
    const bool is_left = ends_when_left_ && seats_.empty() && watchers_.empty() && waiting_.empty();
    if (!is_left && now - empty_since_ <= std::chrono::milliseconds(limits_.empty_room_ms)) return;
    if (inbox_.close_if_unused()) finish({RefusalReason::room_ended, "the room was empty"});
}

void Room::begin_recording() {
    if (!config_.recording) return;
    recorded_since_ = host_.match().tick();
    if (recorded_before_)
        log_.info("recording_continues", {{"room", config_.name},
                                          {"before", recorded_before_->file},
                                          {"file", config_.recording->name()},
                                          {"tick", recorded_since_}});
    if (recorded_since_ == 0)
        recorder_.emplace(config_.setup, config_.seed, recorded_);
    else
        recorder_.emplace(config_.setup, config_.seed, host_.match(), recorded_);
}

void Room::record_tick() {
    if (!recorder_) return;
    recorder_->add(*host_.ticks().find(host_.match().tick()), host_.match(), recorded_);
    if (!recorded_.empty()) write_recording();
}

void Room::write_recording() {
    if (!config_.recording->write(recorded_, tick_ - recorded_since_)) recorder_.reset();
    recorded_.clear();
}

// A recording that ended for want of space goes on in another file, which begins with the state as it is now.
void Room::resume_recording() {
    if (!config_.recording || recorder_) return;
    auto next = config_.recording->begin_again();
    if (!next) return;
    log_.info("recording_continues", {{"room", config_.name},
                                      {"before", config_.recording->name()},
                                      {"file", next->name()},
                                      {"tick", tick()}});
    config_.recording = std::move(next);
    begin_recording();
}

void Room::send_messages(Time now) {
    for (const auto& [player, seat] : seats_)
        if (seat.connection && !seat.is_original) send_messages(seat.slot, seat.connection, now);
    for (const auto& [id, watcher] : watchers_) send_messages(watcher.slot, watcher.connection, now);
    update_originals();
}

void Room::send_messages(contract::Slot slot, const std::shared_ptr<Connection>& connection, Time now) {
    const bool has_snapshot = host_.match().tick() % setup().facts.snapshot_every == 0;
    const bool is_free = connection->bytes_waiting() < host_.link_capacity(slot);
    if (has_snapshot && !is_free) ++metrics_.snapshots_skipped;
    for (;;) {
        message_.clear();
        if (!host_.write_message(slot, is_free, seconds_at(now), message_)) break;
        send_or_hold(connection, message_);
    }
}

void Room::update_metrics() {
    const net::HostStats& now = host_.stats();
    metrics_.inputs_accepted += now.inputs_accepted - counted_.inputs_accepted;
    metrics_.inputs_late += now.inputs_late - counted_.inputs_late;
    metrics_.inputs_rejected += now.inputs_early + now.inputs_illegal + now.messages_malformed -
                                counted_.inputs_early - counted_.inputs_illegal - counted_.messages_malformed;
    metrics_.predictions_confirmed += now.own_confirmed - counted_.own_confirmed;
    metrics_.predictions_corrected += now.own_exact - counted_.own_exact;
    const auto founded = [](const net::HostStats& stats) {
        return stats.reports_judged - stats.reports_unfounded;
    };
    metrics_.desync_reports_unfounded += now.reports_unfounded - counted_.reports_unfounded;
    metrics_.desync_reports_ignored += now.reports_ignored - counted_.reports_ignored;
    if (founded(now) > founded(counted_)) {
        metrics_.desyncs += founded(now) - founded(counted_);
        log_.error("desync", {{"room", config_.name},
                              {"tick", tick()},
                              {"message", host_.desyncs().back().text()},
                              {"recording", recorder_ ? config_.recording->name() : ""}});
    }
    counted_ = now;
}

// --- Ending

void Room::end(const Refusal& refusal) {
    strand_.post([self = shared_from_this(), refusal] {
        if (self->config_.journal && refusal.reason == RefusalReason::stopping) return self->release();
        self->finish(refusal);
    });
}

void Room::check_state() {
    const auto legal = setup().world->validate(setup().value.get(), setup().layout, host_.match().state());
    if (!legal) fail("its state is illegal: " + legal.error().text());
}

void Room::check_budget(std::chrono::nanoseconds used) {
    const double budget = limits_.tick_budget_percent / 100.0 / setup().facts.tick_rate;
    const Time now = Clock::now();
    if (used <= nanoseconds_in(budget)) return over_budget_since_.reset();
    if (!over_budget_since_) over_budget_since_ = now - used;
    if (now - *over_budget_since_ >= std::chrono::seconds(1))
        fail("for a second each of its ticks took more than " + std::to_string(limits_.tick_budget_percent) +
             " % of a tick's time, the last " + std::to_string(used.count() / 1000) + " us");
}

template <class Step>
void Room::attempt(const Step& step) {
    try {
        step();
    } catch (const std::exception& error) {
        log_.error("room_end_failed", {{"room", config_.name}, {"error", error.what()}});
    }
}

void Room::fail(const std::string& why) {
    if (has_ended()) return;
    ++metrics_.rooms_failed;
    attempt([&] {
        log_.error("room_failed", {{"room", config_.name},
                                   {"world", setup().world->name},
                                   {"level", setup().level},
                                   {"seed", config_.seed},
                                   {"tick", tick()},
                                   {"players", players()},
                                   {"reason", why}});
    });
    finish({RefusalReason::room_ended, "the room had to be closed: " + why});
}

// Each step stands alone: if one throws, the others still happen. Otherwise the room would stand still, with
// its players in it, and never be removed.
void Room::finish(const Refusal& refusal) {
    finish(refusal.message, [&](Connection& connection) { connection.refuse(refusal); });
}

void Room::finish(const std::string& why, const std::function<void(Connection&)>& turn_away) {
    if (!ended_) return;
    const auto ended = std::exchange(ended_, nullptr);
    const auto turn_one_away = [&](Connection& connection) { attempt([&] { turn_away(connection); }); };
    attempt([&] { inbox_.close(turn_one_away); });
    for (auto& [id, arrival] : waiting_) turn_one_away(*arrival.connection);
    for (auto& [id, watcher] : watchers_) turn_one_away(*watcher.connection);
    for (auto& [id, client] : originals_)  // whose protocol has no word for another address
        attempt([&] { client.connection->refuse({RefusalReason::room_ended, why}); });
    for (auto& [player, seat] : seats_)
        if (seat.connection) turn_one_away(*seat.connection);
    attempt([&] {
        if (config_.journal) config_.journal->close();
    });
    config_.journal.reset();
    held_.clear();
    attempt([&] { finish_recording(); });
    recorder_.reset();
    config_.recording.reset();
    metrics_.players -= player_count_;
    player_count_ = 0;
    metrics_.watchers -= watchers_.size();
    --metrics_.rooms;
    attempt([&] { update_metrics(); });
    attempt([&] { log_.info("room_closed", {{"room", config_.name}, {"tick", tick()}, {"reason", why}}); });
    waiting_.clear();
    watchers_.clear();
    originals_.clear();
    connected_.clear();
    seats_.clear();
    ended(config_.name);
}

void Room::finish_recording() {
    if (!recorder_) return;
    recorder_->finish(host_.match(), recorded_);
    write_recording();
}

}  // namespace instep::server
