// SPDX-License-Identifier: MIT
// Any bytes are a message or none, for each kind of message and both kinds of rooms. The first byte says who
// reads the rest. What a decoder hears leaves it with a legal state, whether it was told something or not;
// client_fuzz plays all of a client.
#include <instep/match/random_script.h>
#include <instep/net/host.h>
#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

#include <tests/fuzz/require.h>

using namespace instep;
using namespace instep::net;

namespace {

// What a newcomer is told first of a room.
struct Beginning {
    codec::Bytes keyframe;
    codec::Bytes next;  // over a datagram link: goes on from `whole`, and what it teaches is kept
};

// A room of bounce that has been played for a while.
struct Room {
    match::SharedSetup setup = *match::load_builtin_setup("bounce", "box");
    Beginning beginnings[2];

    Room() {
        for (const ReplicationMode kind : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            Beginning& beginning = beginnings[static_cast<std::size_t>(kind)];
            const std::uint32_t every = setup->facts.snapshot_every;
            constexpr std::uint32_t number = 200;
            match::Match match(setup, 1);
            match::RandomScript script(match, 2);
            while (match.tick() < number * every) match.step(script.next());
            SnapshotEncoder encoder(*setup, kind, LinkKind::datagram);
            codec::TickLog log(*setup, 2 * every);
            encoder.encode({number, match.state(), log}, {.with_hash = true}, beginning.keyframe);
            match::TickBuilder tick(*setup);
            while (match.tick() < (number + 1) * every) {
                codec::TickRecord& record = log.begin(match.tick() + 1);
                record.live = match.live_slots();
                codec::fill_tick(record, tick);
                match.step(tick.bytes());
                record.events.assign(match.events().begin(), match.events().end());
            }
            encoder.encode({number + 1, match.state(), log}, {.baseline = number, .with_hash = true},
                           beginning.next);
        }
    }
};

void hear(const Room& room, ReplicationMode kind, codec::ByteView bytes) {
    SnapshotDecoder decoder(*room.setup, kind);
    const Beginning& beginning = room.beginnings[static_cast<std::size_t>(kind)];
    REQUIRE(decoder.decode(beginning.keyframe) == DecodeResult::applied);
    REQUIRE(decoder.decode(beginning.next) == DecodeResult::applied);
    for (int i = 0; i < 2; ++i) decoder.decode(bytes);
    REQUIRE(room.setup->world->validate(room.setup->value.get(), room.setup->layout, decoder.replicated()));
    state::Block block(room.setup->layout);
    std::memcpy(block.data(), decoder.replicated(), room.setup->layout.size);
    codec::Reader reader(bytes);
    decode_own(reader, room.setup->layout, block.data(), 0);
}

void serve(const Room& room, codec::ByteView bytes) {
    Host host(room.setup, 1, ReplicationMode::snapshots);
    REQUIRE(host.join("fuzz", LinkKind::datagram));
    for (int i = 0; i < 4; ++i) {
        host.step();
        host.receive(0, bytes, 0.02 * i);
        codec::Bytes out;
        host.write_message(0, true, 0.02 * i, out);
    }
    REQUIRE(room.setup->world->validate(room.setup->value.get(), room.setup->layout, host.match().state()));
}

// What was read can be written, and is then read again.
void read(const Room& room, codec::ByteView bytes) {
    const state::StructInfo& input = *room.setup->world->input;
    constexpr std::size_t field_count = 20;  // of a report; any number does
    codec::Bytes again;
    if (const auto hello = read_hello(bytes)) {
        REQUIRE(refusal_of(*hello, *room.setup).size() <= most_text);
        write(*hello, again);
        const auto twice = read_hello(again);
        REQUIRE(twice && twice->name == hello->name && twice->fingerprint == hello->fingerprint);
    } else if (const auto inputs = read_inputs(bytes, input)) {
        write(*inputs, input, again);
        const auto twice = read_inputs(again, input);
        REQUIRE(twice && twice->count == inputs->count && twice->first_tick == inputs->first_tick);
    } else if (const auto report = read_report(bytes, field_count)) {
        write(*report, again);
        const auto twice = read_report(again, field_count);
        REQUIRE(twice && twice->states.size() == report->states.size());
        REQUIRE(twice->exact.has_value() == report->exact.has_value());
    } else if (const auto refusal = read_refusal(bytes)) {
        write_refusal(*refusal, again);
        REQUIRE(read_refusal(again) == refusal);
    } else if (const auto verdict = read_verdict(bytes)) {
        write(*verdict, again);
        const auto twice = read_verdict(again);
        REQUIRE(twice && twice->number == verdict->number && twice->field == verdict->field);
        REQUIRE(twice->found == verdict->found && twice->is_own == verdict->is_own);
    } else {
        read_snapshot(bytes);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Room room;
    if (size == 0) return 0;
    const codec::ByteView bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    switch (data[0] % 4) {
        case 0: hear(room, ReplicationMode::snapshots, bytes); break;
        case 1: hear(room, ReplicationMode::relay, bytes); break;
        case 2: serve(room, bytes); break;
        default: read(room, bytes); break;
    }
    return 0;
}
