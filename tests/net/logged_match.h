// SPDX-License-Identifier: MIT
// Fixtures of the netcode tests: a level, and a match whose ticks are logged as a host
// logs them.
#pragma once

#include <doctest/doctest.h>

#include <instep/codec/input_codec.h>
#include <instep/codec/tick_log.h>
#include <instep/match/random_script.h>
#include <instep/net/snapshot_encoder.h>
#include <tests/match/levels.h>

namespace instep::test {

inline match::SharedSetup level(std::string_view world, std::string_view name) {
    const auto setup = match::load_builtin_setup(world, name);
    REQUIRE(setup);
    return *setup;
}

// A match of players that join, leave, play like bots and press keys at random.
class LoggedMatch {
public:
    LoggedMatch(const match::SharedSetup& setup, std::uint64_t seed)
        : setup_(setup),
          match_(setup, seed),
          script_(match_, seed + 1),
          log_(*setup, (net::snapshots_kept + 1) * setup->facts.snapshot_every),
          tick_(*setup) {}

    const match::Match& match() const { return match_; }
    const codec::TickLog& log() const { return log_; }
    std::uint32_t number() const {
        return static_cast<std::uint32_t>(match_.tick() / setup_->facts.snapshot_every);
    }

    net::Snapshot snapshot() const { return {number(), match_.state(), log_}; }

    void step_to_snapshot() {
        do step();
        while (match_.tick() % setup_->facts.snapshot_every != 0);
    }
    void step() {
        const match::TickBytes next = script_.next();
        codec::TickRecord& record = log_.begin(match_.tick() + 1);
        record.leaves.assign(next.leaves.begin(), next.leaves.end());
        record.joins.assign(next.joins.begin(), next.joins.end());
        record.inputs.assign(next.inputs.begin(), next.inputs.end());
        record.live = match_.live_slots();
        for (const contract::Slot slot : record.leaves) record.live &= ~contract::only(slot);
        for (const contract::Join& join : record.joins) record.live |= contract::only(join.slot);
        const std::size_t size = setup_->world->input->size;
        for (std::uint32_t slot = 0; slot < setup_->facts.most_players; ++slot)
            codec::make_canonical(*setup_, record.inputs.data() + slot * size);
        codec::fill_tick(record, tick_);
        match_.step(tick_.bytes());
        record.events.assign(match_.events().begin(), match_.events().end());
    }

private:
    match::SharedSetup setup_;
    match::Match match_;
    match::RandomScript script_;
    codec::TickLog log_;
    match::TickBuilder tick_;
};

}  // namespace instep::test
