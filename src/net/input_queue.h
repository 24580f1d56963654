// SPDX-License-Identifier: MIT
// One player's inputs on the server. An input is stamped with the tick that it is for and with a sequence
// number of its own. The rule:
//
//   - It is taken once: a sequence number that was taken, or that lies 64 or more behind the newest, is a
//   copy.
//   - The first input for a tick stands; whatever else comes for the same tick is a copy too.
//   - Late: its tick has been stepped. It is dropped; time does not go back.
//   - Early: its tick lies `window` or more ahead, or its sequence number 65,536 or more. It is dropped, so
//   that
//     nothing can pile up.
//   - Illegal: sanitize() refuses it. It is dropped, and leaves its tick free.
//   - A tick for which nothing came uses the last input again, for at most `hold` ticks; after that none at
//   all
//     (all zeros), so that nobody thrusts for ever because a line is dead.
//
// So a tick has exactly one input, whatever a client sends; and it is on the wire's grid, so that those to
// whom it is passed on use the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <instep/match/match.h>

namespace instep::net {

enum class InputVerdict : std::uint8_t { accepted, duplicate, late, early, illegal };

class InputQueue {
public:
    InputQueue(const match::Setup& setup, std::uint32_t window, std::uint32_t hold);

    // `next_tick` is the one that will be stepped next. `input` is a row as it stood on the wire.
    InputVerdict offer(std::uint64_t next_tick, std::uint32_t tick, std::uint32_t sequence,
                       const std::byte* input);

    // What the player asks for in this tick, as it stood on the wire. True if it had come in time.
    bool take(std::uint64_t tick, std::byte* row);

    std::uint32_t newest_sequence() const { return newest_; }

private:
    struct Place {
        std::uint64_t tick = 0;  // 0: nothing here
        std::vector<std::byte> input;
    };

    static constexpr std::uint32_t farthest_sequence = 65536;

    bool is_copy(std::uint32_t sequence) const;
    void mark(std::uint32_t sequence);

    const match::Setup& setup_;
    std::uint32_t hold_;
    std::vector<Place> places_;
    std::vector<std::byte> last_;
    std::vector<std::byte> nothing_;  // all zeros, as near as the wire can say them
    std::vector<std::byte> checked_;
    std::uint32_t unanswered_ = 0;  // ticks since the last input that came in time
    std::uint32_t newest_ = 0;
    std::uint64_t taken_ = 0;  // bit i: newest_ - i was taken
};

}  // namespace instep::net
