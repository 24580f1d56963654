// SPDX-License-Identifier: MIT
#include <instep/server/token.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <instep/server/base64url.h>
#include <instep/server/player_id.h>
#include <instep/state/json.h>

namespace instep::server {
namespace {

using state::Json;
template <class T>
using Answer = std::expected<T, Refusal>;

constexpr std::size_t most_token = 2048;       // characters
constexpr std::size_t most_claim = 64;         // bytes of a text
constexpr double latest_date = 253402300799.;  // s: the end of the year 9999
constexpr std::int64_t sweep_ms = 1'000;       // between looks for expired tokens

std::unexpected<Refusal> refuse_token(std::string message) {
    return refuse(RefusalReason::token_refused, std::move(message));
}

// Tokens have one form, so that a service finds out at once what is wrong with its own.
struct TokenParts {
    std::string_view signed_text;  // header and claims, with the dot between them
    std::string_view header;
    std::string_view claims;
    std::string_view signature;
};

Answer<TokenParts> split(std::string_view text) {
    if (text.empty()) return refuse(RefusalReason::token_required, "this server requires a token to join");
    if (text.size() > most_token) return refuse_token("the token is too long");
    if (text.starts_with("1."))
        return refuse_token(
            "tokens of version 1 are not accepted any more; sign a JSON Web Token as docs/server.md says");
    if (std::count(text.begin(), text.end(), '.') != 2)
        return refuse_token("the token is malformed: expected a JSON Web Token of three parts");
    const std::size_t first = text.find('.');
    const std::size_t second = text.rfind('.');
    return TokenParts{text.substr(0, second), text.substr(0, first),
                      text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

Answer<Json> parse_part(std::string_view part, const char* name) {
    constexpr state::JsonLimits limits{.bytes = most_token, .values = 64, .depth = 4};
    const auto text = decode_base64url(part);
    if (!text) return refuse_token("the token is malformed: its " + std::string(name) + " is not base64url");
    auto json = state::parse_json(*text, name, limits);
    if (!json) return refuse_token("the token is malformed: " + json.error().text());
    if (!json->object())
        return refuse_token("the token is malformed: its " + std::string(name) + " is not an object");
    return std::move(*json);
}

Answer<std::string> text_in(const Json& object, const char* name) {
    const Json* found = object.find(name);
    if (!found || !found->string())
        return refuse_token("the token has no text \"" + std::string(name) + "\"");
    if (found->string()->empty() || found->string()->size() > most_claim)
        return refuse_token("the token's \"" + std::string(name) + "\" must have 1 to " +
                            std::to_string(most_claim) + " bytes");
    return *found->string();
}

// A NumericDate (RFC 7519, 2): seconds, which may have a fraction.
Answer<std::int64_t> milliseconds_in(const Json& object, const char* name) {
    const Json* found = object.find(name);
    if (!found || !found->is_number() || !(found->number() >= 0 && found->number() <= latest_date))
        return refuse_token("the token's \"" + std::string(name) + "\" must be a time in seconds since 1970");
    return std::llround(found->number() * 1000);
}

// RFC 8725: the algorithm is ours to choose, not the token's.
Answer<std::string> key_id_in(const Json& header) {
    const Json* algorithm = header.find("alg");
    if (!algorithm || !algorithm->string() || *algorithm->string() != "HS256")
        return refuse_token("the token's \"alg\" must be \"HS256\"");
    if (header.find("crit")) return refuse_token("the token's \"crit\" is not understood here");
    return text_in(header, "kid");
}

bool names_audience(const Json& claims, const std::string& audience) {
    const Json* found = claims.find("aud");
    if (!found) return false;
    const auto is_it = [&](const Json& json) { return json.string() && *json.string() == audience; };
    return is_it(*found) ||
           (found->array() && std::any_of(found->array()->begin(), found->array()->end(), is_it));
}

Answer<void> read_claims(const Json& claims, Token& token) {
    const std::pair<const char*, std::string*> texts[] = {
        {"sub", &token.player}, {"room", &token.room}, {"world", &token.world}, {"level", &token.level}};
    for (const auto& [name, into] : texts) {
        auto text = text_in(claims, name);
        if (!text) return std::unexpected(text.error());
        *into = std::move(*text);
    }
    if (const auto checked = check_player_key(token.player, "the token's \"sub\""); !checked)
        return refuse_token(checked.error().message);
    const auto role = text_in(claims, "role");
    if (!role) return std::unexpected(role.error());
    if (!role_named(*role)) return refuse_token("the token's \"role\" must be \"play\" or \"watch\"");
    token.role = *role_named(*role);
    if (claims.find("replication")) {
        const auto mode = text_in(claims, "replication");
        if (!mode) return std::unexpected(mode.error());
        token.replication = net::kind_named<net::ReplicationMode>(*mode);
        if (!token.replication)
            return refuse_token("the token's \"replication\" must be \"snapshots\" or \"relay\"");
    }
    const auto issued = milliseconds_in(claims, "iat");
    if (!issued) return std::unexpected(issued.error());
    const auto expires = milliseconds_in(claims, "exp");
    if (!expires) return std::unexpected(expires.error());
    token.issued = *issued;
    token.expires = *expires;
    return {};
}

}  // namespace

std::string_view name_of(TokenRole role) { return role == TokenRole::play ? "play" : "watch"; }

std::optional<TokenRole> role_named(std::string_view name) {
    for (const TokenRole role : {TokenRole::play, TokenRole::watch})
        if (name_of(role) == name) return role;
    return {};
}

std::int64_t milliseconds_since_1970() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string sign(const Token& token, const SigningKey& key) {
    const auto seconds = [](std::int64_t ms) { return static_cast<double>(ms) / 1000; };
    Json::Object claims{
        {"aud", token.audience},        {"sub", token.player},           {"role", name_of(token.role)},
        {"room", token.room},           {"world", token.world},          {"level", token.level},
        {"iat", seconds(token.issued)}, {"exp", seconds(token.expires)}, {"jti", token.id}};
    if (token.replication) claims.emplace_back("replication", net::name_of(*token.replication));
    const Json header = Json::Object{{"alg", "HS256"}, {"kid", key.id}, {"typ", "JWT"}};
    const std::string text = encode_base64url(state::write_json(header)) + "." +
                             encode_base64url(state::write_json(std::move(claims)));
    return text + "." + signature_of(text, key);
}

// The signature comes before the claims: what this server's service did not write is not read.
std::expected<Token, Refusal> TokenVerifier::verify(std::string_view text, std::int64_t now) const {
    const auto parts = split(text);
    if (!parts) return std::unexpected(parts.error());
    const auto header = parse_part(parts->header, "header");
    if (!header) return std::unexpected(header.error());
    const auto key_id = key_id_in(*header);
    if (!key_id) return std::unexpected(key_id.error());
    const auto keys = keys_.current();
    const SigningKey* key = find_key(*keys, *key_id);
    if (!key) return refuse_token("the token's \"kid\" names a key that this server does not have");
    if (!has_signature(parts->signed_text, parts->signature, *key))
        return refuse_token("the token was not signed with this server's secret");

    const auto claims = parse_part(parts->claims, "claims");
    if (!claims) return std::unexpected(claims.error());
    if (!names_audience(*claims, audience_))
        return refuse_token("the token is for another server: its \"aud\" is not \"" + audience_ + "\"");
    Token token;
    token.audience = audience_;
    token.signature = parts->signature;
    if (const auto read = read_claims(*claims, token); !read) return std::unexpected(read.error());
    if (claims->find("nbf")) {
        const auto not_before = milliseconds_in(*claims, "nbf");
        if (!not_before) return std::unexpected(not_before.error());
        if (*not_before > now + most_clock_skew_ms) return refuse_token("the token is not valid yet");
    }
    if (const auto checked = check_times(token, now); !checked) return std::unexpected(checked.error());
    const LockGuard lock(mutex_);
    if (used_.contains(token.signature)) return refuse_token("the token was used before; ask for a new one");
    return token;
}

std::expected<void, Refusal> TokenVerifier::check_times(const Token& token, std::int64_t now) const {
    if (token.expires <= now) return refuse_token("the token has expired; ask for a new one");
    if (token.expires > now + most_token_ms)
        return refuse_token("the token is valid for longer than " + std::to_string(most_token_ms / 1000) +
                            " s, which is not allowed");
    if (token.issued < started_)
        return refuse_token("the token was issued before this server started; ask for a new one");
    if (token.issued > now + most_clock_skew_ms)
        return refuse_token(
            "the token was issued in the future: the clocks of its service and of this "
            "server differ");
    return {};
}

std::expected<void, Refusal> TokenVerifier::spend(const Token& token, std::int64_t now) {
    if (token.expires <= now) return refuse_token("the token has expired; ask for a new one");
    const LockGuard lock(mutex_);
    if (now - last_swept_ >= sweep_ms) {
        std::erase_if(used_, [now](const auto& used) { return used.second <= now; });
        last_swept_ = now;
    }
    if (!used_.try_emplace(token.signature, token.expires).second)
        return refuse_token("the token was used before; ask for a new one");
    return {};
}

void TokenVerifier::give_back(const Token& token) {
    const LockGuard lock(mutex_);
    used_.erase(token.signature);
}

bool TokenVerifier::is_spent(const Token& token) const {
    const LockGuard lock(mutex_);
    return used_.contains(token.signature);
}

std::size_t TokenVerifier::remembered() const {
    const LockGuard lock(mutex_);
    return used_.size();
}

}  // namespace instep::server
