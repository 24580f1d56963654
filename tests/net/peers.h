// SPDX-License-Identifier: MIT
// A host and its clients over simulated links with the conditions that a test sets.
#pragma once

#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/net/simulated_link.h>

#include <tests/net/logged_match.h>

#include <deque>
#include <functional>

namespace instep::test {

using codec::Bytes;
using net::Client;
using net::Host;
using net::LinkConditions;
using net::LinkKind;
using net::ReplicationMode;
using net::SimulatedLink;

struct Peer {
    Peer(const match::SharedSetup& setup, LinkKind kind, const LinkConditions& conditions)
        : client(setup, kind),
          up(kind, conditions, 1),
          down(kind, conditions, 2),
          input(setup->world->input->size) {}

    Client client;
    SimulatedLink up;
    SimulatedLink down;
    codec::Bytes input;
    std::function<void(std::byte*)> keys;     // instead of the world's bot
    std::vector<std::uint32_t> acknowledged;  // the snapshots it applied, in order of arrival
    contract::Slot slot = 0;
    bool asleep = false;
    bool reads = true;
};

struct Room {
    match::SharedSetup setup;
    LinkKind kind;
    Host host;
    std::deque<Peer> peers;
    double time = 0;

    Room(const match::SharedSetup& given, ReplicationMode mode, LinkKind link)
        : setup(given), kind(link), host(given, 1, mode) {}

    Peer& add(double latency = 0.025) { return add(LinkConditions{.latency = latency}); }
    Peer& add(const LinkConditions& conditions) {
        Peer& peer = peers.emplace_back(setup, kind, conditions);
        const auto slot = host.join("peer", kind);
        REQUIRE(slot);
        peer.slot = *slot;
        return peer;
    }
    template <class Check>
    void run(double seconds, Check check) {
        const double step = 0.25 / setup->facts.tick_rate;
        for (const double end = time + seconds; time < end; time += step) {
            codec::Bytes message;
            for (Peer& peer : peers)
                while (peer.up.receive(time, message)) host.receive(peer.slot, message, time);
            if (time * setup->facts.tick_rate >= static_cast<double>(host.match().tick() + 1)) {
                host.step();
                for (Peer& peer : peers) {
                    codec::Bytes out;
                    while (host.write_message(peer.slot, peer.down.bytes_in_flight() < 4096, time, out)) {
                        peer.down.send(out, time);
                        out.clear();
                    }
                }
            }
            for (Peer& peer : peers) play(peer);
            check();
        }
    }
    void run(double seconds) {
        run(seconds, [] {});
    }
    void play(Peer& peer) {
        if (peer.asleep) return;
        codec::Bytes message;
        while (peer.reads && peer.down.receive(time, message)) {
            const std::uint64_t before = peer.client.stats().snapshots;
            peer.client.receive(message, time + 1000);
            if (peer.client.stats().snapshots > before)
                peer.acknowledged.push_back(peer.client.decoder()->number());
        }
        while (peer.client.wants_tick(time + 1000)) {
            if (peer.keys)
                peer.keys(peer.input.data());
            else
                setup->world->bot(setup->value.get(), setup->layout, peer.client.predicted(), peer.slot,
                                  peer.input.data());
            peer.client.tick(peer.input.data());
        }
        codec::Bytes out;
        while (peer.client.write_message(time + 1000, out)) {
            peer.up.send(out, time);
            out.clear();
        }
    }
};

}  // namespace instep::test
