// SPDX-License-Identifier: MIT
// A match in a file: its setup, its seed, the inputs and a hash of every tick, and checkpoints. Since a step
// is a pure function, that is the whole match. This file turns matches into bytes and back; callers do the
// input and output.
//
//     magic, then blocks: a byte that says its kind, its size (32 bits, little endian), its content
//     header      world, level, fingerprint, seed
//     level       the level itself, unless it is built in
//     ticks       up to 128, each with 16 bits of its hash, and all 64 bits of the last
//     checkpoint  an exact state; the coder's models are reset after it, so that a reader can start here
//
// A recording that begins in the middle of a match, such as that of a room that another process handed over,
// begins with a checkpoint; one without begins with the level's initial state at tick 0.
// A file that breaks off (a crash, a full disk) is valid up to its last complete block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <instep/codec/tick_log.h>
#include <instep/match/match.h>
#include <instep/record/level_reference.h>

namespace instep::record {

struct RecordingHeader {
    std::string world;
    std::string level;
    std::uint64_t fingerprint = 0;
    std::uint64_t seed = 0;
};

struct RecordingSummary {
    RecordingHeader header;
    std::uint64_t first_tick = 0;  // its state begins the recording
    std::uint64_t last_tick = 0;
};
// Reads the header and finds the ticks, also of recordings that this build cannot play. Takes any bytes.
state::Result<RecordingSummary> summarise(codec::ByteView recording);

class Recorder {
public:
    static constexpr std::uint32_t ticks_per_block = 128;
    static constexpr std::uint32_t blocks_per_checkpoint = 16;

    // Appends the start of the file to `out`.
    Recorder(match::SharedSetup setup, std::uint64_t seed, codec::Bytes& out);
    // The recording begins with the match as it is now.
    Recorder(match::SharedSetup setup, std::uint64_t seed, const match::Match& match, codec::Bytes& out);

    // After every step: its inputs, and the match after it. Appends blocks to `out` as they become complete.
    void add(const codec::TickRecord& record, const match::Match& match, codec::Bytes& out);
    // Appends the last, incomplete block. Nothing may be added after it.
    void finish(const match::Match& match, codec::Bytes& out);

private:
    void end_block(const match::Match& match, codec::Bytes& out);
    void add_checkpoint(const match::Match& match, codec::Bytes& out);

    match::SharedSetup setup_;
    codec::TickModel fresh_;
    codec::TickModel model_;
    codec::TickRecord before_;
    std::vector<codec::TickRecord> ticks_;
    codec::Bytes content_;
    codec::Bytes image_;
    std::vector<std::uint16_t> hashes_;
    std::uint32_t count_ = 0;
    std::uint32_t blocks_ = 0;
};

// Plays a recording again, tick by tick, and compares every hash. Takes any bytes.
class Replay {
public:
    // `file` must outlive the replay; `lookup` finds levels that the file does not hold. Refuses bytes that
    // are not a recording, and recordings of another build or level.
    static state::Result<Replay> open(codec::ByteView file, const LevelLookup& lookup);

    const RecordingHeader& header() const { return header_; }
    const match::SharedSetup& setup() const { return setup_; }
    const match::Match& match() const { return *match_; }
    // The tick that was played last.
    const codec::TickRecord& record() const { return record_; }
    // The tick of the state that the recording begins with; 0 unless it begins in the middle of a match.
    std::uint64_t first_tick() const { return first_tick_; }
    // The last tick in the file.
    std::uint64_t last_tick() const { return last_tick_; }
    // Whether the file breaks off within a block.
    bool breaks_off() const { return breaks_off_; }

    // Plays one more tick; false at the end. An error names the tick, and what was expected there.
    state::Result<bool> next();
    // Goes to the state after this tick, from the nearest checkpoint before it. first_tick() is the start.
    state::Result<void> go_to(std::uint64_t tick);

private:
    struct Block {
        std::uint8_t kind = 0;
        std::uint64_t tick = 0;  // the last of its ticks, or that of its state
        codec::ByteView content;
    };

    friend state::Result<RecordingSummary> summarise(codec::ByteView recording);

    Replay() = default;
    static state::Result<Replay> read(codec::ByteView file);
    state::Result<void> read_blocks(codec::ByteView rest);
    state::Result<match::SharedSetup> find_setup(const LevelLookup& lookup) const;
    state::Result<void> begin_block();
    state::Result<void> load_checkpoint(const Block& block);
    state::Result<void> start_over();

    RecordingHeader header_;
    codec::ByteView level_;  // its text, coded; empty: it is a built-in one
    match::SharedSetup setup_;
    std::vector<Block> blocks_;
    std::uint64_t first_tick_ = 0;
    std::uint64_t last_tick_ = 0;
    bool breaks_off_ = false;

    std::optional<match::Match> match_;
    std::optional<codec::TickModel> model_;
    std::unique_ptr<match::TickBuilder> builder_;
    codec::TickRecord record_;
    std::size_t at_ = 0;  // the block that is being played
    std::optional<codec::Reader> reader_;
    std::uint32_t left_ = 0;  // ticks in it
};

}  // namespace instep::record
