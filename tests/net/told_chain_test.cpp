// SPDX-License-Identifier: MIT
#include <instep/net/told_chain.h>

#include <tests/net/rooms.h>
#include <tests/support/property.h>

#include <deque>

using namespace instep;
using namespace instep::net;
using test::LoggedMatch;

namespace {

std::uint64_t hash_of(const match::SharedSetup& setup, const ToldChain& chain) {
    return state::hash(setup->layout, chain.told());
}

std::uint64_t hash_of(const match::SharedSetup& setup, ByteView image) {
    state::Block block(setup->layout);
    state::restore(setup->layout, image, block.data());
    return state::hash(setup->layout, block.data());
}

}  // namespace

TEST_CASE("over an ordered link both ends hold the same told state, also those who come later") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const RoomKind room : {RoomKind::snapshots, RoomKind::relay}) {
            LoggedMatch match(setup, 5);
            Teller teller(*setup, room, LinkKind::ordered);
            std::deque<Listener> listeners;
            for (int i = 0; i < 60; ++i) {
                match.step_to_snapshot();
                teller.tell(match.number(), match.match().state(), match.log());
                Bytes part;
                teller.write(part, i % 10 == 0);
                for (Listener& listener : listeners) REQUIRE(listener.hear(part) == Heard::told);
                if (i % 25 == 0) {
                    Bytes whole;
                    teller.write_whole(whole);
                    REQUIRE(listeners.emplace_back(*setup, room).hear(whole) == Heard::told);
                }
                for (Listener& listener : listeners) {
                    REQUIRE(listener.number() == match.number());
                    REQUIRE(hash_of(setup, listener) == hash_of(setup, teller));
                }
            }
        }
    });
}

TEST_CASE("a relay room's told state is the match's own, to the bit") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LoggedMatch match(setup, 6);
        Teller teller(*setup, RoomKind::relay, LinkKind::ordered);
        Listener listener(*setup, RoomKind::relay);
        for (int i = 0; i < 60; ++i) {
            match.step_to_snapshot();
            teller.tell(match.number(), match.match().state(), match.log());
            Bytes part;
            teller.write(part, false);
            REQUIRE(listener.hear(part) == Heard::told);
            REQUIRE(hash_of(setup, listener) == match.match().hash());
        }
    });
}

TEST_CASE("both ends agree on what happened, and it is what happened within a step of its grid") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const state::StructInfo& info = *setup->world->event;
        for (const RoomKind room : {RoomKind::snapshots, RoomKind::relay}) {
            LoggedMatch match(setup, 7);
            Teller teller(*setup, room, LinkKind::ordered);
            Listener listener(*setup, room);
            std::size_t events = 0;
            for (int i = 0; i < 120; ++i) {
                match.step_to_snapshot();
                teller.tell(match.number(), match.match().state(), match.log());
                Bytes part;
                teller.write(part, false);
                REQUIRE(listener.hear(part) == Heard::told);
                REQUIRE(listener.events().size() == setup->facts.snapshot_every);
                for (const TickEvents& told : listener.events()) {
                    const Bytes& actual = match.log().find(told.tick)->events;
                    REQUIRE(told.rows.size() == actual.size());
                    for (std::size_t at = 0; at < actual.size(); at += info.size, ++events)
                        for (const state::Field& field : info.fields) {
                            if (field.kind == state::FieldKind::reserved) continue;
                            const double off = state::number_at(field, told.rows.data() + at) -
                                               state::number_at(field, actual.data() + at);
                            const bool rounded = room == RoomKind::snapshots;
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
        for (const RoomKind room : {RoomKind::snapshots, RoomKind::relay})
            test::for_each_seed(1, [&](math::Random& random) {
                LoggedMatch match(setup, random.next());
                Teller teller(*setup, room, LinkKind::datagram);
                Listener listener(*setup, room);
                std::optional<std::uint32_t> acknowledged;
                std::vector<Bytes> under_way;
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
                            Bytes broken = under_way[which];
                            broken.resize(broken.size() + 100'000, std::byte{0x55});
                            REQUIRE(listener.hear(broken) != Heard::told);
                        }
                        const Heard heard =
                            random.below(4) == 0 ? Heard::old : listener.hear(under_way[which]);
                        under_way.erase(under_way.begin() + which);
                        REQUIRE((heard == Heard::told || heard == Heard::old || heard == Heard::unusable));
                        if (heard != Heard::told) continue;
                        ++told;
                        // Where inputs are relayed: each tick once, and what happened in it to the bit. Only
                        // before a whole one there may be ticks of which nobody tells.
                        for (const TickEvents& events : listener.events()) {
                            if (room == RoomKind::snapshots || events.tick <= told_tick) continue;
                            const std::uint64_t last = listener.tick() - setup->facts.snapshot_every;
                            REQUIRE((events.tick == told_tick + 1 || events.tick == last + 1));
                            told_tick = events.tick;
                            REQUIRE(events.rows == match.log().find(events.tick)->events);
                        }
                        told_tick = std::max(told_tick, listener.tick());  // a whole one may go back
                        if (const ByteView ours = teller.find(listener.number()); !ours.empty())
                            REQUIRE(hash_of(setup, ours) == hash_of(setup, listener));
                        if (random.below(3) != 0) acknowledged = listener.number();
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
    Teller here(*setup, RoomKind::relay, LinkKind::ordered);
    Teller there(*setup, RoomKind::relay, LinkKind::ordered);
    Listener listener(*setup, RoomKind::relay);
    for (int i = 0; i < 3; ++i) {
        ours.step_to_snapshot();
        theirs.step_to_snapshot();
        here.tell(ours.number(), ours.match().state(), ours.log());
        there.tell(theirs.number(), theirs.match().state(), theirs.log());
        Bytes part;
        Bytes other;
        here.write(part, false);
        there.write(other, true);
        if (i < 2)
            REQUIRE(listener.hear(part) == Heard::told);
        else
            CHECK(listener.hear(other) == Heard::differs);
    }
}

TEST_CASE("any bytes are refused or heard, and what was told before stays if they are refused") {
    test::for_each_level([](const match::SharedSetup& setup) {
        for (const RoomKind room : {RoomKind::snapshots, RoomKind::relay}) {
            LoggedMatch match(setup, 7);
            Teller teller(*setup, room, LinkKind::ordered);
            Bytes whole;
            Bytes part;
            for (int i = 0; i < 40; ++i) {
                match.step_to_snapshot();
                teller.tell(match.number(), match.match().state(), match.log());
            }
            teller.write_whole(whole);
            match.step_to_snapshot();
            teller.tell(match.number(), match.match().state(), match.log());
            teller.write(part, true);
            test::for_each_seed(20, [&](math::Random& random) {
                Listener victim(*setup, room);
                REQUIRE(victim.hear(whole) == Heard::told);
                const std::uint64_t before = hash_of(setup, victim);
                Bytes bytes = part;
                if (random.below(2) == 0) {
                    for (std::uint32_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n)
                        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
                            static_cast<std::byte>(1u << random.below(8));
                } else {
                    bytes.resize(random.below(100));
                    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
                }
                const Heard heard = victim.hear(bytes);
                if (heard != Heard::told && heard != Heard::differs)
                    REQUIRE(hash_of(setup, victim) == before);
            });
        }
    });
}
