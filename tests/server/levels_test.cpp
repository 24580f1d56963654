// SPDX-License-Identifier: MIT
// Levels that are added to the built-in ones.
#include <instep/server/levels.h>

#include <algorithm>
#include <string>

#include <tests/server/test_server.h>

#include <doctest/doctest.h>

using namespace instep;
using server::Levels;

namespace {

const std::string own = R"({"world": "bounce", "name": "mine", "rules": {"base": "game", "drag": 0.5}})";

}  // namespace

TEST_CASE("levels: an added level is found, listed and returned unchanged") {
    Levels levels;
    CHECK(!levels.find("bounce", "mine"));
    REQUIRE(levels.add(own, "mine.json"));
    const auto found = levels.find("bounce", "mine");
    REQUIRE(found);
    CHECK((*found)->level == "mine");
    CHECK(levels.text("bounce", "mine") == own);
    const auto names = levels.names("bounce");
    CHECK(std::count(names.begin(), names.end(), "mine") == 1);
    CHECK(std::count(names.begin(), names.end(), "box") == 1);
    CHECK(levels.names("flail").size() == Levels().names("flail").size());
    CHECK(levels.find("bounce", "box"));
    CHECK(!levels.text("bounce", "box").empty());
}

TEST_CASE("levels: a malformed or duplicate one is refused, and the error names it") {
    Levels levels;
    const auto broken = levels.add("{", "broken.json");
    REQUIRE(!broken);
    CHECK(broken.error().text().find("broken.json") != std::string::npos);
    for (const std::string& name : {std::string("box"), std::string("mine")}) {
        const std::string text = R"({"world": "bounce", "name": ")" + name + R"(", "rules": "game"})";
        levels.add(own, "mine.json");
        const auto added = levels.add(text, "again.json");
        REQUIRE(!added);
        CHECK(added.error().text().find("\"" + name + "\"") != std::string::npos);
    }
}

TEST_CASE("levels: the server serves added ones and opens rooms of them") {
    Levels levels;
    REQUIRE(levels.add(own, "mine.json"));
    test::TestServer fixture(test::loopback(), std::move(levels));
    const auto response = test::ask(fixture.server->port(), "GET", "/api/levels/bounce/mine");
    CHECK(response.status == 200);
    CHECK(response.body == own);
    for (const char* path :
         {"/api/levels/bounce/none", "/api/levels/bounce", "/api/levels/", "/api/levels//"})
        CHECK(test::ask(fixture.server->port(), "GET", path).status == 404);
    CHECK(test::ask(fixture.server->port(), "GET", "/api/worlds").body.find("\"mine\"") != std::string::npos);
    CHECK(test::ask(fixture.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "level": "mine"})")
              .status == 201);
}
