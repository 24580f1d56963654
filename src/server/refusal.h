// SPDX-License-Identifier: MIT
// Why the server refuses something. Each reason has a name that programs compare, an HTTP status and a close
// code for WebSockets; the message for people is written where the refusal happens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace instep::server {

enum class RefusalReason : std::uint8_t {
    bad_request,
    not_found,
    wrong_method,
    not_binary,
    wrong_hello,
    unknown_level,
    unknown_room,
    wrong_name,
    room_full,
    too_many_rooms,
    too_many_connections,
    too_many_from_address,
    rate_limited,
    too_many_messages,
    too_many_bytes,
    too_large,
    handshake_timeout,
    idle_timeout,
    slow_reader,
    replaced,
    room_ended,
    stopping,
    token_required,
    token_refused,
    ticket_refused,
    replication_refused,
    foreign_origin,
    foreign_host,
    banned,
    kicked,
    count,
};

struct RefusalInfo {
    std::string_view name;
    unsigned http_status;
    std::uint16_t close_code;  // of WebSocket (RFC 6455, 7.4); private codes are 4000 + status, mostly
};

inline constexpr std::array<RefusalInfo, static_cast<std::size_t>(RefusalReason::count)> refusal_table{{
    {"bad_request", 400, 4400},
    {"not_found", 404, 4404},
    {"wrong_method", 405, 4405},
    {"not_binary", 400, 1003},
    {"wrong_hello", 400, 4400},
    {"unknown_level", 404, 4404},
    {"unknown_room", 404, 4404},
    {"wrong_name", 400, 4400},
    {"room_full", 409, 4409},
    {"too_many_rooms", 503, 4503},
    {"too_many_connections", 503, 4503},
    {"too_many_from_address", 429, 4429},
    {"rate_limited", 429, 4429},
    {"too_many_messages", 429, 4429},
    {"too_many_bytes", 429, 4429},
    {"too_large", 413, 1009},
    {"handshake_timeout", 408, 4408},
    {"idle_timeout", 408, 4408},
    {"slow_reader", 408, 4408},
    {"replaced", 409, 4410},
    {"room_ended", 410, 4500},
    {"stopping", 503, 1001},
    {"token_required", 401, 4401},
    {"token_refused", 403, 4403},
    {"ticket_refused", 403, 4403},
    {"replication_refused", 403, 4403},
    {"foreign_origin", 403, 4403},
    {"foreign_host", 421, 4421},
    {"banned", 403, 4403},
    {"kicked", 403, 4403},
}};

inline const RefusalInfo& info_of(RefusalReason reason) {
    return refusal_table[static_cast<std::size_t>(reason)];
}

// Why the server refuses something: to a program the reason, to a person the message.
struct Refusal {
    RefusalReason reason = RefusalReason::bad_request;
    std::string message;
    std::uint32_t retry_after = 0;  // s; 0: nothing is known
};

inline std::unexpected<Refusal> refuse(RefusalReason reason, std::string message) {
    return std::unexpected(Refusal{reason, std::move(message), 0});
}

}  // namespace instep::server
