// SPDX-License-Identifier: MIT
// What a match of arena costs with 16 ships, 24 rocks and about 100 shots in the air
// (worlds/arena/levels/load.json): a tick, saving and restoring the whole of it, and what a client does on a
// snapshot that surprised it, restore and play eight ticks again.
#include <bench/harness.h>

#include <instep/match/match.h>
#include <instep/match/tick_builder.h>

#include <string>
#include <vector>

namespace instep::bench {
namespace {

constexpr double save_microseconds = 5;
constexpr double restore_microseconds = 5;
constexpr double replay_microseconds = 250;  // of eight ticks
constexpr double tick_microseconds = replay_microseconds / 8;

// A match of bots, played once and kept: what is measured is the step, not the bots.
class LoadedRoom {
public:
    LoadedRoom() : match_(*match::load_builtin_setup("arena", "load"), 1) {
        match::TickBuilder tick(match_.setup());
        for (contract::Slot slot = 0; slot < match_.facts().most_players; ++slot) tick.join({.slot = slot});
        match_.step(tick.bytes());
        tick.begin();
        for (int i = 0; i < 600; ++i) play(tick);  // until the air is full
        start_.resize(match_.image_size());
        match_.save(start_);
        for (int i = 0; i < 240; ++i) {
            play(tick);
            const auto inputs = tick.bytes().inputs;
            inputs_.emplace_back(inputs.begin(), inputs.end());
        }
        image_.resize(match_.layout().max_image_size);
        match_.restore(start_);
    }

    void step() {
        if (next_ == inputs_.size()) {
            match_.restore(start_);
            next_ = 0;
        }
        match_.step({{}, {}, inputs_[next_++]});
    }
    void save() {
        match_.save(image_);
        keep(image_);
    }
    void restore() { match_.restore(start_); }
    void restore_and_replay() {
        match_.restore(start_);
        for (std::size_t i = 0; i < 8; ++i) match_.step({{}, {}, inputs_[i]});
    }
    std::size_t image_bytes() const { return start_.size(); }

private:
    void play(match::TickBuilder& tick) {
        for (contract::Slot slot = 0; slot < match_.facts().most_players; ++slot)
            match_.bot(slot, tick.input(slot));
        match_.step(tick.bytes());
    }

    match::Match match_;
    std::vector<std::byte> image_;
    std::vector<std::byte> start_;
    std::vector<std::vector<std::byte>> inputs_;
    std::size_t next_ = 0;
};

const Benchmark arena_world{
    "arena world", [](Bench& bench) {
        LoadedRoom room;
        bench.compare({.name = "arena/load, a tick",
                       .reference = {"31 us", [] { spend_microseconds(tick_microseconds); }},
                       .alternatives = {{"step", [&] { room.step(); }, 1}}});
        bench.compare({.name = "arena/load, restore and replay",
                       .reference = {"250 us", [] { spend_microseconds(replay_microseconds); }},
                       .alternatives = {{"eight ticks", [&] { room.restore_and_replay(); }, 1}}});
        const std::string size = std::to_string(room.image_bytes()) + " bytes";
        bench.compare({.name = "arena/load, save",
                       .reference = {"5 us", [] { spend_microseconds(save_microseconds); }},
                       .alternatives = {{size, [&] { room.save(); }, 1}}});
        bench.compare({.name = "arena/load, restore",
                       .reference = {"5 us", [] { spend_microseconds(restore_microseconds); }},
                       .alternatives = {{size, [&] { room.restore(); }, 1}}});
    }};

}  // namespace
}  // namespace instep::bench
