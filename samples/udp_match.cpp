// SPDX-License-Identifier: MIT
// Both ends of a connection over a transport of their own, here UDP: a host, and a client that predicts its
// player. Neither end knows sockets or reads a clock: the program carries the bytes and says what time it is.
// Here it says that ten seconds pass as fast as they can.
//
//     find_package(Instep REQUIRED COMPONENTS net)
//     target_link_libraries(program PRIVATE instep::net)
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <instep/net.h>

#include "drift.h"

using namespace instep;

namespace {

class UdpSocket {
public:
    UdpSocket() : handle_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address_;
        auto* const generic = reinterpret_cast<sockaddr*>(&address_);
        if (bind(handle_, generic, size) != 0 || getsockname(handle_, generic, &size) != 0) std::exit(1);
    }
    ~UdpSocket() { close(handle_); }
    void send(const UdpSocket& to, const codec::Bytes& bytes) const {
        sendto(handle_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to.address_),
               sizeof to.address_);
    }
    bool receive(codec::Bytes& into) const {
        into.resize(65'536);
        const ssize_t size = recv(handle_, into.data(), into.size(), 0);
        into.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return size > 0;
    }

private:
    int handle_;
    sockaddr_in address_{};
};

}  // namespace

int main() {
    const auto setup = match::load_setup(drift::level, "the level");
    if (!setup) return 1;
    constexpr auto link = net::LinkKind::datagram;  // datagrams may be lost, doubled or out of order
    net::Host host(*setup, 7, net::ReplicationMode::snapshots);
    net::Client client(*setup, link);
    std::optional<contract::Slot> slot;
    const UdpSocket server_socket;
    const UdpSocket player_socket;
    codec::Bytes bytes;
    std::size_t sent = 0;

    client.write_hello("Ann", bytes);
    player_socket.send(server_socket, bytes);
    for (int frame = 1; frame <= 600; ++frame) {
        const double now = frame / 60.0;
        while (server_socket.receive(bytes)) {  // the server
            const auto hello = slot ? std::nullopt : net::read_hello(bytes);
            if (hello && net::refusal_of(*hello, **setup).empty())
                slot = host.join(hello->name.view(), link).value();
            if (slot && !hello) host.receive(*slot, bytes, now);
        }
        host.step();
        bytes.clear();
        if (slot && host.write_message(*slot, true, now, bytes)) {
            server_socket.send(player_socket, bytes);
            sent += bytes.size();
        }
        while (player_socket.receive(bytes)) client.receive(bytes, now);  // the player
        const drift::Input keys{{frame % 120 < 60 ? 1.0 : -1.0, 0.5}};
        while (client.wants_tick(now)) client.tick(reinterpret_cast<const std::byte*>(&keys));
        bytes.clear();
        if (client.write_message(now, bytes)) player_socket.send(server_socket, bytes);
    }
    const net::ClientStats stats = client.stats();
    std::printf(
        "tick %llu at the server, %llu predicted; %llu snapshots in %zu bytes, %u desyncs, %llu inputs in "
        "time\n",
        static_cast<unsigned long long>(host.match().tick()),
        static_cast<unsigned long long>(client.predicted_tick()),
        static_cast<unsigned long long>(stats.snapshots), sent, stats.desyncs,
        static_cast<unsigned long long>(host.stats().inputs_accepted));
    return client.joined() && stats.snapshots > 100 && stats.desyncs == 0 &&
                   host.stats().inputs_accepted > 500
               ? 0
               : 1;
}
