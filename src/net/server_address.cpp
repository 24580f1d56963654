// SPDX-License-Identifier: MIT
#include <instep/net/server_address.h>

#include <algorithm>

namespace instep::net {
namespace {

constexpr std::string_view plain_scheme = "ws://";
constexpr std::string_view tls_scheme = "wss://";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_host_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
}
bool is_ipv6_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' || c == '.';
}

// 0: not a port.
std::uint16_t parse_port(std::string_view text) {
    constexpr std::size_t most_digits = 5;
    if (text.empty() || text.size() > most_digits || !std::all_of(text.begin(), text.end(), is_digit))
        return 0;
    std::uint32_t port = 0;
    for (const char digit : text) port = 10 * port + static_cast<std::uint32_t>(digit - '0');
    return port <= 65'535 ? static_cast<std::uint16_t>(port) : std::uint16_t{0};
}

}  // namespace

std::optional<ServerAddress> parse_server_address(std::string_view text) {
    if (text.size() > max_server_address) return {};
    ServerAddress address;
    address.tls = text.starts_with(tls_scheme);
    if (!address.tls && !text.starts_with(plain_scheme)) return {};
    text.remove_prefix(address.tls ? tls_scheme.size() : plain_scheme.size());
    address.port = address.tls ? 443 : 80;
    std::string_view host;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) return {};
        host = text.substr(1, end - 1);
        if (host.find(':') == std::string_view::npos ||
            !std::all_of(host.begin(), host.end(), is_ipv6_character))
            return {};
        text.remove_prefix(end + 1);
    } else {
        host = text.substr(0, text.find(':'));
        if (host.empty() || !std::all_of(host.begin(), host.end(), is_host_character)) return {};
        text.remove_prefix(host.size());
    }
    address.host = host;
    if (text.empty()) return address;
    address.port = parse_port(text.substr(1));
    if (text.front() != ':' || address.port == 0) return {};
    return address;
}

bool may_follow(std::string_view from, std::string_view to) {
    return is_server_address(to) && (to.starts_with(tls_scheme) || !from.starts_with(tls_scheme));
}

}  // namespace instep::net
