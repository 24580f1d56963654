// SPDX-License-Identifier: MIT
// The server's endpoints over HTTP and WebSocket, as docs/server.md lists them. An endpoint is one row of a
// table in api.cpp and one function here.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <instep/server/host_names.h>
#include <instep/server/lobby.h>
#include <instep/server/operations.h>
#include <instep/server/page.h>
#include <instep/server/room_list.h>
#include <instep/server/router.h>
#include <instep/server/token.h>

namespace instep::server {

class Api final : public RequestHandler {
public:
    // `recordings` may be null. The references must outlive the API.
    Api(Lobby& lobby, const ServerSettings& settings, std::shared_ptr<Recordings> recordings,
        std::optional<Page> page, Operations& operations);

    std::expected<void, Refusal> may_connect(const IpAddress& address) override;
    Response answer(const Request& request) override;
    std::expected<void, Refusal> may_upgrade(const Request& request) override;
    std::expected<std::unique_ptr<SessionHandler>, Refusal> accept(const Request& request) override;
    // Those of the TLS certificate, under which clients may reach the server.
    void set_certificate_names(std::vector<std::string> names) {
        hosts_.set_certificate_names(std::move(names));
    }
    // For join tokens and resume tickets; to be replaced while the server runs.
    SigningKeys& keys() { return keys_; }
    // Reports 503 at /healthz and accepts no WebSocket from now on.
    void stop() { stopping_ = true; }
    // Reports 503 at /readyz, so that balancers send no new players; everything else goes on.
    void drain() { draining_ = true; }

private:
    template <class T>
    using Answer = std::expected<T, Refusal>;
    struct Route {
        std::string_view method;
        std::string_view pattern;
        Answer<Response> (Api::*answer)(const Request& request, const PathArguments& arguments);
    };
    struct WebSocketRoute {
        std::string_view method;
        std::string_view pattern;
        TokenRole role;
        Protocol protocol = Protocol::instep;
    };
    static const Route routes[];
    static const WebSocketRoute websocket_routes[];

    Answer<Response> live(const Request& request, const PathArguments& arguments);
    Answer<Response> ready(const Request& request, const PathArguments& arguments);
    Answer<Response> health(const Request& request, const PathArguments& arguments);
    Answer<Response> metrics(const Request& request, const PathArguments& arguments);
    Answer<Response> list_worlds(const Request& request, const PathArguments& arguments);
    Answer<Response> show_build(const Request& request, const PathArguments& arguments);
    Answer<Response> show_level(const Request& request, const PathArguments& arguments);
    Answer<Response> unknown_level(const Request& request, const PathArguments& arguments);
    Answer<Response> list_rooms(const Request& request, const PathArguments& arguments);
    Answer<Response> create_room(const Request& request, const PathArguments& arguments);
    Answer<Response> show_room(const Request& request, const PathArguments& arguments);
    Answer<Response> list_recordings(const Request& request, const PathArguments& arguments);
    Answer<Response> download_recording(const Request& request, const PathArguments& arguments);
    Answer<Response> explain_websocket(const Request& request, const PathArguments& arguments);
    Answer<Response> home(const Request& request, const PathArguments& arguments);
    Answer<Response> page_file(const Request& request, const PathArguments& arguments);

    Answer<void> check_host(const Request& request) const;
    Answer<void> check_origin(const Request& request) const;
    Answer<void> check_recordings() const;
    Answer<RoomRequest> parse_join(const Request& request) const;
    static Answer<Party> parse_party(const Request& request);
    // A room in which the clients of that world's original protocol play.
    static Answer<void> choose_original(const std::string& world, RoomRequest& wanted);
    // The request's token, if this server requires one, checked against what the client asks for. What the
    // client left open is filled in. The token is not used up.
    Answer<std::optional<PendingToken>> check_token(const Request& request, TokenRole role,
                                                    RoomRequest& wanted);
    // From the token where one is required, otherwise from the key that the client chose.
    static Answer<PlayerId> identify(const Request& request, const std::optional<PendingToken>& token);

    Lobby& lobby_;
    const ServerSettings& settings_;
    std::shared_ptr<Recordings> recordings_;
    std::optional<Page> page_;
    Operations& operations_;
    RoomList room_list_;
    HostNames hosts_;
    SigningKeys keys_;
    std::optional<TokenVerifier> tokens_;  // empty: players need none
    std::atomic<bool> stopping_{false};
    std::atomic<bool> draining_{false};
};

}  // namespace instep::server
