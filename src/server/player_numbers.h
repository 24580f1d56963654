// SPDX-License-Identifier: MIT
// The numbers by which a room's world recognises players that join again (Join::player). A number says
// nothing about the player's key, which is a secret.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include <instep/server/player_id.h>

namespace instep::server {

class PlayerNumbers {
public:
    static constexpr std::size_t most = 1024;  // players remembered

    // Counts from 1; 0 for a player that cannot be recognised.
    std::uint32_t number_of(const PlayerId& player) {
        if (!player.can_resume()) return 0;
        auto known = players_.find(player);
        if (known == players_.end()) {
            if (players_.size() >= most) forget_one();
            known = players_.emplace(player, Entry{++last_number_, 0}).first;
        }
        known->second.last_join = ++joins_;
        return known->second.number;
    }

private:
    struct Entry {
        std::uint32_t number = 0;
        std::uint64_t last_join = 0;
    };

    // The player whose last join was the longest ago.
    void forget_one() {
        players_.erase(
            std::ranges::min_element(players_, {}, [](const auto& each) { return each.second.last_join; }));
    }

    std::map<PlayerId, Entry> players_;
    std::uint32_t last_number_ = 0;
    std::uint64_t joins_ = 0;
};

}  // namespace instep::server
