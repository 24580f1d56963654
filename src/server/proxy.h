// SPDX-License-Identifier: MIT
// Who the client behind a trusted proxy is: from the PROXY header with which the proxy begins a connection
// (versions 1 and 2 of "The PROXY protocol", Willy Tarreau, 2020), or from X-Forwarded-For.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <instep/server/ip_address.h>

namespace instep::server {

struct ProxyHeader {
    static constexpr std::size_t most_bytes =
        536;  // the smallest segment that TCP must take, as the protocol advises

    // What is wrong with it; empty: nothing so far.
    std::string_view problem;
    // How many bytes to read next; 0: it is complete. Never reads beyond the header.
    std::size_t missing = 0;
    // Once it is complete. Empty: the proxy speaks for itself, or does not know its client.
    std::optional<IpAddress> client;
};
// From the beginning of a connection; without bytes, it says how many to read first.
ProxyHeader parse_proxy_header(std::span<const std::uint8_t> bytes);

// The last address of the list that is no trusted proxy. Each proxy appends the address that connected to it,
// so what is further left may be forged. `proxy` if there is no other.
IpAddress forwarded_client(std::string_view list, const IpAddress& proxy, const IpNetworks& trusted);

}  // namespace instep::server
