// SPDX-License-Identifier: MIT
#include <instep/server/token.h>

#include <tests/server/playground.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using test::find_close;
using test::Playground;
using test::RawSocket;
using test::upgrade_request;

namespace {

const std::string secret = "a secret of thirty-two bytes or more";
constexpr std::int64_t now = 1'800'000'000;

Token fresh(std::int64_t expires = now + 60) {
    return {"ours", "player-0123456789", expires, random_nonce()};
}

std::string refusal_of(TokenBook& book, const std::string& text, std::int64_t at = now) {
    const auto token = book.redeem(text, at);
    return token ? "" : std::string(info_of(token.error().cause).word) + ": " + token.error().sentence;
}

}  // namespace

TEST_CASE("a token says for whom and where it is, once") {
    TokenBook book(secret);
    const std::string text = sign(fresh(), secret);
    const auto token = book.redeem(text, now);
    REQUIRE(token);
    CHECK(token->room == "ours");
    CHECK(token->player == "player-0123456789");
    CHECK(token->expires == now + 60);
    CHECK(refusal_of(book, text) == "token_refused: the token was used before; ask for a new one");
}

TEST_CASE("tokens that are forged, foreign, expired or of another making are refused") {
    TokenBook book(secret);
    CHECK(refusal_of(book, "").starts_with("token_required: "));
    CHECK(refusal_of(book, sign(fresh(), secret + "x")).find("not signed") != std::string::npos);
    CHECK(refusal_of(book, sign(fresh(now), secret)).find("has expired") != std::string::npos);
    CHECK(refusal_of(book, sign(fresh(now + 301), secret)).find("longer than 300 s") != std::string::npos);
    CHECK(refusal_of(book, std::string(10'000, 'x')).find("too long") != std::string::npos);
    CHECK(refusal_of(book, "1.a.b.c").find("malformed") != std::string::npos);
    Token dotted = fresh();
    dotted.room = "ours.too";
    CHECK(refusal_of(book, sign(dotted, secret)).find("malformed") != std::string::npos);
    CHECK(book.remembered() == 0);
}

TEST_CASE("one changed letter anywhere makes a token worthless") {
    TokenBook book(secret);
    const std::string text = sign(fresh(), secret);
    test::for_each_seed(500, [&](math::Random& random) {
        std::string changed = text;
        const auto at = random.below(static_cast<std::uint32_t>(text.size()));
        changed[at] = static_cast<char>(33 + random.below(94));
        if (changed != text) CHECK(!book.redeem(changed, now));
    });
    CHECK(book.redeem(text, now));
}

TEST_CASE("used tokens are forgotten when they would have expired anyway") {
    TokenBook book(secret);
    for (int i = 0; i < 100; ++i) CHECK(book.redeem(sign(fresh(now + 1 + i), secret), now));
    CHECK(book.remembered() == 100);
    CHECK(book.redeem(sign(fresh(now + 200), secret), now + 50));
    CHECK(book.remembered() == 51);
}

TEST_CASE("a server with a secret takes in whoever has a token for the room, and nobody else") {
    ServerSettings settings = test::loopback();
    settings.secret = secret;
    const Playground playground(settings);
    const auto close_code = [&](const std::string& target) {
        RawSocket socket(playground.server->port());
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
    CHECK(test::ask(playground.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "name": "x"})")
              .status == 401);
    CHECK(test::ask(playground.server->port(), "POST", "/api/rooms?token=" + token_for("x"),
                    R"({"world": "bounce", "name": "x"})")
              .status == 201);
}
