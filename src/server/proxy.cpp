// SPDX-License-Identifier: MIT
#include <instep/server/proxy.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace instep::server {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view signature_v2("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr std::size_t fixed_v2 = 16;  // bytes before the addresses
constexpr std::string_view signature_v1 = "PROXY ";
constexpr std::size_t fewest_v1 = 15;  // "PROXY UNKNOWN\r\n"
constexpr std::size_t most_v1 = 107;   // bytes, its end included
constexpr std::size_t most_hops = 64;  // of X-Forwarded-For

ProxyHeader malformed(std::string_view problem) { return {.problem = problem}; }

bool begins_like(std::string_view text, std::string_view signature) {
    const std::size_t common = std::min(text.size(), signature.size());
    return text.substr(0, common) == signature.substr(0, common);
}

ProxyHeader parse_v2(Bytes bytes) {
    if (bytes.size() < fixed_v2) return {.missing = fixed_v2 - bytes.size()};
    const unsigned version = bytes[12] >> 4u;
    const unsigned command = bytes[12] & 15u;
    const unsigned family = bytes[13] >> 4u;
    const std::size_t size = fixed_v2 + bytes[14] * 256u + bytes[15];
    if (version != 2 || command > 1) return malformed("its version or command is unknown");
    if (size > ProxyHeader::most_bytes) return malformed("it has more than 536 bytes");
    if (bytes.size() < size) return {.missing = size - bytes.size()};
    if (command == 0) return {};  // LOCAL: a health check of the proxy
    const Bytes addresses = bytes.subspan(fixed_v2, size - fixed_v2);
    if (family == 1) {  // source and destination, then two ports
        if (addresses.size() < 12) return malformed("it is too short for IPv4 addresses");
        return {.client = IpAddress::v4({addresses[0], addresses[1], addresses[2], addresses[3]})};
    }
    if (family == 2) {
        if (addresses.size() < 36) return malformed("it is too short for IPv6 addresses");
        IpAddress::Bytes source{};
        std::copy_n(addresses.begin(), source.size(), source.begin());
        return {.client = IpAddress(source)};
    }
    return {};  // unspecified, or a UNIX socket
}

bool is_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t space = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, space));
        if (space == line.size()) return words;
        line.remove_prefix(space + 1);
    }
}

// "PROXY TCP4 192.0.2.1 192.0.2.9 56324 443", without its end.
ProxyHeader parse_v1_line(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words[1] == "UNKNOWN") return {};
    const bool is_v4 = words[1] == "TCP4";
    if ((!is_v4 && words[1] != "TCP6") || words.size() != 6)
        return malformed("expected TCP4, TCP6 or UNKNOWN, two addresses and two ports");
    const auto source = IpAddress::parse(words[2]);
    const auto destination = IpAddress::parse(words[3]);
    const auto is_of_family = [is_v4](std::string_view text) {
        return (text.find(':') == std::string_view::npos) == is_v4;
    };
    if (!source || !destination || !is_of_family(words[2]) || !is_of_family(words[3]))
        return malformed("its addresses are malformed");
    if (!is_port(words[4]) || !is_port(words[5])) return malformed("its ports are malformed");
    return {.client = source};
}

// Its length is not known before its end, so it is read two bytes at a time: at least those are missing.
ProxyHeader parse_v1(std::string_view text) {
    if (text.size() < fewest_v1) return {.missing = fewest_v1 - text.size()};
    const std::size_t end = text.find("\r\n");
    if (end != std::string_view::npos) return parse_v1_line(text.substr(0, end));
    const std::size_t missing = text.back() == '\r' ? 1 : 2;
    if (text.size() + missing > most_v1) return malformed("its line has more than 107 bytes");
    return {.missing = missing};
}

// "192.0.2.1", "192.0.2.1:80", "2001:db8::1" or "[2001:db8::1]:80".
std::optional<IpAddress> parse_hop(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    if (text.starts_with('['))
        return IpAddress::parse(text.substr(1, std::min(text.find(']'), text.size()) - 1));
    if (std::count(text.begin(), text.end(), ':') == 1) text = text.substr(0, text.find(':'));
    return IpAddress::parse(text);
}

}  // namespace

ProxyHeader parse_proxy_header(Bytes bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (bytes.empty()) return {.missing = fewest_v1};
    if (begins_like(text, signature_v2)) return parse_v2(bytes);
    if (begins_like(text, signature_v1)) return parse_v1(text);
    return malformed("it does not begin like one");
}

IpAddress forwarded_client(std::string_view list, const IpAddress& proxy, const IpNetworks& trusted) {
    IpAddress client = proxy;
    for (std::size_t hop = 0; hop < most_hops && !list.empty() && contains(trusted, client); ++hop) {
        const std::size_t comma = list.rfind(',');
        const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
        const auto next = parse_hop(list.substr(begin));
        if (!next) break;  // "unknown", or forged: the proxy that appended it is all that is known
        client = *next;
        list = list.substr(0, begin == 0 ? 0 : begin - 1);
    }
    return client;
}

}  // namespace instep::server
