// SPDX-License-Identifier: MIT
#include <instep/server/host_names.h>

#include <algorithm>

#include <arpa/inet.h>

namespace instep::server {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
    return result;
}

bool parses_as(int family, const std::string& text) {
    in6_addr address{};  // the larger of the two
    return inet_pton(family, text.c_str(), &address) == 1;
}

}  // namespace

std::string name_in_host(std::string_view header) {
    const std::size_t bracket = header.starts_with('[') ? header.find(']') : std::string_view::npos;
    const std::size_t colon = header.find(':', bracket == std::string_view::npos ? 0 : bracket);
    std::string_view name = header.substr(0, colon);
    if (name.size() > 1 && name.ends_with('.')) name.remove_suffix(1);  // the root of all names, spelt out
    return lower(name);
}

bool is_address(std::string_view name) {
    if (name.starts_with('[') && name.ends_with(']'))
        return parses_as(AF_INET6, std::string(name.substr(1, name.size() - 2)));
    return parses_as(AF_INET, std::string(name));
}

bool matches_host(std::string_view name, std::string_view pattern) {
    if (pattern == "*") return true;
    const std::string wanted = lower(pattern);
    if (!wanted.starts_with("*.")) return name == wanted;
    const std::size_t dot = name.find('.');
    return dot != std::string_view::npos && dot > 0 && name.substr(dot) == std::string_view(wanted).substr(1);
}

bool HostNames::allow(std::string_view header) const {
    if (header.empty()) return true;
    const std::string name = name_in_host(header);
    if (is_address(name) || name == "localhost" || name.ends_with(".localhost")) return true;
    const auto is_it = [&](const std::string& pattern) { return matches_host(name, pattern); };
    if (std::any_of(patterns_.begin(), patterns_.end(), is_it)) return true;
    const LockGuard lock(mutex_);
    return std::any_of(certificate_names_.begin(), certificate_names_.end(), is_it);
}

}  // namespace instep::server
