// SPDX-License-Identifier: MIT
// Only for worlds that follow a game with a protocol of its own: clients of that game play in our rooms. A
// world's `World::OriginalSession` is the server's side of one such client. It translates and nothing else:
// no clock, no sockets, no state of the match. The room it is in moves the player.
//
// clang-format off
//   static constexpr std::string_view level                        the built-in level that plays as the original
//   explicit OriginalSession(const Setup&)
//   Result<OriginalRequest<Input>> receive(std::span<const std::byte> message, OriginalMessages& out)
//                                                                  any bytes; on error the client is refused
//   void update(const State&, const Setup&, Slot own, OriginalMessages& out)
//                                                                  after each tick; own may be `no_player`
// clang-format on
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <instep/contract/tick.h>
#include <instep/state/result.h>

namespace instep::contract {

using OriginalMessages = std::vector<std::vector<std::byte>>;  // to the client, in order

// What a client's message asks for.
template <class Input>
struct OriginalRequest {
    std::optional<std::string> enter_as;  // to enter the match, under this name
    std::optional<Input> input;           // holds until the next one
};

template <class W>
concept HasOriginalProtocol =
    requires(typename W::OriginalSession session, const typename W::Setup& setup,
             const typename W::State& state, std::span<const std::byte> message, OriginalMessages& out) {
        requires std::constructible_from<typename W::OriginalSession, const typename W::Setup&>;
        { W::OriginalSession::level } -> std::convertible_to<std::string_view>;
        { session.receive(message, out) } -> std::same_as<state::Result<OriginalRequest<typename W::Input>>>;
        { session.update(state, setup, Slot{}, out) } -> std::same_as<void>;
    };

}  // namespace instep::contract
