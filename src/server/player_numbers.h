// SPDX-License-Identifier: MIT
// The numbers by which a room's world recognises players that join again (Join::player). A number says
// nothing about the player's key, which is a secret.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

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

    // As a value: the players in the order of their last joins, the one that is forgotten next first.
    struct Known {
        PlayerId player = PlayerId::anonymous();
        std::uint32_t number = 0;
    };
    struct Image {
        std::uint32_t last_number = 0;
        std::vector<Known> players;
    };
    Image save() const {
        std::vector<std::pair<std::uint64_t, Known>> sorted;
        sorted.reserve(players_.size());
        for (const auto& [player, entry] : players_)
            sorted.push_back({entry.last_join, {player, entry.number}});
        std::ranges::sort(sorted, {}, [](const auto& each) { return each.first; });  // no two joins are equal
        Image image{last_number_, {}};
        for (auto& [join, known] : sorted) image.players.push_back(std::move(known));
        return image;
    }
    // Takes any values; players that cannot be recognised are left out.
    void load(const Image& image) {
        last_number_ = image.last_number;
        for (const Known& known : image.players)
            if (known.player.can_resume() && known.number <= last_number_ && players_.size() < most)
                players_.insert_or_assign(known.player, Entry{known.number, ++joins_});
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
