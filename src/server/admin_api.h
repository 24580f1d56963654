// SPDX-License-Identifier: MIT
// The admin port: what a server's operator may ask and do. It is apart from the public one, and by default
// only programs on the same machine reach it. docs/server.md lists its endpoints.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include <instep/server/hand_over_api.h>
#include <instep/server/lobby.h>
#include <instep/server/operations.h>
#include <instep/server/router.h>

namespace instep::server {

class AdminApi final : public RequestHandler {
public:
    // Closes the public port's connections from a network.
    using Drop = std::function<void(const IpNetwork& network, const Refusal& refusal)>;

    // The references must outlive it. `token` is empty only if loopback alone reaches the port.
    AdminApi(Lobby& lobby, Operations& operations, HandOverApi& hand_over, std::string token, Drop drop);

    Response answer(const Request& request) override;
    // Only a caller that may hand over rooms sends something large.
    std::size_t largest_body() const override { return RoomImage::max_bytes; }
    bool may_send(const Request& head, std::uint64_t size) override;
    std::expected<void, Refusal> may_upgrade(const Request& request) override;
    std::expected<std::unique_ptr<SessionHandler>, Refusal> accept(const Request& request) override;

private:
    template <class T>
    using Answer = std::expected<T, Refusal>;
    struct Route {
        std::string_view method;
        std::string_view pattern;
        Answer<Response> (AdminApi::*answer)(const Request& request, const PathArguments& arguments);
    };
    static const Route routes[];

    Answer<void> check_caller(const Request& request) const;
    Answer<Response> metrics(const Request& request, const PathArguments& arguments);
    Answer<Response> list_rooms(const Request& request, const PathArguments& arguments);
    Answer<Response> show_room(const Request& request, const PathArguments& arguments);
    Answer<Response> room_metrics(const Request& request, const PathArguments& arguments);
    Answer<Response> close_room(const Request& request, const PathArguments& arguments);
    Answer<Response> kick(const Request& request, const PathArguments& arguments);
    Answer<Response> list_bans(const Request& request, const PathArguments& arguments);
    Answer<Response> ban(const Request& request, const PathArguments& arguments);
    Answer<Response> lift_ban(const Request& request, const PathArguments& arguments);
    Answer<Response> set_build_message(const Request& request, const PathArguments& arguments);
    Answer<Response> show_log_level(const Request& request, const PathArguments& arguments);
    template <Answer<Response> (HandOverApi::*function)(const Request&)>
    Answer<Response> hand_over(const Request& request, const PathArguments&) {
        return (hand_over_.*function)(request);
    }
    Answer<Response> set_log_level(const Request& request, const PathArguments& arguments);

    Lobby& lobby_;
    Operations& operations_;
    HandOverApi& hand_over_;
    std::string token_;
    Drop drop_;
};

}  // namespace instep::server
