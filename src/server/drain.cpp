// SPDX-License-Identifier: MIT
#include <instep/server/drain.h>

#include <algorithm>

namespace instep::server {
namespace {

constexpr std::chrono::milliseconds look_every{10};

}  // namespace

void Drain::begin(std::shared_ptr<RoomCarrier> carrier) {
    {
        const LockGuard lock(mutex_);
        status_.is_draining = true;
        status_.is_moving = carrier != nullptr;
    }
    log_.info("draining", {{"rooms", lobby_.rooms().size()}, {"hands_over", carrier != nullptr}});
    strand_.post([self = shared_from_this(), carrier = std::move(carrier)]() mutable {
        self->carrier_ = std::move(carrier);
        self->began_ = Clock::now();
        self->is_open_ = self->is_refused_ = false;
        self->opening_ = {};
        self->attempts_.clear();
        // The successor must know this server's names of rooms before it opens rooms that come here no more.
        if (!self->carrier_) {
            self->lobby_.drain();
            self->lobby_.end_rooms_when_left();
        }
        self->strand_.run_at(Clock::now(), [self] { return self->run(); });
    });
}

Drain::Status Drain::status() const {
    const LockGuard lock(mutex_);
    return status_;
}

std::optional<Time> Drain::run() {
    const Time now = Clock::now();
    if (carrier_ && !is_open_ && !opening_.is_on_its_way && now >= opening_.next) open();
    if (is_open_) hand_over_some(now);
    const auto rooms = lobby_.rooms();
    const auto is_new = [&](const Lobby::RoomPtr& room) { return !attempts_.contains(room->config().name); };
    const bool is_moving = carrier_ && (on_their_way_ > 0 || opening_.is_on_its_way ||
                                        (!is_refused_ && std::any_of(rooms.begin(), rooms.end(), is_new)) ||
                                        (!rooms.empty() && now < began_ + patience_));
    {
        const LockGuard lock(mutex_);
        status_.rooms = rooms.size();
        status_.is_moving = is_moving;
    }
    if (rooms.empty() && lobby_.is_draining() && !is_moving) return {};
    return now + look_every;
}

Time Drain::next_try(Attempt& attempt) const {
    attempt.pause = std::clamp(2 * attempt.pause, first_pause, longest_pause);
    return Clock::now() + attempt.pause;
}

void Drain::open() {
    opening_.is_on_its_way = true;
    carrier_->open([self = shared_from_this()](const std::expected<void, std::string>& result) {
        self->strand_.post([self, result] { self->opened(result); });
    });
}

void Drain::opened(const std::expected<void, std::string>& result) {
    opening_.is_on_its_way = false;
    lobby_.drain();
    is_open_ = result.has_value();
    is_refused_ = !is_open_;
    if (is_open_) {
        opening_ = {};
        return;
    }
    opening_.next = next_try(opening_);
    log_.error("hand_over_refused", {{"message", result.error()}});
    refused(result.error());
}

void Drain::hand_over_some(Time now) {
    for (const Lobby::RoomPtr& room : lobby_.rooms()) {
        if (on_their_way_ >= most_at_once || now < next_room_) return;
        Attempt& attempt = attempts_[room->config().name];
        if (room->has_ended() || attempt.is_on_its_way || now < attempt.next) continue;
        attempt.is_on_its_way = true;
        ++on_their_way_;
        next_room_ = now + pause_per_player * room->players();
        room->hand_over(carrier_, [self = shared_from_this(),
                                   name = room->config().name](const RoomCarrier::Outcome& outcome) {
            if (outcome) self->lobby_.add_move(name, *outcome);  // before its clients come here for it
            self->strand_.post([self, name, outcome] { self->ended(name, outcome); });
        });
    }
}

void Drain::ended(const std::string& room, const RoomCarrier::Outcome& outcome) {
    --on_their_way_;
    Attempt& attempt = attempts_[room];
    attempt.is_on_its_way = false;
    attempt.next = next_try(attempt);
    if (outcome) {
        const LockGuard lock(mutex_);
        ++status_.moved;
    } else {
        is_open_ = false;  // it may have ended, and then no other room need stand still
        refused(outcome.error());
    }
    hand_over_some(Clock::now());
}

// A refused room plays on here and is offered again later.
void Drain::refused(const std::string& message) {
    lobby_.end_rooms_when_left();
    const LockGuard lock(mutex_);
    ++status_.refused;
    status_.message = message;
}

}  // namespace instep::server
