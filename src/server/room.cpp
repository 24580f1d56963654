// SPDX-License-Identifier: MIT
#include <instep/server/room.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include <instep/match/bot_name.h>

namespace instep::server {
namespace {

constexpr std::size_t full_line = 8 * 1024;  // bytes that wait, at which a line takes no more snapshots

// No player's key is like this.
const std::string watcher_key = "@";

std::atomic<Guest> guests_ever{0};

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
                              {"seed", plan_.seed}});
    strand_.run_at(due_at(1), [self = shared_from_this()] { return self->wake(); });
}

// --- From any thread

bool Room::take_seat(const std::string& key) {
    if (keys_.contains(key)) return true;
    if (keys_.size() >= setup().facts.most_players) return false;
    keys_.insert(key);
    return true;
}

// Unless somebody else who shows the same key is still on the way in.
void Room::free_seat(const std::string& key) {
    const auto is_kept = [&](const auto& waiting) { return waiting.second.key == key; };
    if (std::any_of(waiting_.begin(), waiting_.end(), is_kept)) return;
    const std::lock_guard lock(mutex_);
    const auto is_expected = [&](const auto& expected) { return expected.second == key; };
    if (std::none_of(expected_.begin(), expected_.end(), is_expected)) keys_.erase(key);
}

bool Room::has_seat(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    return keys_.contains(key);
}

std::expected<Guest, Refusal> Room::reserve(const std::string& key) {
    const Guest guest = ++guests_ever;
    const std::string own_key = key.empty() ? "#" + std::to_string(guest) : key;
    const std::lock_guard lock(mutex_);
    if (has_ended_)
        return std::unexpected(
            Refusal{Cause::room_ended, "room \"" + plan_.name + "\" has just been closed"});
    if (!take_seat(own_key))
        return std::unexpected(
            Refusal{Cause::room_full, "room \"" + plan_.name + "\" is full: it takes " +
                                          std::to_string(setup().facts.most_players) +
                                          " players; try another, or wait until somebody leaves"});
    expected_[guest] = own_key;
    return guest;
}

std::expected<Guest, Refusal> Room::reserve_to_watch() {
    const Guest guest = ++guests_ever;
    const std::lock_guard lock(mutex_);
    if (has_ended_)
        return std::unexpected(
            Refusal{Cause::room_ended, "room \"" + plan_.name + "\" has just been closed"});
    if (may_watch_ >= limits_.most_watchers)
        return std::unexpected(Refusal{
            Cause::room_full, "room \"" + plan_.name + "\" is watched by " + std::to_string(may_watch_) +
                                  ", which is all that may; try another, or wait until one leaves"});
    ++may_watch_;
    expected_[guest] = watcher_key;
    return guest;
}

void Room::leave_note(Note::Kind kind, Guest guest, ByteView message) {
    inbox_.notes.push_back({kind, guest, Clock::now(), message.size()});
    inbox_.bytes.insert(inbox_.bytes.end(), message.begin(), message.end());
}

void Room::enter(Guest guest, std::shared_ptr<Line> line, const net::Hello& hello) {
    const std::lock_guard lock(mutex_);
    if (has_ended_) return line->refuse({Cause::room_ended, "room \"" + plan_.name + "\" has been closed"});
    const auto found = expected_.find(guest);
    if (found == expected_.end()) return;
    arrivals_[guest] = {found->second, std::move(line), hello};
    leave_note(Note::Kind::enter, guest);
}

void Room::deliver(Guest guest, ByteView message) {
    const std::lock_guard lock(mutex_);
    leave_note(Note::Kind::message, guest, message);
}

void Room::depart(Guest guest, bool on_purpose) {
    const std::lock_guard lock(mutex_);
    leave_note(on_purpose ? Note::Kind::depart : Note::Kind::lose, guest);
}

void Room::end(const Refusal& refusal) {
    strand_.post([self = shared_from_this(), refusal] { self->finish(refusal); });
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

void Room::take_inbox() {
    taken_.notes.clear();
    taken_.bytes.clear();
    {
        const std::lock_guard lock(mutex_);
        std::swap(taken_, inbox_);
    }
    for (auto& [guest, arrival] : std::exchange(waiting_, {})) let_in(guest, std::move(arrival));
    std::size_t offset = 0;
    for (const Note& note : taken_.notes) {
        const ByteView message = ByteView(taken_.bytes).subspan(offset, note.size);
        offset += note.size;
        switch (note.kind) {
            case Note::Kind::enter: {
                Arrival arrival;
                {
                    const std::lock_guard lock(mutex_);
                    arrival = std::move(arrivals_.extract(note.guest).mapped());
                    expected_.erase(note.guest);
                }
                let_in(note.guest, std::move(arrival));
                break;
            }
            case Note::Kind::message:
                if (const auto found = guests_.find(note.guest); found != guests_.end())
                    host_.receive(found->second->slot, message, seconds_at(note.at));
                break;
            case Note::Kind::depart: let_go(note.guest, true, note.at); break;
            case Note::Kind::lose: let_go(note.guest, false, note.at); break;
        }
    }
}

void Room::let_in(Guest guest, Arrival arrival) {
    if (arrival.key == watcher_key) return let_watch(guest, std::move(arrival));
    const auto found = seats_.find(arrival.key);
    if (found == seats_.end()) return take_place(guest, std::move(arrival));
    Seat& seat = found->second;
    if (seat.line) {
        guests_.erase(seat.guest);
        seat.line->refuse({Cause::replaced, "the same player came in over another connection"});
    }
    host_.reconnect(seat.slot, net::LinkKind::ordered);
    seat.guest = guest;
    seat.line = std::move(arrival.line);
    guests_[guest] = &seat;
}

void Room::take_place(Guest guest, Arrival arrival) {
    // Its key has been kept since it reserved, so there are never more than places.
    const auto slot = host_.join(arrival.hello.name.view(), net::LinkKind::ordered);
    if (!slot && !bots_.empty()) {
        dismiss_bot();
        waiting_.emplace_back(guest, std::move(arrival));
        return;
    }
    if (!slot) {
        free_seat(arrival.key);
        return arrival.line->refuse({Cause::room_full, "room \"" + plan_.name + "\" is full"});
    }
    Seat& seat = seats_[arrival.key];
    seat = {arrival.key, std::string(arrival.hello.name.view()), *slot, guest, std::move(arrival.line), {}};
    guests_[guest] = &seat;
    ++figures_.players;
    ++players_;
}

void Room::let_watch(Guest guest, Arrival arrival) {
    static_assert(net::Host::most_watchers >= 64);  // as many as the limit goes to
    const auto slot = host_.watch(net::LinkKind::ordered);
    if (!slot) return arrival.line->refuse({Cause::room_full, slot.error().text()});  // never, by the limit
    Seat& seat = watchers_[guest];
    seat.slot = *slot;
    seat.line = std::move(arrival.line);
    guests_[guest] = &seat;
    ++figures_.watchers;
    ++watcher_count_;
}

void Room::stop_watching(Guest guest) {
    host_.leave(watchers_[guest].slot);
    guests_.erase(guest);
    watchers_.erase(guest);
    --figures_.watchers;
    --watcher_count_;
    const std::lock_guard lock(mutex_);
    --may_watch_;
}

// As many as people leave places for.
void Room::keep_bots() {
    const std::size_t people = seats_.size() + waiting_.size() - leaving_.size();
    const std::size_t wanted = std::min(plan_.bots, setup().facts.most_players);
    while (!bots_.empty() && people + bots_.size() > wanted) dismiss_bot();
    while (people + bots_.size() < wanted) {
        std::uint32_t number = 0;
        const auto is_taken = [&](const Bot& bot) { return bot.number == number; };
        while (std::any_of(bots_.begin(), bots_.end(), is_taken)) ++number;
        const auto slot = host_.join_bot(match::bot_name(number));
        if (!slot) break;  // somebody leaves with this tick
        bots_.push_back({number, *slot});
    }
    bot_count_ = static_cast<std::uint32_t>(bots_.size());
}

void Room::dismiss_bot() {
    host_.leave(bots_.back().slot);
    bots_.pop_back();
}

void Room::let_go(Guest guest, bool on_purpose, Time at) {
    std::string unused;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = expected_.find(guest); found != expected_.end()) {
            unused = found->second;  // it reserved, and never came in
            expected_.erase(found);
        }
        if (unused == watcher_key) --may_watch_;
    }
    if (watchers_.contains(guest)) return stop_watching(guest);
    std::erase_if(waiting_, [&](const auto& waiting) {
        if (waiting.first == guest) unused = waiting.second.key;
        return waiting.first == guest;
    });
    if (!unused.empty() && !seats_.contains(unused)) free_seat(unused);
    const auto found = guests_.find(guest);
    if (found == guests_.end()) return;
    Seat& seat = *found->second;
    guests_.erase(found);
    seat.line.reset();
    seat.guest = 0;
    seat.lost_at = at;
    const bool can_resume = !on_purpose && !seat.key.starts_with('#') && limits_.resume_ms > 0;
    if (!can_resume) seat.lost_at = Time::min();
}

void Room::give_up_lost(Time now) {
    const auto patience = std::chrono::milliseconds(limits_.resume_ms);
    for (auto& [key, seat] : seats_) {
        if (seat.line || (seat.lost_at != Time::min() && now - seat.lost_at <= patience)) continue;
        host_.leave(seat.slot);
        leaving_.push_back(&seat);
        --figures_.players;
        --players_;
    }
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
    const bool is_free = seat.line->bytes_waiting() < full_line;
    if (has_snapshot && !is_free) ++figures_.snapshots_left_out;
    for (;;) {
        message_.clear();
        if (!host_.write_message(seat.slot, is_free, seconds_at(now), message_)) break;
        seat.line->send(message_);
    }
}

void Room::count_figures() {
    const net::HostFigures& now = host_.figures();
    figures_.inputs_taken += now.inputs_taken - counted_.inputs_taken;
    figures_.inputs_late += now.inputs_late - counted_.inputs_late;
    figures_.inputs_refused += now.inputs_early + now.inputs_illegal + now.messages_broken -
                               counted_.inputs_early - counted_.inputs_illegal - counted_.messages_broken;
    figures_.own_confirmed += now.own_confirmed - counted_.own_confirmed;
    figures_.own_corrected += now.own_exact - counted_.own_exact;
    if (now.desyncs > counted_.desyncs) {
        figures_.desyncs += now.desyncs - counted_.desyncs;
        log_.error("desync",
                   {{"room", plan_.name}, {"tick", tick()}, {"what", host_.desyncs().back().text()}});
    }
    counted_ = now;
}

// --- Ending

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
