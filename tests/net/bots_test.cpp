// SPDX-License-Identifier: MIT
// Bots that the host plays itself: players like any other, but without a link.
#include <instep/net/client.h>
#include <instep/net/host.h>
#include <instep/record/recording.h>

#include <tests/net/logged_match.h>

#include <algorithm>
#include <bit>

using namespace instep;
using namespace instep::net;
using contract::Slot;

TEST_CASE("host bots: on every level they play, and a recording replays them to the bit") {
    test::for_each_level([](const match::SharedSetup& setup) {
        constexpr std::uint64_t seed = 11;
        Host host(setup, seed, ReplicationMode::snapshots);
        codec::Bytes file;
        record::Recorder recorder(setup, seed, file);
        const std::uint32_t count = std::min(4u, setup->facts.most_players);
        for (std::uint32_t i = 0; i < count; ++i) REQUIRE(host.join_bot("bot"));
        std::vector<std::uint64_t> hashes;
        bool has_input = false;
        for (int i = 0; i < 400; ++i) {
            if (i == 200) host.leave(0);
            if (i == 250) REQUIRE(host.join_bot("another"));
            host.step();
            const codec::TickRecord& record = *host.ticks().find(host.match().tick());
            recorder.add(record, host.match(), file);
            hashes.push_back(host.match().hash());
            has_input |= std::any_of(record.inputs.begin(), record.inputs.end(),
                                     [](std::byte byte) { return byte != std::byte{0}; });
        }
        recorder.finish(host.match(), file);
        CHECK(has_input);
        CHECK(std::popcount(host.match().live_slots()) == static_cast<int>(count));
        CHECK(host.stats().ticks_starved == 0);

        auto replay = record::Replay::open(file, [](const std::string& world, const std::string& level) {
            return match::load_builtin_setup(world, level);
        });
        REQUIRE(replay.has_value());
        for (const std::uint64_t hash : hashes) {
            const auto played = replay->next();
            REQUIRE_MESSAGE(played.has_value(), (played ? "" : played.error().text()));
            CHECK(replay->match().hash() == hash);
        }
    });
}

TEST_CASE("host bots: a bot gets no messages and ignores inputs, and clients receive its player") {
    const match::SharedSetup setup = test::level("flail", "plain");
    Host host(setup, 1, ReplicationMode::snapshots);
    Client client(setup, LinkKind::ordered);
    const auto person = host.join("Ann", LinkKind::ordered);
    const auto bot = host.join_bot("Bix");
    REQUIRE(person);
    REQUIRE(bot);
    InputMessage forged{.first_tick = 20, .first_sequence = 1, .count = 1};
    forged.inputs.resize(setup->world->input->size);
    codec::Bytes bytes;
    write(forged, *setup->world->input, bytes);
    codec::Bytes message;
    for (int i = 0; i < 30; ++i) {
        host.receive(*bot, bytes, 0.1);
        host.step();
        const double now = static_cast<double>(host.match().tick()) / setup->facts.tick_rate;
        CHECK(!host.write_message(*bot, true, now, message));
        while (host.write_message(*person, true, now, message)) {
            client.receive(message, now);
            message.clear();
        }
    }
    CHECK(host.stats().inputs_accepted == 0);
    CHECK(client.stats().snapshots > 5);
    CHECK(client.stats().messages_malformed == 0);
    CHECK(setup->world->live_slots(setup->layout, client.base()) == host.match().live_slots());
}

TEST_CASE("host bots: a full room refuses a bot, and a leave frees the slot") {
    const match::SharedSetup setup = test::level("bounce", "billiards");
    Host host(setup, 1, ReplicationMode::snapshots);
    for (std::uint32_t i = 0; i < setup->facts.most_players; ++i) REQUIRE(host.join_bot("x"));
    CHECK(!host.join_bot("late"));
    CHECK(!host.join("late", LinkKind::ordered));
    host.leave(1);
    host.step();
    const auto slot = host.join("late", LinkKind::ordered);
    REQUIRE(slot);
    CHECK(*slot == 1);
}
