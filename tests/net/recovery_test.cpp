// SPDX-License-Identifier: MIT
// Recovery of both ends: from states that differ, lost snapshots, and a server that sends impossible values.
#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>

#include <tests/net/peers.h>

#include <instep/net/simulation.h>
#include <instep/state/raw_pool.h>

#include <limits>

using namespace instep;
using namespace instep::net;
using test::LoggedMatch;
using test::Peer;
using test::Room;

namespace {

// Changes the score in the client's newest snapshot, as a flipped bit in its memory would.
void spoil_score(const match::SharedSetup& setup, const SnapshotDecoder& decoder) {
    const codec::ByteView image = decoder.find(decoder.number());
    state::Block block(setup->layout);
    state::restore(setup->layout, image, block.data());
    state::RawPool players(setup->layout, 0, block.data());
    const state::Field* score = players.element_info().find("score");
    REQUIRE(score);
    players.element(0)[score->offset] ^= std::byte{1};
    state::save(setup->layout, block.data(), {const_cast<std::byte*>(image.data()), image.size()});
}

// A replicated state with the exact own player of an actual one.
codec::Bytes exact_image(const match::Setup& setup, const std::byte* replicated, const std::byte* actual,
                         contract::Slot slot) {
    state::Block block(setup.layout);
    state::copy(setup.layout, replicated, block.data());
    codec::Bytes own;
    save_own(setup.layout, actual, slot, own);
    REQUIRE(!own.empty());
    REQUIRE(restore_own(setup.layout, own, block.data(), slot));
    CHECK(!restore_own(setup.layout, codec::ByteView(own).subspan(1), block.data(), slot));
    CHECK(hash_own(setup.layout, block.data(), slot) == hash_own(setup.layout, actual, slot));
    codec::Bytes image(state::image_size(setup.layout, block.data()));
    state::save(setup.layout, block.data(), image);
    return image;
}

// By less than a step of its grid.
void spoil_velocity(const match::Setup& setup, codec::Bytes& image) {
    state::Block block(setup.layout);
    state::restore(setup.layout, image, block.data());
    state::RawPool players(setup.layout, 0, block.data());
    const state::Field* velocity = players.element_info().find("rope[1].velocity.y");
    REQUIRE(velocity);
    players.element(0)[velocity->offset] ^= std::byte{1};
    state::save(setup.layout, block.data(), image);
}

// The state after the ticks of a desync.
std::uint64_t played_again(const match::SharedSetup& setup, const Desync& desync) {
    state::Block block(setup->layout);
    state::restore(setup->layout, desync.before, block.data());
    WorldStepper stepper(*setup);
    for (const codec::TickRecord& record : desync.ticks) stepper.step_record(block.data(), record);
    REQUIRE(setup->world->tick(setup->layout, block.data()) == desync.tick);
    return state::hash(setup->layout, block.data());
}

// A snapshot of a match with the player in slot 0, as the server sends it to that player.
struct SentSnapshot {
    match::SharedSetup setup = test::level("flail", "pit");
    match::Match match{setup, 1};
    codec::TickLog log{*setup, (snapshots_kept + 1) * setup->facts.snapshot_every};
    SnapshotEncoder encoder{*setup, ReplicationMode::snapshots, LinkKind::ordered};
    Client client{setup, LinkKind::ordered};
    codec::Bytes delta;

    SentSnapshot() {
        match::TickBuilder tick(*setup);
        while (match.tick() < setup->facts.snapshot_every) {
            codec::TickRecord& record = log.begin(match.tick() + 1);
            if (match.tick() == 0) record.joins.push_back({.seed = 1, .slot = 0});
            record.live = contract::only(0);
            codec::fill_tick(record, tick);
            match.step(tick.bytes());
        }
        encoder.encode({1, match.state(), log}, {}, delta);
    }
    template <class WriteExact>
    void send(contract::Slot slot, const OwnPlayerPart& own, WriteExact write_exact) {
        const Welcome welcome{.fingerprint = setup->fingerprint, .slot = slot};
        codec::Bytes message;
        SnapshotWriter(message).write(&welcome, own, delta, write_exact);
        client.receive(message, 0);
    }
};

}  // namespace

// Over 150 ms several deltas are in flight whose baseline differs.
TEST_CASE("desync: both sides name the same field, can reproduce it, and a keyframe mends it") {
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram})
        for (const ReplicationMode kind : {ReplicationMode::snapshots, ReplicationMode::relay})
            for (const double latency : {0.025, 0.075}) {
                CAPTURE(name_of(link));
                CAPTURE(name_of(kind));
                CAPTURE(latency);
                Room room(test::level("orbit", "belt"), kind, link);
                Peer& peer = room.add(latency);
                room.add();
                room.run(3);
                REQUIRE(peer.client.stats().desyncs == 0);
                spoil_score(room.setup, *peer.client.decoder());
                const std::uint64_t then = peer.client.decoder()->tick();
                room.run(4);
                CHECK(peer.client.stats().desyncs == 1);
                REQUIRE(room.host.desyncs().size() == 1);
                REQUIRE(peer.client.desyncs().size() == 1);
                const Desync& ours = room.host.desyncs()[0];
                const Desync& theirs = peer.client.desyncs()[0];
                CHECK(ours.field == "players.score");
                CHECK(ours.tick == then);
                CHECK(ours.text() == theirs.text());
                CHECK(!ours.after.empty());
                CHECK(ours.after != theirs.after);
                REQUIRE(!ours.before.empty());
                CHECK(ours.before == theirs.before);
                CHECK(played_again(room.setup, ours) == played_again(room.setup, theirs));
                const std::uint64_t before = peer.client.stats().snapshots;
                room.run(2);
                CHECK(peer.client.stats().snapshots > before + 20);
                CHECK(peer.client.stats().desyncs == 1);
                CHECK(peer.client.stats().messages_malformed == 0);
            }
}

TEST_CASE("desync: a client whose own player differs reports it, and both sides name the field") {
    for (const bool differs : {false, true}) {
        SentSnapshot sent;
        const match::Setup& setup = *sent.setup;
        ExactState servers{1, exact_image(setup, sent.encoder.replicated(), sent.match.state(), 0)};
        if (differs) spoil_velocity(setup, servers.image);
        state::Block servers_block(setup.layout);
        state::restore(setup.layout, servers.image, servers_block.data());
        const std::uint32_t hash = hash_own(setup.layout, servers_block.data(), 0);
        sent.send(0, {.own = OwnState::exact, .hash = hash}, [&](codec::Writer& writer) {
            encode_own(writer, setup.layout, sent.encoder.replicated(), sent.match.state(), 0);
        });
        CHECK(sent.client.stats().desyncs == (differs ? 1 : 0));
        codec::Bytes answer;
        REQUIRE(sent.client.write_message(0, answer));
        REQUIRE((kind_of(answer) == MessageKind::report) == differs);
        if (!differs) continue;
        const auto report = read_report(answer, sent.match.hash_fields().size());
        REQUIRE(report);
        const Verdict verdict = judge(setup, sent.encoder, *report, servers);
        CHECK(verdict.found);
        CHECK(verdict.is_own);
        const Desync ours = describe(setup, sent.encoder, sent.log, verdict, servers);
        CHECK(ours.field == "players.rope[1].velocity.y");
        CHECK(ours.tick == setup.facts.snapshot_every);
        CHECK(ours.after == servers.image);
        codec::Bytes message;
        write(verdict, message);
        for (int copies = 0; copies < 2; ++copies) sent.client.receive(message, 0);
        REQUIRE(sent.client.desyncs().size() == 1);
        const Desync& theirs = sent.client.desyncs().front();
        CHECK(theirs.text() == ours.text());
        CHECK(theirs.text().ends_with(" of the exact own player"));
        CHECK(theirs.after == exact_image(setup, sent.encoder.replicated(), sent.match.state(), 0));
    }
}

TEST_CASE("desync: the host remembers which own player the last hash was of") {
    Room room(test::level("flail", "plain"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& peer = room.add();
    room.add();
    const match::Setup& setup = *room.setup;
    const std::uint32_t a_second = setup.facts.tick_rate / setup.facts.snapshot_every;
    ExactState last;  // that was compared
    const auto keep_last = [&] {
        if (!peer.client.joined()) return;
        const auto number = static_cast<std::uint32_t>(peer.client.base_tick() / setup.facts.snapshot_every);
        if (number % a_second == 0 && number != last.number)
            last = {number, exact_image(setup, peer.client.base(), peer.client.base(), peer.slot)};
    };
    room.run(2, keep_last);
    for (const bool differs : {false, true}) {
        CAPTURE(differs);
        const std::uint32_t before = last.number;
        room.run(1.2, keep_last);  // only one report a second is judged
        REQUIRE(last.number > before);
        if (differs) spoil_velocity(setup, last.image);
        Report report = make_report(setup, *peer.client.decoder(), last);
        report.serial = differs ? 2 : 1;
        codec::Bytes message;
        write(report, message);
        room.host.receive(peer.slot, message, room.time);
        CHECK(room.host.stats().reports_judged == (differs ? 2 : 1));
        CHECK(room.host.stats().reports_unfounded == 1);
        REQUIRE(room.host.desyncs().size() == (differs ? 1 : 0));
        if (!differs) continue;
        const Desync& desync = room.host.desyncs().back();
        CHECK(desync.is_own);
        CHECK(desync.field == "players.rope[1].velocity.y");
        CHECK(desync.tick == last.number * setup.facts.snapshot_every);
        CHECK(!desync.after.empty());
    }
    CHECK(peer.client.stats().desyncs == 0);
}

TEST_CASE("desync: a report is judged once and answered as often as it comes") {
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
        Room room(test::level("orbit", "belt"), ReplicationMode::snapshots, link);
        Peer& peer = room.add();
        room.run(2);
        Report report = make_report(*room.setup, *peer.client.decoder());
        report.states.back().fields.back() ^= 1;
        report.serial = 77;
        codec::Bytes message;
        write(report, message);
        for (int copies = 0; copies < 3; ++copies) {
            room.host.receive(peer.slot, message, room.time);
            codec::Bytes answer;
            REQUIRE(room.host.write_message(peer.slot, true, room.time, answer));
            const auto verdict = read_verdict(answer);
            REQUIRE(verdict);
            CHECK(verdict->serial == 77);
            CHECK(verdict->found);
            CHECK(verdict->number == report.states.back().number);
            room.run(0.7);
        }
        --report.serial;  // older than the last one judged
        codec::Bytes outdated;
        write(report, outdated);
        room.host.receive(peer.slot, outdated, room.time);
        CHECK(room.host.stats().reports_ignored == 1);
        CHECK(room.host.desyncs().size() == 1);
        CHECK(peer.client.stats().desyncs == 0);
        CHECK(peer.client.desyncs().empty());  // it sent no report
    }
}

TEST_CASE("desync: a report that came too early over an ordered link is sent once more") {
    Room room(test::level("orbit", "belt"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& peer = room.add();
    room.run(3.3);
    spoil_score(room.setup, *peer.client.decoder());
    codec::Bytes another;
    write(Report{}, another);
    room.host.receive(peer.slot, another, room.time);  // no other is judged for a second
    room.run(0.9);
    CHECK(peer.client.stats().desyncs == 1);
    CHECK(peer.client.desyncs().empty());
    room.run(2);
    CHECK(room.host.stats().reports_ignored == 1);
    REQUIRE(peer.client.desyncs().size() == 1);
    CHECK(peer.client.desyncs()[0].field == "players.score");
}

TEST_CASE("desync: of two differences in a row each is named") {
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
        CAPTURE(name_of(link));
        Room room(test::level("orbit", "belt"), ReplicationMode::snapshots, link);
        Peer& peer = room.add();
        room.run(3);
        for (std::size_t i = 0; i < 3; ++i) {
            CAPTURE(i);
            spoil_score(room.setup, *peer.client.decoder());
            const std::uint64_t then = peer.client.decoder()->tick();
            // Over datagrams not every snapshot becomes a baseline, so the next ones differ too until it is
            // noticed.
            std::uint32_t newest = peer.client.decoder()->number();
            while (peer.client.desyncs().size() == i) {
                REQUIRE(room.time < 20);
                room.run(0.01);
                if (peer.client.stats().desyncs > i || peer.client.decoder()->number() == newest) continue;
                newest = peer.client.decoder()->number();
                spoil_score(room.setup, *peer.client.decoder());
            }
            REQUIRE(room.host.desyncs().size() == i + 1);
            CHECK(room.host.desyncs()[i].tick == then);
            CHECK(peer.client.desyncs()[i].tick == then);
            // As soon as it has a keyframe, and while the last difference is still remembered.
            while (!peer.client.decoder()->is_usable()) {
                REQUIRE(room.time < 20);
                room.run(0.01);
            }
            room.run(0.1);
        }
    }
}

TEST_CASE("desync: over datagrams a lost report or verdict is sent again") {
    for (const bool loses_verdict : {false, true}) {
        CAPTURE(loses_verdict);
        Room room(test::level("orbit", "belt"), ReplicationMode::snapshots, LinkKind::datagram);
        Peer& peer = room.add(0.025);
        room.add();
        room.run(3);
        spoil_score(room.setup, *peer.client.decoder());
        SimulatedLink& link = loses_verdict ? peer.down : peer.up;
        const LinkConditions works{.latency = 0.025};
        const LinkConditions is_cut{.latency = 0.025, .loss = 1};
        if (!loses_verdict) link.set_conditions(is_cut);  // the report leaves as soon as something differs
        while (peer.client.stats().desyncs == 0) {
            REQUIRE(room.time < 20);
            room.run(0.01);
        }
        link.set_conditions(is_cut);
        room.run(0.2);
        link.set_conditions(works);
        room.run(2);
        REQUIRE(room.host.desyncs().size() == 1);
        REQUIRE(peer.client.desyncs().size() == 1);
        CHECK(room.host.desyncs()[0].field == "players.score");
        CHECK(room.host.desyncs()[0].text() == peer.client.desyncs()[0].text());
    }
}

TEST_CASE("recovery: over datagrams a loss costs the snapshots of a round trip and no keyframe") {
    Room room(test::level("flail", "plain"), ReplicationMode::snapshots, LinkKind::datagram);
    Peer& peer = room.add(0.05);
    room.add();
    room.run(3);
    const std::uint64_t keyframes = room.host.stats().keyframes;
    CHECK(keyframes == 2);
    for (int i = 0; i < 5; ++i) {
        peer.acknowledged.clear();
        peer.down.set_conditions({.latency = 0.05, .loss = 1});
        room.run(0.05);  // one snapshot or two
        peer.down.set_conditions({.latency = 0.05});
        room.run(2);
        std::uint32_t most_missed = 0;
        for (std::size_t k = 1; k < peer.acknowledged.size(); ++k)
            most_missed = std::max(most_missed, peer.acknowledged[k] - peer.acknowledged[k - 1] - 1);
        CHECK(most_missed >= 1);
        CHECK(most_missed <= (i == 0 ? 5 : 2));  // after a loss, deltas have acknowledged baselines
    }
    CHECK(room.host.stats().keyframes == keyframes);
    CHECK(peer.client.stats().messages_malformed == 0);
}

// A keyframe that is sent while nothing arrives is lost as well, and the client's newest snapshot is old.
TEST_CASE("recovery: over datagrams a link that was dead gets snapshots as soon as it works") {
    for (const double loss : {0.0, 0.2}) {
        CAPTURE(loss);
        Room room(test::level("orbit", "belt"), ReplicationMode::snapshots, LinkKind::datagram);
        Peer& peer = room.add(LinkConditions{.latency = 0.025, .loss = loss});
        room.run(2);
        double longest = 0;
        for (int i = 0; i < 12; ++i) {
            peer.down.set_conditions({.latency = 0.025, .loss = 1});
            room.run(2.5);
            peer.down.set_conditions({.latency = 0.025, .loss = loss});
            peer.acknowledged.clear();
            const double back = room.time;
            while (peer.acknowledged.empty() && room.time < back + 5) room.run(0.01);
            longest = std::max(longest, room.time - back);
            room.run(1);
        }
        CHECK(longest < (loss > 0 ? 1.5 : 0.5));
    }
}

TEST_CASE("keyframe: a datagram client that reports no baseline gets at most four a second") {
    Room room(test::level("flail", "plain"), ReplicationMode::snapshots, LinkKind::datagram);
    Peer& peer = room.add();
    room.run(2);
    const std::uint64_t before = room.host.stats().keyframes;
    codec::Bytes nothing;
    write(InputMessage{.decode_failed = true}, *room.setup->world->input, nothing);
    room.run(2, [&] { room.host.receive(peer.slot, nothing, room.time); });
    CHECK(room.host.stats().keyframes > before);
    CHECK(room.host.stats().keyframes <= before + 9);
}

TEST_CASE("predicted hash: a page that plays several ticks in a frame still sends it") {
    PlayerConditions slow;
    slow.up.latency = slow.down.latency = 0.025;
    slow.frame_rate = 30;
    const SimulationReport report =
        simulate(test::level("foothold", "town"), {.players = 1, .seconds = 20, .conditions = slow});
    CHECK(report.faults.empty());
    CHECK(report.confirmed > 0.8);
}

TEST_CASE("client: a welcome with a slot that the level does not have is malformed") {
    for (const contract::Slot slot : {contract::Slot{16}, contract::Slot{63}}) {
        SentSnapshot sent;
        REQUIRE(sent.setup->facts.most_players == 16);
        sent.send(slot, {}, [](codec::Writer&) {});
        CHECK(sent.client.decoder() == nullptr);
        CHECK(sent.client.stats().messages_malformed == 1);
    }
    SentSnapshot sent;
    sent.send(0, {}, [](codec::Writer&) {});
    CHECK(sent.client.stats().snapshots == 1);
}

TEST_CASE("client: an illegal own player is refused, and the replicated one stands") {
    SentSnapshot sent;
    const state::Layout& layout = sent.setup->layout;
    state::Block impossible(layout);
    state::copy(layout, sent.match.state(), impossible.data());
    state::RawPool players(layout, 0, impossible.data());
    REQUIRE(players.size() == 1);
    bool spoilt = false;
    for (const state::Field& field : players.element_info().fields) {
        if (field.kind != state::FieldKind::f64 || spoilt) continue;
        const double nowhere = std::numeric_limits<double>::quiet_NaN();
        std::memcpy(players.element(0) + field.offset, &nowhere, sizeof nowhere);
        spoilt = true;
    }
    REQUIRE(spoilt);
    sent.send(0, {.own = OwnState::exact}, [&](codec::Writer& writer) {
        encode_own(writer, layout, sent.encoder.replicated(), impossible.data(), 0);
    });
    CHECK(sent.client.stats().snapshots == 1);
    CHECK(sent.client.stats().messages_malformed == 1);
    CHECK(state::hash(layout, sent.client.base()) == state::hash(layout, sent.encoder.replicated()));
}
