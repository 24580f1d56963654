// SPDX-License-Identifier: MIT
#include <instep/net/snapshot_decoder.h>
#include <instep/net/snapshot_encoder.h>

#include <tests/net/rooms.h>
#include <tests/support/property.h>

#include <deque>

using namespace instep;
using namespace instep::net;
using test::LoggedMatch;

namespace {

std::uint64_t hash_of(const match::SharedSetup& setup, const SnapshotHistory& chain) {
    return state::hash(setup->layout, chain.replicated());
}

std::uint64_t hash_of(const match::SharedSetup& setup, codec::ByteView image) {
    state::Block block(setup->layout);
    state::restore(setup->layout, image, block.data());
    return state::hash(setup->layout, block.data());
}

}  // namespace

TEST_CASE("over an ordered link both ends hold the same told state, also those who come later") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode room : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            LoggedMatch match(setup, 5);
            SnapshotEncoder teller(*setup, room, LinkKind::ordered);
            std::deque<SnapshotDecoder> listeners;
            for (int i = 0; i < 60; ++i) {
                match.step_to_snapshot();
                teller.tell(match.number(), match.match().state(), match.log());
                codec::Bytes part;
                teller.write(part, i % 10 == 0);
                for (SnapshotDecoder& decoder : listeners)
                    REQUIRE(decoder.decode(part) == DecodeResult::applied);
                if (i % 25 == 0) {
                    codec::Bytes whole;
                    teller.write_keyframe(whole);
                    REQUIRE(listeners.emplace_back(*setup, room).decode(whole) == DecodeResult::applied);
                }
                for (SnapshotDecoder& decoder : listeners) {
                    REQUIRE(decoder.number() == match.number());
                    REQUIRE(hash_of(setup, decoder) == hash_of(setup, teller));
                }
            }
        }
    });
}

TEST_CASE("a relay room's told state is the match's own, to the bit") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LoggedMatch match(setup, 6);
        SnapshotEncoder teller(*setup, ReplicationMode::relay, LinkKind::ordered);
        SnapshotDecoder decoder(*setup, ReplicationMode::relay);
        for (int i = 0; i < 60; ++i) {
            match.step_to_snapshot();
            teller.tell(match.number(), match.match().state(), match.log());
            codec::Bytes part;
            teller.write(part, false);
            REQUIRE(decoder.decode(part) == DecodeResult::applied);
            REQUIRE(hash_of(setup, decoder) == match.match().hash());
        }
    });
}

TEST_CASE("both ends agree on what happened, and it is what happened within a step of its grid") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const state::StructInfo& info = *setup->world->event;
        for (const ReplicationMode room : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            LoggedMatch match(setup, 7);
            SnapshotEncoder teller(*setup, room, LinkKind::ordered);
            SnapshotDecoder decoder(*setup, room);
            std::size_t events = 0;
            for (int i = 0; i < 120; ++i) {
                match.step_to_snapshot();
                teller.tell(match.number(), match.match().state(), match.log());
                codec::Bytes part;
                teller.write(part, false);
                REQUIRE(decoder.decode(part) == DecodeResult::applied);
                REQUIRE(decoder.events().size() == setup->facts.snapshot_every);
                for (const codec::TickEvents& told : decoder.events()) {
                    const codec::Bytes& actual = match.log().find(told.tick)->events;
                    REQUIRE(told.rows.size() == actual.size());
                    for (std::size_t at = 0; at < actual.size(); at += info.size, ++events)
                        for (const state::Field& field : info.fields) {
                            if (field.kind == state::FieldKind::reserved) continue;
                            const double off = state::number_at(field, told.rows.data() + at) -
                                               state::number_at(field, actual.data() + at);
                            const bool rounded = room == ReplicationMode::snapshots;
                            CAPTURE(field.path);
                            REQUIRE(std::abs(off) <= (rounded ? 1.5 * field.rules.precision + 1e-9 : 0));
                        }
                }
            }
            CHECK(events > 0);
        }
    });
}

TEST_CASE(
    "over a datagram link whatever arrives is told alike, however much is lost, doubled and overtaken") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode room : {ReplicationMode::snapshots, ReplicationMode::relay})
            test::for_each_seed(1, [&](math::Random& random) {
                LoggedMatch match(setup, random.next());
                SnapshotEncoder teller(*setup, room, LinkKind::datagram);
                SnapshotDecoder decoder(*setup, room);
                std::optional<std::uint32_t> acknowledged;
                std::vector<codec::Bytes> under_way;
                int told = 0;
                std::uint64_t told_tick = 0;
                for (int i = 0; i < 80; ++i) {
                    match.step_to_snapshot();
                    teller.tell(match.number(), match.match().state(), match.log(), acknowledged);
                    if (random.below(8) == 0) continue;  // the line was full
                    teller.write(under_way.emplace_back(), i % 5 == 0);
                    if (random.below(5) == 0) under_way.push_back(under_way.back());
                    while (!under_way.empty() && random.below(3) != 0) {
                        const std::uint32_t which =
                            random.below(static_cast<std::uint32_t>(under_way.size()));
                        if (random.below(4) == 0) {  // what is refused at its very end leaves nothing behind
                            codec::Bytes broken = under_way[which];
                            broken.resize(broken.size() + 100'000, std::byte{0x55});
                            REQUIRE(decoder.decode(broken) != DecodeResult::applied);
                        }
                        const DecodeResult heard =
                            random.below(4) == 0 ? DecodeResult::stale : decoder.decode(under_way[which]);
                        under_way.erase(under_way.begin() + which);
                        REQUIRE((heard == DecodeResult::applied || heard == DecodeResult::stale ||
                                 heard == DecodeResult::no_baseline));
                        if (heard != DecodeResult::applied) continue;
                        ++told;
                        // Where inputs are relayed: each tick once, and what happened in it to the bit. Only
                        // before a whole one there may be ticks of which nobody tells.
                        for (const codec::TickEvents& events : decoder.events()) {
                            if (room == ReplicationMode::snapshots || events.tick <= told_tick) continue;
                            const std::uint64_t last = decoder.tick() - setup->facts.snapshot_every;
                            REQUIRE((events.tick == told_tick + 1 || events.tick == last + 1));
                            told_tick = events.tick;
                            REQUIRE(events.rows == match.log().find(events.tick)->events);
                        }
                        told_tick = std::max(told_tick, decoder.tick());  // a whole one may go back
                        if (const codec::ByteView ours = teller.find(decoder.number()); !ours.empty())
                            REQUIRE(hash_of(setup, ours) == hash_of(setup, decoder));
                        if (random.below(3) != 0) acknowledged = decoder.number();
                    }
                }
                CHECK(told > 10);
            });
    });
}

TEST_CASE("who was told something else notices at the next hash") {
    const match::SharedSetup setup = test::level("bounce", "box");
    LoggedMatch ours(setup, 1);
    LoggedMatch theirs(setup, 2);
    SnapshotEncoder here(*setup, ReplicationMode::relay, LinkKind::ordered);
    SnapshotEncoder there(*setup, ReplicationMode::relay, LinkKind::ordered);
    SnapshotDecoder decoder(*setup, ReplicationMode::relay);
    for (int i = 0; i < 3; ++i) {
        ours.step_to_snapshot();
        theirs.step_to_snapshot();
        here.tell(ours.number(), ours.match().state(), ours.log());
        there.tell(theirs.number(), theirs.match().state(), theirs.log());
        codec::Bytes part;
        codec::Bytes other;
        here.write(part, false);
        there.write(other, true);
        if (i < 2)
            REQUIRE(decoder.decode(part) == DecodeResult::applied);
        else
            CHECK(decoder.decode(other) == DecodeResult::desync);
    }
}

TEST_CASE("any bytes are refused or heard, and what was told before stays if they are refused") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const ReplicationMode room : {ReplicationMode::snapshots, ReplicationMode::relay}) {
            LoggedMatch match(setup, 7);
            SnapshotEncoder teller(*setup, room, LinkKind::ordered);
            codec::Bytes whole;
            codec::Bytes part;
            for (int i = 0; i < 40; ++i) {
                match.step_to_snapshot();
                teller.tell(match.number(), match.match().state(), match.log());
            }
            teller.write_keyframe(whole);
            match.step_to_snapshot();
            teller.tell(match.number(), match.match().state(), match.log());
            teller.write(part, true);
            test::for_each_seed(20, [&](math::Random& random) {
                SnapshotDecoder victim(*setup, room);
                REQUIRE(victim.decode(whole) == DecodeResult::applied);
                const std::uint64_t before = hash_of(setup, victim);
                codec::Bytes bytes = part;
                if (random.below(2) == 0) {
                    for (std::uint32_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n)
                        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
                            static_cast<std::byte>(1u << random.below(8));
                } else {
                    bytes.resize(random.below(100));
                    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
                }
                const DecodeResult heard = victim.decode(bytes);
                if (heard != DecodeResult::applied && heard != DecodeResult::desync)
                    REQUIRE(hash_of(setup, victim) == before);
            });
        }
    });
}
