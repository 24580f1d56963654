// SPDX-License-Identifier: MIT
// Who is in a room: those who come, are told from each other by their keys, lose their lines and go, and the
// bots that play where they leave places.
#include <instep/server/room.h>

#include <algorithm>

#include <instep/match/bot_name.h>

namespace instep::server {
namespace {

// No player's key is like this.
const std::string watcher_key = "@";

std::atomic<Guest> guests_ever{0};

}  // namespace

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
    if (has_ended_) return refuse(Cause::room_ended, "room \"" + plan_.name + "\" has just been closed");
    if (!take_seat(own_key))
        return refuse(Cause::room_full, "room \"" + plan_.name + "\" is full: it takes " +
                                            std::to_string(setup().facts.most_players) +
                                            " players; try another, or wait until somebody leaves");
    expected_[guest] = own_key;
    return guest;
}

std::expected<Guest, Refusal> Room::reserve_to_watch() {
    const Guest guest = ++guests_ever;
    const std::lock_guard lock(mutex_);
    if (has_ended_) return refuse(Cause::room_ended, "room \"" + plan_.name + "\" has just been closed");
    if (may_watch_ >= limits_.most_watchers)
        return refuse(Cause::room_full, "room \"" + plan_.name + "\" is watched by " +
                                            std::to_string(may_watch_) +
                                            ", which is all that may; try another, or wait until one leaves");
    ++may_watch_;
    expected_[guest] = watcher_key;
    return guest;
}

void Room::leave_note(Note::Kind kind, Guest guest, codec::ByteView message) {
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

void Room::deliver(Guest guest, codec::ByteView message) {
    const std::lock_guard lock(mutex_);
    leave_note(Note::Kind::message, guest, message);
}

void Room::depart(Guest guest, bool on_purpose) {
    const std::lock_guard lock(mutex_);
    leave_note(on_purpose ? Note::Kind::depart : Note::Kind::lose, guest);
}

// --- On its strand

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
        const codec::ByteView message = codec::ByteView(taken_.bytes).subspan(offset, note.size);
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
    static_assert(net::Host::max_watchers >= 64);  // as many as the limit goes to
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

}  // namespace instep::server
