// SPDX-License-Identifier: MIT
#include <instep/cluster/redis_url.h>

#include <algorithm>
#include <charconv>

#include <instep/state/plain_name.h>

namespace instep::cluster {
namespace {

using state::refuse;
using state::Result;

constexpr std::uint16_t redis_port = 6379;
constexpr std::uint16_t sentinel_port = 26379;
constexpr std::size_t max_host = 253;  // bytes of a DNS name
constexpr std::size_t max_hosts = 16;
constexpr std::size_t max_master = 64;

constexpr const char* expected =
    "expected redis://HOST[:PORT], rediss://HOST[:PORT] or redis-sentinel://HOST[:PORT],HOST.../NAME";

bool is_host_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_';
}

Result<RedisHost> parse_host(std::string_view text, std::uint16_t usual_port) {
    RedisHost host{{}, usual_port};
    std::string_view port;
    if (text.starts_with('[')) {  // IPv6
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) return refuse("", "an IPv6 address has no closing bracket");
        host.name = text.substr(1, end - 1);
        port = text.substr(end + 1);
        const auto is_ipv6_character = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' ||
                   c == '.';
        };
        if (!std::all_of(host.name.begin(), host.name.end(), is_ipv6_character))
            return refuse("", "\"[...]\" holds no IPv6 address");
    } else {
        const std::size_t colon = text.find(':');
        host.name = text.substr(0, colon);
        port = colon == std::string_view::npos ? "" : text.substr(colon);
        if (!std::all_of(host.name.begin(), host.name.end(), is_host_character))
            return refuse("", std::string("a host has a character that no host name has; ") + expected);
    }
    if (host.name.empty() || host.name.size() > max_host)
        return refuse("", std::string("a host name is empty or too long; ") + expected);
    if (port.empty()) return host;
    port.remove_prefix(1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), host.port);
    if (error != std::errc() || end != port.data() + port.size() || host.port == 0)
        return refuse("", "a port is a whole number from 1 to 65535");
    return host;
}

}  // namespace

Result<RedisUrl> parse_redis_url(std::string_view text) {
    RedisUrl url;
    bool has_sentinels = false;
    const auto take = [&](std::string_view scheme) {
        if (!text.starts_with(scheme)) return false;
        text.remove_prefix(scheme.size());
        return true;
    };
    if (take("redis-sentinel://"))
        has_sentinels = true;
    else if (take("rediss://"))
        url.tls = true;
    else if (!take("redis://"))
        return refuse("", expected);
    if (text.find('@') != std::string_view::npos)
        return refuse("", "user and password belong into a file (--cluster-login), not into the address");
    const std::size_t slash = text.find('/');
    const std::string_view path = slash == std::string_view::npos ? "" : text.substr(slash + 1);
    std::string_view hosts = text.substr(0, slash);
    if (has_sentinels) {
        if (path.empty() || path.size() > max_master || !state::is_plain_name(path))
            return refuse("", "after the Sentinels stands the name of their master, as in /mymaster");
        url.master = path;
    } else if (!path.empty() && path != "0") {
        return refuse("", "a cluster uses database 0, so no path may follow the host");
    }
    for (;;) {
        const std::size_t comma = hosts.find(',');
        auto host = parse_host(hosts.substr(0, comma), has_sentinels ? sentinel_port : redis_port);
        if (!host) return std::unexpected(host.error());
        url.hosts.push_back(std::move(*host));
        if (comma == std::string_view::npos) break;
        if (!has_sentinels) return refuse("", "several hosts are for redis-sentinel:// only");
        if (url.hosts.size() == max_hosts)
            return refuse("", "at most " + std::to_string(max_hosts) + " Sentinels can be named");
        hosts.remove_prefix(comma + 1);
    }
    return url;
}

Result<RedisLogin> parse_redis_login(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    const std::size_t space = text.find(' ');
    RedisLogin login;
    if (space != std::string_view::npos) login.user = text.substr(0, space);
    login.password = space == std::string_view::npos ? text : text.substr(space + 1);
    const auto is_plain = [](std::string_view word) {
        return std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c <= '~'; });
    };
    if (login.password.empty() || !is_plain(login.user) || !is_plain(login.password))
        return refuse("", "expected one line, \"PASSWORD\" or \"USER PASSWORD\", of printable characters");
    return login;
}

}  // namespace instep::cluster
