// SPDX-License-Identifier: MIT
#include <instep/server/hand_over_api.h>

#include <algorithm>
#include <limits>
#include <memory>

#include <instep/server/request_body.h>
#include <instep/server/resume_ticket.h>

namespace instep::server {
namespace {

using state::Json;

constexpr std::string_view proof_room = "hand-over";  // of the ticket that proves a common secret

Response json_response(const Json& json) { return {.body = state::write_json(json) + "\n"}; }

// The keys of tickets in one line: "ID SECRET,ID SECRET". parse_keys() reads them in a line each.
std::string line_of(const KeyList& keys) {
    std::string line;
    for (const SigningKey& key : keys) line += (line.empty() ? "" : ",") + key.id + " " + key.secret;
    return line;
}

}  // namespace

HandOverApi::HandOverApi(Loop& loop, Lobby& lobby, SigningKeys& keys, const ServerSettings& settings,
                         Operations& operations, BeginDrain begin_drain, DrainStatus drain_status)
    : loop_(loop),
      lobby_(lobby),
      keys_(keys),
      settings_(settings),
      receiver_(lobby, operations.metrics, operations.log),
      begin_drain_(std::move(begin_drain)),
      drain_status_(std::move(drain_status)),
      strand_(loop) {}

// --- Draining this server

auto HandOverApi::show_drain(const Request&) -> Answer<Response> {
    const Drain::Status status = drain_status_();
    return json_response(Json::Object{{"draining", status.is_draining},
                                      {"rooms", status.rooms},
                                      {"moved", status.moved},
                                      {"refused", status.refused},
                                      {"message", status.message}});
}

auto HandOverApi::drain(const Request& request) -> Answer<Response> {
    std::string successor = settings_.successor;
    if (!request.body.empty()) {
        const auto body = RequestBody::parse(request, {"successor"});
        if (!body) return std::unexpected(body.error());
        if (body->has("successor")) {
            auto given = body->text("successor");
            if (!given) return std::unexpected(given.error());
            successor = std::move(*given);
        }
    }
    if (const auto begun = begin_drain_(successor); !begun)
        return refuse(RefusalReason::bad_request, "successor: " + begun.error().text());
    return show_drain(request);
}

// --- Taking rooms

std::string HandOverApi::introduction() const {
    Json::Object introduction{{"rooms_ever", lobby_.rooms_ever()}};
    const auto keys = keys_.current();
    if (settings_.keys.empty())
        introduction.emplace_back("ticket_keys", line_of(*keys));
    else
        introduction.emplace_back(
            "proof", sign(ResumeTicket{std::string(proof_room), random_text(seat_bytes)}, *keys));
    return state::write_json(introduction);
}

// Tickets of the other server must be valid here. Servers with --secret have the same file, and nothing
// secret is sent; others have keys of their own, which they tell.
auto HandOverApi::accept_keys(const RequestBody& body) -> Answer<void> {
    if (body.has("proof") == settings_.keys.empty())
        return refuse(RefusalReason::token_refused,
                      "one of the two servers has --secret and the other has not; give both the same");
    if (!settings_.keys.empty()) {
        const auto proof = body.text("proof");
        if (!proof) return std::unexpected(proof.error());
        const auto ticket = verify_ticket(*proof, *keys_.current());
        if (!ticket || ticket->room != proof_room)
            return refuse(
                RefusalReason::token_refused,
                "the two servers have different secrets, so tickets of one would not be valid at the "
                "other; give both the same --secret");
        return {};
    }
    auto line = body.text("ticket_keys");
    if (!line) return std::unexpected(line.error());
    std::replace(line->begin(), line->end(), ',', '\n');
    const auto keys = parse_keys(*line, "ticket_keys");
    if (!keys) return refuse(RefusalReason::bad_request, keys.error().text());
    keys_.adopt(*keys);
    return {};
}

auto HandOverApi::introduce(const Request& request) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"rooms_ever", "ticket_keys", "proof"});
    if (!body) return std::unexpected(body.error());
    if (settings_.public_address.empty())
        return refuse(RefusalReason::bad_request,
                      "this server does not know the address where clients reach it, so it takes no rooms; "
                      "start it with --public-address");
    if (lobby_.is_draining())
        return refuse(RefusalReason::stopping, "this server is about to stop, and takes no rooms");
    const auto rooms_ever = body->number("rooms_ever", 0, std::numeric_limits<std::uint32_t>::max());
    if (!rooms_ever) return std::unexpected(rooms_ever.error());
    if (const auto accepted = accept_keys(*body); !accepted) return std::unexpected(accepted.error());
    lobby_.skip_names(*rooms_ever);
    return json_response(Json::Object{{"address", settings_.public_address}});
}

// Reading an image and making its room takes long, so another thread does it.
auto HandOverApi::receive_room(const Request& request) -> Answer<Response> {
    if (settings_.public_address.empty())
        return refuse(RefusalReason::bad_request, "this server takes no rooms; ask /admin/hand-over first");
    Response response;
    response.later = [this, image = std::make_shared<const std::string>(request.body)](
                         std::function<void(Response)> reply) {
        loop_.post_blocking([this, image, reply = std::move(reply)] {
            const auto id =
                receiver_.prepare({reinterpret_cast<const std::byte*>(image->data()), image->size()});
            strand_.run_at(Clock::now() + 2 * RoomReceiver::default_wait, [this]() -> std::optional<Time> {
                receiver_.drop_expired();
                return {};
            });
            reply(id ? json_response(Json::Object{{"id", *id}}) : response_to(id.error()));
        });
    };
    return response;
}

auto HandOverApi::start_room(const Request& request) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"id"});
    if (!body) return std::unexpected(body.error());
    const auto id = body->text("id");
    if (!id) return std::unexpected(id.error());
    if (const auto started = receiver_.start(*id); !started) return std::unexpected(started.error());
    return json_response(Json::Object{{"started", true}});
}

auto HandOverApi::cancel_room(const Request& request) -> Answer<Response> {
    const auto body = RequestBody::parse(request, {"id"});
    if (!body) return std::unexpected(body.error());
    const auto id = body->text("id");
    if (!id) return std::unexpected(id.error());
    return json_response(Json::Object{{"started", receiver_.cancel(*id)}});
}

}  // namespace instep::server
