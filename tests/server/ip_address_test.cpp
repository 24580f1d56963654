// SPDX-License-Identifier: MIT
#include <instep/server/ip_address.h>

#include <doctest/doctest.h>

#include <instep/server/connection_limits.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;

namespace {

IpAddress address(const char* text) {
    const auto parsed = IpAddress::parse(text);
    REQUIRE_MESSAGE(parsed.has_value(), text);
    return *parsed;
}

IpNetwork network(const char* text) {
    const auto parsed = IpNetwork::parse(text);
    REQUIRE_MESSAGE(parsed.has_value(), text);
    return *parsed;
}

IpAddress random_address(math::Random& random) {
    IpAddress::Bytes bytes{};
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
    return random.below(2) == 0 ? IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]}) : IpAddress(bytes);
}

}  // namespace

TEST_CASE("address: every address is read from its own text") {
    test::for_each_seed(200, [](math::Random& random) {
        const IpAddress any = random_address(random);
        CHECK(IpAddress::parse(any.text()) == any);
        const IpNetwork around(any, random.below(any.is_v4() ? 33u : 129u));
        CHECK(IpNetwork::parse(around.text()) == around);
        CHECK(around.contains(any));
    });
    CHECK(address("::ffff:192.0.2.1") == address("192.0.2.1"));
    CHECK(address("::ffff:192.0.2.1").text() == "192.0.2.1");
    for (const char* wrong : {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "::g", "here", "1.2.3.4 ", "[::1]"})
        CHECK(!IpAddress::parse(wrong));
}

TEST_CASE("network: contains the addresses that have its first bits, and no others") {
    test::for_each_seed(200, [](math::Random& random) {
        const IpAddress any = random_address(random);
        const unsigned most = any.is_v4() ? 32 : 128;
        const unsigned bits = 1 + random.below(most);
        const IpNetwork around(any, bits);
        IpAddress::Bytes other = any.bytes();
        const unsigned flipped = random.below(most) + 128 - most;  // of 128
        other[flipped / 8] = static_cast<std::uint8_t>(other[flipped / 8] ^ (0x80u >> flipped % 8));
        CHECK(around.contains(IpAddress(other)) == (flipped >= bits + 128 - most));
    });
    CHECK(!network("0.0.0.0/0").contains(address("2001:db8::1")));
    CHECK(!network("10.0.0.0/8").contains(address("2001:db8::1")));
    CHECK(network("10.9.8.7/8").text() == "10.0.0.0/8");
    CHECK(network("192.0.2.1").text() == "192.0.2.1");
    CHECK(network("2001:db8:1:2:3::/64").text() == "2001:db8:1:2::/64");
    for (const char* wrong : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "/8", "10.0.0.0/8x"})
        CHECK(!IpNetwork::parse(wrong));
}

TEST_CASE("network: a list is read whole, or refused with the part that is wrong") {
    const auto read = parse_networks("10.0.0.0/8,2001:db8::/32,192.0.2.1");
    REQUIRE(read);
    CHECK(read->size() == 3);
    CHECK(contains(*read, address("192.0.2.1")));
    CHECK(!contains(*read, address("192.0.2.2")));
    const auto wrong = parse_networks("10.0.0.0/8,here");
    REQUIRE(!wrong);
    CHECK(wrong.error().text().find("got \"here\"") != std::string::npos);
}

TEST_CASE("connection limits: an IPv6 client counts for its networks of 64, 56 and 48 bits") {
    ConnectionLimits limits(1000, 4);
    std::vector<ConnectionLimits::Permit> held;
    const auto open = [&](const std::string& text) {
        auto permit = limits.acquire_address(address(text.c_str()));
        if (permit) held.push_back(*permit);
        return permit.has_value();
    };
    int of_64 = 0;
    int of_56 = 0;
    int of_48 = 0;
    for (int i = 0; i < 20; ++i) of_64 += open("2001:db8:1:0:" + std::to_string(i) + "::1");
    for (int i = 0; i < 20; ++i) of_56 += open("2001:db8:2:" + std::to_string(i) + "::1");
    for (int i = 0; i < 20; ++i) of_48 += open("2001:db8:3:" + std::to_string(i) + "00::1");
    CHECK(of_64 == 4);
    CHECK(of_56 == 8);
    CHECK(of_48 == 16);
    CHECK(open("2001:db8:4::1"));
    held.clear();
    CHECK(open("2001:db8:1::1"));
}
