// SPDX-License-Identifier: MIT
// What the server says over HTTP: its rooms, worlds, levels, recordings and figures, as docs/server.md has
// it.
#include <algorithm>
#include <iterator>

#include <instep/match/registry.h>
#include <instep/server/server.h>

namespace instep::server {
namespace {

using state::Json;

Json facts_of(const Room& room) {
    const match::Setup& setup = room.setup();
    return Json::Object{{"name", room.plan().name},
                        {"world", setup.world->name},
                        {"level", setup.level},
                        {"fingerprint", state::hash_text(setup.fingerprint)},
                        {"replication", net::name_of(room.plan().kind)},
                        {"players", room.players()},
                        {"bots", room.bots()},
                        {"watchers", room.watchers()},
                        {"most_players", setup.facts.most_players},
                        {"tick", room.tick()},
                        {"tick_rate", setup.facts.tick_rate}};
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

}  // namespace

Reply Server::answer(const Request& request) {
    auto reply = route(request);
    if (reply) return std::move(*reply);
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
    if (path == "/api/recordings" || path.starts_with("/recordings/")) return show_recordings(request);
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
    Wanted wanted{.address = request.address};
    std::string replication;
    const std::pair<std::string_view, std::string*> known[] = {{"world", &wanted.world},
                                                               {"level", &wanted.level},
                                                               {"name", &wanted.room},
                                                               {"replication", &replication}};
    for (const auto& [key, value] : *json->object()) {
        const auto* at = std::find_if(std::begin(known), std::end(known),
                                      [&key](const auto& one) { return one.first == key; });
        if (at == std::end(known)) {
            constexpr std::string_view names[] = {"world", "level", "name", "replication"};
            return refuse(Cause::bad_request, state::refuse_key("", key, names).error().text());
        }
        if (!value.string()) return refuse(Cause::bad_request, key + ": expected a string");
        *at->second = *value.string();
    }
    const auto kind = read_replication(replication);
    if (!kind) return std::unexpected(kind.error());
    wanted.replication = *kind;
    if (wanted.world.empty()) return refuse(Cause::bad_request, "say which world: {\"world\": \"flail\"}");
    std::string key;
    if (const auto allowed = take_token(request, wanted, key); !allowed)
        return std::unexpected(allowed.error());
    const auto setup = find_level(wanted.world, wanted.level);
    if (!setup) return std::unexpected(setup.error());
    const std::lock_guard opening(opening_);
    const auto room = make_room(wanted, *setup);
    if (!room) return std::unexpected(room.error());
    if (const auto published = publish(*room); !published) return std::unexpected(published.error());
    return json_reply(facts_of(**room), 201);
}

auto Server::show_recordings(const Request& request) const -> Answer<Reply> {
    const std::string_view path = request.path;
    if (!recordings_)
        return refuse(Cause::not_found, "matches are not recorded here; the server's --recordings would");
    if (tokens_)
        return refuse(Cause::not_found,
                      "recordings are not shown where players need tokens; "
                      "whoever runs the server finds them in its folder");
    constexpr std::string_view folder = "/recordings/";
    if (path.starts_with(folder)) {
        auto file = recordings_->fetch(std::string(path.substr(folder.size())), request.address);
        if (!file) return std::unexpected(file.error());
        Reply reply;
        reply.type = "application/octet-stream";
        reply.file = std::move(*file);
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
