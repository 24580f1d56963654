// SPDX-License-Identifier: MIT
#include <instep/server/token.h>

#include <instep/server/base64url.h>
#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using state::Json;

namespace {

constexpr std::int64_t started = 1'800'000'000'000;  // ms
constexpr std::int64_t now = started + 10'000;

const SigningKey old_key{"old", "a secret of thirty-two bytes or more"};
const SigningKey new_key{"new", "another secret of thirty-two bytes or more"};

Token fresh() {
    Token token;
    token.player = "player-0123456789";
    token.room = "ours";
    token.world = "bounce";
    token.level = "box";
    token.issued = now - 100;
    token.expires = now + 60'000;
    token.id = random_text(12);
    return token;
}

struct Verifier {
    SigningKeys keys{{old_key}};
    TokenVerifier tokens{keys, "instep", started};

    std::string refusal_of(const std::string& text, std::int64_t at = now) const {
        const auto token = tokens.verify(text, at);
        return token ? "" : std::string(info_of(token.error().reason).name) + ": " + token.error().message;
    }
    std::string refusal_of(const Token& token, std::int64_t at = now) const {
        return refusal_of(sign(token, old_key), at);
    }
};

bool mentions(const std::string& text, std::string_view part) {
    INFO(text);
    const bool found = text.find(part) != std::string::npos;
    CHECK_MESSAGE(found, "expected it to mention: " << part);
    return found;
}

// A token of any header and claims, signed.
std::string sign_raw(std::string_view header, std::string_view claims, const SigningKey& key = old_key) {
    const std::string text = encode_base64url(header) + "." + encode_base64url(claims);
    return text + "." + signature_of(text, key);
}

std::string claims_of(const Token& token) {
    const std::string text = sign(token, old_key);
    const std::size_t first = text.find('.') + 1;
    return decode_base64url(text.substr(first, text.rfind('.') - first)).value_or("");
}

std::string without(std::string json, std::string_view key) {
    const std::size_t at = json.find("\"" + std::string(key) + "\":");
    REQUIRE(at != std::string::npos);
    return json.replace(at + 1, 1, "x");
}

}  // namespace

TEST_CASE("base64url: every text of bytes is read back, and no other spelling is accepted") {
    CHECK(encode_base64url("") == "");
    CHECK(encode_base64url("f") == "Zg");  // RFC 4648, 10, without padding
    CHECK(encode_base64url("foobar") == "Zm9vYmFy");
    CHECK(encode_base64url("\xfb\xff") == "-_8");
    for (const char* wrong : {"Z", "Zh", "Zg=", "Zg==", "Z g", "Zm9vYmFyZ", "Zm+v", "Zm9="})
        CHECK_MESSAGE(!decode_base64url(wrong), wrong);
    test::for_each_seed(200, [](math::Random& random) {
        std::string bytes(random.below(40), '\0');
        for (char& byte : bytes) byte = static_cast<char>(random.below(256));
        CHECK(decode_base64url(encode_base64url(bytes)) == bytes);
    });
}

TEST_CASE("token: carries every claim, and is valid once") {
    Verifier verifier;
    Token given = fresh();
    given.role = TokenRole::watch;
    given.replication = net::ReplicationMode::relay;
    const std::string text = sign(given, old_key);
    const auto token = verifier.tokens.verify(text, now);
    REQUIRE(token);
    CHECK(token->player == given.player);
    CHECK(token->role == TokenRole::watch);
    CHECK(token->room == "ours");
    CHECK(token->world == "bounce");
    CHECK(token->level == "box");
    CHECK(token->replication == net::ReplicationMode::relay);
    CHECK(token->issued == given.issued);
    CHECK(token->expires == given.expires);
    CHECK(verifier.tokens.verify(text, now));  // looking at it does not use it up
    CHECK(verifier.tokens.spend(*token, now));
    CHECK(!verifier.tokens.spend(*token, now));
    CHECK(verifier.refusal_of(text) == "token_refused: the token was used before; ask for a new one");
    verifier.tokens.give_back(*token);
    CHECK(verifier.tokens.verify(text, now));
    CHECK(verifier.tokens.spend(*token, now));
}

TEST_CASE("token: a token as another library writes it is read") {
    // Made with Python: hmac, hashlib, base64 and json alone; the header and the order of claims are its own.
    const Verifier verifier;
    const std::string text =
        sign_raw(R"({"typ": "JWT", "alg": "HS256", "kid": "old"})",
                 R"({"exp": 1800000060, "iat": 1800000009, "room": "ours", "world": "bounce", "level": "box",
            "sub": "player-0123456789", "role": "play", "aud": ["elsewhere", "instep"], "email": "a@b.c"})");
    CHECK(verifier.refusal_of(text).empty());
}

TEST_CASE("token: one for another server, role, time or key is refused with a sentence") {
    const Verifier verifier;
    const auto with = [](auto change) {
        Token token = fresh();
        change(token);
        return token;
    };
    mentions(verifier.refusal_of(std::string()), "token_required: ");
    mentions(verifier.refusal_of(with([](Token& t) { t.audience = "theirs"; })), "for another server");
    mentions(verifier.refusal_of(with([](Token& t) { t.expires = now; })), "has expired");
    mentions(verifier.refusal_of(with([](Token& t) { t.expires = now + 300'001; })), "longer than 300 s");
    mentions(verifier.refusal_of(with([](Token& t) { t.issued = started - 1; })),
             "before this server started");
    mentions(verifier.refusal_of(with([](Token& t) { t.issued = now + 1'001; })), "in the future");
    mentions(verifier.refusal_of(with([](Token& t) { t.player = "short"; })), "16 to 64");
    mentions(verifier.refusal_of(with([](Token& t) { t.room = std::string(65, 'r'); })), "1 to 64 bytes");
    mentions(verifier.refusal_of(sign(fresh(), {"old", new_key.secret})), "not signed with");
    mentions(verifier.refusal_of(sign(fresh(), new_key)), "names a key that this server does not have");
    mentions(verifier.refusal_of("1.ours.player-0123456789.1800000060.nonce.0123456789abcdef"), "version 1");
    mentions(verifier.refusal_of(std::string(10'000, 'x')), "too long");
    mentions(verifier.refusal_of("a.b"), "three parts");
    CHECK(verifier.tokens.remembered() == 0);
}

TEST_CASE("token: a claim that is missing or of another kind is named") {
    const Verifier verifier;
    const std::string header = R"({"alg":"HS256","kid":"old"})";
    const std::string claims = claims_of(fresh());
    CHECK(verifier.refusal_of(sign_raw(header, claims)).empty());
    for (const char* name : {"aud", "sub", "role", "room", "world", "level", "iat", "exp"})
        mentions(verifier.refusal_of(sign_raw(header, without(claims, name))),
                 "\"" + std::string(name) + "\"");
    for (const char* wrong :
         {R"({"alg":"none","kid":"old"})", R"({"alg":"RS256","kid":"old"})", R"({"kid":"old"})"})
        mentions(verifier.refusal_of(sign_raw(wrong, claims)), "HS256");
    mentions(verifier.refusal_of(sign_raw(R"({"alg":"HS256"})", claims)), "\"kid\"");
    mentions(verifier.refusal_of(sign_raw(R"({"alg":"HS256","kid":"old","crit":["x"]})", claims)),
             "\"crit\"");
    for (const char* wrong : {"", "{", "[]", "{} {}", R"({"aud":"instep","aud":"instep"})"})
        mentions(verifier.refusal_of(sign_raw(header, wrong)), "malformed");
    const std::string later = claims.substr(0, claims.size() - 1) + ",\"nbf\":1800000012}";
    mentions(verifier.refusal_of(sign_raw(header, later)), "not valid yet");
    CHECK(verifier.refusal_of(sign_raw(header, later), now + 2'000).empty());
}

TEST_CASE("token: one changed character anywhere makes it invalid") {
    const Verifier verifier;
    const std::string text = sign(fresh(), old_key);
    test::for_each_seed(500, [&](math::Random& random) {
        std::string changed = text;
        const auto at = random.below(static_cast<std::uint32_t>(text.size()));
        changed[at] = static_cast<char>(33 + random.below(94));
        if (changed != text) CHECK(!verifier.tokens.verify(changed, now));
    });
    CHECK(verifier.tokens.verify(text, now));
}

TEST_CASE("token: one that a process has used is refused by the next process") {
    const Token token = fresh();
    const std::string text = sign(token, old_key);
    Verifier first;
    const auto used = first.tokens.verify(text, now);
    REQUIRE(used);
    REQUIRE(first.tokens.spend(*used, now));
    const SigningKeys keys({old_key});
    const TokenVerifier second(keys, "instep", now + 1);
    const auto again = second.verify(text, now + 2);
    REQUIRE(!again);
    mentions(again.error().message, "before this server started");
}

TEST_CASE("token: during a rotation of keys tokens of both are valid") {
    Verifier verifier;
    const std::string before = sign(fresh(), old_key);
    const std::string after = sign(fresh(), new_key);
    CHECK(verifier.refusal_of(before).empty());
    verifier.keys.replace({new_key, old_key});
    CHECK(verifier.refusal_of(before).empty());
    CHECK(verifier.refusal_of(after).empty());
    verifier.keys.replace({new_key});
    mentions(verifier.refusal_of(before), "names a key that this server does not have");
    CHECK(verifier.refusal_of(after).empty());
}

TEST_CASE("token: used ones are forgotten once they have expired") {
    Verifier verifier;
    const auto spend = [&](std::int64_t expires, std::int64_t at) {
        Token token = fresh();
        token.expires = expires;
        const auto verified = verifier.tokens.verify(sign(token, old_key), at);
        REQUIRE(verified);
        CHECK(verifier.tokens.spend(*verified, at));
    };
    for (int i = 0; i < 100; ++i) spend(now + 1'000 * (i + 1), now);
    CHECK(verifier.tokens.remembered() == 100);
    spend(now + 200'000, now + 50'000);
    CHECK(verifier.tokens.remembered() == 51);
}

TEST_CASE("signing keys: a file has an id and a secret a line") {
    const auto keys = parse_keys(
        "# newest first\nnew  another-secret-of-thirty-two-bytes-or-more\r\n\n"
        "old\ta-secret-of-thirty-two-bytes-or-more",
        "secret.txt");
    REQUIRE(keys);
    REQUIRE(keys->size() == 2);
    CHECK(keys->front().id == "new");
    CHECK(keys->back().secret == "a-secret-of-thirty-two-bytes-or-more");
    const auto refusal_of = [](const std::string& text) {
        const auto read = parse_keys(text, "secret.txt");
        return read ? "" : read.error().text();
    };
    const std::string secret(32, 's');
    mentions(refusal_of(""), "secret.txt: expected a line with a key's id and its secret");
    mentions(refusal_of(secret), "secret.txt: line 1: expected a key's id and its secret");
    mentions(refusal_of("\na.b " + secret), "line 2: expected an id");
    mentions(refusal_of("a short"), "at least 32 characters, got 5");
    mentions(refusal_of("a " + secret + "\xC3\xA9"), "printable ASCII");
    mentions(refusal_of("a " + secret + "\na " + secret), "line 2: another line has the id \"a\"");
    std::string many;
    for (int i = 0; i < 17; ++i) many += "k" + std::to_string(i) + " " + secret + "\n";
    mentions(refusal_of(many), "line 17: expected at most 16 keys");
}
