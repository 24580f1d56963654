// SPDX-License-Identifier: MIT
// A room without a server: what its owner would keep in the journal.
#pragma once

#include <instep/math/random.h>
#include <instep/net/host.h>
#include <instep/server/journal_entry.h>

#include <tests/net/logged_match.h>

namespace instep::cluster_test {

using server::BotImage;
using server::JournalEntry;
using server::RoomImage;
using server::RoomRoster;

// A room of bots that come and go, with a checkpoint and entries.
struct Journaled {
    explicit Journaled(const match::SharedSetup& played, std::uint64_t seed)
        : setup(played),
          host(played, seed, net::default_replication(played->facts)),
          random(math::Random::from_seed(seed)) {}

    void join() {
        if (const auto slot = host.join_bot("bot")) {
            bots.push_back({next_number++, *slot});
            is_changed = true;
        }
    }
    void play(std::uint64_t ticks) {
        for (std::uint64_t i = 0; i < ticks; ++i) {
            if (random.below(10) == 0) join();
            if (!bots.empty() && random.below(40) == 0) {
                host.leave(bots.back().slot);
                bots.pop_back();
                is_changed = true;
            }
            host.step();
            if (host.match().tick() % setup->facts.snapshot_every == 0) add_entry();
        }
    }
    void add_entry() {
        JournalEntry entry{.first = journaled + 1,
                           .last = host.match().tick(),
                           .hash = host.match().hash(),
                           .joined = host.joined()};
        if (std::exchange(is_changed, false)) entry.roster = RoomRoster{{}, bots, {}};
        write(entry, *setup, host.ticks(), entries.emplace_back());
        journaled = entry.last;
    }
    RoomImage image() const {
        RoomImage image;
        image.name = "ours";
        image.due = 1'700'000'000'000'000;
        image.host = host.save();
        image.bots = bots;
        return image;
    }

    match::SharedSetup setup;
    net::Host host;
    math::Random random;
    std::vector<BotImage> bots;
    std::uint32_t next_number = 0;
    bool is_changed = false;
    std::uint64_t journaled = 0;
    std::vector<codec::Bytes> entries;
};

}  // namespace instep::cluster_test
