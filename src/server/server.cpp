// SPDX-License-Identifier: MIT
#include <instep/server/server.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <thread>

#include <instep/match/registry.h>
#include <instep/server/descriptors.h>
#include <instep/server/visitors.h>
#include <instep/state/utf8.h>

namespace instep::server {
namespace {

using state::Json;

constexpr std::chrono::seconds most_stopping{3};
constexpr std::size_t most_name = 32;
constexpr std::uint64_t other_descriptors = 64;  // for recordings, threads and what libraries hold open
constexpr std::size_t most_quoted = 128;         // bytes of a page's address
constexpr std::size_t fewest_key = 16;           // letters, so that nobody guesses it
constexpr std::size_t most_key = 64;

std::unexpected<Refusal> refuse(Cause cause, std::string sentence) {
    return std::unexpected(Refusal{cause, std::move(sentence)});
}

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

Json facts_of(const Room& room) {
    const match::Setup& setup = room.setup();
    return Json::Object{{"name", room.plan().name},    {"world", setup.world->name},
                        {"level", setup.level},        {"fingerprint", state::hash_text(setup.fingerprint)},
                        {"players", room.players()},   {"bots", room.bots()},
                        {"watchers", room.watchers()}, {"most_players", setup.facts.most_players},
                        {"tick", room.tick()},         {"tick_rate", setup.facts.tick_rate}};
}

// "2026-01-31T23:59:59.123Z" of a recording's name, which begins with 20260131T235959.123Z.
std::string when(const std::string& name) {
    constexpr std::size_t length = 20;
    if (name.size() < length || name[8] != 'T' || name[length - 1] != 'Z') return "";
    return name.substr(0, 4) + "-" + name.substr(4, 2) + "-" + name.substr(6, 5) + ":" + name.substr(11, 2) +
           ":" + name.substr(13, 7);
}

Reply json_reply(const Json& json, unsigned status = 200) {
    return {.status = status, .body = state::write_json(json) + "\n"};
}

// How far apart rooms tick: parts of the golden ratio never crowd, however many there are.
double phase_of(std::uint64_t room) {
    const double turns = 0.6180339887498949 * static_cast<double>(room % 1'000'000);
    return turns - static_cast<double>(static_cast<std::uint64_t>(turns));
}

std::string value_of(const Request& request, std::string_view key) {
    const std::string* found = request.find(key);
    return found ? *found : "";
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
    if (descriptors < settings.limits.most_connections + other_descriptors)
        log.error("few_descriptors",
                  {{"most_connections", settings.limits.most_connections},
                   {"descriptors", descriptors},
                   {"what",
                    "connections beyond the descriptors that this process may have will wait at "
                    "the door; raise its limit (ulimit -Hn, LimitNOFILE of systemd) or lower "
                    "--most-connections"}});
    const bool comes_first = server->loop_.put_first();
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

auto Server::find_level(const std::string& world, const std::string& level) -> Answer<match::SharedSetup> {
    const std::lock_guard lock(mutex_);
    const auto key = std::pair(world, level);
    if (const auto found = setups_.find(key); found != setups_.end()) return found->second;
    const auto setup = levels_.find(world, level);
    if (!setup) return refuse(Cause::unknown_level, setup.error().text());
    return setups_[key] = *setup;
}

auto Server::find_room(const std::string& name) -> Answer<RoomPtr> {
    if (const auto named = check_name(name); !named) return std::unexpected(named.error());
    const std::lock_guard lock(mutex_);
    const auto found = rooms_.find(name);
    if (found != rooms_.end()) return found->second;
    return refuse(Cause::unknown_room, "there is no room \"" + name + "\"; /api/rooms lists those there are");
}

std::string Server::free_name(const match::Setup& setup) const {
    return std::string(setup.world->name) + "-" + std::to_string(rooms_ever_ + 1);
}

auto Server::open_room(const std::string& name, const match::SharedSetup& setup, const std::string& address)
    -> Answer<RoomPtr> {
    if (stopping_) return refuse(Cause::stopping, "the server is being stopped; come back in a moment");
    if (rooms_.size() >= settings_.limits.most_rooms)
        return refuse(Cause::too_many_rooms, "all of " + std::to_string(settings_.limits.most_rooms) +
                                                 " rooms are open; join one of them, or wait");
    const auto opened = std::count_if(rooms_.begin(), rooms_.end(), [&](const auto& named) {
        return named.second->plan().opener == address;
    });
    if (opened >= settings_.limits.most_rooms_per_address)
        return refuse(Cause::too_many_from_address,
                      "your address has opened " + std::to_string(opened) +
                          " rooms, which is all it may; join one of them, or wait until one ends");
    const std::uint64_t number = ++rooms_ever_;
    RoomPlan plan{.name = name, .setup = setup, .seed = seed_ + number, .phase = phase_of(number)};
    plan.opener = address;
    plan.bots = settings_.bots;
    if (recordings_) {
        plan.recording = recordings_->begin(name, std::string(setup->world->name), setup->level);
        if (!plan.recording)
            log_.error("not_recorded", {{"room", name}, {"what", "no file could be opened"}});
    }
    auto room = std::make_shared<Room>(loop_, std::move(plan), settings_.limits, figures_, log_);
    rooms_[name] = room;
    room->open([this](const std::string& ended) {
        loop_.post_aside([this, ended] {  // mutex_ may be held while a room is made
            const std::lock_guard lock(mutex_);
            rooms_.erase(ended);
        });
    });
    return room;
}

auto Server::find_place(const Wanted& wanted, const std::string& key) -> Answer<std::pair<RoomPtr, Guest>> {
    const auto sit_down = [&key](const RoomPtr& room) -> Answer<std::pair<RoomPtr, Guest>> {
        const auto guest = room->reserve(key);
        if (!guest) return std::unexpected(guest.error());
        return std::pair(room, *guest);
    };
    const auto open_and_sit_down = [&](const std::string& name, const match::SharedSetup& setup) {
        const auto room = open_room(name, setup, wanted.address);
        return room ? sit_down(*room) : std::unexpected(room.error());
    };
    if (wanted.world.empty()) {
        if (wanted.room.empty())
            return refuse(Cause::bad_request, "say which world, as in /play?world=flail, or which room");
        const auto room = find_room(wanted.room);
        return room ? sit_down(*room) : std::unexpected(room.error());
    }
    const auto setup = find_level(wanted.world, wanted.level);
    if (!setup) return std::unexpected(setup.error());
    const std::lock_guard lock(mutex_);
    if (!wanted.room.empty()) {
        if (const auto named = check_name(wanted.room); !named) return std::unexpected(named.error());
        const auto found = rooms_.find(wanted.room);
        if (found == rooms_.end()) return open_and_sit_down(wanted.room, *setup);
        if (found->second->setup().fingerprint != (*setup)->fingerprint)
            return refuse(Cause::unknown_room, "room \"" + wanted.room + "\" is one of another level: " +
                                                   std::string(found->second->setup().world->name) + "/" +
                                                   found->second->setup().level);
        return sit_down(found->second);
    }
    // Quick match: where this player was, or else the fullest room that has a place.
    struct Candidate {
        RoomPtr room;
        std::pair<bool, std::uint32_t> merit;  // read once: it changes while they are sorted
    };
    std::vector<Candidate> candidates;
    for (const auto& [name, room] : rooms_)
        if (room->setup().fingerprint == (*setup)->fingerprint)
            candidates.push_back({room, {!key.empty() && room->has_seat(key), room->players()}});
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    for (const Candidate& candidate : candidates)
        if (auto place = sit_down(candidate.room)) return place;
    return open_and_sit_down(free_name(**setup), *setup);
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
            if (other->setup().fingerprint == (*setup)->fingerprint &&
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
    const auto token = tokens_->redeem(value_of(request, "token"), std::time(nullptr));
    if (!token) return std::unexpected(token.error());
    if (!wanted.room.empty() && wanted.room != token->room)
        return refuse(Cause::token_refused, "the token is for another room");
    wanted.room = token->room;
    key = token->player;
    return {};
}

auto Server::admit(const Request& request) -> Answer<std::unique_ptr<Visitor>> {
    std::string key = value_of(request, "key");
    Wanted wanted{value_of(request, "room"), value_of(request, "world"), value_of(request, "level"),
                  request.address};
    if (const auto allowed = take_token(request, wanted, key); !allowed)
        return std::unexpected(allowed.error());
    if (const auto checked = check_key(key); !checked) return std::unexpected(checked.error());
    auto place = request.path == "/watch" ? find_view(wanted) : find_place(wanted, key);
    if (!place) return std::unexpected(place.error());
    return make_player(place->first, place->second);
}

Reply Server::answer(const Request& request) {
    auto reply = route(request);
    if (reply) return *reply;
    figures_.count(reply.error().cause);
    return reply_of(reply.error());
}

auto Server::route(const Request& request) -> Answer<Reply> {
    const std::string_view path = request.path;
    constexpr std::string_view rooms = "/api/rooms";
    if (path == rooms && request.method == "POST") return create_room(request);
    if (request.method != "GET" && request.method != "HEAD")
        return refuse(Cause::wrong_method, "only GET is answered here, and POST at /api/rooms");
    if (path == "/healthz") {
        if (stopping_) return refuse(Cause::stopping, "the server is being stopped");
        return Reply{.type = "text/plain", .body = "ok\n"};
    }
    if (path == "/metrics")
        return Reply{.type = "text/plain; version=0.0.4", .body = prometheus_text(figures_)};
    if (path == "/api/worlds") return list_worlds();
    constexpr std::string_view levels = "/api/levels/";
    if (path.starts_with(levels)) return show_level(path.substr(levels.size()));
    if (path == rooms) return list_rooms();
    if (path.starts_with("/api/rooms/")) {
        const auto room = find_room(std::string(path.substr(rooms.size() + 1)));
        if (!room) return std::unexpected(room.error());
        return json_reply(facts_of(**room));
    }
    if (path == "/api/recordings" || path.starts_with("/recordings/")) return show_recordings(path);
    if (path == "/play" || path == "/watch")
        return refuse(Cause::bad_request, "this is where WebSockets connect to");
    if (page_)
        if (auto file = page_->find(request)) return std::move(*file);
    if (path == "/")
        return Reply{.type = "text/plain",
                     .body =
                         "An Instep server. /api/worlds lists what can be played, /api/rooms what is being "
                         "played,\nand players connect to /play?world=NAME with a WebSocket.\n"};
    return refuse(Cause::not_found, "there is nothing at " + request.path);
}

auto Server::create_room(const Request& request) -> Answer<Reply> {
    if (const auto allowed = check_origin(request); !allowed) return std::unexpected(allowed.error());
    constexpr state::JsonLimits limits{.bytes = 4096, .values = 16, .depth = 2};
    const auto json = state::parse_json(request.body, "the request's body", limits);
    if (!json) return refuse(Cause::bad_request, json.error().text());
    if (!json->object()) return refuse(Cause::bad_request, "expected an object like {\"world\": \"flail\"}");
    Wanted wanted;
    constexpr std::string_view known[] = {"world", "level", "name"};
    for (const auto& [key, value] : *json->object()) {
        std::string* into = key == "world" ? &wanted.world : key == "level" ? &wanted.level : nullptr;
        if (key == "name") into = &wanted.room;
        if (!into) return refuse(Cause::bad_request, state::refuse_key("", key, known).error().text());
        if (!value.string()) return refuse(Cause::bad_request, key + ": expected a string");
        *into = *value.string();
    }
    if (wanted.world.empty()) return refuse(Cause::bad_request, "say which world: {\"world\": \"flail\"}");
    std::string key;
    if (const auto allowed = take_token(request, wanted, key); !allowed)
        return std::unexpected(allowed.error());
    const auto setup = find_level(wanted.world, wanted.level);
    if (!setup) return std::unexpected(setup.error());
    const std::lock_guard lock(mutex_);
    if (wanted.room.empty()) wanted.room = free_name(**setup);
    if (const auto named = check_name(wanted.room); !named) return std::unexpected(named.error());
    if (rooms_.contains(wanted.room))
        return refuse(Cause::wrong_name, "there is a room \"" + wanted.room + "\" already");
    const auto room = open_room(wanted.room, *setup, request.address);
    if (!room) return std::unexpected(room.error());
    return json_reply(facts_of(**room), 201);
}

auto Server::show_recordings(std::string_view path) const -> Answer<Reply> {
    if (!recordings_)
        return refuse(Cause::not_found, "matches are not recorded here; the server's --recordings would");
    if (tokens_)
        return refuse(Cause::not_found,
                      "recordings are not shown where players need tokens; "
                      "whoever runs the server finds them in its folder");
    constexpr std::string_view folder = "/recordings/";
    if (path.starts_with(folder)) {
        auto content = recordings_->fetch(std::string(path.substr(folder.size())));
        if (!content) return std::unexpected(content.error());
        Reply reply;
        reply.type = "application/octet-stream";
        reply.shared_body = std::move(*content);
        return reply;
    }
    Json::Array list;
    for (const RecordingFacts& facts : recordings_->list())
        list.emplace_back(Json::Object{{"name", facts.name},
                                       {"world", facts.world},
                                       {"level", facts.level},
                                       {"ticks", facts.ticks},
                                       {"bytes", facts.bytes},
                                       {"when", when(facts.name)},
                                       {"live", facts.is_open}});
    return json_reply(std::move(list));
}

Reply Server::list_worlds() const {
    Json::Array list;
    for (const match::WorldTable& world : match::worlds()) {
        Json::Array levels;
        for (const std::string_view level : levels_.names(world.name)) levels.emplace_back(level);
        list.emplace_back(
            Json::Object{{"name", world.name}, {"summary", world.summary}, {"levels", std::move(levels)}});
    }
    return json_reply(std::move(list));
}

auto Server::show_level(std::string_view name) const -> Answer<Reply> {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string_view text = levels_.text(std::string(name.substr(0, slash)),
                                               std::string(name.substr(std::min(slash + 1, name.size()))));
    if (text.empty())
        return refuse(Cause::unknown_level, "there is no such level; /api/worlds lists those there are");
    return Reply{.type = "application/json", .body = std::string(text)};
}

Reply Server::list_rooms() {
    const std::lock_guard lock(mutex_);
    Json::Array list;
    for (const auto& [name, room] : rooms_) list.push_back(facts_of(*room));
    return json_reply(std::move(list));
}

}  // namespace instep::server
