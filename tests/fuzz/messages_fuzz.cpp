// SPDX-License-Identifier: MIT
// Any bytes are read or refused, for each kind of message and both replication modes. The first byte chooses
// the reader. A decoder's state stays legal, whether it applied the bytes or not. client_fuzz runs a complete
// client.
#include <instep/match/random_script.h>
#include <instep/net/host.h>
#include <instep/net/own_player.h>
#include <instep/net/snapshot_decoder.h>
#include <instep/present/own_entities.h>

#include <tests/fuzz/require.h>

using namespace instep;
using namespace instep::net;

namespace {

// The first messages of a stream.
struct StreamStart {
    codec::Bytes keyframe;
    codec::Bytes next;  // a delta from `keyframe` over a datagram link; its model is kept
};

// A match of bounce that has been played for a while, in both modes.
struct Fixture {
    match::SharedSetup setup = *match::load_builtin_setup("bounce", "box");
    StreamStart starts[2];

    Fixture() {
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            StreamStart& start = starts[static_cast<std::size_t>(mode)];
            const std::uint32_t every = setup->facts.snapshot_every;
            constexpr std::uint32_t number = 200;
            match::Match match(setup, 1);
            match::RandomScript script(match, 2);
            while (match.tick() < number * every) match.step(script.next());
            SnapshotEncoder encoder(*setup, mode, LinkKind::datagram);
            codec::TickLog log(*setup, 2 * every);
            encoder.encode({number, match.state(), log}, {.with_hash = true}, start.keyframe);
            match::TickBuilder tick(*setup);
            while (match.tick() < (number + 1) * every) {
                codec::TickRecord& record = log.begin(match.tick() + 1);
                record.live = match.live_slots();
                codec::fill_tick(record, tick);
                match.step(tick.bytes());
                record.events.assign(match.events().begin(), match.events().end());
            }
            encoder.encode({number + 1, match.state(), log}, {.baseline = number, .with_hash = true},
                           start.next);
        }
    }
};

void decode(const Fixture& fixture, ReplicationMode mode, codec::ByteView bytes) {
    SnapshotDecoder decoder(*fixture.setup, mode);
    const StreamStart& start = fixture.starts[static_cast<std::size_t>(mode)];
    REQUIRE(decoder.decode(start.keyframe) == DecodeResult::applied);
    REQUIRE(decoder.decode(start.next) == DecodeResult::applied);
    for (int i = 0; i < 2; ++i) decoder.decode(bytes);
    REQUIRE(fixture.setup->world->validate(fixture.setup->value.get(), fixture.setup->layout,
                                           decoder.replicated()));
    state::Block block(fixture.setup->layout);
    std::memcpy(block.data(), decoder.replicated(), fixture.setup->layout.size);
    codec::Reader reader(bytes);
    decode_own(reader, fixture.setup->layout, block.data(), 0);
}

void serve(const Fixture& fixture, codec::ByteView bytes) {
    Host host(fixture.setup, 1, ReplicationMode::snapshots);
    REQUIRE(host.join("fuzz", LinkKind::datagram));
    for (int i = 0; i < 4; ++i) {
        host.step();
        host.receive(0, bytes, 0.02 * i);
        codec::Bytes out;
        host.write_message(0, true, 0.02 * i, out);
    }
    REQUIRE(fixture.setup->world->validate(fixture.setup->value.get(), fixture.setup->layout,
                                           host.match().state()));
}

// A message that was read is written and read again.
void read(const Fixture& fixture, codec::ByteView bytes) {
    const state::StructInfo& input = *fixture.setup->world->input;
    constexpr std::size_t field_count = 20;  // of a report; any number will do
    codec::Bytes again;
    if (const auto hello = read_hello(bytes)) {
        REQUIRE(refusal_of(*hello, *fixture.setup).size() <= max_text);
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
    } else if (const auto moved = read_moved(bytes)) {
        REQUIRE(is_server_address(moved->address.view()) && !moved->room.view().empty());
        write(*moved, again);
        REQUIRE(read_moved(again) == moved);
    } else if (const auto say = read_say(bytes)) {
        REQUIRE((say->emote == Emote::none) != say->text.view().empty());
        REQUIRE(state::is_plain_text(say->text.view()));
        write(*say, again);
        REQUIRE(read_say(again) == say);
    } else if (const auto said = read_said(bytes)) {
        REQUIRE(said->slot < contract::most_slots);
        write(*said, again);
        REQUIRE(read_said(again) == said);
    } else if (const auto notice = read_notice(bytes)) {
        REQUIRE((!notice->text.view().empty() && state::is_plain_text(notice->text.view())));
        write(*notice, again);
        REQUIRE(read_notice(again) == notice);
    } else {
        read_snapshot(bytes);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Fixture fixture;
    if (size == 0) return 0;
    const codec::ByteView bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    switch (data[0] % 4) {
        case 0: decode(fixture, ReplicationMode::snapshots, bytes); break;
        case 1: decode(fixture, ReplicationMode::relay, bytes); break;
        case 2: serve(fixture, bytes); break;
        default: read(fixture, bytes); break;
    }
    return 0;
}
