// SPDX-License-Identifier: MIT
// Who is in a room: players and watchers that enter, disconnect, resume and leave, and the bots that fill
// empty seats. How it ticks: room.cpp.
#include <instep/server/room.h>

#include <algorithm>

#include <instep/match/bot_name.h>

namespace instep::server {

void Room::process_inbox() {
    inbox_.take(events_);
    std::size_t offset = 0;
    for (const RoomInbox::Event& event : events_.events) {
        const codec::ByteView message = codec::ByteView(events_.bytes).subspan(offset, event.size);
        offset += event.size;
        switch (event.kind) {
            case RoomInbox::Event::Kind::enter: enter(event.from, inbox_.take_arrival(event.from)); break;
            case RoomInbox::Event::Kind::message:
                if (const auto client = originals_.find(event.from); client != originals_.end())
                    receive_original(event.from, client->second, message);
                else if (const auto seat = connected_.find(event.from);
                         seat != connected_.end() && net::kind_of(message) == net::MessageKind::say)
                    say(*seat->second, message);
                else if (const auto slot = slot_of(event.from))
                    host_.receive(*slot, message, seconds_at(event.at));
                break;
            case RoomInbox::Event::Kind::leave: disconnect(event.from, true, event.at); break;
            case RoomInbox::Event::Kind::disconnect: disconnect(event.from, false, event.at); break;
        }
    }
    admit_waiting();
}

std::optional<contract::Slot> Room::slot_of(ConnectionId id) const {
    if (const auto found = connected_.find(id); found != connected_.end()) return found->second->slot;
    if (const auto found = watchers_.find(id); found != watchers_.end()) return found->second.slot;
    return {};
}

// To everyone here, the speaker too. What is too much is dropped without an answer.
void Room::say(Seat& seat, codec::ByteView message) {
    if (!config_.has_chat || !seat.chat_limit.take(host_.match().tick())) return;
    const auto what = net::read_say(message);
    if (!what) return host_.receive(seat.slot, message, 0);  // counted as malformed
    message_.clear();
    write(net::Said{seat.slot, *what}, message_);
    for (const auto& [player, other] : seats_)
        if (other.connection && !other.is_original) send_or_hold(other.connection, message_);
    for (const auto& [id, watcher] : watchers_) send_or_hold(watcher.connection, message_);
}

// --- Players

// A player that comes back does so at once: the inputs that follow its hello are for the next ticks.
void Room::enter(ConnectionId id, Arrival arrival) {
    if (arrival.protocol == Protocol::original) return add_original(id, std::move(arrival));
    const auto seat = arrival.participant ? seats_.find(*arrival.participant) : seats_.end();
    if (seat != seats_.end() && !is_waiting(*arrival.participant) && join_limit_.take(host_.match().tick()))
        return resume(seat->second, id, std::move(arrival));
    wait_to_enter(id, std::move(arrival));
}

// A player waits once: an earlier connection of the same player is replaced.
void Room::wait_to_enter(ConnectionId id, Arrival arrival) {
    std::erase_if(waiting_, [&](const auto& earlier) {
        if (!arrival.participant || earlier.second.participant != arrival.participant) return false;
        earlier.second.connection->refuse(
            {RefusalReason::replaced, "the same player came in over another connection"});
        return true;
    });
    waiting_.emplace_back(id, std::move(arrival));
}

void Room::admit_waiting() {
    for (auto& [id, arrival] : std::exchange(waiting_, {})) {
        if (join_limit_.take(host_.match().tick()))
            admit(id, std::move(arrival));
        else
            waiting_.emplace_back(id, std::move(arrival));
    }
}

void Room::admit(ConnectionId id, Arrival arrival) {
    if (!arrival.participant) return add_watcher(id, arrival);
    const auto found = seats_.find(*arrival.participant);
    if (found != seats_.end()) return resume(found->second, id, std::move(arrival));
    const PlayerId player = *arrival.participant;
    seat_player(id, player, std::move(arrival));
}

void Room::resume(Seat& seat, ConnectionId id, Arrival arrival) {
    const bool is_replaced = seat.connection != nullptr;
    if (is_replaced) {
        connected_.erase(seat.id);
        seat.connection->refuse({RefusalReason::replaced, "the same player came in over another connection"});
    }
    host_.reconnect(seat.slot, net::LinkKind::ordered);
    host_.set_ticket(seat.slot, arrival.ticket);
    seat.is_original = originals_.contains(id);
    if (seat.is_original) host_.unlink(seat.slot);
    seat.id = id;
    seat.connection = std::move(arrival.connection);
    seat.address = seat.connection->address();
    connected_[id] = &seat;
    ++resumes_;
    ++metrics_.resumes;
    log_player("player_resumed", seat, is_replaced ? "replaced its connection" : "reconnected");
}

void Room::seat_player(ConnectionId id, const PlayerId& player, Arrival arrival) {
    // The inbox reserved a seat for it, so only bots and lost players can be in the way. They leave with this
    // tick, and the player enters with the next.
    const auto slot =
        host_.join(arrival.hello.name.view(), net::LinkKind::ordered, player_numbers_.number_of(player));
    if (!slot && !bots_.empty()) {
        remove_bot();
        join_limit_.give_back();
        waiting_.emplace_back(id, std::move(arrival));
        return;
    }
    if (!slot && give_up_lost_seat(nullptr)) {
        join_limit_.give_back();
        waiting_.emplace_back(id, std::move(arrival));
        return;
    }
    if (!slot) {
        release_seat(player);
        return arrival.connection->refuse(
            {RefusalReason::room_full, "room \"" + config_.name + "\" is full"});
    }
    host_.set_ticket(*slot, arrival.ticket);
    Seat entering{player, *slot, id, std::move(arrival.connection), {}};
    entering.chat_limit = chat_limit();
    entering.name = arrival.hello.name.view();
    entering.address = entering.connection->address();
    entering.is_original = originals_.contains(id);
    if (entering.is_original) host_.unlink(*slot);
    Seat& seat = seats_.insert_or_assign(player, std::move(entering)).first->second;
    connected_[id] = &seat;
    roster_changed_ = true;
    ++metrics_.players;
    ++player_count_;
    ++joins_;
    ++metrics_.joins;
    log_player("player_joined", seat, "");
}

void Room::disconnect(ConnectionId id, bool on_purpose, Time at) {
    if (watchers_.contains(id)) return remove_watcher(id);
    RoomInbox::Participant unused = remove_original(id);  // the player whose reservation ends
    if (const auto participant = inbox_.cancel_reservation(id)) {
        if (!*participant) return inbox_.release_watcher();
        unused = *participant;
    }
    std::erase_if(waiting_, [&](const auto& waiting) {
        if (waiting.first != id) return false;
        unused = waiting.second.participant;
        if (!unused) inbox_.release_watcher();
        return true;
    });
    if (unused) {
        const auto seat = seats_.find(*unused);
        if (seat == seats_.end())
            release_seat(*unused);
        else if (seat->second.is_lost())
            inbox_.mark_lost(*unused);  // it came back, and was lost again before it entered
    }
    const auto found = connected_.find(id);
    if (found == connected_.end()) return;
    Seat& seat = *found->second;
    connected_.erase(found);
    seat.connection.reset();
    const bool may_resume = !on_purpose && seat.player.can_resume() && limits_.resume_ms > 0;
    seat.leaves_by = on_purpose ? "left" : "lost";
    seat.kept_until.reset();
    if (!may_resume) return;
    log_player("player_disconnected", seat, "");
    seat.kept_until = at + std::chrono::milliseconds(limits_.resume_ms);
    if (!is_waiting(seat.player)) inbox_.mark_lost(seat.player);
    bound_lost_seats(seat.address);
}

// The seat that was lost first leaves with this tick. False: none is kept, of this address if one is given.
bool Room::give_up_lost_seat(const std::string* address) {
    Seat* first = nullptr;
    for (auto& [player, seat] : seats_)
        if (seat.is_lost() && (!address || seat.address == *address) &&
            (!first || *seat.kept_until < *first->kept_until))
            first = &seat;
    if (!first) return false;
    first->kept_until.reset();
    return true;
}

// Only addresses are bounded: a fault of the network may cost all players of a room their connections at
// once, and a lost seat is given up as soon as another player needs it.
void Room::bound_lost_seats(const std::string& address) {
    const auto lost_of_address = std::count_if(seats_.begin(), seats_.end(), [&](const auto& entry) {
        return entry.second.is_lost() && entry.second.address == address;
    });
    if (static_cast<std::size_t>(lost_of_address) > max_lost_per_address) give_up_lost_seat(&address);
}

void Room::log_player(std::string_view event, const Seat& seat, std::string_view reason) {
    log_.client_event(event, {{"room", config_.name},
                              {"tick", tick()},
                              {"slot", seat.slot},
                              {"name", seat.name},
                              {"address", seat.address},
                              {"reason", reason}});
}

void Room::remove_expired_players(Time now) {
    for (auto& [player, seat] : seats_) {
        if (seat.connection || (seat.kept_until && now <= *seat.kept_until)) continue;
        host_.leave(seat.slot);
        leaving_.push_back(player);
        --metrics_.players;
        --player_count_;
        ++metrics_.leaves;
        log_player("player_left", seat, seat.leaves_by);
    }
}

// After the step that removed their players: only now are the slots free.
void Room::release_left_seats() {
    for (const PlayerId& player : leaving_) {
        release_seat(player);
        seats_.erase(player);
        roster_changed_ = true;
    }
    leaving_.clear();
}

void Room::release_seat(const PlayerId& player) {
    if (!is_waiting(player)) inbox_.release_seat(player);
}

bool Room::is_waiting(const PlayerId& player) const {
    const auto is_theirs = [&](const auto& waiting) { return waiting.second.participant == player; };
    const auto may_enter = [&](const auto& original) {
        return original.second.player == player && !original.second.has_asked_to_enter;
    };
    return std::any_of(waiting_.begin(), waiting_.end(), is_theirs) ||
           std::any_of(originals_.begin(), originals_.end(), may_enter);
}

// --- Watchers

void Room::add_watcher(ConnectionId id, const Arrival& arrival) {
    static_assert(net::Host::max_watchers >= 64);  // the highest value of the limit
    const auto slot = host_.watch(net::LinkKind::ordered);
    if (!slot)  // never, since the inbox counts them
        return arrival.connection->refuse({RefusalReason::room_full, slot.error().text()});
    watchers_[id] = {*slot, arrival.connection};
    ++metrics_.watchers;
    ++watcher_count_;
}

void Room::remove_watcher(ConnectionId id) {
    host_.leave(watchers_[id].slot);
    watchers_.erase(id);
    --metrics_.watchers;
    --watcher_count_;
    inbox_.release_watcher();
}

// --- Bots

void Room::adjust_bots() {
    const auto needs_seat = [&](const auto& waiting) {
        const RoomInbox::Participant& participant = waiting.second.participant;
        return participant && !seats_.contains(*participant);
    };
    const auto new_players = std::count_if(waiting_.begin(), waiting_.end(), needs_seat);
    const std::size_t people = seats_.size() + static_cast<std::size_t>(new_players) - leaving_.size();
    const std::size_t wanted = std::min(config_.bots, setup().facts.most_players);
    while (!bots_.empty() && people + bots_.size() > wanted) remove_bot();
    while (people + bots_.size() < wanted) {
        std::uint32_t number = 0;
        const auto is_taken = [&](const Bot& bot) { return bot.number == number; };
        while (std::any_of(bots_.begin(), bots_.end(), is_taken)) ++number;
        const auto slot = host_.join_bot(match::bot_name(number));
        if (!slot) break;  // a player leaves with this tick, and its slot is free after it
        bots_.push_back({number, *slot});
        roster_changed_ = true;
    }
    bot_count_ = static_cast<std::uint32_t>(bots_.size());
}

void Room::remove_bot() {
    host_.leave(bots_.back().slot);
    bots_.pop_back();
    roster_changed_ = true;
}

}  // namespace instep::server
