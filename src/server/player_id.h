// SPDX-License-Identifier: MIT
// Who a player is, from one connection to the next. Identities of different kinds are never equal, whatever
// their text: a client cannot choose a key that makes it the player of a token, or an anonymous one.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <instep/server/refusal.h>
#include <instep/state/plain_name.h>

namespace instep::server {

inline constexpr std::size_t fewest_key = 16;  // characters, so that it cannot be guessed
inline constexpr std::size_t most_key = 64;

// Whether a text can be the key of a player, or the player of a token. `what` is what the message calls it.
inline std::expected<void, Refusal> check_player_key(std::string_view key, const std::string& what) {
    if (key.size() >= fewest_key && key.size() <= most_key && state::is_plain_name(key)) return {};
    return refuse(RefusalReason::bad_request,
                  what + " must have " + std::to_string(fewest_key) + " to " + std::to_string(most_key) +
                      " of the letters a to z and A to Z, digits, \"-\" and \"_\"");
}

class PlayerId {
public:
    // A secret that the client chose and shows again to resume.
    static PlayerId resume_key(std::string key) { return PlayerId(ResumeKey{std::move(key)}); }
    // The player that a join token names.
    static PlayerId token(std::string player) { return PlayerId(TokenPlayer{std::move(player)}); }
    // Unlike any other; cannot resume.
    static PlayerId anonymous() {
        static std::atomic<std::uint64_t> count{0};
        return PlayerId(Anonymous{++count});
    }

    // As values, so that another process knows the player by the same ones. An anonymous player has no text,
    // and is another one there.
    enum class Kind : std::uint8_t { anonymous, resume_key, token };
    static PlayerId of(Kind kind, std::string text) {
        switch (kind) {
            case Kind::anonymous: break;
            case Kind::resume_key: return resume_key(std::move(text));
            case Kind::token: return token(std::move(text));
        }
        return anonymous();
    }
    Kind kind() const { return static_cast<Kind>(value_.index()); }
    std::string text() const {
        if (const auto* key = std::get_if<ResumeKey>(&value_)) return key->key;
        if (const auto* named = std::get_if<TokenPlayer>(&value_)) return named->player;
        return {};
    }

    bool can_resume() const { return !std::holds_alternative<Anonymous>(value_); }
    friend auto operator<=>(const PlayerId&, const PlayerId&) = default;

private:
    struct Anonymous {
        std::uint64_t number;
        friend auto operator<=>(const Anonymous&, const Anonymous&) = default;
    };
    struct ResumeKey {
        std::string key;
        friend auto operator<=>(const ResumeKey&, const ResumeKey&) = default;
    };
    struct TokenPlayer {
        std::string player;
        friend auto operator<=>(const TokenPlayer&, const TokenPlayer&) = default;
    };
    using Value = std::variant<Anonymous, ResumeKey, TokenPlayer>;

    explicit PlayerId(Value value) : value_(std::move(value)) {}

    Value value_;
};

}  // namespace instep::server
