// SPDX-License-Identifier: MIT
// Levels that a server is given besides those that are built in.
#include <instep/server/levels.h>

#include <algorithm>
#include <string>

#include <tests/server/playground.h>

#include <doctest/doctest.h>

using namespace instep;
using server::Levels;

namespace {

const std::string own = R"({"world": "bounce", "name": "mine", "rules": {"base": "game", "drag": 0.5}})";

}  // namespace

TEST_CASE("a level that is given is found, listed and told as it came") {
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

TEST_CASE("a level that is none, or has the name of another, is refused with its file") {
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

TEST_CASE("a server tells what its levels are and opens rooms of them") {
    Levels levels;
    REQUIRE(levels.add(own, "mine.json"));
    test::Playground playground(test::loopback(), std::move(levels));
    const auto told = test::ask(playground.server->port(), "GET", "/api/levels/bounce/mine");
    CHECK(told.status == 200);
    CHECK(told.body == own);
    for (const char* path :
         {"/api/levels/bounce/none", "/api/levels/bounce", "/api/levels/", "/api/levels//"})
        CHECK(test::ask(playground.server->port(), "GET", path).status == 404);
    CHECK(test::ask(playground.server->port(), "GET", "/api/worlds").body.find("\"mine\"") !=
          std::string::npos);
    CHECK(
        test::ask(playground.server->port(), "POST", "/api/rooms", R"({"world": "bounce", "level": "mine"})")
            .status == 201);
}
