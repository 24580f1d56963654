// SPDX-License-Identifier: MIT
#include <instep/server/successor.h>

#include <utility>

#include <instep/server/http_post.h>
#include <instep/server/ip_address.h>
#include <instep/state/json.h>

namespace instep::server {
namespace {

using state::Json;
using Reply = std::expected<HttpReply, HttpFailure>;

constexpr std::chrono::milliseconds cancel_every{250};

std::optional<Json> json_of(const HttpReply& reply) {
    constexpr state::JsonLimits limits{.bytes = most_reply_body, .values = 32, .depth = 3};
    auto json = state::parse_json(reply.body, "the answer", limits);
    if (!json || !json->object()) return {};
    return std::move(*json);
}

std::string text_in(const HttpReply& reply, std::string_view key) {
    const auto json = json_of(reply);
    const Json* found = json ? json->find(key) : nullptr;
    return found && found->string() ? *found->string() : std::string();
}

// Empty: it was accepted.
std::string objection_in(const Reply& reply) {
    if (!reply) return reply.error().message;
    if (reply->status == 200) return {};
    const std::string message = text_in(*reply, "message");
    return message.empty() ? "HTTP status " + std::to_string(reply->status) : message;
}

bool is_loopback(const std::string& host) {
    const auto address = IpAddress::parse(host);
    return host == "localhost" || (address && address->is_loopback());
}

std::string id_body(const std::string& id) { return state::write_json(Json::Object{{"id", id}}); }

}  // namespace

state::Result<net::ServerAddress> parse_admin_url(std::string_view text) {
    std::optional<net::ServerAddress> address;
    if (text.starts_with("http"))  // the rest is as in ws:// and wss://
        address = net::parse_server_address("ws" + std::string(text.substr(4)));
    if (address && !address->tls && !is_loopback(address->host))
        return state::refuse(
            "", "requests to " + std::string(text) +
                    " bear the token of the admin port and would not be encrypted; use https://, or "
                    "a loopback address");
    if (address) return *address;
    return state::refuse("", "expected the admin port of another server, like http://127.0.0.1:9091, got \"" +
                                 std::string(text) + "\"");
}

struct Successor::Journey {
    RoomCarrier::Done done;
    std::string id;
    Time doubted_since{};
};

std::string Successor::address() const {
    const LockGuard lock(mutex_);
    return address_;
}

void Successor::open(Opened opened) {
    HttpPost hello{.to = admin_, .target = "/admin/hand-over", .token = token_, .body = introduction_()};
    hello.timeout = timeouts_.start;
    post(loop_, std::move(hello),
         [self = shared_from_this(), opened = std::move(opened)](const Reply& reply) {
             if (const std::string objection = objection_in(reply); !objection.empty())
                 return opened(std::unexpected(objection));
             const std::string address = text_in(*reply, "address");
             if (!net::is_server_address(address))
                 return opened(std::unexpected("its answer does not name the address where clients find it"));
             {
                 const LockGuard lock(self->mutex_);
                 self->address_ = address;
             }
             opened({});
         });
}

void Successor::carry(codec::Bytes image, Done done) {
    auto journey = std::make_shared<Journey>(Journey{std::move(done), {}, {}});
    if (address().empty()) return journey->done(std::unexpected("the successor has not been asked yet"));
    HttpPost room{.to = admin_,
                  .target = "/admin/hand-over/room",
                  .token = token_,
                  .type = "application/octet-stream",
                  .body = std::string(reinterpret_cast<const char*>(image.data()), image.size())};
    room.timeout = timeouts_.prepare;
    post(loop_, std::move(room), [self = shared_from_this(), journey](const Reply& reply) {
        // The successor drops a prepared room that is not started in time.
        if (const std::string objection = objection_in(reply); !objection.empty())
            return journey->done(std::unexpected(objection));
        journey->id = text_in(*reply, "id");
        self->start(journey);
    });
}

// From here on the room may be the successor's.
void Successor::start(const std::shared_ptr<Journey>& journey) {
    HttpPost start{
        .to = admin_, .target = "/admin/hand-over/start", .token = token_, .body = id_body(journey->id)};
    start.timeout = timeouts_.start;
    post(loop_, std::move(start), [self = shared_from_this(), journey](const Reply& reply) {
        const std::string objection = objection_in(reply);
        if (objection.empty()) return journey->done(self->address());
        if (reply || !reply.error().was_sent) return journey->done(std::unexpected(objection));
        journey->doubted_since = Clock::now();
        self->cancel(journey);
    });
}

// The answer to `start` was lost. A successor that is there says whether it plays the room. One that is not
// there plays nothing. One that is there and never answers may play it, so it counts as doing so.
void Successor::cancel(const std::shared_ptr<Journey>& journey) {
    HttpPost cancel{
        .to = admin_, .target = "/admin/hand-over/cancel", .token = token_, .body = id_body(journey->id)};
    cancel.delay = cancel_every;
    cancel.timeout = timeouts_.start;
    post(loop_, std::move(cancel), [self = shared_from_this(), journey](const Reply& reply) {
        if (!reply && reply.error().is_nothing_there)
            return journey->done(std::unexpected("the successor has ended"));
        const auto json = reply && reply->status == 200 ? json_of(*reply) : std::nullopt;
        const Json* started = json ? json->find("started") : nullptr;
        if (started && started->boolean()) {
            if (*started->boolean()) return journey->done(self->address());
            return journey->done(std::unexpected("the successor did not start the room in time"));
        }
        if (Clock::now() - journey->doubted_since >= self->timeouts_.doubt)
            return journey->done(self->address());
        self->cancel(journey);
    });
}

}  // namespace instep::server
