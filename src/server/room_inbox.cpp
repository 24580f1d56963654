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
                                                                           LostSeats lost) {
    SeatKey seat = player.can_resume() ? random_text(seat_bytes) : "";
    const LockGuard lock(mutex_);
    if (is_closed_) return std::unexpected(closed_refusal());
    const std::size_t taken = players_.size() - (lost == LostSeats::give_up ? lost_.size() : 0);
    if (!players_.contains(player) && taken >= most_players_)
        return refuse(RefusalReason::room_full, "room \"" + room_ + "\" is full: it has seats for " +
                                                    std::to_string(most_players_) +
                                                    " players; try another, or wait until a player leaves");
    lost_.erase(player);
    const auto found = players_.try_emplace(player, std::move(seat)).first;
    return SeatReservation{add_reservation(player), found->second};
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
