// SPDX-License-Identifier: MIT
// Any bytes are refused as an entry of a journal, or the room after them is one that can be saved, read and
// played. The input names, by its first byte, how many true entries come before the forged one.
#include <algorithm>

#include <instep/net/host.h>
#include <instep/server/journal_entry.h>

#include <tests/fuzz/require.h>

using namespace instep;

namespace {

struct Room {
    Room()
        : setup(*match::load_builtin_setup("bounce", "box")),
          host(setup, 3, net::ReplicationMode::snapshots) {
        for (int i = 0; i < 3; ++i)
            if (const auto slot = host.join_bot("bot"))
                bots.push_back({static_cast<std::uint32_t>(i), *slot});
        host.step();
        checkpoint.name = "ours";
        checkpoint.host = host.save();
        checkpoint.bots = bots;
        for (int i = 0; i < 4; ++i) add_entry();
    }
    void add_entry() {
        const std::uint64_t first = host.match().tick() + 1;
        for (std::uint32_t i = 0; i < setup->facts.snapshot_every; ++i) host.step();
        server::JournalEntry entry;
        entry.first = first;
        entry.last = host.match().tick();
        entry.hash = host.match().hash();
        entry.joined = host.joined();
        entry.roster = server::RoomRoster{{}, bots, {}};
        write(entry, *setup, host.ticks(), entries.emplace_back());
    }

    match::SharedSetup setup;
    net::Host host;
    std::vector<server::BotImage> bots;
    server::RoomImage checkpoint;
    std::vector<codec::Bytes> entries;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Room room;
    if (size == 0) return 0;
    std::vector<codec::Bytes> entries(room.entries.begin(),
                                      room.entries.begin() + data[0] % (room.entries.size() + 1));
    // The first bytes of a true entry may stay, so that the fuzzer gets beyond the head.
    codec::Bytes forged;
    if (size > 1 && entries.size() < room.entries.size()) {
        const codec::Bytes& next = room.entries[entries.size()];
        forged.assign(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min<std::size_t>(data[1], next.size())));
    }
    for (std::size_t i = 2; i < size; ++i) forged.push_back(static_cast<std::byte>(data[i]));
    entries.push_back(std::move(forged));
    const auto image = server::replay(room.checkpoint, room.setup, entries);
    if (!image) {
        REQUIRE(!image.error().what.empty());
        return 0;
    }
    codec::Bytes written;
    write(*image, written);
    const auto read = server::read_room_image(written);
    if (!read) return 0;  // a roster that no server writes; the room's own checks refuse it
    net::Host host(room.setup, 1, read->host.mode);
    if (!host.load(read->host)) return 0;
    for (int i = 0; i < 20; ++i) host.step();
    REQUIRE(room.setup->world->validate(room.setup->value.get(), room.setup->layout, host.match().state())
                .has_value());
    return 0;
}
