// SPDX-License-Identifier: MIT
#include <instep/server/ip_address.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>

namespace instep::server {
namespace {

constexpr IpAddress::Bytes v4_mapped{0, 0, 0,    0,    0, 0, 0, 0,
                                     0, 0, 0xFF, 0xFF, 0, 0, 0, 0};  // RFC 4291, 2.5.5.2
constexpr std::size_t v4_offset = 12;
constexpr unsigned v4_bits = 96;
constexpr std::size_t most_networks = 64;

}  // namespace

IpAddress IpAddress::v4(const std::array<std::uint8_t, 4>& bytes) {
    Bytes mapped = v4_mapped;
    std::copy(bytes.begin(), bytes.end(), mapped.begin() + v4_offset);
    return IpAddress(mapped);
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
    char copy[INET6_ADDRSTRLEN] = {};
    if (text.empty() || text.size() >= sizeof copy || text.find('\0') != std::string_view::npos) return {};
    std::copy(text.begin(), text.end(), copy);
    if (std::array<std::uint8_t, 4> bytes{}; inet_pton(AF_INET, copy, bytes.data()) == 1) return v4(bytes);
    if (Bytes bytes{}; inet_pton(AF_INET6, copy, bytes.data()) == 1) return IpAddress(bytes);
    return {};
}

bool IpAddress::is_v4() const {
    return std::equal(v4_mapped.begin(), v4_mapped.begin() + v4_offset, bytes_.begin());
}

bool IpAddress::is_loopback() const {
    if (is_v4()) return bytes_[v4_offset] == 127;
    Bytes one{};
    one.back() = 1;
    return bytes_ == one;
}

std::string IpAddress::text() const {
    char text[INET6_ADDRSTRLEN] = {};
    if (is_v4())
        inet_ntop(AF_INET, bytes_.data() + v4_offset, text, sizeof text);
    else
        inet_ntop(AF_INET6, bytes_.data(), text, sizeof text);
    return text;
}

IpNetwork::IpNetwork(const IpAddress& address, unsigned bits) {
    bits = std::min(address.is_v4() ? bits + v4_bits : bits, 128u);
    IpAddress::Bytes bytes = address.bytes();
    for (unsigned i = 0; i < bytes.size(); ++i) {
        const unsigned kept = std::clamp(bits, 8 * i, 8 * i + 8) - 8 * i;  // bits of this byte
        bytes[i] = static_cast<std::uint8_t>(bytes[i] & (0xFF00u >> kept));
    }
    address_ = IpAddress(bytes);
    bits_ = static_cast<std::uint8_t>(bits);
}

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto address = IpAddress::parse(text.substr(0, slash));
    if (!address) return {};
    const unsigned most = address->is_v4() ? 128 - v4_bits : 128;
    if (slash == text.size()) return IpNetwork(*address, most);
    unsigned bits = 0;
    const std::string_view number = text.substr(slash + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), bits);
    if (error != std::errc() || end != number.data() + number.size() || bits > most) return {};
    return IpNetwork(*address, bits);
}

bool IpNetwork::contains(const IpAddress& address) const {
    const unsigned bits = address.is_v4() && bits_ >= v4_bits ? bits_ - v4_bits : bits_;
    return IpNetwork(address, bits) == *this;
}

std::string IpNetwork::text() const {
    if (bits_ == 128) return address_.text();
    return address_.text() + "/" + std::to_string(bits_ - (address_.is_v4() ? v4_bits : 0));
}

std::uint64_t IpNetwork::key() const {
    const std::size_t first = address_.is_v4() ? 8 : 0;
    std::uint64_t key = 0;
    for (std::size_t i = first; i < first + 8; ++i) key = key << 8 | address_.bytes()[i];
    return key;
}

bool contains(const IpNetworks& networks, const IpAddress& address) {
    return std::any_of(networks.begin(), networks.end(),
                       [&](const IpNetwork& network) { return network.contains(address); });
}

state::Result<IpNetworks> parse_networks(std::string_view list) {
    IpNetworks networks;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        const std::string_view text = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        const auto network = IpNetwork::parse(text);
        if (!network || networks.size() == most_networks)
            return state::refuse("", "expected up to " + std::to_string(most_networks) +
                                         " networks like 10.0.0.0/8,2001:db8::/32,192.0.2.1, got \"" +
                                         std::string(text) + "\"");
        networks.push_back(*network);
    }
    return networks;
}

LimitedNetworks::LimitedNetworks(const IpAddress& address) {
    if (address.is_v4()) {
        networks_[count_++] = {IpNetwork(address, 32), network_factors[0]};
        return;
    }
    for (const unsigned bits : {64u, 56u, 48u}) {
        networks_[count_] = {IpNetwork(address, bits), network_factors[count_]};
        ++count_;
    }
}

}  // namespace instep::server
