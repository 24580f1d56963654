// SPDX-License-Identifier: MIT
#include <instep/server/room_inbox.h>

#include <algorithm>

namespace instep::server {
namespace {

std::atomic<ConnectionId> last_connection{0};

}  // namespace

RoomInbox::RoomInbox(std::string room, std::uint32_t most_players, std::uint32_t most_watchers)
    : room_(std::move(room)), most_players_(most_players), most_watchers_(most_watchers) {}

// --- From any thread

std::expected<RoomInbox::SeatReservation, Refusal> RoomInbox::reserve_seat(const PlayerId& player,
                                                                           LostSeats lost, const Party& party,
                                                                           Time now) {
    SeatKey seat = player.can_resume() ? random_text(seat_bytes) : "";
    const LockGuard lock(mutex_);
    if (is_closed_) return std::unexpected(closed_refusal());
    if (!players_.contains(player)) {
        const auto needed = seats_needed(party, now);
        if (!needed) return std::unexpected(needed.error());
        const std::size_t taken =
            players_.size() - (lost == LostSeats::give_up ? lost_.size() : 0) + count_held(now);
        if (*needed > 0 && taken + *needed > most_players_)
            return refuse(RefusalReason::room_full,
                          "room \"" + room_ + "\" " +
                              (*needed == 1 ? "is full" : "is too full for your party") +
                              ": it has seats for " + std::to_string(most_players_) +
                              " players; try another, or wait until a player leaves");
        use_party_seat(party, now);
    }
    lost_.erase(player);
    const auto found = players_.try_emplace(player, std::move(seat)).first;
    return SeatReservation{add_reservation(player), found->second};
}

std::expected<std::uint32_t, Refusal> RoomInbox::seats_needed(const Party& party, Time now) const {
    if (party.id.empty()) return 1;
    const auto found = parties_.find(party.id);
    if (found == parties_.end()) {
        if (party.size > most_players_)
            return refuse(RefusalReason::bad_request,
                          "a party of " + std::to_string(party.size) + " does not fit into room \"" + room_ +
                              "\", which has seats for " + std::to_string(most_players_) + " players");
        return party.size;
    }
    const PartySeats& seats = found->second;
    if (seats.size != party.size)
        return refuse(RefusalReason::bad_request, "the first of your party said that it has " +
                                                      std::to_string(seats.size) +
                                                      " members; all must say the same \"size\"");
    if (now >= seats.until) return 1;
    if (seats.left > 0) return 0;
    return refuse(RefusalReason::room_full, "your party has taken the " + std::to_string(seats.size) +
                                                " seats that it asked for; join without \"party\"");
}

void RoomInbox::use_party_seat(const Party& party, Time now) {
    if (party.id.empty()) return;
    const auto found = parties_.find(party.id);
    if (found != parties_.end()) {
        found->second.left -= found->second.held(now) > 0 ? 1u : 0u;
        return;
    }
    if (parties_.size() >= most_parties) {
        const auto oldest =
            std::min_element(parties_.begin(), parties_.end(),
                             [](const auto& a, const auto& b) { return a.second.until < b.second.until; });
        parties_.erase(oldest);
    }
    parties_[party.id] = {party.size, party.size - 1, now + seats_held_for, party.address};
}

std::uint32_t RoomInbox::count_held(Time now) const {
    std::uint32_t held = 0;
    for (const auto& [id, seats] : parties_) held += seats.held(now);
    return held;
}

bool RoomInbox::knows_party(const std::string& id) const {
    const LockGuard lock(mutex_);
    return parties_.contains(id);
}

std::uint32_t RoomInbox::held_seats(Time now) const {
    const LockGuard lock(mutex_);
    return count_held(now);
}

std::uint32_t RoomInbox::held_seats(const std::string& address, Time now) const {
    const LockGuard lock(mutex_);
    std::uint32_t held = 0;
    for (const auto& [id, seats] : parties_) held += seats.address == address ? seats.held(now) : 0;
    return held;
}

std::expected<RoomInbox::SeatReservation, Refusal> RoomInbox::resume_seat(const SeatKey& seat) {
    const LockGuard lock(mutex_);
    if (is_closed_) return std::unexpected(closed_refusal());
    const auto found = std::find_if(players_.begin(), players_.end(),
                                    [&](const auto& player) { return player.second == seat; });
    if (seat.empty() || found == players_.end())
        return refuse(RefusalReason::ticket_refused, "your seat in room \"" + room_ +
                                                         "\" was given up, because you were away for too "
                                                         "long; join again without the ticket");
    lost_.erase(found->first);
    return SeatReservation{add_reservation(found->first), seat};
}

std::expected<ConnectionId, Refusal> RoomInbox::reserve_watcher() {
    const LockGuard lock(mutex_);
    if (is_closed_) return std::unexpected(closed_refusal());
    if (watchers_ >= most_watchers_)
        return refuse(RefusalReason::room_full, "room \"" + room_ + "\" has " + std::to_string(watchers_) +
                                                    " watchers, which is the limit; try another, or wait "
                                                    "until one leaves");
    ++watchers_;
    return add_reservation(std::nullopt);
}

Refusal RoomInbox::closed_refusal() const {
    return {RefusalReason::room_ended, "room \"" + room_ + "\" has just been closed"};
}

ConnectionId RoomInbox::add_reservation(Participant participant) {
    const ConnectionId id = ++last_connection;
    reservations_[id] = std::move(participant);
    return id;
}

bool RoomInbox::has_seat(const PlayerId& player) const {
    const LockGuard lock(mutex_);
    return players_.contains(player);
}

bool RoomInbox::enter(ConnectionId id, std::shared_ptr<Connection> connection, const net::Hello& hello,
                      std::string_view ticket, Protocol protocol) {
    const LockGuard lock(mutex_);
    if (is_closed_) return false;
    const auto found = reservations_.find(id);
    if (found == reservations_.end()) return false;
    arrivals_[id] = {found->second, std::move(connection), hello, net::TicketText::of(ticket), protocol};
    add(Event::Kind::enter, id);
    return true;
}

void RoomInbox::deliver(ConnectionId id, codec::ByteView message) {
    const LockGuard lock(mutex_);
    if (!is_closed_) add(Event::Kind::message, id, message);
}

void RoomInbox::leave(ConnectionId id, bool on_purpose) {
    const LockGuard lock(mutex_);
    if (!is_closed_) add(on_purpose ? Event::Kind::leave : Event::Kind::disconnect, id);
}

void RoomInbox::add(Event::Kind kind, ConnectionId id, codec::ByteView message) {
    batch_.events.push_back({kind, id, Clock::now(), message.size()});
    batch_.bytes.insert(batch_.bytes.end(), message.begin(), message.end());
}

// --- For the room

bool RoomInbox::take_seat(const PlayerId& player, const SeatKey& seat) {
    const LockGuard lock(mutex_);
    return players_.try_emplace(player, seat).second;
}

SeatKey RoomInbox::key_of(const PlayerId& player) const {
    const LockGuard lock(mutex_);
    const auto found = players_.find(player);
    return found == players_.end() ? SeatKey() : found->second;
}

bool RoomInbox::has_events() const {
    const LockGuard lock(mutex_);
    return !batch_.events.empty();
}

void RoomInbox::take(Batch& batch) {
    batch.events.clear();
    batch.bytes.clear();
    const LockGuard lock(mutex_);
    std::swap(batch, batch_);
}

RoomInbox::Arrival RoomInbox::take_arrival(ConnectionId id) {
    const LockGuard lock(mutex_);
    reservations_.erase(id);
    return std::move(arrivals_.extract(id).mapped());
}

std::optional<RoomInbox::Participant> RoomInbox::cancel_reservation(ConnectionId id) {
    const LockGuard lock(mutex_);
    const auto found = reservations_.find(id);
    if (found == reservations_.end()) return {};
    Participant participant = std::move(found->second);
    reservations_.erase(found);
    return std::optional<Participant>(std::move(participant));
}

void RoomInbox::release_seat(const PlayerId& player) {
    const LockGuard lock(mutex_);
    const auto is_theirs = [&](const auto& reservation) { return reservation.second == player; };
    if (std::any_of(reservations_.begin(), reservations_.end(), is_theirs)) return;
    players_.erase(player);
    lost_.erase(player);
}

void RoomInbox::mark_lost(const PlayerId& player) {
    const LockGuard lock(mutex_);
    const auto is_theirs = [&](const auto& reservation) { return reservation.second == player; };
    if (players_.contains(player) && std::none_of(reservations_.begin(), reservations_.end(), is_theirs))
        lost_.insert(player);
}

void RoomInbox::release_watcher() {
    const LockGuard lock(mutex_);
    --watchers_;
}

void RoomInbox::close(const std::function<void(Connection&)>& turn_away) {
    const LockGuard lock(mutex_);
    is_closed_ = true;
    for (auto& [id, arrival] : arrivals_) turn_away(*arrival.connection);
    arrivals_.clear();
}

bool RoomInbox::close_if_unused() {
    const LockGuard lock(mutex_);
    if (!players_.empty() || watchers_ > 0) return false;
    is_closed_ = true;
    return true;
}

}  // namespace instep::server
