// SPDX-License-Identifier: MIT
// A room in time: when it ticks, what a tick does, and how it ends. Who is in it: room_people.cpp.
#include <instep/server/room.h>

#include <cmath>
#include <ctime>

namespace instep::server {
namespace {

// What this thread has used of the processor: a room is not to blame for a busy machine.
std::chrono::nanoseconds processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::chrono::nanoseconds nanoseconds_in(double seconds) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(std::llround(seconds * 1e9)));
}

}  // namespace

Room::Room(Loop& loop, RoomPlan plan, const Limits& limits, Figures& figures, Log& log)
    : plan_(std::move(plan)),
      limits_(limits),
      figures_(figures),
      log_(log),
      strand_(loop),
      host_(plan_.setup, plan_.seed, plan_.kind) {
    if (plan_.recording) recorder_.emplace(plan_.setup, plan_.seed, recorded_);
}

Time Room::due_at(std::uint64_t tick) const {
    return start_ + nanoseconds_in(static_cast<double>(tick) / setup().facts.tick_rate);
}

void Room::open(std::function<void(const std::string&)> ended) {
    ended_ = std::move(ended);
    const contract::Facts& facts = setup().facts;
    start_ = Clock::now() + nanoseconds_in(plan_.phase * facts.snapshot_every / facts.tick_rate);
    empty_since_ = start_;
    ++figures_.rooms;
    ++figures_.rooms_total;
    log_.info("room_opened", {{"room", plan_.name},
                              {"world", setup().world->name},
                              {"level", setup().level},
                              {"replication", net::name_of(plan_.kind)},
                              {"seed", plan_.seed}});
    strand_.run_at(due_at(1), [self = shared_from_this()] { return self->wake(); });
}

// --- Ticking

// The match stands still while nobody is there to see it.
std::optional<Time> Room::wake() {
    if (has_ended_) return {};
    const Time now = Clock::now();
    if (is_asleep_ && !is_called()) {
        end_if_empty(now);
        if (has_ended_) return {};
        return now + looks_every;
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
    if (has_ended_) return {};
    is_asleep_ = now - empty_since_ > sleeps_after;
    return due_at(host_.match().tick() + 1);
}

bool Room::is_called() const {
    const std::lock_guard lock(mutex_);
    return !inbox_.notes.empty();
}

void Room::catch_up(Time now) {
    const auto behind = now - due_at(host_.match().tick() + 1);
    if (behind > most_behind) {
        start_ += behind;
        host_.step_back_time();
        figures_.ticks_skipped += static_cast<std::uint64_t>(std::chrono::duration<double>(behind).count() *
                                                             setup().facts.tick_rate);
    }
    for (std::uint32_t i = 0; i < most_catch_up && !has_ended_; ++i) {
        const Time due = due_at(host_.match().tick() + 1);
        if (now < due) return;
        figures_.lateness.add(now - due);
        const auto used = processor_time();
        play_tick(now);
        const Time after = Clock::now();
        figures_.tick_time.add(after - now);
        check_budget(processor_time() - used);
        now = after;
    }
}

void Room::play_tick(Time now) {
    take_inbox();
    give_up_lost(now);
    keep_bots();
    host_.step();
    tick_ = host_.match().tick();
    record();
    figures_.ticks.fetch_add(1, std::memory_order_relaxed);
    for (Seat* seat : leaving_) {  // only now is its slot free again
        free_seat(seat->key);
        seats_.erase(seat->key);
    }
    leaving_.clear();
    tell(now);
    if (tick_ % setup().facts.tick_rate == 0) {
        count_figures();
        check_invariants();
    }
    if (!seats_.empty() || !watchers_.empty() || !waiting_.empty()) empty_since_ = now;
    end_if_empty(now);
}

void Room::end_if_empty(Time now) {
    if (now - empty_since_ <= std::chrono::milliseconds(limits_.empty_room_ms)) return;
    {
        const std::lock_guard lock(mutex_);
        if (!keys_.empty() || may_watch_ > 0) return;  // somebody is on the way in
        has_ended_ = true;
    }
    finish({Cause::room_ended, "nobody was left"});
}

void Room::record() {
    if (!recorder_) return;
    recorder_->add(*host_.ticks().find(host_.match().tick()), host_.match(), recorded_);
    if (!recorded_.empty()) write_recording();
}

void Room::write_recording() {
    if (!plan_.recording->write(recorded_, tick_)) {
        log_.error("recording_ended",
                   {{"room", plan_.name}, {"file", plan_.recording->name()}, {"tick", tick()}});
        recorder_.reset();
    }
    recorded_.clear();
}

void Room::tell(Time now) {
    for (auto& [key, seat] : seats_)
        if (seat.line) tell(seat, now);
    for (auto& [guest, seat] : watchers_) tell(seat, now);
}

void Room::tell(Seat& seat, Time now) {
    const bool has_snapshot = host_.match().tick() % setup().facts.snapshot_every == 0;
    const bool is_free = seat.line->bytes_waiting() < host_.link_capacity(seat.slot);
    if (has_snapshot && !is_free) ++figures_.snapshots_left_out;
    for (;;) {
        message_.clear();
        if (!host_.write_message(seat.slot, is_free, seconds_at(now), message_)) break;
        seat.line->send(message_);
    }
}

void Room::count_figures() {
    const net::HostStats& now = host_.stats();
    figures_.inputs_taken += now.inputs_accepted - counted_.inputs_accepted;
    figures_.inputs_late += now.inputs_late - counted_.inputs_late;
    figures_.inputs_refused += now.inputs_early + now.inputs_illegal + now.messages_malformed +
                               now.reports_ignored - counted_.inputs_early - counted_.inputs_illegal -
                               counted_.messages_malformed - counted_.reports_ignored;
    figures_.own_confirmed += now.own_confirmed - counted_.own_confirmed;
    figures_.own_corrected += now.own_exact - counted_.own_exact;
    if (now.reports_judged > counted_.reports_judged) {
        figures_.desyncs += now.reports_judged - counted_.reports_judged;
        log_.error("desync", {{"room", plan_.name},
                              {"tick", tick()},
                              {"what", host_.desyncs().back().text()},
                              {"recording", plan_.recording ? plan_.recording->name() : ""}});
    }
    counted_ = now;
}

// --- Ending

void Room::end(const Refusal& refusal) {
    strand_.post([self = shared_from_this(), refusal] { self->finish(refusal); });
}

void Room::check_invariants() {
    const auto legal = setup().world->validate(setup().value.get(), setup().layout, host_.match().state());
    if (!legal) fail("its state is no legal one: " + legal.error().text());
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

void Room::fail(const std::string& why) {
    if (has_ended_) return;
    ++figures_.rooms_failed;
    log_.error("room_failed", {{"room", plan_.name},
                               {"world", setup().world->name},
                               {"level", setup().level},
                               {"seed", plan_.seed},
                               {"tick", tick()},
                               {"players", players()},
                               {"why", why}});
    finish({Cause::room_ended, "the room had to be closed: " + why});
}

void Room::finish(const Refusal& refusal) {
    if (!ended_) return;
    {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
        for (auto& [guest, arrival] : arrivals_) arrival.line->refuse(refusal);
        arrivals_.clear();
    }
    for (auto& [guest, arrival] : waiting_) arrival.line->refuse(refusal);
    for (auto& [guest, seat] : watchers_) seat.line->refuse(refusal);
    for (auto& [key, seat] : seats_)
        if (seat.line) seat.line->refuse(refusal);
    if (recorder_) {
        recorder_->finish(host_.match(), recorded_);
        write_recording();
        recorder_.reset();
    }
    plan_.recording.reset();
    figures_.players -= players_;
    players_ = 0;
    figures_.watchers -= watchers_.size();
    --figures_.rooms;
    count_figures();
    log_.info("room_closed", {{"room", plan_.name}, {"tick", tick()}, {"why", refusal.sentence}});
    std::exchange(ended_, nullptr)(plan_.name);
    waiting_.clear();
    watchers_.clear();
    seats_.clear();
    guests_.clear();
}

}  // namespace instep::server
