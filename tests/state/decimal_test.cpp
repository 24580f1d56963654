// SPDX-License-Identifier: MIT
// The decimal conversions against the standard library's, which are exact too (and take 125 kB in
// WebAssembly).
#include <instep/state/decimal.h>

#include <tests/support/property.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

using namespace instep;
using math::Random;
using state::append_decimal;
using state::read_decimal;
using test::for_each_seed;

namespace {

template <class Float>
std::string written(Float value) {
    std::string text;
    append_decimal(text, value);
    return text;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

double library_read(const std::string& text) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range)  // which leaves the value as it was
        return std::strtod(text.c_str(), nullptr);
    return value;
}

// The significant digits of a number's text, without the zeros around them.
std::string digits_of(std::string_view text) {
    std::string digits;
    for (const char c : text.substr(0, text.find('e')))
        if (c >= '0' && c <= '9') digits += c;
    digits.erase(0, digits.find_first_not_of('0'));
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
}

template <class Float>
std::string library_digits(Float value) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    return digits_of({buffer, result.ptr});
}

double random_double(Random& random) {
    for (;;) {
        double value = std::bit_cast<double>(random.next());
        switch (random.below(4)) {
            case 0:
                value = std::ldexp(1.0, static_cast<int>(random.below(2098)) - 1074);
                break;  // all powers of two
            case 1: value = random.uniform(-1000, 1000); break;
            case 2: value = std::bit_cast<double>(random.next() & 0x800FFFFFFFFFFFFF); break;  // subnormal
            default: break;
        }
        if (std::isfinite(value)) return value;
    }
}

std::string random_decimal(Random& random) {
    std::string text(1, static_cast<char>('1' + random.below(9)));
    for (std::uint32_t digits = random.below(random.below(50) == 0 ? 1000 : 30); digits > 0; --digits)
        text += static_cast<char>('0' + random.below(10));
    if (random.below(2) == 0) text.insert(1 + random.below(static_cast<std::uint32_t>(text.size())), ".");
    if (text.back() == '.') text += '0';
    if (random.below(2) == 0) text += "e" + std::to_string(static_cast<int>(random.below(720)) - 360);
    return (random.below(2) == 0 ? "-" : "") + text;
}

// The midpoint of a double and the next one: the digits of an odd multiple of half their distance.
std::string midpoint(double value) {
    const double next = std::nextafter(value, std::numeric_limits<double>::infinity());
    const long double middle = (static_cast<long double>(value) + static_cast<long double>(next)) / 2;
    std::string text(1600, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.1100Lf", middle)));
    return text;
}

}  // namespace

TEST_CASE("decimal: written numbers read back to the same bits") {
    for_each_seed(50'000, [](Random& random) {
        const double value = random_double(random);
        CHECK(bits(read_decimal(written(value))) == bits(value));
    });
}

TEST_CASE("decimal: writes the digits of the standard library, for double and float") {
    for_each_seed(50'000, [](Random& random) {
        const double value = random_double(random);
        CHECK(digits_of(written(value)) == library_digits(value));
        const auto small = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
        if (std::isfinite(small)) CHECK(digits_of(written(small)) == library_digits(small));
    });
}

TEST_CASE("decimal: a number is read as the nearest double") {
    for_each_seed(50'000, [](Random& random) {
        const std::string text = random_decimal(random);
        CHECK_MESSAGE(bits(read_decimal(text)) == bits(library_read(text)), text);
    });
}

TEST_CASE("decimal: a tie is read as the even double, and the nearer one just beside it") {
    if (std::numeric_limits<long double>::digits < 64) return;  // no type to compute the midpoint in
    for_each_seed(2000, [](Random& random) {
        double value = std::abs(random_double(random));
        if (std::nextafter(value, HUGE_VAL) > std::numeric_limits<double>::max()) value = 1;
        const double next = std::nextafter(value, HUGE_VAL);
        std::string text = midpoint(value);
        CHECK(read_decimal(text) == (bits(value) % 2 == 0 ? value : next));
        CHECK(read_decimal(text + "1") == next);
        std::size_t last = text.find_last_not_of("0.");
        --text[last];
        while (++last < text.size())
            if (text[last] != '.') text[last] = '9';
        CHECK(read_decimal(text) == value);
    });
}

TEST_CASE("decimal: famous hard numbers are read correctly") {
    CHECK(read_decimal("2.2250738585072011e-308") == 0x0.fffffffffffffp-1022);  // hung PHP and Java
    CHECK(read_decimal("2.2250738585072012e-308") == 0x1p-1022);
    CHECK(read_decimal("2.2250738585072014e-308") == 0x1p-1022);
    CHECK(read_decimal("4.9406564584124654e-324") == 0x1p-1074);
    CHECK(read_decimal("2.4703282292062327e-324") == 0);
    CHECK(read_decimal("2.4703282292062328e-324") == 0x1p-1074);
    CHECK(read_decimal("9007199254740993") == 0x1p53);
    CHECK(read_decimal("9007199254740993.00000000000000000000000000000000000000001") == 0x1p53 + 2);
    CHECK(read_decimal("1.7976931348623157e308") == std::numeric_limits<double>::max());
    CHECK(read_decimal("1.7976931348623158e308") == std::numeric_limits<double>::max());
    CHECK(read_decimal("1.7976931348623159e308") == HUGE_VAL);
    CHECK(read_decimal("6929495644600919.5") == 6929495644600920.0);
    CHECK(read_decimal("3.518437208883201171875e13") == 0x1.0000000000002p45);
    CHECK(read_decimal("0.500000000000000166533453693773481063544750213623046875") == 0x1.0000000000002p-1);
    CHECK(read_decimal("8.10109172351e-10") == 0x1.bd5cbaef0fd0cp-31);
}

TEST_CASE("decimal: zero keeps its sign, and too large numbers are infinite") {
    CHECK(bits(read_decimal("0")) == bits(0.0));
    CHECK(bits(read_decimal("-0.0e99")) == bits(-0.0));
    CHECK(bits(read_decimal("-1e-400")) == bits(-0.0));
    CHECK(read_decimal("1e309") == HUGE_VAL);
    CHECK(read_decimal("-1e99999999999999999999") == -HUGE_VAL);
    CHECK(read_decimal("1e-99999999999999999999") == 0);
}

TEST_CASE("decimal: leading and trailing zeros don't matter, however many") {
    const std::string zeros(5000, '0');
    CHECK(read_decimal("1" + zeros + "e-5000") == 1);
    CHECK(read_decimal("0." + zeros + "25e5000") == 0.25);
    CHECK(read_decimal("0." + zeros + "25E+5001") == 2.5);
    CHECK(read_decimal("1." + zeros) == 1);
    CHECK(read_decimal("1." + zeros + "1") == 1);
    CHECK(read_decimal("9007199254740993." + zeros + "1") == 0x1p53 + 2);
    CHECK(read_decimal("0e99999999999999999999") == 0);
}

TEST_CASE("decimal: numbers are written as JavaScript writes them") {
    CHECK(written(0.0) == "0");
    CHECK(written(-0.0) == "-0");  // JavaScript drops this sign
    CHECK(written(1.0) == "1");
    CHECK(written(-1.5) == "-1.5");
    CHECK(written(0.1) == "0.1");
    CHECK(written(0.1 + 0.2) == "0.30000000000000004");
    CHECK(written(100.0) == "100");
    CHECK(written(123456789.125) == "123456789.125");
    CHECK(written(1e20) == "100000000000000000000");
    CHECK(written(1e21) == "1e+21");
    CHECK(written(1.5e300) == "1.5e+300");
    CHECK(written(0.000001) == "0.000001");
    CHECK(written(0.0000001) == "1e-7");
    CHECK(written(1.25e-9) == "1.25e-9");
    CHECK(written(0x1p-25) == "2.9802322387695312e-8");  // a tie between ...12 and ...13
    CHECK(written(5e-324) == "5e-324");
    CHECK(written(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
    CHECK(written(9007199254740993.0) == "9007199254740992");
    CHECK(written(0.1f) == "0.1");
    CHECK(written(16777216.0f) == "16777216");
    CHECK(written(std::numeric_limits<float>::max()) == "3.4028235e+38");
    CHECK(written(std::numeric_limits<float>::denorm_min()) == "1e-45");
}
