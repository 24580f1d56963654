// SPDX-License-Identifier: MIT
// The players and their scores, for any world: every player has a slot, a name and a score.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <instep/match/match.h>

namespace instep::match {

struct Score {
    contract::Slot slot = 0;
    std::string name;
    std::int64_t score = 0;
};

// The best first; equal scores in slot order.
std::vector<Score> score_board(const Setup& setup, const std::byte* block);
inline std::vector<Score> score_board(const Match& match) {
    return score_board(match.setup(), match.state());
}

}  // namespace instep::match
