// SPDX-License-Identifier: MIT
// Leave to join: a text that only one who knows the secret can make, for one player, one room, a short time
// and one use. A game's own service makes them (`instep token` is its model); a server with a secret lets
// nobody in without.
//
//     1.ROOM.PLAYER.EXPIRES.NONCE.SIGNATURE
//
// EXPIRES is in seconds since 1970, NONCE what makes two tokens differ, SIGNATURE the HMAC-SHA256 of all
// before it in hexadecimal.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <instep/server/refusal.h>
#include <instep/state/result.h>

namespace instep::server {

struct Token {
    std::string room;
    std::string player;  // the key by which a lost player is known again
    std::int64_t expires = 0;
    std::string nonce;
};

inline constexpr std::size_t fewest_secret = 32;         // bytes
inline constexpr std::int64_t most_token_seconds = 300;  // that a token may be good for

// Room and player must be plain names: letters, digits, "-" and "_".
std::string sign(const Token& token, std::string_view secret);
std::string random_nonce();

// Remembers which were used, for as long as they would be good.
class TokenBook {
public:
    explicit TokenBook(std::string secret) : secret_(std::move(secret)) {}

    // Any text. `now` is in seconds since 1970.
    std::expected<Token, Refusal> redeem(std::string_view text, std::int64_t now);
    std::size_t remembered() const;

private:
    std::string secret_;
    mutable std::mutex mutex_;
    std::map<std::string, std::int64_t> used_;  // signature -> when it expires
    std::int64_t last_swept_ = 0;
};

}  // namespace instep::server
