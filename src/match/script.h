// SPDX-License-Identifier: MIT
// A match written down by hand: a JSON object with joins, leaves and inputs by tick.
//
//     {"world": "bounce", "level": "box", "seed": 1, "ticks": 600, "inputs": [
//         {"tick": 1, "join": {"slot": 0, "name": "Ann", "seed": 7}},
//         {"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 0}}},
//         {"tick": 90, "leave": 0}]}
//
// An input is held until the next one of its slot; fields that it leaves out are zero. Nothing in a script is
// sanitized: an entry that a match would change or refuse is refused, with its path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <instep/match/match.h>
#include <instep/match/tick_builder.h>

namespace instep::match {

inline constexpr std::uint64_t most_script_ticks = 10'000'000;

struct ScriptEntry {
    enum class Kind : std::uint8_t { leave, join, input };

    std::uint64_t tick = 1;
    Kind kind = Kind::leave;
    contract::Slot slot = 0;
    contract::Join join;           // of a join
    std::vector<std::byte> input;  // of an input: the bytes of the world's Input
    std::size_t index = 0;         // in the text, for messages: inputs[index]
};

struct Script {
    std::string name;  // its name in errors
    const WorldTable* world = nullptr;
    std::string level;  // empty if it does not say
    std::optional<std::uint64_t> seed;
    std::optional<std::uint64_t> ticks;
    std::vector<ScriptEntry> entries;  // by tick; those of one tick in the order of the text
};

state::Result<Script> parse_script(std::string_view text, const std::string& name);

// Turns a script into the inputs of one tick after the other. Both the script and the match must outlive it.
class ScriptPlayer {
public:
    ScriptPlayer(const Script& script, const Match& match)
        : script_(script), match_(match), tick_(match.setup()) {}

    // The inputs of the match's next tick, valid until the next call.
    state::Result<TickBytes> next();

    // How many entries lie beyond the ticks asked for so far.
    std::size_t entries_left() const { return script_.entries.size() - used_; }

private:
    state::Result<void> come_and_go(const ScriptEntry* begin, const ScriptEntry* end);
    state::Result<void> take_input(const ScriptEntry& entry, contract::SlotSet live);

    const Script& script_;
    const Match& match_;
    TickBuilder tick_;
    std::size_t used_ = 0;
};

}  // namespace instep::match
