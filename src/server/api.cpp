// SPDX-License-Identifier: MIT
#include <instep/server/api.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include <instep/match/registry.h>
#include <instep/server/moved_session.h>
#include <instep/server/party_session.h>
#include <instep/server/player_session.h>
#include <instep/server/token_gate.h>
#include <instep/state/plain_name.h>
#include <instep/state/utf8.h>

namespace instep::server {

const Api::Route Api::routes[] = {
    {"GET", "/livez", &Api::live},
    {"GET", "/readyz", &Api::ready},
    {"GET", "/healthz", &Api::health},
    {"GET", "/metrics", &Api::metrics},
    {"GET", "/api/worlds", &Api::list_worlds},
    {"GET", "/api/levels/{world}/{level}", &Api::show_level},
    {"GET", "/api/levels/{world}", &Api::unknown_level},
    {"GET", "/api/rooms", &Api::list_rooms},
    {"POST", "/api/rooms", &Api::create_room},
    {"GET", "/api/rooms/{room}", &Api::show_room},
    {"GET", "/api/build", &Api::show_build},
    {"GET", "/api/recordings", &Api::list_recordings},
    {"GET", "/recordings/{name}", &Api::download_recording},
    {"GET", "/play", &Api::explain_websocket},
    {"GET", "/watch", &Api::explain_websocket},
    {"GET", "/original/{world}", &Api::explain_websocket},
    {"GET", "/", &Api::home},
    {"GET", "/{file}", &Api::page_file},
};

const Api::WebSocketRoute Api::websocket_routes[] = {
    {"GET", "/play", TokenRole::play},
    {"GET", "/watch", TokenRole::watch},
    {"GET", "/original/{world}", TokenRole::play, Protocol::original},
};

namespace {

using state::Json;

constexpr std::size_t most_quoted = 128;  // bytes of a header that a message repeats

// "2026-01-31T23:59:59.123Z" from the name of a recording, which begins with 20260131T235959.123Z.
std::string time_of(const std::string& recording) {
    constexpr std::size_t length = 20;
    if (recording.size() < length || recording[8] != 'T' || recording[length - 1] != 'Z') return "";
    return recording.substr(0, 4) + "-" + recording.substr(4, 2) + "-" + recording.substr(6, 5) + ":" +
           recording.substr(11, 2) + ":" + recording.substr(13, 7);
}

Response json_response(const Json& json, unsigned status = 200) {
    return {.status = status, .body = state::write_json(json) + "\n"};
}

std::expected<std::optional<net::ReplicationMode>, Refusal> parse_replication(std::string_view text) {
    const auto mode = net::kind_named<net::ReplicationMode>(text);
    if (!mode && !text.empty())
        return refuse(RefusalReason::bad_request, "replication: expected snapshots or relay");
    return mode;
}

// The header's text if it can be shown, otherwise something else.
std::string quote(const std::string& header, const char* otherwise) {
    return header.size() <= most_quoted && state::is_plain_text(header) ? header : otherwise;
}

// Of the pages that the server at this public address serves: the port is left out if it is the scheme's
// usual one (RFC 6454, 6.2).
std::string origin_of(const std::string& peer) {
    const auto address = net::parse_server_address(peer);
    if (!address) return {};
    const bool is_ipv6 = address->host.find(':') != std::string::npos;
    std::string origin = std::string(address->tls ? "https://" : "http://") +
                         (is_ipv6 ? "[" + address->host + "]" : address->host);
    if (address->port != (address->tls ? 443 : 80)) origin += ":" + std::to_string(address->port);
    return origin;
}

// What a token says and a request may repeat. False: the request says something else.
bool agree(std::string& wanted, const std::string& claimed) {
    if (wanted.empty()) wanted = claimed;
    return wanted == claimed;
}

// {"world": "flail", "level": "plain", "name": "ours", "replication": "relay"}; only the world is required.
std::expected<RoomRequest, Refusal> parse_room_request(const Request& request) {
    constexpr state::JsonLimits limits{.bytes = 4096, .values = 16, .depth = 2};
    const auto json = state::parse_json(request.body, "the request's body", limits);
    if (!json) return refuse(RefusalReason::bad_request, json.error().text());
    if (!json->object())
        return refuse(RefusalReason::bad_request, "expected an object like {\"world\": \"NAME\"}");
    RoomRequest wanted{.address = request.address};
    std::string replication;
    const std::pair<std::string_view, std::string*> known[] = {{"world", &wanted.world},
                                                               {"level", &wanted.level},
                                                               {"name", &wanted.room},
                                                               {"replication", &replication}};
    for (const auto& [key, value] : *json->object()) {
        const auto* at = std::find_if(std::begin(known), std::end(known),
                                      [&key](const auto& field) { return field.first == key; });
        if (at == std::end(known)) {
            constexpr std::string_view names[] = {"world", "level", "name", "replication"};
            return refuse(RefusalReason::bad_request, state::refuse_key("", key, names).error().text());
        }
        if (!value.string()) return refuse(RefusalReason::bad_request, key + ": expected a string");
        *at->second = *value.string();
    }
    const auto mode = parse_replication(replication);
    if (!mode) return std::unexpected(mode.error());
    wanted.replication = *mode;
    if (wanted.world.empty())
        return refuse(RefusalReason::bad_request, "the request must name a world: {\"world\": \"NAME\"}");
    return wanted;
}

}  // namespace

Api::Api(Lobby& lobby, const ServerSettings& settings, std::shared_ptr<Recordings> recordings,
         std::optional<Page> page, Operations& operations)
    : lobby_(lobby),
      settings_(settings),
      recordings_(std::move(recordings)),
      page_(std::move(page)),
      operations_(operations),
      room_list_(lobby),
      hosts_(settings.hosts),
      keys_(!settings.keys.empty()            ? settings.keys
            : settings.cluster_secret.empty() ? KeyList{random_key()}
                                              : KeyList{SigningKey{"cluster", settings.cluster_secret}}) {
    // A cluster remembers used tokens for a process that starts.
    const std::int64_t started = settings.make_directory ? 0 : milliseconds_since_1970();
    if (!settings.keys.empty()) tokens_.emplace(keys_, settings.audience, started);
}

Response Api::answer(const Request& request) {
    const auto answer = [&]() -> Answer<Response> {
        if (const auto allowed = check_host(request); !allowed) return std::unexpected(allowed.error());
        if (const auto match = find_route<Route>(routes, request.method, request.path))
            return (this->*match->route->answer)(request, match->arguments);
        return refuse(RefusalReason::wrong_method, "only GET and HEAD are allowed, and POST at /api/rooms");
    };
    auto response = answer();
    if (response) return std::move(*response);
    operations_.metrics.count(response.error().reason);
    return response_to(response.error());
}

// --- State of the server

auto Api::live(const Request&, const PathArguments&) -> Answer<Response> {
    return Response{.type = "text/plain", .body = "ok\n"};
}

auto Api::health(const Request&, const PathArguments&) -> Answer<Response> {
    if (stopping_) return refuse(RefusalReason::stopping, "the server is stopping");
    return Response{.type = "text/plain", .body = "ok\n"};
}

auto Api::ready(const Request& request, const PathArguments& arguments) -> Answer<Response> {
    if (draining_) return refuse(RefusalReason::stopping, "the server is draining; it takes no new players");
    return health(request, arguments);
}

auto Api::metrics(const Request&, const PathArguments&) -> Answer<Response> {
    if (settings_.admin_port)
        return refuse(RefusalReason::not_found, "this server's metrics are at its admin port");
    return Response{.type = "text/plain; version=0.0.4", .body = operations_.metrics_text()};
}

std::expected<void, Refusal> Api::may_connect(const IpAddress& address) {
    return operations_.bans.check(address, Clock::now());
}

// --- Worlds, levels and rooms

auto Api::list_worlds(const Request&, const PathArguments&) -> Answer<Response> {
    Json::Array list;
    for (const match::WorldTable& world : match::worlds()) {
        Json::Array levels;
        for (const std::string_view level : lobby_.levels().names(world.name)) levels.emplace_back(level);
        list.emplace_back(
            Json::Object{{"name", world.name}, {"summary", world.summary}, {"levels", std::move(levels)}});
    }
    Response response = json_response(std::move(list));
    // Pages of a game that is being edited ask for /api/build again and again; others never do.
    if (const std::string& build = operations_.build.id(); !build.empty())
        response.headers.emplace_back("Instep-Build", build);
    return response;
}

auto Api::show_build(const Request&, const PathArguments&) -> Answer<Response> {
    if (operations_.build.id().empty())
        return refuse(RefusalReason::not_found,
                      "no game is being edited here: `dev` starts a server for that");
    return Response{.body = operations_.build.json()};
}

auto Api::show_level(const Request&, const PathArguments& arguments) -> Answer<Response> {
    const std::string_view text = lobby_.levels().text(arguments[0], arguments[1]);
    if (text.empty())
        return refuse(RefusalReason::unknown_level, "there is no such level; /api/worlds lists the levels");
    return Response{.type = "application/json", .body = std::string(text)};
}

auto Api::unknown_level(const Request&, const PathArguments&) -> Answer<Response> {
    return refuse(RefusalReason::unknown_level,
                  "expected /api/levels/WORLD/LEVEL; /api/worlds lists the levels");
}

auto Api::list_rooms(const Request& request, const PathArguments&) -> Answer<Response> {
    std::uint32_t limit = RoomList::default_limit;
    if (const std::string* text = request.find("limit")) {
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
        if (error != std::errc() || end != text->data() + text->size() || limit < 1 ||
            limit > RoomList::most_limit)
            return refuse(RefusalReason::bad_request,
                          "limit: expected a whole number from 1 to " + std::to_string(RoomList::most_limit));
    }
    return room_list_.page(request.value("after"), limit, Clock::now());
}

auto Api::show_room(const Request&, const PathArguments& arguments) -> Answer<Response> {
    const auto room = lobby_.find(arguments[0]);
    if (!room) {
        const auto elsewhere = lobby_.rooms_elsewhere();
        for (const auto& listed : *elsewhere)
            if (listed->name == arguments[0]) return Response{.body = listed->facts + "\n"};
        return std::unexpected(room.error());
    }
    return json_response(facts_of(**room));
}

auto Api::create_room(const Request& request, const PathArguments&) -> Answer<Response> {
    if (const auto allowed = check_origin(request); !allowed) return std::unexpected(allowed.error());
    auto wanted = parse_room_request(request);
    if (!wanted) return std::unexpected(wanted.error());
    wanted->may_choose_replication = settings_.replication == ReplicationChoice::any;
    auto token = check_token(request, TokenRole::play, *wanted);
    if (!token) return std::unexpected(token.error());
    auto open = [this, wanted = *wanted, token = *token]() mutable -> Answer<Response> {
        if (token)
            if (const auto spent = token->spend(); !spent) return std::unexpected(spent.error());
        const auto room = lobby_.open(wanted);
        if (room) return json_response(facts_of(**room), 201);
        if (token) token->give_back();
        return std::unexpected(room.error());
    };
    if (!*token || !lobby_.directory()) return open();
    Response response;
    response.later = [this, open,
                      used = (*token)->token](const std::function<void(Response)>& reply) mutable {
        spend_in_cluster(*lobby_.directory(), used,
                         [this, open, used, reply](const Answer<void>& spent) mutable {
                             auto answer = spent ? open() : std::unexpected(spent.error());
                             if (answer) return reply(std::move(*answer));
                             if (spent) lobby_.directory()->give_back(used.signature);
                             operations_.metrics.count(answer.error().reason);
                             reply(response_to(answer.error()));
                         });
    };
    return response;
}

// --- Recordings

auto Api::check_recordings() const -> Answer<void> {
    if (!recordings_)
        return refuse(RefusalReason::not_found,
                      "this server does not record matches; it would with --recordings");
    if (tokens_)
        return refuse(RefusalReason::not_found,
                      "recordings are not public on a server with tokens; its operator has the files");
    return {};
}

// A server without public recordings has an empty list: a page that asks is not in error.
auto Api::list_recordings(const Request&, const PathArguments&) -> Answer<Response> {
    Json::Array list;
    if (!check_recordings()) return json_response(std::move(list));
    for (const RecordingInfo& info : recordings_->list()) {
        if (info.name.find("-" + std::string(private_prefix)) != std::string::npos) continue;
        list.emplace_back(Json::Object{{"name", info.name},
                                       {"world", info.world},
                                       {"level", info.level},
                                       {"ticks", info.ticks},
                                       {"bytes", info.bytes},
                                       {"when", time_of(info.name)},
                                       {"live", info.is_open}});
    }
    return json_response(std::move(list));
}

auto Api::download_recording(const Request& request, const PathArguments& arguments) -> Answer<Response> {
    if (const auto allowed = check_recordings(); !allowed) return std::unexpected(allowed.error());
    auto file = recordings_->download(arguments[0], request.address);
    if (!file) return std::unexpected(file.error());
    Response response;
    response.type = "application/octet-stream";
    response.file = std::move(*file);
    return response;
}

// --- The page

auto Api::home(const Request& request, const PathArguments&) -> Answer<Response> {
    if (page_)
        if (auto file = page_->find(request)) return std::move(*file);
    return Response{.type = "text/plain",
                    .body =
                        "An Instep server. /api/worlds lists the worlds, /api/rooms the open rooms,\n"
                        "and players connect to /play?world=NAME with a WebSocket.\n"};
}

auto Api::page_file(const Request& request, const PathArguments&) -> Answer<Response> {
    if (page_)
        if (auto file = page_->find(request)) return std::move(*file);
    return refuse(RefusalReason::not_found, "there is nothing at " + request.path);
}

// --- WebSockets

auto Api::explain_websocket(const Request&, const PathArguments&) -> Answer<Response> {
    return refuse(RefusalReason::bad_request, "this path is for WebSockets");
}

auto Api::may_upgrade(const Request& request) -> Answer<void> {
    if (stopping_) return refuse(RefusalReason::stopping, "the server is stopping; try again in a moment");
    if (!find_route<WebSocketRoute>(websocket_routes, "GET", request.path))
        return refuse(RefusalReason::not_found,
                      "no WebSocket here; players connect to /play?world=NAME, and watchers to /watch");
    return check_host(request);
}

// A refusal leaves the token as it was: it is used up with the hello (PlayerSession).
auto Api::accept(const Request& request) -> Answer<std::unique_ptr<SessionHandler>> {
    const auto match = find_route<WebSocketRoute>(websocket_routes, "GET", request.path);
    if (!match) return refuse(RefusalReason::not_found, "there is nothing at " + request.path);
    // Not before the upgrade: a browser hides the response to one from its page, but gives it the reason of a
    // close.
    if (const auto allowed = check_origin(request); !allowed) return std::unexpected(allowed.error());
    const TokenRole role = match->route->role;
    auto wanted = parse_join(request);
    if (!wanted) return std::unexpected(wanted.error());
    const Protocol protocol = match->route->protocol;
    if (protocol == Protocol::original)
        if (const auto chosen = choose_original(match->arguments[0], *wanted); !chosen)
            return std::unexpected(chosen.error());
    if (!wanted->party.id.empty() && (role != TokenRole::play || protocol != Protocol::instep))
        return refuse(RefusalReason::bad_request, "a party plays: connect to /play, or leave \"party\" out");
    std::optional<PendingToken> pending;
    std::optional<net::Moved> moved;
    std::unique_ptr<SessionHandler> placed;
    const auto reserve = [&]() -> Answer<Lobby::Reservation> {
        if (const std::string text = request.value("ticket");
            role == TokenRole::play && protocol == Protocol::instep && !text.empty()) {
            const auto ticket = verify_ticket(text, *keys_.current());
            if (!ticket) return std::unexpected(ticket.error());
            moved = lobby_.find_move(ticket->room);
            if (const auto owned = lobby_.check_owned(ticket->room); !owned)
                return std::unexpected(owned.error());
            return lobby_.resume(*ticket);
        }
        auto token = check_token(request, role, *wanted);
        if (!token) return std::unexpected(token.error());
        const auto player = identify(request, *token);
        if (!player) return std::unexpected(player.error());
        if (*token) pending.emplace(**token);
        if (lobby_.directory() && !wanted->party.id.empty() && wanted->room.empty()) {
            const auto place = lobby_.propose_place(*wanted);
            if (!place) return std::unexpected(place.error());
            placed = std::make_unique<PartySession>(*lobby_.directory(), wanted->party.id, place->address,
                                                    place->room);
            return refuse(RefusalReason::unknown_room, "the cluster chooses the room of a party");
        }
        moved = lobby_.find_move(wanted->room);
        if (!moved) moved = lobby_.find_elsewhere(*wanted);
        if (!moved && role == TokenRole::play && protocol == Protocol::instep)
            moved = lobby_.place_elsewhere(*wanted);
        if (moved) return refuse(RefusalReason::unknown_room, "the room is at another server");
        if (const auto owned = lobby_.check_owned(wanted->room); !owned)
            return std::unexpected(owned.error());
        return role == TokenRole::play ? lobby_.join(*wanted, *player) : lobby_.watch(*wanted);
    };
    auto reservation = reserve();
    if (placed) return placed;
    if (!reservation && moved && protocol == Protocol::instep) return std::make_unique<MovedSession>(*moved);
    if (!reservation) return std::unexpected(reservation.error());
    std::string ticket;
    if (!reservation->seat.empty())
        ticket = sign({reservation->room->config().name, reservation->seat}, *keys_.current());
    const auto token = pending ? std::optional(pending->token) : std::nullopt;
    auto session = std::make_unique<PlayerSession>(
        reservation->room, reservation->id, std::move(ticket), std::move(pending),
        [this, room = reservation->room->config().name] { return lobby_.find_move(room); }, protocol);
    if (!token || !lobby_.directory()) return session;
    return std::make_unique<TokenGate>(*lobby_.directory(), *tokens_, *token, std::move(session));
}

auto Api::choose_original(const std::string& world, RoomRequest& wanted) -> Answer<void> {
    const auto found = match::find_world(world);
    if (!found) return refuse(RefusalReason::not_found, found.error().text());
    const std::string_view level = (*found)->original.level;
    if (level.empty())
        return refuse(RefusalReason::not_found, "no client of " + world +
                                                    "'s original can play here; players connect to "
                                                    "/play?world=" +
                                                    world);
    if (!agree(wanted.world, world) || !agree(wanted.level, std::string(level)))
        return refuse(RefusalReason::bad_request, "clients of the original play " + world + " at the level " +
                                                      std::string(level) + "; leave world and level out");
    return {};
}

auto Api::parse_join(const Request& request) const -> Answer<RoomRequest> {
    const auto replication = parse_replication(request.value("replication"));
    if (!replication) return std::unexpected(replication.error());
    auto party = parse_party(request);
    if (!party) return std::unexpected(party.error());
    return RoomRequest{.room = request.value("room"),
                       .world = request.value("world"),
                       .level = request.value("level"),
                       .replication = *replication,
                       .may_choose_replication = settings_.replication == ReplicationChoice::any,
                       .address = request.address,
                       .party = std::move(*party)};
}

auto Api::parse_party(const Request& request) -> Answer<Party> {
    Party party{.id = request.value("party"), .address = request.address};
    const std::string size = request.value("size");
    if (party.id.empty() && size.empty()) return party;
    if (const auto checked = check_player_key(party.id, "the id of a party"); !checked)
        return std::unexpected(checked.error());
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), party.size);
    if (error != std::errc() || end != size.data() + size.size() || party.size < fewest_in_party ||
        party.size > most_in_party)
        return refuse(RefusalReason::bad_request, "a party needs its size, a whole number from " +
                                                      std::to_string(fewest_in_party) + " to " +
                                                      std::to_string(most_in_party) +
                                                      ", as in /play?world=NAME&party=ID&size=4");
    return party;
}

// --- Permission and identity

auto Api::check_host(const Request& request) const -> Answer<void> {
    if (hosts_.allow(request.host)) return {};
    const std::string name = quote(name_in_host(request.host), "that");
    return refuse(RefusalReason::foreign_host, "this server does not go by the name \"" + name +
                                                   "\"; if it is yours, allow it with --host " +
                                                   (name == "that" ? "NAME" : name) + ", or use an address");
}

auto Api::check_origin(const Request& request) const -> Answer<void> {
    if (request.origin.empty()) return {};  // not a browser
    const std::size_t scheme = request.origin.find("://");
    if (scheme != std::string::npos && request.origin.substr(scheme + 3) == request.host) return {};
    for (const std::string& allowed : settings_.origins)
        if (allowed == "*" || allowed == request.origin) return {};
    for (const std::string& peer : settings_.peers)
        if (origin_of(peer) == request.origin) return {};
    return refuse(RefusalReason::foreign_origin, "pages of " + quote(request.origin, "another site") +
                                                     " may not play here; the server's --origin allows them");
}

auto Api::check_token(const Request& request, TokenRole role, RoomRequest& wanted)
    -> Answer<std::optional<PendingToken>> {
    if (!tokens_) return std::nullopt;
    auto token = tokens_->verify(request.value("token"), milliseconds_since_1970());
    if (!token) return std::unexpected(token.error());
    const auto refuse_token = [](const std::string& what) {
        return refuse(RefusalReason::token_refused, "the token is for another " + what);
    };
    if (token->role != role)
        return refuse_token("role: it lets its player " + std::string(name_of(token->role)));
    if (!agree(wanted.room, token->room)) return refuse_token("room");
    if (!agree(wanted.world, token->world)) return refuse_token("world");
    if (!agree(wanted.level, token->level)) return refuse_token("level");
    if (settings_.replication == ReplicationChoice::token)
        wanted.may_choose_replication = token->replication && token->replication == wanted.replication;
    return PendingToken{*tokens_, std::move(*token)};
}

auto Api::identify(const Request& request, const std::optional<PendingToken>& token) -> Answer<PlayerId> {
    if (token) return PlayerId::token(token->token.player);
    const std::string key = request.value("key");
    if (key.empty()) return PlayerId::anonymous();
    if (const auto checked = check_player_key(key, "the key of a player"); !checked)
        return std::unexpected(checked.error());
    return PlayerId::resume_key(key);
}

}  // namespace instep::server
