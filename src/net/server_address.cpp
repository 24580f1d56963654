// SPDX-License-Identifier: MIT
#include <instep/net/server_address.h>

#include <algorithm>
#include <cstdint>

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

bool is_port(std::string_view text) {
    constexpr std::size_t most_digits = 5;
    if (text.empty() || text.size() > most_digits || !std::all_of(text.begin(), text.end(), is_digit))
        return false;
    std::uint32_t port = 0;
    for (const char digit : text) port = 10 * port + static_cast<std::uint32_t>(digit - '0');
    return port >= 1 && port <= 65'535;
}

}  // namespace

bool is_server_address(std::string_view text) {
    if (text.size() > max_server_address) return false;
    if (text.starts_with(tls_scheme))
        text.remove_prefix(tls_scheme.size());
    else if (text.starts_with(plain_scheme))
        text.remove_prefix(plain_scheme.size());
    else
        return false;
    std::string_view host;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) return false;
        host = text.substr(1, end - 1);
        if (host.find(':') == std::string_view::npos ||
            !std::all_of(host.begin(), host.end(), is_ipv6_character))
            return false;
        text.remove_prefix(end + 1);
    } else {
        host = text.substr(0, text.find(':'));
        if (!std::all_of(host.begin(), host.end(), is_host_character)) return false;
        text.remove_prefix(host.size());
    }
    if (host.empty()) return false;
    return text.empty() || (text.starts_with(':') && is_port(text.substr(1)));
}

bool may_follow(std::string_view from, std::string_view to) {
    return is_server_address(to) && (to.starts_with(tls_scheme) || !from.starts_with(tls_scheme));
}

}  // namespace instep::net
