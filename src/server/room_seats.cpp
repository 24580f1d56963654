// SPDX-License-Identifier: MIT
// Who is in a room: players and watchers that enter, disconnect, resume and leave, and the bots that fill
// empty seats. How it ticks: room.cpp.
#include <instep/server/room.h>

#include <algorithm>

#include <instep/match/bot_name.h>

namespace instep::server {

void Room::process_inbox() {
    inbox_.take(events_);
    for (auto& [id, arrival] : std::exchange(waiting_, {})) admit(id, std::move(arrival));
    std::size_t offset = 0;
    for (const RoomInbox::Event& event : events_.events) {
        const codec::ByteView message = codec::ByteView(events_.bytes).subspan(offset, event.size);
        offset += event.size;
        switch (event.kind) {
            case RoomInbox::Event::Kind::enter: admit(event.from, inbox_.take_arrival(event.from)); break;
            case RoomInbox::Event::Kind::message:
                if (const auto slot = slot_of(event.from))
                    host_.receive(*slot, message, seconds_at(event.at));
                break;
            case RoomInbox::Event::Kind::leave: disconnect(event.from, true, event.at); break;
            case RoomInbox::Event::Kind::disconnect: disconnect(event.from, false, event.at); break;
        }
    }
}

std::optional<contract::Slot> Room::slot_of(ConnectionId id) const {
    if (const auto found = connected_.find(id); found != connected_.end()) return found->second->slot;
    if (const auto found = watchers_.find(id); found != watchers_.end()) return found->second.slot;
    return {};
}

// --- Players

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
    seat.id = id;
    seat.connection = std::move(arrival.connection);
    seat.address = seat.connection->address();
    connected_[id] = &seat;
    ++resumes_;
    ++metrics_.resumes;
    log_player("player_resumed", seat, is_replaced ? "replaced its connection" : "reconnected");
}

void Room::seat_player(ConnectionId id, const PlayerId& player, Arrival arrival) {
    // The inbox reserved a seat for it, so only bots can be in the way.
    const auto slot = host_.join(arrival.hello.name.view(), net::LinkKind::ordered);
    if (!slot && !bots_.empty()) {
        remove_bot();
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
    entering.name = arrival.hello.name.view();
    entering.address = entering.connection->address();
    Seat& seat = seats_.insert_or_assign(player, std::move(entering)).first->second;
    connected_[id] = &seat;
    ++metrics_.players;
    ++player_count_;
    ++joins_;
    ++metrics_.joins;
    log_player("player_joined", seat, "");
}

void Room::disconnect(ConnectionId id, bool on_purpose, Time at) {
    if (watchers_.contains(id)) return remove_watcher(id);
    RoomInbox::Participant unused;  // the player whose reservation ends
    if (const auto participant = inbox_.cancel_reservation(id)) {
        if (!*participant) return inbox_.release_watcher();
        unused = *participant;
    }
    std::erase_if(waiting_, [&](const auto& waiting) {
        if (waiting.first == id) unused = waiting.second.participant;
        return waiting.first == id;
    });
    if (unused && !seats_.contains(*unused)) release_seat(*unused);
    const auto found = connected_.find(id);
    if (found == connected_.end()) return;
    Seat& seat = *found->second;
    connected_.erase(found);
    seat.connection.reset();
    seat.id = 0;
    const bool may_resume = !on_purpose && seat.player.can_resume() && limits_.resume_ms > 0;
    seat.kept_until = may_resume ? at + std::chrono::milliseconds(limits_.resume_ms) : Time::min();
    seat.leaves_by = on_purpose ? "left" : "lost";
    if (may_resume) log_player("player_disconnected", seat, "");
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
        if (seat.connection || now <= seat.kept_until) continue;
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
    }
    leaving_.clear();
}

void Room::release_seat(const PlayerId& player) {
    const auto is_theirs = [&](const auto& waiting) { return waiting.second.participant == player; };
    if (std::none_of(waiting_.begin(), waiting_.end(), is_theirs)) inbox_.release_seat(player);
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
    const std::size_t people = seats_.size() + waiting_.size() - leaving_.size();
    const std::size_t wanted = std::min(config_.bots, setup().facts.most_players);
    while (!bots_.empty() && people + bots_.size() > wanted) remove_bot();
    while (people + bots_.size() < wanted) {
        std::uint32_t number = 0;
        const auto is_taken = [&](const Bot& bot) { return bot.number == number; };
        while (std::any_of(bots_.begin(), bots_.end(), is_taken)) ++number;
        const auto slot = host_.join_bot(match::bot_name(number));
        if (!slot) break;  // a player leaves with this tick, and its slot is free after it
        bots_.push_back({number, *slot});
    }
    bot_count_ = static_cast<std::uint32_t>(bots_.size());
}

void Room::remove_bot() {
    host_.leave(bots_.back().slot);
    bots_.pop_back();
}

}  // namespace instep::server
