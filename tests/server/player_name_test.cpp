// SPDX-License-Identifier: MIT
#include <instep/server/player_name.h>

#include <string>

#include <tests/server/test_server.h>

using namespace instep;
using server::objection_to_name;

TEST_CASE("player name: names as people have them are accepted") {
    for (const char* name : {"Ann",
                             "bot 12",
                             "Ann-Marie O'Neil",
                             "Zoë",
                             "Łukasz",
                             "Ngọc Trâm",
                             "Ольга",
                             "Ελένη",
                             "محمد",
                             "שרה",
                             "สมชาย",
                             "さくら",
                             "金城武",
                             "김민준",
                             "Ann 金",
                             "x_X_42",
                             "Ann \u2764\uFE0F",
                             "\U0001F680",
                             "n\u0303o",
                             "\U0001F1E9\U0001F1EA",
                             "!"}) {
        CAPTURE(name);
        CHECK(objection_to_name(name) == "");
    }
}

TEST_CASE("player name: what is invisible or changes direction is refused") {
    for (const std::uint32_t code :
         {0x0085u, 0x00A0u, 0x00ADu, 0x034Fu, 0x061Cu, 0x115Fu, 0x180Eu,  0x200Bu, 0x200Du,
          0x200Eu, 0x200Fu, 0x2028u, 0x202Au, 0x202Eu, 0x2060u, 0x2066u,  0x2069u, 0x2800u,
          0x3000u, 0x3164u, 0xE000u, 0xFE0Fu, 0xFEFFu, 0xFFFCu, 0xE0041u, 0xF0000u}) {
        CAPTURE(code);
        for (const char* before : {"", "Ann", "Ольга "}) {
            std::string name = before;
            state::append_utf8(name, code);
            CHECK(!objection_to_name(name).empty());
            CHECK(!objection_to_name(name + "x").empty());
        }
    }
    for (const char* name : {"", " Ann", "Ann ", "Ann  B", " ", "\xFF", "Ann\n"})
        CHECK(!objection_to_name(name).empty());
}

TEST_CASE("player name: piles of marks are refused") {
    CHECK(objection_to_name("a\u0301\u0323b").empty());
    CHECK(!objection_to_name("a\u0301\u0301\u0301").empty());
    CHECK(!objection_to_name("\u0301a").empty());
    CHECK(!objection_to_name("a \u0301").empty());
    CHECK(!objection_to_name("ก\u0E49\u0E49\u0E49").empty());
}

TEST_CASE("player name: letters of alphabets that look alike do not mix") {
    CHECK(!objection_to_name("Аnn").empty());   // a Cyrillic A
    CHECK(!objection_to_name("Annο").empty());  // a Greek o
    CHECK(!objection_to_name("pаypal").empty());
    CHECK(!objection_to_name("Ａｎｎ").empty());
    CHECK(!objection_to_name("\U0001D400nn").empty());
    CHECK(!objection_to_name("ⓐnn").empty());
    CHECK(objection_to_name("Анна").empty());  // one alphabet: docs/server.md says why
}

TEST_CASE("player name: any bytes get an answer") {
    auto random = math::Random::from_seed(5);
    for (int i = 0; i < 100'000; ++i) {
        std::string name(random.next() % 25, ' ');
        for (char& letter : name) letter = static_cast<char>(random.next());
        const bool is_plain = state::is_plain_text(name) && !name.empty();
        if (!is_plain) CHECK(!objection_to_name(name).empty());
    }
}

TEST_CASE("player name: the server refuses a misleading one with a sentence") {
    const test::TestServer fixture;
    const auto setup = match::load_builtin_setup("bounce", "box");
    REQUIRE(setup);
    codec::Bytes hello;
    net::write(
        net::Hello{.fingerprint = (*setup)->fingerprint, .name = contract::PlayerName::of("Ann\u202Egpj")},
        hello);
    test::RawSocket socket(fixture.server->port());
    socket.send(test::upgrade_request("/play?world=bounce&level=box"));
    const std::string upgraded = socket.receive("\r\n\r\n");
    socket.send(test::frame(0x82, {reinterpret_cast<const char*>(hello.data()), hello.size()}));
    const auto close = test::find_close(socket.receive());
    CHECK(close.code == 4400);
    CHECK(close.reason.find("wrong_name: a name has no invisible characters") == 0);
}
