// SPDX-License-Identifier: MIT
#include <instep/match/score_board.h>

#include <algorithm>

#include <instep/state/raw_pool.h>

namespace instep::match {

std::vector<Score> score_board(const Setup& setup, const std::byte* block) {
    std::vector<Score> scores;
    const state::StructInfo& info = *setup.world->player;
    const state::Field& slot = *info.find("slot");
    const state::Field& name = *info.find("name");
    const state::Field& score = *info.find("score");
    for (std::size_t i = 0; i < setup.layout.pools.size(); ++i) {
        if (setup.layout.pools[i].element != &info) continue;
        const auto pool = state::RawPool::looking_at(setup.layout, i, block);
        for (std::uint32_t index = 0; index < pool.size(); ++index) {
            const std::byte* player = pool.element(index);
            contract::PlayerName text;
            std::memcpy(&text, player + name.offset, sizeof text);
            scores.push_back({static_cast<contract::Slot>(state::number_at(slot, player)),
                              std::string(text.view()),
                              static_cast<std::int64_t>(state::number_at(score, player))});
        }
    }
    // total order: no two players have the same slot
    std::sort(scores.begin(), scores.end(), [](const Score& a, const Score& b) {
        return a.score != b.score ? a.score > b.score : a.slot < b.slot;
    });
    return scores;
}

}  // namespace instep::match
