// SPDX-License-Identifier: MIT
#include <instep/server/router.h>

#include <doctest/doctest.h>

using namespace instep::server;

namespace {

struct TestRoute {
    std::string_view method;
    std::string_view pattern;
    int number;
};
constexpr TestRoute routes[] = {
    {"GET", "/rooms", 1}, {"POST", "/rooms", 2},        {"GET", "/rooms/{room}", 3},
    {"GET", "/", 4},      {"GET", "/{a}/level/{b}", 5}, {"GET", "/{rest}", 6},
};

int number_of(std::string_view method, std::string_view path) {
    const auto match = find_route<TestRoute>(routes, method, path);
    return match ? match->route->number : 0;
}

}  // namespace

TEST_CASE("router: a pattern without parameters matches its path alone") {
    CHECK(match_path("/rooms", "/rooms") == PathArguments{});
    for (const char* path : {"", "/", "/room", "/rooms/", "/roomsx", "rooms"}) {
        CAPTURE(path);
        CHECK(!match_path("/rooms", path));
    }
}

TEST_CASE("router: a parameter is one segment, the last one the rest of the path") {
    CHECK(match_path("/levels/{world}/{level}", "/levels/flail/plain") == PathArguments{"flail", "plain"});
    CHECK(match_path("/levels/{world}/{level}", "/levels/flail/a/b") == PathArguments{"flail", "a/b"});
    CHECK(match_path("/levels/{world}/{level}", "/levels//") == PathArguments{"", ""});
    CHECK(!match_path("/levels/{world}/{level}", "/levels/flail"));
    CHECK(match_path("/rooms/{room}", "/rooms/") == PathArguments{""});
    CHECK(!match_path("/rooms/{room}", "/rooms"));
    CHECK(!match_path("/rooms/{room}/bots", "/rooms/a/b/bots"));
}

TEST_CASE("router: the first row with the method and a matching pattern is taken") {
    CHECK(number_of("GET", "/rooms") == 1);
    CHECK(number_of("POST", "/rooms") == 2);
    CHECK(number_of("GET", "/rooms/a") == 3);
    CHECK(number_of("GET", "/") == 4);
    CHECK(number_of("GET", "/a/level/b") == 5);
    CHECK(number_of("GET", "/a/levels/b") == 6);
    CHECK(number_of("HEAD", "/rooms/a") == 3);
    CHECK(number_of("POST", "/rooms/a") == 0);
    CHECK(number_of("DELETE", "/rooms") == 0);
}
