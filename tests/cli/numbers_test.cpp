// SPDX-License-Identifier: MIT
#include <instep/cli/numbers.h>

#include <bit>
#include <cmath>
#include <limits>

#include <instep/cli/commands.h>

#include <doctest/doctest.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::cli;

TEST_CASE("numbers: thousands are separated") {
    CHECK(with_commas(0) == "0");
    CHECK(with_commas(999) == "999");
    CHECK(with_commas(1000) == "1,000");
    CHECK(with_commas(18'446'744'073'709'551'615u) == "18,446,744,073,709,551,615");
    CHECK(hash_text(0xAB) == "00000000000000ab");
    CHECK(brief(1.0 / 3) == "0.3333");
}

TEST_CASE("numbers: the shortest digits read back to the same double") {
    test::for_each_seed(1000, [](math::Random& random) {
        const double number = std::bit_cast<double>(random.next());
        if (!std::isfinite(number)) return;
        CHECK(std::bit_cast<std::uint64_t>(std::strtod(shortest(number).c_str(), nullptr)) ==
              std::bit_cast<std::uint64_t>(number));
    });
    CHECK(shortest(0.1) == "0.1");
    CHECK(shortest(0.1f) == "0.1");
    CHECK(shortest(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("numbers: an integer outside its range is refused") {
    CHECK(parse_integer("1", 1, most_ticks) == 1);
    CHECK(parse_integer("10000000", 1, most_ticks) == 10'000'000);
    CHECK(parse_integer("18446744073709551615", 0, ~std::uint64_t{0}) == ~std::uint64_t{0});
    for (const char* text : {"0", "-1", "10000001", "2147483648", "99999999999999999999999", "", " 5", "5 ",
                             "+5", "1e3", "0x10", "5.0", "five", "nan", "٣"}) {
        INFO(text);
        const auto number = parse_integer(text, 1, most_ticks);
        REQUIRE(!number);
        CHECK(number.error().text().find("from 1 to 10,000,000, got \"" + std::string(text) + "\"") !=
              std::string::npos);
    }
}

TEST_CASE("numbers: seconds outside their range are refused") {
    CHECK(parse_real("0.5", 0.1, most_seconds) == 0.5);
    CHECK(parse_real("1e1", 0.1, most_seconds) == 10);
    for (const char* text : {"0", "-3", "nan", "inf", "1e99", "", "1s", "soon"}) {
        INFO(text);
        CHECK(!parse_real(text, 0.1, most_seconds));
    }
}

TEST_CASE("numbers: a size has two sides within their range") {
    CHECK(parse_size("1280x720")->width == 1280);
    CHECK(parse_size("1280x720")->height == 720);
    for (const char* text : {"1280", "x", "1280x", "x720", "99x100", "100x10001", "-5x100", "1280X720",
                             "1280x720x2", "4294967396x100"}) {
        INFO(text);
        CHECK(!parse_size(text));
    }
}

TEST_CASE("numbers: only the three formats are accepted") {
    CHECK(parse_format("jsonl") == Format::jsonl);
    CHECK(parse_format("csv") == Format::csv);
    CHECK(parse_format("none") == Format::none);
    CHECK(!parse_format("xml"));
    CHECK(!parse_format(""));
}
