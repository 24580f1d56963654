// SPDX-License-Identifier: MIT
// Join tokens: JSON Web Tokens (RFC 7519) that a game's own service signs with HMAC-SHA256 ("HS256") for its
// logged-in players, as `instep token` does by hand. A server with a secret accepts no player without one. A
// token is valid once, for one server, room, level, player and role, and for a short time.
//
//     header   {"alg": "HS256", "kid": "2026-11"}
//     claims   {"aud": "instep", "sub": "ann-0123456789ab", "role": "play", "room": "ours",
//               "world": "flail", "level": "plain", "iat": 1800000000.125, "exp": 1800000060, "jti": "..."}
//
// Used tokens are remembered until they expire. A process that starts has no memory, so it refuses tokens
// that were issued before. In a cluster Redis remembers them, for all processes (token_gate.h).
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <instep/net/link_kind.h>
#include <instep/server/mutex.h>
#include <instep/server/refusal.h>
#include <instep/server/signing_keys.h>

namespace instep::server {

enum class TokenRole : std::uint8_t { play, watch };
std::string_view name_of(TokenRole role);
std::optional<TokenRole> role_named(std::string_view name);

inline constexpr std::string_view default_audience = "instep";

// Times in milliseconds since 1970.
struct Token {
    std::string audience{default_audience};
    std::string player;  // identifies the player when it joins again
    TokenRole role = TokenRole::play;
    std::string room;
    std::string world;
    std::string level;
    std::optional<net::ReplicationMode> replication;  // that the room may be opened with
    std::int64_t issued = 0;
    std::int64_t expires = 0;
    std::string id;         // makes two tokens differ
    std::string signature;  // of a verified token: names it among the used ones
};

inline constexpr std::int64_t most_token_ms = 300'000;  // that a token may be valid for
// How far the clock of the service may be ahead of the server's. Within it, a token that was used in the last
// moment before a restart is good again.
inline constexpr std::int64_t most_clock_skew_ms = 1'000;
std::int64_t milliseconds_since_1970();

std::string sign(const Token& token, const SigningKey& key);

// All functions may be called from any thread. `now` is in milliseconds since 1970.
class TokenVerifier {
public:
    // `keys` must outlive it. Tokens that were issued before `started` are refused.
    TokenVerifier(const SigningKeys& keys, std::string audience, std::int64_t started)
        : keys_(keys), audience_(std::move(audience)), started_(started) {}

    // Accepts any text, and does not use the token up.
    std::expected<Token, Refusal> verify(std::string_view text, std::int64_t now) const;
    // Uses a verified token up; of two calls with the same one, only the first succeeds.
    std::expected<void, Refusal> spend(const Token& token, std::int64_t now);
    // Undoes spend(), for a client that was refused after all.
    void give_back(const Token& token);
    bool is_spent(const Token& token) const;
    std::size_t remembered() const;

private:
    std::expected<void, Refusal> check_times(const Token& token, std::int64_t now) const;

    const SigningKeys& keys_;
    const std::string audience_;
    const std::int64_t started_;
    mutable Mutex mutex_;
    std::map<std::string, std::int64_t> used_ GUARDED_BY(mutex_);  // signature -> when it expires
    std::int64_t last_swept_ GUARDED_BY(mutex_) = 0;
};

// A verified token that is used up when its client has been admitted.
struct PendingToken {
    TokenVerifier& verifier;
    Token token;

    std::expected<void, Refusal> spend() { return verifier.spend(token, milliseconds_since_1970()); }
    void give_back() { verifier.give_back(token); }
};

}  // namespace instep::server
