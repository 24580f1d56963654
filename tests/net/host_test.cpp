// SPDX-License-Identifier: MIT
// A host and the messages of a client that the test writes itself.
#include <instep/net/host.h>

#include <tests/net/logged_match.h>

using namespace instep;
using namespace instep::net;
using contract::Slot;

namespace {

struct HostedPlayer {
    match::SharedSetup setup = test::level("orbit", "belt");
    Host host{setup, 1, ReplicationMode::snapshots};
    Slot slot = host.join("player", LinkKind::ordered).value();

    double now() const { return static_cast<double>(host.match().tick()) / setup->facts.tick_rate; }
    std::uint32_t next() const { return static_cast<std::uint32_t>(host.match().tick() + 1); }
    std::uint32_t newest() const {
        return static_cast<std::uint32_t>(host.match().tick() / setup->facts.snapshot_every);
    }
    std::optional<SnapshotParts> step() {
        host.step();
        message.clear();
        if (!host.write_message(slot, true, now(), message)) return {};
        return read_snapshot(message);
    }
    SnapshotParts step_to_snapshot() {
        for (;;)
            if (auto parts = step()) return *parts;
    }
    void send(InputMessage inputs) {
        inputs.inputs.resize(inputs.count * setup->world->input->size);
        codec::Bytes out;
        write(inputs, *setup->world->input, out);
        host.receive(slot, out, now());
    }

    codec::Bytes message;
};

}  // namespace

TEST_CASE("host: a slot without a client has no stream and no input") {
    HostedPlayer player;
    for (const Slot slot : {Slot{1}, Slot{63}, Slot{200}}) {
        CHECK(!player.host.last_played(slot));
        CHECK(!player.host.stream_state(slot));
        codec::Bytes out;
        CHECK(!player.host.write_message(slot, true, 0, out));
    }
    CHECK(!player.host.last_played(player.slot));
    player.send({.first_tick = player.next(), .first_sequence = 1, .count = 1});
    player.step();
    CHECK(player.host.last_played(player.slot) == player.host.match().tick());
    player.host.leave(player.slot);
    player.step();
    CHECK(!player.host.last_played(player.slot));
}

TEST_CASE(
    "host: after room time stepped back, inputs count again from a client that knows a snapshot of the new "
    "time") {
    HostedPlayer player;
    player.step_to_snapshot();
    const std::uint32_t known = player.newest();
    player.send({.acknowledged = known, .first_tick = player.next() + 1, .first_sequence = 1, .count = 5});
    CHECK(player.host.stats().inputs_accepted == 5);
    player.host.step_back_time();
    player.step();
    player.step();
    CHECK(!player.host.last_played(player.slot));  // what waited was dropped

    const InputMessage outdated{
        .acknowledged = known, .first_tick = player.next() + 9, .first_sequence = 6, .count = 3};
    player.send(outdated);
    CHECK(player.host.stats().inputs_accepted == 5);
    CHECK(player.host.stats().inputs_early == 3);
    player.step_to_snapshot();
    InputMessage knowing{
        .acknowledged = player.newest(), .first_tick = player.next(), .first_sequence = 6, .count = 1};
    player.send(knowing);
    player.step();
    CHECK(player.host.stats().inputs_accepted == 6);
    CHECK(player.host.last_played(player.slot) == player.host.match().tick());
}

TEST_CASE("host: a hash that was predicted before room time stepped back confirms nothing") {
    for (const bool steps_back : {false, true}) {
        CAPTURE(steps_back);
        HostedPlayer player;
        player.step_to_snapshot();
        // The same ticks in another host give the hash that a client would predict.
        HostedPlayer twin;
        twin.step_to_snapshot();
        const std::uint32_t first = player.next();
        const std::uint32_t every = player.setup->facts.snapshot_every;
        while (twin.host.match().tick() + 1 < first + every) twin.step();
        const std::uint32_t hash = hash_own(player.setup->layout, twin.host.match().state(), twin.slot);
        player.send({.acknowledged = player.newest(),
                     .first_tick = first,
                     .first_sequence = 1,
                     .count = every,
                     .predicted_hash = hash});
        if (steps_back) player.host.step_back_time();
        CHECK(player.step_to_snapshot().part.own == (steps_back ? OwnState::exact : OwnState::as_predicted));
    }
}
