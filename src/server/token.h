// SPDX-License-Identifier: MIT
// Join tokens: signed with the server's secret, valid once and for a short time, for one room and one player.
// A game's own service makes them, as `instep token` does; a server with a secret accepts no player without
// one.
//
//     1.ROOM.PLAYER.EXPIRES.NONCE.SIGNATURE
//
// EXPIRES is in seconds since 1970. NONCE makes two tokens differ. SIGNATURE is the HMAC-SHA256 of everything
// before it, in hexadecimal.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include <instep/server/mutex.h>
#include <instep/server/refusal.h>
#include <instep/state/result.h>

namespace instep::server {

struct Token {
    std::string room;
    std::string player;  // identifies the player when it reconnects
    std::int64_t expires = 0;
    std::string nonce;
};

inline constexpr std::size_t fewest_secret = 32;         // bytes
inline constexpr std::int64_t most_token_seconds = 300;  // that a token may be valid for

// Room and player must be plain names: letters, digits, "-" and "_".
std::string sign(const Token& token, std::string_view secret);
std::string random_nonce();

// Remembers used tokens until they expire.
class TokenVerifier {
public:
    explicit TokenVerifier(std::string secret) : secret_(std::move(secret)) {}

    // Accepts any text. `now` is in seconds since 1970.
    std::expected<Token, Refusal> redeem(std::string_view text, std::int64_t now);
    std::size_t remembered() const;

private:
    std::string secret_;
    mutable Mutex mutex_;
    std::map<std::string, std::int64_t> used_ GUARDED_BY(mutex_);  // signature -> when it expires
    std::int64_t last_swept_ GUARDED_BY(mutex_) = 0;
};

}  // namespace instep::server
