// SPDX-License-Identifier: MIT
// One player's inputs on the server. An input carries the tick that it is for and a sequence number. The
// rules:
//
//     accepted   Once. Until the tick is stepped, an input with a higher sequence number replaces it: after
//                room time stepped back, a client makes its inputs again.
//     duplicate  Its sequence number was accepted before, or lies 64 or more behind the newest, or its tick
//                has an input with a higher one.
//     late       Its tick has been stepped. It is dropped: time does not go back.
//     early      Its tick lies `window` or more ahead, or its sequence number 65,536 or more. It is dropped,
//                so that nothing can pile up.
//     illegal    sanitize() refuses it. It is dropped and leaves its tick as it was.
//
// A tick without an input repeats the last one, for at most `hold` ticks; then the input is all zeros, so
// that a ship does not thrust for ever because a link is dead. So a tick has exactly one input, whatever a
// client sends, and it is in the canonical form that is stepped, recorded and sent to the other clients
// (codec/input_codec.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <instep/codec/bytes.h>
#include <instep/match/match.h>

namespace instep::net {

// What a queue holds, as a value.
struct InputQueueImage {
    struct Waiting {
        std::uint64_t tick = 0;
        std::uint32_t sequence = 0;
        codec::Bytes input;
        friend bool operator==(const Waiting&, const Waiting&) = default;
    };
    codec::Bytes last;
    std::uint32_t missed = 0;
    std::uint32_t newest = 0;
    std::uint64_t accepted = 0;
    std::vector<Waiting> waiting;  // for later ticks, in their order

    friend bool operator==(const InputQueueImage&, const InputQueueImage&) = default;
};

enum class InputVerdict : std::uint8_t { accepted, duplicate, late, early, illegal };

class InputQueue {
public:
    InputQueue(const match::Setup& setup, std::uint32_t window, std::uint32_t hold);

    // `next_tick` is the one that will be stepped next; `input` is a row of any bytes.
    InputVerdict offer(std::uint64_t next_tick, std::uint32_t tick, std::uint32_t sequence,
                       const std::byte* input);

    // Writes the player's input for this tick. True if it came in time.
    bool take(std::uint64_t tick, std::byte* row);

    // Drops what waits for later ticks.
    void clear();
    // The player's next client numbers its inputs from 1 again. What waits stays, and so does the held input.
    void restart_sequence();

    InputQueueImage save(std::uint64_t next_tick) const;
    // Takes any values. False if no queue of this level can hold them.
    bool load(const InputQueueImage& image, std::uint64_t next_tick);

    std::uint32_t newest_sequence() const { return newest_; }

private:
    struct Entry {
        std::optional<std::uint64_t> tick;
        std::uint32_t sequence = 0;  // of its input
        codec::Bytes input;
    };

    static constexpr std::uint32_t max_sequence_jump = 65536;

    bool is_duplicate(std::uint32_t sequence) const;
    void mark(std::uint32_t sequence);

    const match::Setup& setup_;
    std::uint32_t hold_;
    std::vector<Entry> entries_;  // by tick
    codec::Bytes last_;
    codec::Bytes idle_;           // codec::idle_input()
    codec::Bytes offered_;        // scratch: the canonical form of an input that is offered
    std::uint32_t missed_ = 0;    // ticks since the last input that came in time
    std::uint32_t newest_ = 0;    // sequence numbers count from 1
    std::uint64_t accepted_ = 0;  // bit i: sequence newest_ - i was accepted
};

}  // namespace instep::net
