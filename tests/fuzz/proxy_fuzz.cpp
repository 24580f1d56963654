// SPDX-License-Identifier: MIT
// Any bytes are read as a PROXY header or refused, in steps that never ask for bytes beyond it and that end
// within its bounds. The same bytes, split as a list of X-Forwarded-For, give a client that the list or the
// connection names. What is read as a network is written and read again as the same one.
#include <instep/server/proxy.h>

#include <tests/fuzz/require.h>

using namespace instep::server;

namespace {

const IpNetworks& trusted() {
    static const IpNetworks networks = parse_networks("10.0.0.0/8,::1").value();
    return networks;
}

void check_header(std::span<const std::uint8_t> bytes) {
    std::size_t read = 0;
    for (;;) {
        const ProxyHeader header = parse_proxy_header(bytes.first(read));
        REQUIRE(header.problem.empty() || (header.missing == 0 && !header.client));
        REQUIRE(header.missing == 0 || !header.client);
        if (header.missing == 0) break;
        read += header.missing;
        REQUIRE(read <= ProxyHeader::most_bytes);
        if (read > bytes.size()) return;
    }
    // What follows does not matter.
    if (const ProxyHeader header = parse_proxy_header(bytes.first(read)); header.client)
        REQUIRE(IpAddress::parse(header.client->text()) == header.client);
}

void check_list(std::string_view list) {
    const IpAddress proxy = IpAddress::parse("10.0.0.1").value();
    const IpAddress client = forwarded_client(list, proxy, trusted());
    REQUIRE(IpAddress::parse(client.text()) == client);
    // Whatever a client writes itself, a trusted proxy appends the client's address, which decides.
    const IpAddress real = IpAddress::parse("192.0.2.7").value();
    REQUIRE(forwarded_client(std::string(list) + ", 192.0.2.7", proxy, trusted()) == real);
    REQUIRE(forwarded_client(list, real, trusted()) == real);
}

void check_network(std::string_view text) {
    const auto network = IpNetwork::parse(text);
    if (network) REQUIRE(IpNetwork::parse(network->text()) == network);
    const auto networks = parse_networks(text);
    REQUIRE(!networks || networks->size() <= 64);
    REQUIRE(networks || !networks.error().what.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_header({data, size});
    check_list(text);
    check_network(text);
    return 0;
}
