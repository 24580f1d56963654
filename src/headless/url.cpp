// SPDX-License-Identifier: MIT
#include <instep/headless/url.h>

#include <algorithm>
#include <charconv>

#include <instep/state/plain_name.h>

namespace instep::headless {

state::Result<Url> parse_url(std::string_view text) {
    const auto malformed = [text] {
        return state::refuse(
            "", "expected an address like ws://127.0.0.1:8080, got \"" + std::string(text) + "\"");
    };
    Url url;
    std::string_view rest = text;
    if (rest.starts_with("wss://") || rest.starts_with("https://"))
        url.tls = true;
    else if (!rest.starts_with("ws://") && !rest.starts_with("http://"))
        return malformed();
    rest.remove_prefix(rest.find("://") + 3);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    url.target = slash < rest.size() ? std::string(rest.substr(slash)) : "/";
    std::string_view authority = rest.substr(0, slash);
    url.port = url.tls ? 443 : 80;
    if (const std::size_t colon = authority.rfind(':');
        colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos) {
        const std::string_view port = authority.substr(colon + 1);
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
        if (error != std::errc() || end != port.data() + port.size() || url.port == 0) return malformed();
        authority = authority.substr(0, colon);
    }
    if (authority.starts_with('[') && authority.ends_with(']'))
        authority = authority.substr(1, authority.size() - 2);
    if (authority.empty()) return malformed();
    url.host = std::string(authority);
    return url;
}

std::string server_address(const Url& url) {
    const bool is_ipv6 = url.host.find(':') != std::string::npos;
    return std::string(url.tls ? "wss://" : "ws://") + (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" +
           std::to_string(url.port);
}

std::string escape_query(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (state::is_name_character(c) || c == '.' || c == '~') {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out.append({'%', digits[byte >> 4], digits[byte & 15]});
        }
    }
    return out;
}

}  // namespace instep::headless
