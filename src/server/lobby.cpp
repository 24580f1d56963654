// SPDX-License-Identifier: MIT
#include <instep/server/lobby.h>

#include <algorithm>

#include <instep/match/registry.h>
#include <instep/server/random_seed.h>
#include <instep/server/room_list.h>
#include <instep/server/signing_keys.h>
#include <instep/state/plain_name.h>

namespace instep::server {
namespace {

using LostSeats = RoomInbox::LostSeats;

constexpr std::size_t most_name = 32;

std::expected<void, Refusal> check_name(std::string_view name) {
    if (!name.empty() && name.size() <= most_name && state::is_plain_name(name)) return {};
    return refuse(RefusalReason::wrong_name,
                  "the name of a room has 1 to " + std::to_string(most_name) +
                      " of the letters a to z and A to Z, digits, \"-\" and \"_\"");
}

// Multiples of the golden ratio spread evenly, however many rooms there are.
double phase_of(std::uint64_t room) {
    const double turns = 0.6180339887498949 * static_cast<double>(room % 1'000'000);
    return turns - static_cast<double>(static_cast<std::uint64_t>(turns));
}

Lobby::Answer<Lobby::Reservation> reserve(const Lobby::RoomPtr& room, const PlayerId& player,
                                          LostSeats lost = LostSeats::give_up, const Party& party = {}) {
    auto seat = room->inbox().reserve_seat(player, lost, party);
    if (!seat) return std::unexpected(seat.error());
    return Lobby::Reservation{room, seat->id, std::move(seat->seat)};
}

// Of a room that is not open yet. With the id of a process in it, the room opens there.
std::string new_room_name(const std::string& world, const std::string& process_id) {
    constexpr std::size_t random_bytes = 6;
    return world + "-" + process_id + "-" + random_text(random_bytes);
}

constexpr const char* draining_message =
    "this server is about to stop, and takes no new players; try again in a moment";

std::unexpected<Refusal> refuse_other_level(const Room& room) {
    const match::Setup& setup = room.setup();
    return refuse(RefusalReason::unknown_room, "room \"" + room.config().name + "\" plays another level: " +
                                                   std::string(setup.world->name) + "/" + setup.level);
}

}  // namespace

Lobby::Lobby(Loop& loop, const ServerSettings& settings, Levels levels,
             std::shared_ptr<Recordings> recordings, Metrics& metrics, Log& log)
    : loop_(loop),
      settings_(settings),
      levels_(std::move(levels)),
      recordings_(std::move(recordings)),
      metrics_(metrics),
      log_(log) {}

// --- Finding

std::vector<Lobby::RoomPtr> Lobby::rooms() const {
    const LockGuard lock(mutex_);
    std::vector<RoomPtr> all;
    all.reserve(rooms_.size());
    for (const auto& [name, room] : rooms_) all.push_back(room);
    return all;
}

auto Lobby::find(const std::string& name) const -> Answer<RoomPtr> {
    if (const auto checked = check_name(name); !checked) return std::unexpected(checked.error());
    const LockGuard lock(mutex_);
    const auto found = rooms_.find(name);
    if (found != rooms_.end()) return found->second;
    return refuse(RefusalReason::unknown_room,
                  "there is no room \"" + name + "\"; /api/rooms lists the open ones");
}

auto Lobby::join(const RoomRequest& request, const PlayerId& player) -> Answer<Reservation> {
    if (auto answer = join_while_draining(request, player)) return std::move(*answer);
    if (request.world.empty()) {
        if (request.room.empty())
            return refuse(RefusalReason::bad_request,
                          "the request must name a world, as in /play?world=NAME, or a room");
        const auto room = find(request.room);
        if (!room) return std::unexpected(room.error());
        if (const auto fits = check_party(request.party, (*room)->setup()); !fits)
            return std::unexpected(fits.error());
        return reserve(*room, player, LostSeats::give_up, request.party);
    }
    const auto setup = load_level(request.world, request.level);
    if (!setup) return std::unexpected(setup.error());
    if (const auto fits = check_party(request.party, **setup); !fits) return std::unexpected(fits.error());
    if (auto joined = join_open_room(request, **setup, player, LostSeats::keep)) return std::move(*joined);
    const LockGuard opening(opening_);
    if (auto joined = join_open_room(request, **setup, player, LostSeats::keep))  // opened just now
        return std::move(*joined);
    const auto room = make_room(request, *setup);
    if (!room) {  // a lost player's seat is better than a refusal
        if (auto joined = join_open_room(request, **setup, player, LostSeats::give_up))
            return std::move(*joined);
        return std::unexpected(room.error());
    }
    // Before other clients find the room.
    auto reservation = reserve(*room, player, LostSeats::give_up, request.party);
    if (const auto published = publish(*room); !published) return std::unexpected(published.error());
    return reservation;
}

// A player that has a seat may come back to it. Empty: the server does not drain.
auto Lobby::join_while_draining(const RoomRequest& request, const PlayerId& player)
    -> std::optional<Answer<Reservation>> {
    const LockGuard lock(mutex_);
    if (!is_draining_) return {};
    for (const auto& [name, room] : rooms_)
        if ((request.room.empty() || request.room == name) && room->inbox().has_seat(player))
            return reserve(room, player, LostSeats::keep);
    return refuse(RefusalReason::stopping, draining_message);
}

auto Lobby::join_open_room(const RoomRequest& request, const match::Setup& setup, const PlayerId& player,
                           LostSeats lost) -> std::optional<Answer<Reservation>> {
    const LockGuard lock(mutex_);
    if (!request.room.empty()) return join_named_room(request, setup, player);
    // Quick match: the room that has a seat of this player, then the fullest one.
    struct Candidate {
        RoomPtr room;
        bool is_chosen;                       // the party's, which is not split
        std::pair<bool, std::uint32_t> rank;  // read once: it changes while they are sorted
    };
    const auto replication = request.replication.value_or(net::default_replication(setup.facts));
    std::vector<Candidate> candidates;
    for (const auto& [name, room] : rooms_) {
        const bool is_chosen = !request.party.id.empty() && room->inbox().knows_party(request.party.id);
        const bool comes_first = is_chosen || room->inbox().has_seat(player);
        if (room->setup().fingerprint == setup.fingerprint && room->config().replication == replication &&
            (comes_first || !is_private(name)))
            candidates.push_back({room, is_chosen, {comes_first, room->players()}});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank > b.rank; });
    for (const Candidate& candidate : candidates) {
        auto reservation =
            reserve(candidate.room, player, candidate.is_chosen ? LostSeats::give_up : lost, request.party);
        if (reservation || candidate.is_chosen) return reservation;
    }
    return {};
}

auto Lobby::join_named_room(const RoomRequest& request, const match::Setup& setup, const PlayerId& player)
    -> std::optional<Answer<Reservation>> {
    const auto found = rooms_.find(request.room);
    if (found == rooms_.end() || found->second->has_ended()) return {};
    if (found->second->setup().fingerprint != setup.fingerprint) return refuse_other_level(*found->second);
    const auto replication = found->second->config().replication;
    if (request.replication.value_or(replication) != replication)
        return refuse(RefusalReason::unknown_room, "room \"" + request.room + "\" has replication=" +
                                                       std::string(net::name_of(replication)));
    return reserve(found->second, player, LostSeats::give_up, request.party);
}

auto Lobby::resume(const ResumeTicket& ticket) -> Answer<Reservation> {
    const auto room = find(ticket.room);
    if (!room)
        return refuse(RefusalReason::ticket_refused,
                      "the room of the ticket has ended; join again without the ticket");
    auto seat = (*room)->inbox().resume_seat(ticket.seat);
    if (!seat) return std::unexpected(seat.error());
    return Reservation{*room, seat->id, std::move(seat->seat)};
}

std::optional<net::Moved> Lobby::find_elsewhere(const RoomRequest& request) {
    if (!directory_ || !request.room.empty()) return {};
    const auto setup = load_level(request.world, request.level);
    if (!setup) return {};
    const std::string fingerprint = state::hash_text((*setup)->fingerprint);
    const auto replication =
        net::name_of(request.replication.value_or(net::default_replication((*setup)->facts)));
    if (find_free_room(request, **setup)) return {};
    const RoomListing* best = nullptr;
    const auto listed = directory_->rooms();
    for (const auto& room : *listed)
        if (room->fingerprint == fingerprint && room->replication == replication && !is_private(room->name) &&
            std::uint64_t{room->players} + room->held + request.party.size <= room->most_players &&
            (!best || room->players > best->players))
            best = room.get();
    if (!best) return {};
    return net::Moved::to(best->address, best->name);
}

// The fullest one here with seats for all that come; null: none.
Lobby::RoomPtr Lobby::find_free_room(const RoomRequest& request, const match::Setup& setup) const {
    RoomPtr best;
    for (const RoomPtr& room : rooms())
        if (room->setup().fingerprint == setup.fingerprint && !room->has_ended() &&
            !is_private(room->config().name) &&
            room->players() + room->held_seats() + request.party.size <= setup.facts.most_players &&
            (!best || room->players() > best->players()))
            best = room;
    return best;
}

auto Lobby::check_party(const Party& party, const match::Setup& setup) const -> Answer<void> {
    if (party.id.empty()) return {};
    if (party.size > setup.facts.most_players)
        return refuse(RefusalReason::bad_request, "a party of " + std::to_string(party.size) +
                                                      " does not fit into a room of this level, which has " +
                                                      "seats for " +
                                                      std::to_string(setup.facts.most_players) + " players");
    std::uint32_t held = 0;
    for (const RoomPtr& room : rooms()) {
        if (room->inbox().knows_party(party.id)) return {};
        held += room->inbox().held_seats(party.address);
    }
    if (held + party.size - 1 <= settings_.limits.most_held_seats_per_address) return {};
    return refuse(RefusalReason::too_many_from_address,
                  "parties from your address hold " + std::to_string(held) + " seats, and the limit is " +
                      std::to_string(settings_.limits.most_held_seats_per_address) +
                      "; wait until their members have come, for ten seconds at most");
}

auto Lobby::propose_place(const RoomRequest& request) -> Answer<PartyPlace> {
    if (request.world.empty())
        return refuse(RefusalReason::bad_request,
                      "a party must name a world, as in /play?world=NAME, or a room");
    const auto setup = load_level(request.world, request.level);
    if (!setup) return std::unexpected(setup.error());
    if (const auto fits = check_party(request.party, **setup); !fits) return std::unexpected(fits.error());
    for (const RoomPtr& room : rooms())
        if (room->inbox().knows_party(request.party.id)) return PartyPlace{"", room->config().name};
    auto moved = find_elsewhere(request);
    if (!moved) moved = place_elsewhere(request);
    if (moved) return PartyPlace{std::string(moved->address.view()), std::string(moved->room.view())};
    if (is_draining()) return refuse(RefusalReason::stopping, draining_message);
    if (const auto room = find_free_room(request, **setup)) return PartyPlace{"", room->config().name};
    return PartyPlace{"", new_room_name(request.world, directory_->process_id())};
}

// The room gets its name here, so that a client that is sent on again comes to the same one. A name with the
// id of a process stays there.
std::optional<net::Moved> Lobby::place_elsewhere(const RoomRequest& request) {
    if (!directory_ || request.world.empty()) return {};
    if (request.room.empty()) {
        const auto setup = load_level(request.world, request.level);
        if (!setup || find_free_room(request, **setup)) return {};
    } else if (!check_name(request.room) || find(request.room) || directory_->find(request.room) ||
               request.room.find("-" + directory_->process_id() + "-") != std::string::npos) {
        return {};
    }
    const auto place = directory_->place_room();
    if (!place) return {};
    return net::Moved::to(place->address, request.room.empty()
                                              ? new_room_name(request.world, place->process_id)
                                              : request.room);
}

std::uint32_t Lobby::free_rooms() const {
    const LockGuard lock(mutex_);
    const std::size_t open = rooms_.size() + prepared_.size();
    if (is_draining_ || is_closed_ || open >= settings_.limits.most_rooms) return 0;
    return settings_.limits.most_rooms - static_cast<std::uint32_t>(open);
}

std::shared_ptr<const RoomListings> Lobby::rooms_elsewhere() const {
    static const auto none = std::make_shared<const RoomListings>();
    return directory_ ? directory_->rooms() : none;
}

auto Lobby::check_hostable(const std::string& world, const std::string& level, const std::string& fingerprint,
                           bool is_at_rest) -> Answer<void> {
    {
        const LockGuard lock(mutex_);
        if (is_draining_ || is_closed_) return refuse(RefusalReason::stopping, draining_message);
        if (const auto fits = check_room_limits({}); !fits) return fits;
    }
    if (const auto found = match::find_world(world); !found)
        return refuse(RefusalReason::unknown_level, found.error().text());
    const auto known = load_level(world, level);  // the room may bring a level that is not known here
    if (known && !is_at_rest && state::hash_text((*known)->fingerprint) != fingerprint)
        return refuse(RefusalReason::unknown_level,
                      "it is of another build or level, whose ticks cannot be played here");
    return {};
}

auto Lobby::watch(const RoomRequest& request) -> Answer<Reservation> {
    RoomPtr room;
    if (!request.room.empty()) {
        const auto found = find(request.room);
        if (!found) return std::unexpected(found.error());
        room = *found;
        if (!request.world.empty()) {
            const auto setup = load_level(request.world, request.level);
            if (!setup) return std::unexpected(setup.error());
            if (room->setup().fingerprint != (*setup)->fingerprint) return refuse_other_level(*room);
        }
    } else if (request.world.empty()) {
        return refuse(RefusalReason::bad_request,
                      "the request must name a room, as in /watch?room=ours, or a world");
    } else {
        const auto setup = load_level(request.world, request.level);
        if (!setup) return std::unexpected(setup.error());
        for (const RoomPtr& other : rooms())
            if (other->setup().fingerprint == (*setup)->fingerprint && !other->has_ended() &&
                !is_private(other->config().name) && (!room || other->players() > room->players()))
                room = other;
        if (!room)
            return refuse(RefusalReason::unknown_room, "no room plays " + request.world +
                                                           " at that level; /api/rooms lists the open ones");
    }
    const auto id = room->inbox().reserve_watcher();
    if (!id) return std::unexpected(id.error());
    return Reservation{room, *id, {}};
}

// --- Opening

auto Lobby::load_level(const std::string& world, const std::string& level) -> Answer<match::SharedSetup> {
    const auto key = std::pair(world, level);
    {
        const LockGuard lock(mutex_);
        if (const auto found = setups_.find(key); found != setups_.end()) return found->second;
    }
    const auto setup = levels_.find(world, level);  // slow, so without the lock
    if (!setup) return refuse(RefusalReason::unknown_level, setup.error().text());
    const LockGuard lock(mutex_);
    return setups_.try_emplace(key, *setup).first->second;
}

auto Lobby::open(const RoomRequest& request) -> Answer<RoomPtr> {
    const auto setup = load_level(request.world, request.level);
    if (!setup) return std::unexpected(setup.error());
    if (directory_ && !request.room.empty() && directory_->find(request.room))
        return refuse(RefusalReason::wrong_name, "there is a room \"" + request.room + "\" already");
    const LockGuard opening(opening_);
    auto room = make_room(request, *setup);
    if (!room) return room;
    if (const auto published = publish(*room); !published) return std::unexpected(published.error());
    return room;
}

auto Lobby::make_room(const RoomRequest& request, const match::SharedSetup& setup) -> Answer<RoomPtr> {
    const auto usual = net::default_replication(setup->facts);
    if (request.replication.value_or(usual) != usual && !request.may_choose_replication)
        return refuse(RefusalReason::replication_refused,
                      "you may not choose how a room is replicated here: rooms of " + setup->level + " use " +
                          std::string(net::name_of(usual)) +
                          "; leave \"replication\" out (the server's --replication says who may choose)");
    RoomConfig config{
        .name = request.room, .setup = setup, .opened_by = request.address, .bots = settings_.bots};
    config.replication = request.replication.value_or(usual);
    config.has_chat = settings_.has_chat;
    {
        const LockGuard lock(mutex_);
        if (is_draining_) return refuse(RefusalReason::stopping, draining_message);
        if (const auto named = name_room(config); !named) return std::unexpected(named.error());
    }
    config.recording = begin_recording(config);
    if (directory_) config.journal = directory_->open_journal(config.name);
    return std::make_shared<Room>(loop_, std::move(config), settings_.limits, metrics_, log_);
}

std::shared_ptr<RecordingFile> Lobby::begin_recording(const RoomConfig& config) {
    if (!recordings_) return nullptr;
    return recordings_->begin(config.name, std::string(config.setup->world->name), config.setup->level);
}

auto Lobby::restore(const RoomImage& image, std::shared_ptr<RoomJournal> journal) -> Answer<RoomPtr> {
    auto room = prepare(image, std::move(journal));
    if (!room) return room;
    if (const auto started = start(*room); !started) return std::unexpected(started.error());
    return room;
}

auto Lobby::prepare(const RoomImage& image, std::shared_ptr<RoomJournal> journal) -> Answer<RoomPtr> {
    const auto setup = find_setup(image);
    if (!setup) return std::unexpected(setup.error());
    RoomConfig config{.name = image.name,
                      .setup = *setup,
                      .seed = image.host.match.seed,
                      .replication = image.host.mode,
                      .recording = {},
                      .opened_by = image.opened_by,
                      .bots = image.bots_wanted,
                      .journal = std::move(journal)};
    config.has_chat = settings_.has_chat;
    if (!config.journal && directory_) config.journal = directory_->open_journal(config.name);
    auto room = std::make_shared<Room>(loop_, std::move(config), settings_.limits, metrics_, log_);
    {
        const LockGuard lock(mutex_);
        if (const auto free = check_free_name(image.name); !free) return std::unexpected(free.error());
        if (const auto fits = check_room_limits({}); !fits) return std::unexpected(fits.error());
        if (is_draining_) return refuse(RefusalReason::stopping, draining_message);
        prepared_[image.name] = room;
    }
    const auto loaded = room->load(image);  // slow, so without the lock
    if (!loaded) {
        drop(room);
        return refuse(RefusalReason::bad_request, loaded.error().text());
    }
    for (const std::string& what : *loaded)
        log_.info("not_carried_over", {{"room", image.name}, {"what", what}});
    return room;
}

auto Lobby::start(const RoomPtr& room) -> Answer<void> {
    room->record_to(begin_recording(room->config()));
    auto published = publish(room);
    drop(room);
    return published;
}

void Lobby::drop(const RoomPtr& room) {
    const LockGuard lock(mutex_);
    std::erase_if(prepared_, [&](const auto& prepared) { return prepared.second == room; });
}

// This server's level of that name, if it is the same: rooms then share it. Otherwise the level that the
// image brings, or this build's.
auto Lobby::find_setup(const RoomImage& image) -> Answer<match::SharedSetup> {
    const record::MatchImage& match = image.host.match;
    const auto known = load_level(match.level.world, match.level.level);
    if (known && ((*known)->fingerprint == match.fingerprint || match.level.text.empty())) return *known;
    if (match.level.text.empty()) return known;
    auto brought = record::find_setup(match.level, nullptr);
    if (!brought) return refuse(RefusalReason::unknown_level, brought.error().text());
    return *brought;
}

// Also gives it a seed, and the number from which its phase follows.
auto Lobby::name_room(RoomConfig& config) -> Answer<void> {
    std::uint64_t number = rooms_ever_ + 1;
    if (config.name.empty()) {
        const auto name = [&] {
            return std::string(config.setup->world->name) + "-" +
                   (directory_ ? directory_->process_id() + "-" : "") + std::to_string(number);
        };
        while (rooms_.contains(name()) || prepared_.contains(name())) ++number;  // a client chose that name
        config.name = name();
    }
    if (const auto checked = check_free_name(config.name); !checked) return checked;
    if (const auto checked = check_room_limits(config.opened_by); !checked) return checked;
    rooms_ever_ = number;
    config.seed = random_seed();
    config.phase = phase_of(number);
    return {};
}

auto Lobby::check_free_name(const std::string& name) const -> Answer<void> {
    if (const auto checked = check_name(name); !checked) return checked;
    const auto found = rooms_.find(name);
    if (prepared_.contains(name) || (found != rooms_.end() && !found->second->has_ended()))
        return refuse(RefusalReason::wrong_name, "there is a room \"" + name + "\" already");
    return {};
}

auto Lobby::check_room_limits(const std::string& address) const -> Answer<void> {
    auto open = static_cast<std::uint32_t>(prepared_.size());
    std::uint32_t opened_by_address = 0;
    for (const auto& [name, room] : rooms_) {
        if (room->has_ended()) continue;  // and not yet removed
        ++open;
        opened_by_address += room->config().opened_by == address ? 1u : 0u;
    }
    if (open >= settings_.limits.most_rooms)
        return refuse(RefusalReason::too_many_rooms, "all of " + std::to_string(settings_.limits.most_rooms) +
                                                         " rooms are open; join one of them, or wait");
    if (opened_by_address >= settings_.limits.most_rooms_per_address)
        return refuse(RefusalReason::too_many_from_address,
                      "your address has opened " + std::to_string(opened_by_address) +
                          " rooms, which is the limit; join one of them, or wait until one ends");
    return {};
}

auto Lobby::publish(const RoomPtr& room) -> Answer<void> {
    const LockGuard lock(mutex_);
    if (is_closed_) return refuse(RefusalReason::stopping, "the server is stopping; try again in a moment");
    if (is_draining_) return refuse(RefusalReason::stopping, draining_message);
    moves_.erase(room->config().name);  // it has come back
    rooms_[room->config().name] = room;
    room->open([this, weak = std::weak_ptr(room)](const std::string& name) {
        loop_.post_blocking([this, name, ended = weak.lock()] {  // the caller may hold mutex_
            const LockGuard erasing(mutex_);
            const auto found = rooms_.find(name);  // another room may have the name by now
            if (found != rooms_.end() && found->second == ended) rooms_.erase(found);
        });
    });
    return {};
}

// --- Draining

void Lobby::drain() {
    const LockGuard lock(mutex_);
    is_draining_ = true;
}

void Lobby::end_rooms_when_left() {
    const LockGuard lock(mutex_);
    for (const auto& [name, room] : rooms_) room->end_when_left();
}

bool Lobby::is_draining() const {
    const LockGuard lock(mutex_);
    return is_draining_;
}

void Lobby::add_move(const std::string& room, const std::string& address) {
    const LockGuard lock(mutex_);
    moves_[room] = address;
}

std::optional<net::Moved> Lobby::find_move(const std::string& room) const {
    {
        const LockGuard lock(mutex_);
        if (const auto found = rooms_.find(room); found != rooms_.end() && !found->second->has_ended())
            return {};
        if (const auto found = moves_.find(room); found != moves_.end())
            return net::Moved::to(found->second, room);
    }
    const auto address = directory_ && !room.empty() ? directory_->find(room) : std::nullopt;
    if (!address || address->empty()) return {};
    return net::Moved::to(*address, room);
}

auto Lobby::check_owned(const std::string& room) const -> Answer<void> {
    if (!directory_ || room.empty()) return {};
    {
        const LockGuard lock(mutex_);
        if (const auto found = rooms_.find(room); found != rooms_.end() && !found->second->has_ended()) {
            if (!found->second->is_paused()) return {};
            return refuse(RefusalReason::stopping,
                          "room \"" + room +
                              "\" stands still: the cluster's Redis does not answer; it goes on "
                              "when Redis is back, so try again in a moment");
        }
    }
    const auto address = directory_->find(room);
    if (!address || !address->empty()) return {};
    return refuse(RefusalReason::stopping,
                  "room \"" + room + "\" is being taken over; try again in a moment");
}

std::uint64_t Lobby::rooms_ever() const {
    const LockGuard lock(mutex_);
    return rooms_ever_;
}

void Lobby::skip_names(std::uint64_t rooms_ever) {
    const LockGuard lock(mutex_);
    rooms_ever_ = std::max(rooms_ever_, rooms_ever);
}

// --- Closing

void Lobby::close(const Refusal& refusal) {
    const LockGuard lock(mutex_);
    is_closed_ = true;
    for (const auto& [name, room] : rooms_) room->end(refusal);
}

bool Lobby::empty() const {
    const LockGuard lock(mutex_);
    return rooms_.empty();
}

void Lobby::clear() {
    const LockGuard lock(mutex_);
    rooms_.clear();
    prepared_.clear();
}

}  // namespace instep::server
