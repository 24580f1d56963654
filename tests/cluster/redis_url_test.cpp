// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <instep/cluster/redis_url.h>

namespace instep::cluster {

TEST_CASE("redis address: one server, TLS, and Sentinels with their master") {
    const auto plain = parse_redis_url("redis://example.org");
    REQUIRE(plain);
    CHECK(plain->hosts == std::vector<RedisHost>{{"example.org", 6379}});
    CHECK_FALSE(plain->tls);
    const auto tls = parse_redis_url("rediss://[::1]:7000/0");
    REQUIRE(tls);
    CHECK(tls->hosts == std::vector<RedisHost>{{"::1", 7000}});
    CHECK(tls->tls);
    const auto sentinels = parse_redis_url("redis-sentinel://a,b:1,[fe80::1]:2/main");
    REQUIRE(sentinels);
    CHECK(sentinels->hosts == std::vector<RedisHost>{{"a", 26379}, {"b", 1}, {"fe80::1", 2}});
    CHECK(sentinels->master == "main");
}

TEST_CASE("redis address: what cannot be used is refused with a sentence") {
    for (const char* text :
         {"", "redis:", "http://a", "redis://", "redis://a:0", "redis://a:65536", "redis://a:1x",
          "redis://a b", "redis://user:secret@a", "redis://a/1", "redis://a,b", "redis-sentinel://a",
          "redis-sentinel://a/", "redis-sentinel://a,/m", "redis-sentinel://a/m n", "redis://[::1",
          "redis://[g]", "redis-sentinel://a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a/m"}) {
        CAPTURE(text);
        const auto url = parse_redis_url(text);
        REQUIRE_FALSE(url);
        CHECK(url.error().text().size() > 20);
    }
    CHECK(parse_redis_url("redis://user:secret@a").error().text().find("secret@") == std::string::npos);
}

TEST_CASE("redis login: a password, or a user and a password") {
    CHECK(parse_redis_login("secret\n")->password == "secret");
    const auto both = parse_redis_login("instep secret\r\n");
    REQUIRE(both);
    CHECK(both->user == "instep");
    CHECK(both->password == "secret");
    for (const char* text : {"", "\n", "user ", "a b c", "two\nlines"}) CHECK_FALSE(parse_redis_login(text));
}

}  // namespace instep::cluster
