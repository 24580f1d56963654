// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <instep/cluster/redis_reply.h>
#include <instep/math/random.h>

namespace instep::cluster {
namespace {

using Kind = Reply::Kind;

}  // namespace

TEST_CASE("redis reply: every kind is read, however its bytes are cut") {
    const std::string bytes =
        "+OK\r\n:42\r\n$5\r\na\r\nbc\r\n$-1\r\n-FENCED no\r\n*2\r\n*1\r\n:1\r\n$0\r\n\r\n*-1\r\n*0\r\n";
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
        CAPTURE(piece);
        ReplyParser parser;
        std::vector<Reply> replies;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            parser.feed(std::string_view(bytes).substr(at, piece));
            for (Reply reply; parser.next(reply).value();) replies.push_back(std::move(reply));
        }
        REQUIRE(replies.size() == 8);
        CHECK(replies[0].text == "OK");
        CHECK(replies[1].integer == 42);
        CHECK(replies[2].text == "a\r\nbc");
        CHECK(replies[3].kind == Kind::nil);
        CHECK(replies[4].error_code() == "FENCED");
        REQUIRE(replies[5].items.size() == 2);
        CHECK(replies[5].items[0].items.at(0).integer == 1);
        CHECK(replies[5].items[1].text.empty());
        CHECK(replies[6].kind == Kind::nil);
        CHECK(replies[7].kind == Kind::array);
    }
}

TEST_CASE("redis reply: an announced size allocates nothing, and nonsense is an error") {
    for (const char* text : {"*2147483647\r\n", "*1000000\r\n*1000000\r\n", "$500000000\r\nabc"}) {
        CAPTURE(text);
        ReplyParser parser;
        parser.feed(text);
        Reply reply;
        const auto next = parser.next(reply);
        CHECK((!next || !*next));
    }
    for (const char* text : {"hello\r\n", "*99999999999999999999\r\n", "$-5\r\n", "$x\r\n"}) {
        CAPTURE(text);
        ReplyParser parser;
        parser.feed(text);
        Reply reply;
        CHECK_FALSE(parser.next(reply));
    }
    ReplyParser deep;
    for (int i = 0; i < 1000; ++i) deep.feed("*1\r\n");
    Reply reply;
    CHECK_FALSE(deep.next(reply));
}

TEST_CASE("redis reply: one that never ends is refused, also if it comes as small items") {
    Reply reply;
    ReplyParser items;
    items.feed("*2000000\r\n");
    const std::string small = ":1\r\n:1\r\n:1\r\n:1\r\n";
    std::size_t fed = 0;
    auto next = items.next(reply);
    for (; next && fed < 2 * ReplyParser::max_reply_items; fed += 4) {
        items.feed(small);
        next = items.next(reply);
    }
    REQUIRE_FALSE(next);
    CHECK(next.error().text().find("items") != std::string::npos);
    ReplyParser bytes;  // texts in an array: none is long, and hiredis has consumed each
    bytes.feed("*1000000\r\n");
    const std::string text = "$1000000\r\n" + std::string(1'000'000, 'x') + "\r\n";
    next = bytes.next(reply);
    for (fed = 0; next && fed < 2 * ReplyParser::max_reply_bytes; fed += text.size()) {
        bytes.feed(text);
        next = bytes.next(reply);
    }
    REQUIRE_FALSE(next);
    CHECK(next.error().text().find("bytes") != std::string::npos);
}

TEST_CASE("redis reply: what came in earlier replies counts for nothing") {
    ReplyParser parser;
    const std::string text = "$1000000\r\n" + std::string(1'000'000, 'x') + "\r\n";
    Reply reply;
    for (int i = 0; i < 200; ++i) {
        parser.feed(text);
        REQUIRE(parser.next(reply).value());
    }
}

TEST_CASE("redis reply: random bytes are read or refused") {
    auto random = math::Random::from_seed(1);
    constexpr std::string_view letters = "+-:$*0123456789\r\nab";
    for (int round = 0; round < 20'000; ++round) {
        ReplyParser parser;
        std::string bytes;
        for (std::uint32_t i = random.below(40); i > 0; --i)
            bytes += random.below(3) == 0 ? '\n'
                                          : letters[random.below(static_cast<std::uint32_t>(letters.size()))];
        parser.feed(bytes);
        Reply reply;
        for (auto next = parser.next(reply); next && *next; next = parser.next(reply)) {
        }
    }
}

TEST_CASE("redis command: words hold any bytes") {
    std::string out;
    const std::vector<std::string> words{"SET", "k", std::string("a\r\n\0b", 5)};
    write_command(words, out);
    CHECK(out == "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\n" + words[2] + "\r\n");
}

}  // namespace instep::cluster
