// SPDX-License-Identifier: MIT
#include <instep/server/token.h>

#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using test::find_close;
using test::RawSocket;
using test::TestServer;
using test::upgrade_request;

namespace {

const std::string secret = "a secret of thirty-two bytes or more";
constexpr std::int64_t now = 1'800'000'000;

Token fresh(std::int64_t expires = now + 60) {
    return {"ours", "player-0123456789", expires, random_nonce()};
}

std::string refusal_of(TokenVerifier& verifier, const std::string& text, std::int64_t at = now) {
    const auto token = verifier.redeem(text, at);
    return token ? "" : std::string(info_of(token.error().reason).name) + ": " + token.error().message;
}

}  // namespace

TEST_CASE("token: names room and player, and is valid once") {
    TokenVerifier verifier(secret);
    const std::string text = sign(fresh(), secret);
    const auto token = verifier.redeem(text, now);
    REQUIRE(token);
    CHECK(token->room == "ours");
    CHECK(token->player == "player-0123456789");
    CHECK(token->expires == now + 60);
    CHECK(refusal_of(verifier, text) == "token_refused: the token was used before; ask for a new one");
}

TEST_CASE("token: forged, expired, long-lived and malformed ones are refused") {
    TokenVerifier verifier(secret);
    CHECK(refusal_of(verifier, "").starts_with("token_required: "));
    CHECK(refusal_of(verifier, sign(fresh(), secret + "x")).find("not signed") != std::string::npos);
    CHECK(refusal_of(verifier, sign(fresh(now), secret)).find("has expired") != std::string::npos);
    CHECK(refusal_of(verifier, sign(fresh(now + 301), secret)).find("longer than 300 s") !=
          std::string::npos);
    CHECK(refusal_of(verifier, std::string(10'000, 'x')).find("too long") != std::string::npos);
    CHECK(refusal_of(verifier, "1.a.b.c").find("malformed") != std::string::npos);
    Token dotted = fresh();
    dotted.room = "ours.too";
    CHECK(refusal_of(verifier, sign(dotted, secret)).find("malformed") != std::string::npos);
    CHECK(verifier.remembered() == 0);
}

TEST_CASE("token: one changed character anywhere makes it invalid") {
    TokenVerifier verifier(secret);
    const std::string text = sign(fresh(), secret);
    test::for_each_seed(500, [&](math::Random& random) {
        std::string changed = text;
        const auto at = random.below(static_cast<std::uint32_t>(text.size()));
        changed[at] = static_cast<char>(33 + random.below(94));
        if (changed != text) CHECK(!verifier.redeem(changed, now));
    });
    CHECK(verifier.redeem(text, now));
}

TEST_CASE("token: used ones are forgotten once they have expired") {
    TokenVerifier verifier(secret);
    for (int i = 0; i < 100; ++i) CHECK(verifier.redeem(sign(fresh(now + 1 + i), secret), now));
    CHECK(verifier.remembered() == 100);
    CHECK(verifier.redeem(sign(fresh(now + 200), secret), now + 50));
    CHECK(verifier.remembered() == 51);
}

TEST_CASE("token: a server with a secret accepts only players with one for the room") {
    ServerSettings settings = test::loopback();
    settings.secret = secret;
    const TestServer fixture(settings);
    const auto close_code = [&](const std::string& target) {
        RawSocket socket(fixture.server->port());
        socket.send(upgrade_request(target));
        return find_close(socket.receive({}, 700)).code;  // 0: it stayed open
    };
    const auto token_for = [](const std::string& room, std::int64_t seconds = 60) {
        return sign({room, "player-0123456789", std::time(nullptr) + seconds, random_nonce()}, secret);
    };
    const std::string there = "/play?world=bounce&room=ours";
    CHECK(close_code(there) == 4401);
    CHECK(close_code(there + "&token=nonsense") == 4403);
    CHECK(close_code(there + "&token=" + token_for("theirs")) == 4403);
    CHECK(close_code(there + "&token=" + token_for("ours", -1)) == 4403);
    const std::string good = token_for("ours");
    CHECK(close_code(there + "&token=" + good) == 0);
    CHECK(close_code(there + "&token=" + good) == 4403);                      // a second time
    CHECK(close_code("/play?world=bounce&token=" + token_for("ours")) == 0);  // the token names the room
    CHECK(test::ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "name": "x"})")
              .status == 401);
    CHECK(test::ask(fixture.server->port(), "POST", "/api/rooms?token=" + token_for("x"),
                    R"({"world": "bounce", "name": "x"})")
              .status == 201);
}
