// SPDX-License-Identifier: MIT
// A checkpoint and the entries after it are the room.
#include <tests/cluster/journaled_room.h>

using namespace instep;
using namespace instep::server;
using cluster_test::Journaled;

TEST_CASE("journal: checkpoint and entries lead to the room, and a host goes on from there") {
    for (const auto& [world, level] :
         {std::pair("bounce", "box"), std::pair("flail", "plain"), std::pair("creature", "garden"),
          std::pair("arena", "belt"), std::pair("orbit", "belt")}) {
        CAPTURE(world);
        Journaled room(test::level(world, level), 5);
        const std::uint64_t every = room.setup->facts.snapshot_every;
        room.play(20 * every);
        const RoomImage checkpoint = room.image();
        const std::size_t before = room.entries.size() - 1;  // that one was on its way
        room.play(60 * every);
        const auto image = replay(checkpoint, room.setup, std::span(room.entries).subspan(before));
        REQUIRE_MESSAGE(image, image.error().text());
        CHECK(image->host.match == record::save_match(room.host.match(), 5));
        CHECK(*image->due == *checkpoint.due + 60 * every * 1'000'000 / room.setup->facts.tick_rate);
        CHECK(image->bots.size() == room.bots.size());

        net::Host next(room.setup, 5, image->host.mode);
        const auto loaded = next.load(image->host);
        REQUIRE_MESSAGE(loaded, loaded.error().text());
        for (int i = 0; i < 100; ++i) {
            next.step();
            room.host.step();
        }
        CHECK(next.match().hash() == room.host.match().hash());
    }
}

TEST_CASE("journal: a gap, another order, a forged hash and damaged bytes are refused") {
    Journaled room(test::level("bounce", "box"), 7);
    room.play(12);
    const RoomImage checkpoint = room.image();
    room.entries.clear();
    room.play(60);
    const auto& all = room.entries;
    REQUIRE(replay(checkpoint, room.setup, all));
    std::vector<codec::Bytes> gap(all.begin(), all.end());
    gap.erase(gap.begin() + 2);
    CHECK_FALSE(replay(checkpoint, room.setup, gap));
    CHECK_FALSE(replay(checkpoint, test::level("bounce", "billiards"), all));
    auto random = math::Random::from_seed(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<codec::Bytes> damaged(all.begin(), all.end());
        codec::Bytes& entry = damaged[random.below(static_cast<std::uint32_t>(damaged.size()))];
        if (random.below(2) == 0)
            entry.resize(random.below(static_cast<std::uint32_t>(entry.size())));
        else
            entry[random.below(static_cast<std::uint32_t>(entry.size()))] ^= std::byte{1} << random.below(8);
        // Damage that leads to the same state does not count.
        if (const auto image = replay(checkpoint, room.setup, damaged))
            CHECK(image->host.match.tick <= room.host.match().tick());
    }
}
