// SPDX-License-Identifier: MIT
#include <instep/net/snapshot_decoder.h>
#include <instep/net/snapshot_encoder.h>

#include <tests/net/logged_match.h>
#include <tests/support/property.h>

#include <deque>
#include <utility>

using namespace instep;
using namespace instep::net;
using test::LoggedMatch;

namespace {

std::uint64_t hash_of(const match::SharedSetup& setup, const SnapshotHistory& history) {
    return state::hash(setup->layout, history.replicated());
}

std::uint64_t hash_of(const match::SharedSetup& setup, codec::ByteView image) {
    state::Block block(setup->layout);
    state::restore(setup->layout, image, block.data());
    return state::hash(setup->layout, block.data());
}

}  // namespace

TEST_CASE("snapshot stream: both ends of an ordered link hold the same replicated state, late joiners too") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            LoggedMatch match(setup, 5);
            SnapshotEncoder encoder(*setup, mode, LinkKind::ordered);
            std::deque<SnapshotDecoder> decoders;
            bool has_new_client = false;
            for (int i = 0; i < 60; ++i) {
                match.step_to_snapshot();
                codec::Bytes delta;
                encoder.encode(
                    match.snapshot(),
                    {.with_hash = i % 10 == 0, .fresh_model = std::exchange(has_new_client, false)}, delta);
                for (SnapshotDecoder& decoder : decoders)
                    REQUIRE(decoder.decode(delta) == DecodeResult::applied);
                if (i % 25 == 0) {
                    codec::Bytes keyframe;
                    REQUIRE(encoder.encode_keyframe(match.log(), keyframe));
                    has_new_client = true;
                    REQUIRE(decoders.emplace_back(*setup, mode).decode(keyframe) == DecodeResult::applied);
                }
                for (SnapshotDecoder& decoder : decoders) {
                    REQUIRE(decoder.number() == match.number());
                    REQUIRE(hash_of(setup, decoder) == hash_of(setup, encoder));
                }
            }
        }
    });
}

TEST_CASE("snapshot stream: in relay mode the replicated state is the match's, to the bit") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LoggedMatch match(setup, 6);
        SnapshotEncoder encoder(*setup, ReplicationMode::relay, LinkKind::ordered);
        SnapshotDecoder decoder(*setup, ReplicationMode::relay);
        for (int i = 0; i < 60; ++i) {
            match.step_to_snapshot();
            codec::Bytes delta;
            encoder.encode(match.snapshot(), {.with_hash = false}, delta);
            REQUIRE(decoder.decode(delta) == DecodeResult::applied);
            REQUIRE(hash_of(setup, decoder) == match.match().hash());
        }
    });
}

TEST_CASE("snapshot stream: decoded events are the match's within a grid step") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const state::StructInfo& info = *setup->world->event;
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            LoggedMatch match(setup, 7);
            SnapshotEncoder encoder(*setup, mode, LinkKind::ordered);
            SnapshotDecoder decoder(*setup, mode);
            std::size_t events = 0;
            for (int i = 0; i < 120; ++i) {
                match.step_to_snapshot();
                codec::Bytes delta;
                encoder.encode(match.snapshot(), {.with_hash = false}, delta);
                REQUIRE(decoder.decode(delta) == DecodeResult::applied);
                REQUIRE(decoder.events().size() == setup->facts.snapshot_every);
                for (const codec::TickEvents& decoded : decoder.events()) {
                    const codec::Bytes& actual = match.log().find(decoded.tick)->events;
                    REQUIRE(decoded.rows.size() == actual.size());
                    for (std::size_t at = 0; at < actual.size(); at += info.size, ++events)
                        for (const state::Field& field : info.fields) {
                            if (field.kind == state::FieldKind::reserved) continue;
                            const double off = state::number_at(field, decoded.rows.data() + at) -
                                               state::number_at(field, actual.data() + at);
                            const bool rounded = mode == ReplicationMode::snapshots;
                            CAPTURE(field.path);
                            REQUIRE(std::abs(off) <= (rounded ? 1.5 * field.rules.precision + 1e-9 : 0));
                        }
                }
            }
            CHECK(events > 0);
        }
    });
}

TEST_CASE("snapshot stream: over a lossy datagram link every applied snapshot equals the server's") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay})
            test::for_each_seed(1, [&](math::Random& random) {
                LoggedMatch match(setup, random.next());
                SnapshotEncoder encoder(*setup, mode, LinkKind::datagram);
                SnapshotDecoder decoder(*setup, mode);
                std::optional<std::uint32_t> acknowledged;
                std::vector<codec::Bytes> in_flight;
                int applied = 0;
                std::uint64_t last_tick = 0;
                for (int i = 0; i < 80; ++i) {
                    match.step_to_snapshot();
                    if (random.below(8) == 0) continue;  // the link was full
                    encoder.encode(match.snapshot(), {.baseline = acknowledged, .with_hash = i % 5 == 0},
                                   in_flight.emplace_back());
                    if (random.below(5) == 0) in_flight.push_back(in_flight.back());
                    while (!in_flight.empty() && random.below(3) != 0) {
                        const std::uint32_t which =
                            random.below(static_cast<std::uint32_t>(in_flight.size()));
                        if (random.below(4) == 0) {  // a refusal at the very end leaves nothing behind
                            codec::Bytes malformed = in_flight[which];
                            malformed.resize(malformed.size() + 100'000, std::byte{0x55});
                            REQUIRE(decoder.decode(malformed) != DecodeResult::applied);
                        }
                        const DecodeResult result =
                            random.below(4) == 0 ? DecodeResult::stale : decoder.decode(in_flight[which]);
                        in_flight.erase(in_flight.begin() + which);
                        REQUIRE((result == DecodeResult::applied || result == DecodeResult::stale ||
                                 result == DecodeResult::no_baseline));
                        if (result != DecodeResult::applied) continue;
                        ++applied;
                        // In relay mode each tick comes once, with its exact events. Only a keyframe may
                        // leave ticks out.
                        for (const codec::TickEvents& events : decoder.events()) {
                            if (mode == ReplicationMode::snapshots || events.tick <= last_tick) continue;
                            const std::uint64_t last = decoder.tick() - setup->facts.snapshot_every;
                            REQUIRE((events.tick == last_tick + 1 || events.tick == last + 1));
                            last_tick = events.tick;
                            REQUIRE(events.rows == match.log().find(events.tick)->events);
                        }
                        last_tick = std::max(last_tick, decoder.tick());  // a keyframe may go back
                        if (const codec::ByteView ours = encoder.find(decoder.number()); !ours.empty())
                            REQUIRE(hash_of(setup, ours) == hash_of(setup, decoder));
                        if (random.below(3) != 0) acknowledged = decoder.number();
                    }
                }
                CHECK(applied > 10);
            });
    });
}

TEST_CASE("snapshot stream: a client with another state finds the desync at the next hash") {
    const match::SharedSetup setup = test::level("bounce", "box");
    LoggedMatch ours(setup, 1);
    LoggedMatch theirs(setup, 2);
    SnapshotEncoder here(*setup, ReplicationMode::relay, LinkKind::ordered);
    SnapshotEncoder there(*setup, ReplicationMode::relay, LinkKind::ordered);
    SnapshotDecoder decoder(*setup, ReplicationMode::relay);
    for (int i = 0; i < 3; ++i) {
        ours.step_to_snapshot();
        theirs.step_to_snapshot();
        codec::Bytes delta;
        codec::Bytes other;
        here.encode(ours.snapshot(), {}, delta);
        there.encode(theirs.snapshot(), {.with_hash = true}, other);
        if (i < 2)
            REQUIRE(decoder.decode(delta) == DecodeResult::applied);
        else
            CHECK(decoder.decode(other) == DecodeResult::desync);
    }
}

TEST_CASE("snapshot stream: any bytes are refused or applied, and a refusal keeps the replicated state") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode mode : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            LoggedMatch match(setup, 7);
            SnapshotEncoder encoder(*setup, mode, LinkKind::ordered);
            codec::Bytes keyframe;
            codec::Bytes delta;
            for (int i = 0; i < 40; ++i) {
                match.step_to_snapshot();
                delta.clear();
                encoder.encode(match.snapshot(), {}, delta);
            }
            REQUIRE(encoder.encode_keyframe(match.log(), keyframe));
            match.step_to_snapshot();
            delta.clear();
            encoder.encode(match.snapshot(), {.with_hash = true, .fresh_model = true}, delta);
            test::for_each_seed(20, [&](math::Random& random) {
                SnapshotDecoder victim(*setup, mode);
                REQUIRE(victim.decode(keyframe) == DecodeResult::applied);
                const std::uint64_t before = hash_of(setup, victim);
                codec::Bytes bytes = delta;
                if (random.below(2) == 0) {
                    for (std::uint32_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n)
                        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
                            static_cast<std::byte>(1u << random.below(8));
                } else {
                    bytes.resize(random.below(100));
                    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
                }
                const DecodeResult result = victim.decode(bytes);
                if (result != DecodeResult::applied && result != DecodeResult::desync)
                    REQUIRE(hash_of(setup, victim) == before);
            });
        }
    });
}
