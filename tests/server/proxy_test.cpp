// SPDX-License-Identifier: MIT
// The client behind a proxy. tests/scripts/proxy.sh does the same with a real haproxy.
#include <instep/server/proxy.h>

#include <tests/server/test_server.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::server;
using test::RawSocket;
using test::TestServer;

namespace {

const std::string signature("\r\n\r\n\0\r\nQUIT\n", 12);

std::string v2(std::uint8_t command, std::uint8_t family, const std::string& addresses) {
    std::string text = signature;
    for (const std::size_t byte :
         {std::size_t{0x20u | command}, std::size_t{family}, addresses.size() >> 8, addresses.size() & 255})
        text += static_cast<char>(byte);
    return text + addresses;
}
const std::string v4_addresses("\xC0\x00\x02\x07\x7F\x00\x00\x01\x30\x39\x00\x50", 12);  // 192.0.2.7:12345

// Reads as a session does: only as many bytes as are said to be missing.
struct ReadHeader {
    ProxyHeader header;
    std::size_t used = 0;  // bytes
};
ReadHeader read(const std::string& text) {
    std::vector<std::uint8_t> bytes;
    for (;;) {
        const ProxyHeader header = parse_proxy_header(bytes);
        if (!header.problem.empty() || header.missing == 0) return {header, bytes.size()};
        if (bytes.size() + header.missing > text.size()) return {header, bytes.size()};
        for (std::size_t i = 0; i < header.missing; ++i)
            bytes.push_back(static_cast<std::uint8_t>(text[bytes.size()]));
    }
}

std::string client_of(const std::string& text) {
    const ReadHeader result = read(text + "GET / HTTP/1.1");
    CHECK(result.used == text.size());
    return result.header.client ? result.header.client->text() : "the proxy";
}

std::string forwarded(const char* list, const char* proxy = "10.0.0.1") {
    return forwarded_client(list, IpAddress::parse(proxy).value(), parse_networks("10.0.0.0/8,::1").value())
        .text();
}

ServerSettings trusting(const char* networks, bool proxy_protocol) {
    ServerSettings settings = test::loopback();
    settings.trusted_proxies = parse_networks(networks).value();
    settings.proxy_protocol = proxy_protocol;
    settings.limits.requests_per_second = 1;  // 30 at once
    return settings;
}

int status_after(const TestServer& fixture, const std::string& before, const std::string& headers = "") {
    RawSocket socket(fixture.server->port());
    socket.send(before + "GET /livez HTTP/1.1\r\nHost: here\r\n" + headers + "Connection: close\r\n\r\n");
    const std::string answer = socket.receive();
    return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
}

// Requests that are answered, of 80 by as many clients, each of which may send 30.
template <class Request>
int answered(Request request) {
    int count = 0;
    for (int i = 0; i < 80; ++i) count += request("198.51.100." + std::to_string(i)) == 200;
    return count;
}

}  // namespace

TEST_CASE("PROXY header: names the client, and no byte after it is read") {
    CHECK(client_of(v2(1, 0x11, v4_addresses)) == "192.0.2.7");
    CHECK(client_of(v2(1, 0x11, v4_addresses + "\x04\x00\x01x")) == "192.0.2.7");  // with a TLV
    CHECK(
        client_of(v2(1, 0x21, "\x20\x01\x0d\xb8" + std::string(11, '\0') + "\x01" + std::string(20, '\0'))) ==
        "2001:db8::1");
    CHECK(client_of(v2(0, 0, "")) == "the proxy");
    CHECK(client_of(v2(1, 0, "")) == "the proxy");
    CHECK(client_of(v2(1, 0x31, std::string(216, 'x'))) == "the proxy");
    CHECK(client_of("PROXY TCP4 192.0.2.7 127.0.0.1 12345 80\r\n") == "192.0.2.7");
    CHECK(client_of("PROXY TCP6 2001:db8::1 ::1 1 65535\r\n") == "2001:db8::1");
    CHECK(client_of("PROXY UNKNOWN\r\n") == "the proxy");
    CHECK(client_of("PROXY UNKNOWN ffff::1 ffff::1 65535 65535\r\n") == "the proxy");
}

TEST_CASE("PROXY header: a wrong one is refused, without reading more than 536 bytes") {
    const auto problem = [](const std::string& text) {
        const ReadHeader result = read(text + std::string(1000, 'x'));
        CHECK(result.used <= ProxyHeader::most_bytes);
        return std::string(result.header.problem);
    };
    CHECK(problem("GET / HTTP/1.1\r\n") == "it does not begin like one");
    CHECK(problem(signature + "\x11\x11\x00\x0c") == "its version or command is unknown");
    CHECK(problem(signature + "\x22\x11\x00\x0c") == "its version or command is unknown");
    CHECK(problem(v2(1, 0x11, "short")) == "it is too short for IPv4 addresses");
    CHECK(problem(v2(1, 0x21, v4_addresses)) == "it is too short for IPv6 addresses");
    CHECK(problem(v2(1, 0x11, std::string(521, 'x'))) == "it has more than 536 bytes");
    CHECK(problem("PROXY TCP4 192.0.2.7 127.0.0.1 12345\r\n") ==
          "expected TCP4, TCP6 or UNKNOWN, two addresses and two ports");
    CHECK(problem("PROXY TCP4 2001:db8::1 ::1 1 2\r\n") == "its addresses are malformed");
    CHECK(problem("PROXY TCP4 192.0.2.7 127.0.0.1 1 65536\r\n") == "its ports are malformed");
    CHECK(problem("PROXY TCP4 " + std::string(100, '1')) == "its line has more than 107 bytes");
}

TEST_CASE("X-Forwarded-For: the last address that is no trusted proxy is the client") {
    CHECK(forwarded("192.0.2.7") == "192.0.2.7");
    CHECK(forwarded("203.0.113.9, 192.0.2.7") == "192.0.2.7");  // what is left of it may be forged
    CHECK(forwarded("203.0.113.9, 192.0.2.7,10.2.3.4 , ::1") == "192.0.2.7");
    CHECK(forwarded("192.0.2.7:4711") == "192.0.2.7");
    CHECK(forwarded("2001:db8::1") == "2001:db8::1");
    CHECK(forwarded("[2001:db8::1]:4711") == "2001:db8::1");
    CHECK(forwarded("") == "10.0.0.1");
    CHECK(forwarded("10.9.9.9") == "10.9.9.9");
    CHECK(forwarded("192.0.2.7, unknown, 10.9.9.9") == "10.9.9.9");
    CHECK(forwarded("192.0.2.7", "192.0.2.1") == "192.0.2.1");  // not from a trusted proxy
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "10.0.0.2,";
    CHECK(forwarded(many.c_str()) == "10.0.0.1");
}

TEST_CASE("proxy: limits count the clients of a trusted proxy, not the proxy") {
    SUBCASE("by X-Forwarded-For") {
        const TestServer fixture(trusting("127.0.0.1", false));
        CHECK(answered([&](const std::string& client) {
                  return status_after(fixture, "", "X-Forwarded-For: " + client + "\r\n");
              }) == 80);
    }
    SUBCASE("by PROXY headers") {
        const TestServer fixture(trusting("127.0.0.1", true));
        CHECK(answered([&](const std::string& client) {
                  return status_after(fixture, "PROXY TCP4 " + client + " 127.0.0.1 1 2\r\n");
              }) == 80);
    }
    SUBCASE("and from no other address") {
        const TestServer fixture(trusting("10.0.0.0/8", false));
        CHECK(answered([&](const std::string& client) {
                  return status_after(fixture, "", "X-Forwarded-For: " + client + "\r\n");
              }) < 80);
    }
    SUBCASE("nor X-Forwarded-For from the client that a PROXY header names") {
        const TestServer fixture(trusting("127.0.0.1", true));
        CHECK(answered([&](const std::string& client) {
                  return status_after(fixture, "PROXY TCP4 192.0.2.1 127.0.0.1 1 2\r\n",
                                      "X-Forwarded-For: " + client + "\r\n");
              }) < 80);
    }
}

TEST_CASE("proxy: with PROXY headers, a trusted proxy must send one and others must not") {
    const TestServer trusted(trusting("127.0.0.1", true));
    CHECK(status_after(trusted, "") == 400);
    CHECK(status_after(trusted, v2(1, 0x11, v4_addresses)) == 200);
    CHECK(status_after(trusted, v2(0, 0, "")) == 200);  // its health check
    const TestServer other(trusting("10.0.0.0/8", true));
    CHECK(status_after(other, "") == 200);
    CHECK(status_after(other, v2(1, 0x11, v4_addresses)) == 400);
}

TEST_CASE("proxy: connections count for the client that is named") {
    ServerSettings settings = trusting("127.0.0.1", true);
    settings.limits.most_connections_per_address = 2;
    const TestServer fixture(settings);
    const auto open = [&](const char* client) {
        RawSocket socket(fixture.server->port());
        socket.send(std::string("PROXY TCP4 ") + client +
                    " 127.0.0.1 1 2\r\nGET /livez HTTP/1.1\r\nHost: here\r\n\r\n");
        return socket;
    };
    RawSocket first = open("192.0.2.1");
    RawSocket second = open("192.0.2.1");
    CHECK(first.receive("ok\n").find(" 200 ") != std::string::npos);
    CHECK(second.receive("ok\n").find(" 200 ") != std::string::npos);
    RawSocket third = open("192.0.2.1");
    CHECK(third.receive().find("too_many_from_address") != std::string::npos);
    RawSocket other = open("192.0.2.2");
    CHECK(other.receive("ok\n").find(" 200 ") != std::string::npos);
}
