// SPDX-License-Identifier: MIT
// Addresses and networks of IPv4 and IPv6, as texts and as bytes that compare. They know no sockets, so that
// what limits, bans and parses them need not either.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <instep/state/result.h>

namespace instep::server {

class IpAddress {
public:
    using Bytes = std::array<std::uint8_t, 16>;

    IpAddress() = default;                                     // ::
    explicit IpAddress(const Bytes& bytes) : bytes_(bytes) {}  // in network order; IPv4 as ::ffff:a.b.c.d
    static IpAddress v4(const std::array<std::uint8_t, 4>& bytes);
    // "192.0.2.1" or "2001:db8::1"; an IPv4-mapped address is its IPv4 address.
    static std::optional<IpAddress> parse(std::string_view text);

    const Bytes& bytes() const { return bytes_; }
    bool is_v4() const;
    bool is_loopback() const;  // 127.0.0.0/8 or ::1
    std::string text() const;
    friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

private:
    Bytes bytes_{};
};

// All addresses whose first bits are the same.
class IpNetwork {
public:
    IpNetwork() = default;
    // `bits` of an IPv4 address count from its own beginning, as in 10.0.0.0/8. Further bits become 0.
    IpNetwork(const IpAddress& address, unsigned bits);
    // "10.0.0.0/8", "2001:db8::/32", or an address alone.
    static std::optional<IpNetwork> parse(std::string_view text);

    bool contains(const IpAddress& address) const;
    std::string text() const;  // without "/32" and "/128"
    // The first 64 bits of an IPv6 network, or an IPv4 address beneath a prefix that no IPv6 network has
    // (::/8 is reserved: RFC 4291, 2.4). Unique among networks of one length up to 64 bits and IPv4
    // addresses.
    std::uint64_t key() const;
    friend auto operator<=>(const IpNetwork&, const IpNetwork&) = default;

private:
    IpAddress address_;
    std::uint8_t bits_ = 0;  // of 128
};

using IpNetworks = std::vector<IpNetwork>;
bool contains(const IpNetworks& networks, const IpAddress& address);
// "10.0.0.0/8,192.0.2.1": at most 64 networks.
state::Result<IpNetworks> parse_networks(std::string_view list);

// What limits per address count. One customer has an IPv4 address, or an IPv6 network of 64, 56 or 48 bits
// (RFC 6177), so a limit holds for each of the three; the wider ones allow more, since several may share
// them.
inline constexpr std::array<std::uint32_t, 3> network_factors{1, 2, 4};  // times the limit of one address
struct LimitedNetwork {
    IpNetwork network;
    std::uint32_t factor;
};
class LimitedNetworks {
public:
    explicit LimitedNetworks(const IpAddress& address);
    const LimitedNetwork* begin() const { return networks_.data(); }
    const LimitedNetwork* end() const { return networks_.data() + count_; }
    const IpNetwork& narrowest() const { return networks_[0].network; }

private:
    std::array<LimitedNetwork, network_factors.size()> networks_{};
    std::size_t count_ = 0;
};

}  // namespace instep::server
