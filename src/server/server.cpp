// SPDX-License-Identifier: MIT
// How the server starts and stops, and how rooms are opened and found. What it says over HTTP: answers.cpp.
#include <instep/server/server.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <thread>

#include <instep/server/descriptors.h>
#include <instep/server/visitors.h>
#include <instep/state/utf8.h>

namespace instep::server {
namespace {

constexpr std::chrono::seconds most_stopping{3};
constexpr std::size_t most_name = 32;
constexpr std::uint64_t other_descriptors = 64;  // for threads and what libraries hold open
constexpr std::size_t most_quoted = 128;         // bytes of a page's address
constexpr std::size_t fewest_key = 16;           // letters, so that nobody guesses it
constexpr std::size_t most_key = 64;

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_';
    });
}

std::expected<void, Refusal> check_name(std::string_view name) {
    if (!name.empty() && name.size() <= most_name && is_plain(name)) return {};
    return refuse(Cause::wrong_name, "a room's name has 1 to " + std::to_string(most_name) +
                                         " of the letters a to z and A to Z, digits, \"-\" and \"_\"");
}

std::expected<void, Refusal> check_key(std::string_view key) {
    if (key.empty() || (key.size() >= fewest_key && key.size() <= most_key && is_plain(key))) return {};
    return refuse(Cause::bad_request, "a player's key has " + std::to_string(fewest_key) + " to " +
                                          std::to_string(most_key) +
                                          " of the letters a to z and A to Z, digits, \"-\" and \"_\"");
}

// How far apart rooms tick: parts of the golden ratio never crowd, however many there are.
double phase_of(std::uint64_t room) {
    const double turns = 0.6180339887498949 * static_cast<double>(room % 1'000'000);
    return turns - static_cast<double>(static_cast<std::uint64_t>(turns));
}

std::expected<std::pair<std::shared_ptr<Room>, Guest>, Refusal> sit_down(const std::shared_ptr<Room>& room,
                                                                         const std::string& key) {
    const auto guest = room->reserve(key);
    if (!guest) return std::unexpected(guest.error());
    return std::pair(room, *guest);
}

}  // namespace

Server::Server(const ServerSettings& settings, Levels levels, Log& log)
    : settings_(settings),
      levels_(std::move(levels)),
      log_(log),
      seed_(std::random_device{}()),
      loop_(settings.threads, [&log](const char* what) { log.error("task_threw", {{"what", what}}); }) {
    if (!settings.secret.empty()) tokens_.emplace(settings.secret);
}

state::Result<std::unique_ptr<Server>> Server::start(const ServerSettings& settings, Levels levels,
                                                     Log& log) {
    std::unique_ptr<Server> server(new Server(settings, std::move(levels), log));
    if (!settings.recordings.empty()) {
        auto folder = Recordings::open(settings.recordings, std::uint64_t{settings.recordings_mb} << 20);
        if (!folder) return std::unexpected(folder.error());
        server->recordings_ = *folder;
    }
    if (!settings.page.empty()) {
        auto page = Page::load(settings.page);
        if (!page) return std::unexpected(page.error());
        server->page_ = std::move(*page);
    }
    const std::uint64_t descriptors = raise_descriptor_limit();
    const std::uint64_t files =  // that are written and fetched
        server->recordings_ ? settings.limits.most_rooms + Recordings::most_fetches : 0;
    if (descriptors < settings.limits.most_connections + files + other_descriptors)
        log.error("few_descriptors",
                  {{"most_connections", settings.limits.most_connections},
                   {"descriptors", descriptors},
                   {"what",
                    "connections beyond the descriptors that this process may have will wait at "
                    "the door; raise its limit (ulimit -Hn, LimitNOFILE of systemd) or lower "
                    "--most-connections"}});
    const bool comes_first = server->loop_.put_due_first();
    auto wire = Wire::open(server->loop_, *server, settings, server->figures_, log);
    if (!wire) return std::unexpected(wire.error());
    server->wire_ = std::move(*wire);
    log.info("listening", {{"address", settings.address},
                           {"port", server->port()},
                           {"tls", !settings.certificate.empty()},
                           {"threads", server->loop_.threads()},
                           {"ticks_first", comes_first}});
    return server;
}

// Whoever did not end in time holds lines, and those hold sockets of the loop.
Server::~Server() {
    stop();
    wire_.reset();
    loop_.join();
    rooms_.clear();
}

void Server::stop() {
    if (stopping_.exchange(true)) return;
    if (!wire_) return;
    log_.info("stopping");
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [name, room] : rooms_)
            room->end({Cause::stopping, "the server is being stopped; come back in a moment"});
    }
    const Time until = Clock::now() + most_stopping;
    const auto has_rooms = [this] {
        const std::lock_guard lock(mutex_);
        return !rooms_.empty();
    };
    const auto wait_while = [until](const auto& condition) {
        while (condition() && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    wait_while(has_rooms);
    wire_->stop();
    wait_while([this] { return !wire_->is_quiet(); });
    loop_.stop();
    log_.info("stopped");
}

// --- Rooms

auto Server::read_replication(std::string_view text) -> Answer<std::optional<net::ReplicationMode>> {
    const auto kind = net::kind_named<net::ReplicationMode>(text);
    if (!kind && !text.empty()) return refuse(Cause::bad_request, "replication: expected snapshots or relay");
    return kind;
}

auto Server::find_level(const std::string& world, const std::string& level) -> Answer<match::SharedSetup> {
    const auto key = std::pair(world, level);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = setups_.find(key); found != setups_.end()) return found->second;
    }
    const auto setup = levels_.find(world, level);  // takes its time, and others need not wait for it
    if (!setup) return refuse(Cause::unknown_level, setup.error().text());
    const std::lock_guard lock(mutex_);
    return setups_.try_emplace(key, *setup).first->second;
}

auto Server::find_room(const std::string& name) -> Answer<RoomPtr> {
    if (const auto named = check_name(name); !named) return std::unexpected(named.error());
    const std::lock_guard lock(mutex_);
    const auto found = rooms_.find(name);
    if (found != rooms_.end()) return found->second;
    return refuse(Cause::unknown_room, "there is no room \"" + name + "\"; /api/rooms lists those there are");
}

auto Server::make_room(const Wanted& wanted, const match::SharedSetup& setup) -> Answer<RoomPtr> {
    RoomPlan plan{.name = wanted.room, .setup = setup, .opener = wanted.address, .bots = settings_.bots};
    plan.kind = wanted.replication.value_or(net::default_replication(setup->facts));
    {
        const std::lock_guard lock(mutex_);
        std::uint64_t number = rooms_ever_ + 1;
        if (plan.name.empty()) {
            const auto name = [&] { return std::string(setup->world->name) + "-" + std::to_string(number); };
            while (rooms_.contains(name())) ++number;  // somebody has named theirs so
            plan.name = name();
        }
        if (const auto named = check_name(plan.name); !named) return std::unexpected(named.error());
        if (const auto found = rooms_.find(plan.name); found != rooms_.end() && !found->second->has_ended())
            return refuse(Cause::wrong_name, "there is a room \"" + plan.name + "\" already");
        // One that has ended is there only until somebody has the time to take it away.
        const auto count = [&](auto counts) {
            return std::count_if(rooms_.begin(), rooms_.end(), [&](const auto& named) {
                return !named.second->has_ended() && counts(*named.second);
            });
        };
        if (count([](const Room&) { return true; }) >= settings_.limits.most_rooms)
            return refuse(Cause::too_many_rooms, "all of " + std::to_string(settings_.limits.most_rooms) +
                                                     " rooms are open; join one of them, or wait");
        const auto opened = count([&](const Room& room) { return room.plan().opener == wanted.address; });
        if (opened >= settings_.limits.most_rooms_per_address)
            return refuse(Cause::too_many_from_address,
                          "your address has opened " + std::to_string(opened) +
                              " rooms, which is all it may; join one of them, or wait until one ends");
        rooms_ever_ = number;
        plan.seed = seed_ + number;
        plan.phase = phase_of(number);
    }
    if (recordings_) {
        plan.recording = recordings_->begin(plan.name, std::string(setup->world->name), setup->level);
        if (!plan.recording)
            log_.error("not_recorded", {{"room", plan.name}, {"what", "no file could be opened"}});
    }
    return std::make_shared<Room>(loop_, std::move(plan), settings_.limits, figures_, log_);
}

auto Server::publish(const RoomPtr& room) -> Answer<void> {
    const std::lock_guard lock(mutex_);
    if (stopping_) return refuse(Cause::stopping, "the server is being stopped; come back in a moment");
    rooms_[room->plan().name] = room;
    room->open([this, weakly = std::weak_ptr(room)](const std::string& name) {
        loop_.post_aside([this, name, ended = weakly.lock()] {  // whoever ends rooms may hold mutex_
            const std::lock_guard erasing(mutex_);
            const auto found = rooms_.find(name);  // its name may be another's by now
            if (found != rooms_.end() && found->second == ended) rooms_.erase(found);
        });
    });
    return {};
}

auto Server::find_place(const Wanted& wanted, const std::string& key) -> Answer<std::pair<RoomPtr, Guest>> {
    if (wanted.world.empty()) {
        if (wanted.room.empty())
            return refuse(Cause::bad_request, "say which world, as in /play?world=flail, or which room");
        const auto room = find_room(wanted.room);
        return room ? sit_down(*room, key) : std::unexpected(room.error());
    }
    const auto setup = find_level(wanted.world, wanted.level);
    if (!setup) return std::unexpected(setup.error());
    if (auto found = find_open_place(wanted, **setup, key)) return std::move(*found);
    const std::lock_guard opening(opening_);
    if (auto found = find_open_place(wanted, **setup, key)) return std::move(*found);  // just opened
    const auto room = make_room(wanted, *setup);
    if (!room) return std::unexpected(room.error());
    auto place = sit_down(*room, key);  // before others find it
    if (const auto published = publish(*room); !published) return std::unexpected(published.error());
    return place;
}

auto Server::find_open_place(const Wanted& wanted, const match::Setup& setup, const std::string& key)
    -> std::optional<Answer<std::pair<RoomPtr, Guest>>> {
    const std::lock_guard lock(mutex_);
    if (!wanted.room.empty()) {
        const auto found = rooms_.find(wanted.room);
        if (found == rooms_.end() || found->second->has_ended()) return {};
        const match::Setup& other = found->second->setup();
        if (other.fingerprint != setup.fingerprint)
            return refuse(Cause::unknown_room, "room \"" + wanted.room + "\" is one of another level: " +
                                                   std::string(other.world->name) + "/" + other.level);
        if (wanted.replication.value_or(found->second->plan().kind) != found->second->plan().kind)
            return refuse(Cause::unknown_room, "room \"" + wanted.room + "\" replicates by " +
                                                   std::string(net::name_of(found->second->plan().kind)) +
                                                   "; ask for that");
        return sit_down(found->second, key);
    }
    // Quick match: where this player was, or else the fullest room that has a place.
    struct Candidate {
        RoomPtr room;
        std::pair<bool, std::uint32_t> merit;  // read once: it changes while they are sorted
    };
    const net::ReplicationMode kind = wanted.replication.value_or(net::default_replication(setup.facts));
    std::vector<Candidate> candidates;
    for (const auto& [name, room] : rooms_)
        if (room->setup().fingerprint == setup.fingerprint && room->plan().kind == kind)
            candidates.push_back({room, {!key.empty() && room->has_seat(key), room->players()}});
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    for (const Candidate& candidate : candidates)
        if (auto place = sit_down(candidate.room, key)) return place;
    return {};
}

// To watch without playing: nothing is opened for that.
auto Server::find_view(const Wanted& wanted) -> Answer<std::pair<RoomPtr, Guest>> {
    RoomPtr room;
    if (!wanted.room.empty()) {
        const auto found = find_room(wanted.room);
        if (!found) return std::unexpected(found.error());
        room = *found;
    } else if (wanted.world.empty()) {
        return refuse(Cause::bad_request, "say which room, as in /watch?room=ours, or which world");
    } else {
        const auto setup = find_level(wanted.world, wanted.level);
        if (!setup) return std::unexpected(setup.error());
        const std::lock_guard lock(mutex_);
        for (const auto& [name, other] : rooms_)
            if (other->setup().fingerprint == (*setup)->fingerprint && !other->has_ended() &&
                (!room || other->players() > room->players()))
                room = other;
        if (!room)
            return refuse(Cause::unknown_room,
                          "nobody plays " + wanted.world + " at that level; /api/rooms lists who plays what");
    }
    const auto guest = room->reserve_to_watch();
    if (!guest) return std::unexpected(guest.error());
    return std::pair(room, *guest);
}

// --- What the wire asks

auto Server::may_upgrade(const Request& request) -> Answer<void> {
    if (stopping_) return refuse(Cause::stopping, "the server is being stopped; come back in a moment");
    if (request.path != "/play" && request.path != "/watch")
        return refuse(Cause::not_found,
                      "there is no such line; players connect to /play?world=NAME, and watchers to /watch");
    return check_origin(request);
}

auto Server::check_origin(const Request& request) const -> Answer<void> {
    if (request.origin.empty()) return {};  // no browser
    const std::size_t scheme = request.origin.find("://");
    if (scheme != std::string::npos && request.origin.substr(scheme + 3) == request.host) return {};
    for (const std::string& allowed : settings_.origins)
        if (allowed == "*" || allowed == request.origin) return {};
    const bool can_be_quoted = request.origin.size() <= most_quoted && state::is_plain_text(request.origin);
    return refuse(Cause::foreign_origin, "pages of " + (can_be_quoted ? request.origin : "another site") +
                                             " may not play here; the server's --origin says which may");
}

// Where tokens are asked for, the token says who comes, and to which room.
auto Server::take_token(const Request& request, Wanted& wanted, std::string& key) -> Answer<void> {
    if (!tokens_) return {};
    const auto token = tokens_->redeem(request.value("token"), std::time(nullptr));
    if (!token) return std::unexpected(token.error());
    if (!wanted.room.empty() && wanted.room != token->room)
        return refuse(Cause::token_refused, "the token is for another room");
    wanted.room = token->room;
    key = token->player;
    return {};
}

auto Server::admit(const Request& request) -> Answer<std::unique_ptr<Visitor>> {
    std::string key = request.value("key");
    const auto replication = read_replication(request.value("replication"));
    if (!replication) return std::unexpected(replication.error());
    Wanted wanted{.room = request.value("room"),
                  .world = request.value("world"),
                  .level = request.value("level"),
                  .replication = *replication,
                  .address = request.address};
    if (const auto allowed = take_token(request, wanted, key); !allowed)
        return std::unexpected(allowed.error());
    if (const auto checked = check_key(key); !checked) return std::unexpected(checked.error());
    auto place = request.path == "/watch" ? find_view(wanted) : find_place(wanted, key);
    if (!place) return std::unexpected(place.error());
    return make_player(place->first, place->second);
}

}  // namespace instep::server
