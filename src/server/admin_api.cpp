// SPDX-License-Identifier: MIT
#include <instep/server/admin_api.h>

#include <algorithm>

#include <openssl/crypto.h>

#include <instep/server/host_names.h>
#include <instep/server/request_body.h>
#include <instep/server/room_list.h>

namespace instep::server {

constexpr std::string_view hand_over_room = "/admin/hand-over/room";

const AdminApi::Route AdminApi::routes[] = {
    {"GET", "/metrics", &AdminApi::metrics},
    {"GET", "/admin/rooms", &AdminApi::list_rooms},
    {"GET", "/admin/rooms/{room}/metrics", &AdminApi::room_metrics},
    {"GET", "/admin/rooms/{room}", &AdminApi::show_room},
    {"POST", "/admin/close", &AdminApi::close_room},
    {"POST", "/admin/kick", &AdminApi::kick},
    {"GET", "/admin/bans", &AdminApi::list_bans},
    {"POST", "/admin/ban", &AdminApi::ban},
    {"POST", "/admin/unban", &AdminApi::lift_ban},
    {"GET", "/admin/log-level", &AdminApi::show_log_level},
    {"POST", "/admin/log-level", &AdminApi::set_log_level},
    {"POST", "/admin/build", &AdminApi::set_build_message},
    {"GET", "/admin/drain", &AdminApi::hand_over<&HandOverApi::show_drain>},
    {"POST", "/admin/drain", &AdminApi::hand_over<&HandOverApi::drain>},
    {"POST", "/admin/hand-over", &AdminApi::hand_over<&HandOverApi::introduce>},
    {"POST", hand_over_room, &AdminApi::hand_over<&HandOverApi::receive_room>},
    {"POST", "/admin/hand-over/start", &AdminApi::hand_over<&HandOverApi::start_room>},
    {"POST", "/admin/hand-over/cancel", &AdminApi::hand_over<&HandOverApi::cancel_room>},
};

namespace {

using state::Json;

constexpr std::uint64_t longest_ban = 365 * 86'400;  // s

Response json_response(const Json& json) { return {.body = state::write_json(json) + "\n"}; }

Json::Object json_of(const RoomReport::Numbers& numbers) {
    Json::Object object;
    for (const auto& [name, value] : numbers) object.emplace_back(name, value);
    return object;
}

Json json_of(const RoomReport& report) {
    Json::Array players;
    for (const RoomReport::Member& member : report.players)
        players.emplace_back(
            Json::Object{{"slot", member.slot},
                         {"name", member.name},
                         {"address", member.address},
                         {"connected", member.is_connected},
                         {"bytes_waiting", member.bytes_waiting},
                         {"last_input_tick", member.last_played ? Json(*member.last_played) : Json()}});
    Json::Array watchers;
    for (const RoomReport::Member& member : report.watchers)
        watchers.emplace_back(Json::Object{
            {"watcher", member.id}, {"address", member.address}, {"bytes_waiting", member.bytes_waiting}});
    return Json::Object{{"player_list", std::move(players)},
                        {"watcher_list", std::move(watchers)},
                        {"metrics", json_of(report.numbers)}};
}

std::string room_metrics_text(const std::string& room, const RoomReport& report) {
    std::string text;
    for (const auto& [name, value] : report.numbers) {
        const std::string full = "room_" + name;
        text += metric_head(name.ends_with("_total") ? "counter" : "gauge", full, "Of one room.") +
                metric_line(full, "room", room, metric_number(value));
    }
    return text;
}

// Names under which only programs on this machine reach it. A page of a site that gave its own name this
// machine's address would have another.
bool is_loopback_name(std::string_view host) {
    std::string name = name_in_host(host);
    if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
    const auto address = IpAddress::parse(name);
    return name == "localhost" || (address && address->is_loopback());
}

}  // namespace

AdminApi::AdminApi(Lobby& lobby, Operations& operations, HandOverApi& hand_over, std::string token, Drop drop)
    : lobby_(lobby),
      operations_(operations),
      hand_over_(hand_over),
      token_(std::move(token)),
      drop_(std::move(drop)) {}

bool AdminApi::may_send(const Request& head, std::uint64_t size) {
    return size <= RoomImage::max_bytes && head.method == "POST" && head.path == hand_over_room &&
           check_caller(head);
}

Response AdminApi::answer(const Request& request) {
    const auto answer = [&]() -> Answer<Response> {
        if (const auto allowed = check_caller(request); !allowed) return std::unexpected(allowed.error());
        if (const auto match = find_route<Route>(routes, request.method, request.path))
            return (this->*match->route->answer)(request, match->arguments);
        return refuse(RefusalReason::not_found,
                      "there is nothing at " + request.method + " " + request.path + " of the admin port");
    };
    auto response = answer();
    if (response) return std::move(*response);
    operations_.metrics.count(response.error().reason);
    return response_to(response.error());
}

auto AdminApi::may_upgrade(const Request&) -> Answer<void> {
    return refuse(RefusalReason::not_found, "the admin port has no WebSockets");
}

auto AdminApi::accept(const Request& request) -> Answer<std::unique_ptr<SessionHandler>> {
    return std::unexpected(may_upgrade(request).error());
}

// A page in a browser is refused: it would act in the name of the operator that has opened it.
auto AdminApi::check_caller(const Request& request) const -> Answer<void> {
    if (!request.origin.empty())
        return refuse(RefusalReason::foreign_origin, "the admin port is not for web pages");
    if (token_.empty()) {
        if (is_loopback_name(request.host)) return {};
        return refuse(RefusalReason::foreign_origin,
                      "the admin port without a token answers to localhost only");
    }
    constexpr std::string_view scheme = "Bearer ";
    if (!request.authorization.starts_with(scheme))
        return refuse(RefusalReason::token_required,
                      "the admin port needs the header Authorization: Bearer TOKEN");
    const std::string_view given = std::string_view(request.authorization).substr(scheme.size());
    if (given.size() == token_.size() && CRYPTO_memcmp(given.data(), token_.data(), token_.size()) == 0)
        return {};
    return refuse(RefusalReason::token_refused, "this is not the token of the admin port");
}

// --- Metrics and rooms

auto AdminApi::metrics(const Request&, const PathArguments&) -> Answer<Response> {
    return Response{.type = "text/plain; version=0.0.4", .body = operations_.metrics_text()};
}

auto AdminApi::list_rooms(const Request&, const PathArguments&) -> Answer<Response> {
    Json::Array list;
    for (const auto& room : lobby_.rooms()) list.push_back(facts_of(*room));
    return json_response(std::move(list));
}

auto AdminApi::show_room(const Request&, const PathArguments& arguments) -> Answer<Response> {
    const auto found = lobby_.find(arguments[0]);
    if (!found) return std::unexpected(found.error());
    Response response;
    response.later = [room = *found](std::function<void(Response)> reply) {
        room->report([room, reply = std::move(reply)](const RoomReport& report) {
            Json::Object facts = *facts_of(*room).object();
            facts.emplace_back("seed", room->config().seed);
            facts.emplace_back("opened_by", room->config().opened_by);
            const Json detail = json_of(report);
            facts.insert(facts.end(), detail.object()->begin(), detail.object()->end());
            reply(json_response(std::move(facts)));
        });
    };
    return response;
}

auto AdminApi::room_metrics(const Request&, const PathArguments& arguments) -> Answer<Response> {
    const auto found = lobby_.find(arguments[0]);
    if (!found) return std::unexpected(found.error());
    Response response;
    response.later = [room = *found](std::function<void(Response)> reply) {
        room->report([room, reply = std::move(reply)](const RoomReport& report) {
            reply({.type = "text/plain; version=0.0.4",
                   .body = room_metrics_text(room->config().name, report)});
        });
    };
    return response;
}

auto AdminApi::close_room(const Request& request, const PathArguments&) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"room", "message"});
    if (!body) return std::unexpected(body.error());
    const auto name = body->text("room");
    if (!name) return std::unexpected(name.error());
    const auto message = body->message("the operator closed this room");
    if (!message) return std::unexpected(message.error());
    const auto room = lobby_.find(*name);
    if (!room) return std::unexpected(room.error());
    (*room)->end({RefusalReason::room_ended, *message});
    return json_response(Json::Object{{"closed", *name}});
}

// --- Clients

auto AdminApi::kick(const Request& request, const PathArguments&) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"room", "slot", "watcher", "message"});
    if (!body) return std::unexpected(body.error());
    const auto name = body->text("room");
    if (!name) return std::unexpected(name.error());
    if (body->has("slot") == body->has("watcher"))
        return refuse(RefusalReason::bad_request,
                      "expected either the slot of a player or the number of a watcher");
    const bool is_player = body->has("slot");
    const auto number = is_player ? body->number("slot", 0, contract::most_slots - 1)
                                  : body->number("watcher", 1, std::uint64_t{1} << 53);
    if (!number) return std::unexpected(number.error());
    const auto message = body->message("the operator removed you from this room");
    if (!message) return std::unexpected(message.error());
    const auto found = lobby_.find(*name);
    if (!found) return std::unexpected(found.error());
    Response response;
    response.later = [room = *found, is_player, number = *number,
                      message = *message](std::function<void(Response)> reply) {
        room->kick(
            is_player, number, {RefusalReason::kicked, message},
            [reply = std::move(reply)](const std::optional<RoomReport::Member>& kicked) {
                if (!kicked)
                    return reply(response_to({RefusalReason::not_found, "no such client is in that room"}));
                reply(json_response(Json::Object{{"kicked", kicked->name}, {"address", kicked->address}}));
            });
    };
    return response;
}

auto AdminApi::list_bans(const Request&, const PathArguments&) -> Answer<Response> {
    const Time now = Clock::now();
    Json::Array list;
    for (const BanList::Ban& ban : operations_.bans.list(now))
        list.emplace_back(Json::Object{{"address", ban.network.text()},
                                       {"seconds", BanList::seconds_left(ban, now)},
                                       {"message", ban.message}});
    return json_response(std::move(list));
}

auto AdminApi::ban(const Request& request, const PathArguments&) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"address", "seconds", "message"});
    if (!body) return std::unexpected(body.error());
    const auto address = body->text("address");
    if (!address) return std::unexpected(address.error());
    const auto network = IpNetwork::parse(*address);
    if (!network)
        return refuse(RefusalReason::bad_request,
                      "address: expected one like 192.0.2.1, 2001:db8::/48 or 10.0.0.0/8");
    const auto seconds = body->number("seconds", 1, longest_ban);
    if (!seconds) return std::unexpected(seconds.error());
    const auto message = body->message("the operator banned your address");
    if (!message) return std::unexpected(message.error());
    const Time now = Clock::now();
    const BanList::Ban ban{*network, now + std::chrono::seconds(*seconds), *message};
    if (const auto added = operations_.bans.add(ban, now); !added) return std::unexpected(added.error());
    operations_.log.info("banned",
                         {{"address", network->text()}, {"seconds", *seconds}, {"message", *message}});
    drop_(*network, BanList::refusal_of(ban, now));
    return json_response(Json::Object{{"banned", network->text()}, {"seconds", *seconds}});
}

auto AdminApi::lift_ban(const Request& request, const PathArguments&) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"address"});
    if (!body) return std::unexpected(body.error());
    const auto address = body->text("address");
    if (!address) return std::unexpected(address.error());
    const auto network = IpNetwork::parse(*address);
    if (!network || !operations_.bans.lift(*network))
        return refuse(RefusalReason::not_found,
                      "that address is not banned; /admin/bans lists those that are");
    operations_.log.info("ban_lifted", {{"address", network->text()}});
    return json_response(Json::Object{{"lifted", network->text()}});
}

// --- A game that is being edited

auto AdminApi::set_build_message(const Request& request, const PathArguments&) -> Answer<Response> {
    constexpr state::JsonLimits limits{.bytes = 3 * BuildStatus::most_message, .values = 4, .depth = 2};
    const auto json = state::parse_json(request.body, "the request's body", limits);
    if (!json) return refuse(RefusalReason::bad_request, json.error().text());
    const Json* message = json->find("message");
    if (!message || !message->string() || message->string()->size() > BuildStatus::most_message)
        return refuse(RefusalReason::bad_request, "message: expected a text of at most " +
                                                      std::to_string(BuildStatus::most_message) + " bytes");
    operations_.build.set_message(*message->string());
    return json_response(Json::Object{{"build", operations_.build.id()}});
}

// --- The log

auto AdminApi::show_log_level(const Request&, const PathArguments&) -> Answer<Response> {
    return json_response(
        Json::Object{{"level", Log::level_names[static_cast<std::size_t>(operations_.log.level())]}});
}

auto AdminApi::set_log_level(const Request& request, const PathArguments& arguments) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"level"});
    if (!body) return std::unexpected(body.error());
    const auto name = body->text("level");
    if (!name) return std::unexpected(name.error());
    const auto* found = std::find(Log::level_names.begin(), Log::level_names.end(), *name);
    if (found == Log::level_names.end())
        return refuse(RefusalReason::bad_request, "level: expected " + state::one_of(Log::level_names));
    operations_.log.set_level(static_cast<Log::Level>(found - Log::level_names.begin()));
    return show_log_level(request, arguments);
}

}  // namespace instep::server
