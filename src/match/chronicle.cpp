// SPDX-License-Identifier: MIT
#include <instep/match/chronicle.h>

#include <charconv>
#include <cstring>
#include <limits>

#include <instep/match/random_input.h>
#include <instep/match/tick_builder.h>

namespace instep::match {
namespace {

using contract::contains;
using contract::Slot;

void append_hash(std::string& text, std::uint64_t hash) {
    static constexpr char digits[] = "0123456789abcdef";
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[hash >> shift & 15];
}

// People come and go at random, and each for a while plays like a bot, presses at random, or holds what it
// has; so a script sees empty rooms, full ones, and slots that are used again.
class Script {
public:
    Script(const Match& match, std::uint64_t seed)
        : match_(match), random_(math::Random::from_seed(seed)), tick_(match.setup()) {}

    TickBytes next() {
        tick_.begin();
        const contract::SlotSet live = match_.live_slots();
        for (std::uint32_t i = 0; i < match_.facts().most_players; ++i) {
            const auto slot = static_cast<Slot>(i);
            if (contains(live, slot))
                play_or_leave(slot);
            else if (random_.below(200) == 0)
                tick_.join({.name = contract::PlayerName::of("player " + std::to_string(i)),
                            .seed = random_.next(),
                            .slot = slot});
        }
        return tick_.bytes();
    }

private:
    enum class Mood : std::uint8_t { bot, random, hold };

    void play_or_leave(Slot slot) {
        if (random_.below(1500) == 0) return tick_.leave(slot);
        if (random_.below(40) == 0) moods_[slot] = static_cast<Mood>(random_.below(3));
        std::byte* input = tick_.input(slot);
        switch (moods_[slot]) {
            case Mood::bot: return match_.bot(slot, input);
            case Mood::random:
                if (random_.below(8) == 0) {
                    random_input(*match_.world().input, random_, input);
                    match_.sanitize(input);
                }
                return;
            case Mood::hold: return;
        }
    }

    const Match& match_;
    math::Random random_;
    TickBuilder tick_;
    std::array<Mood, contract::most_slots> moods_{};
};

// A chronicle is read line by line: "chronicle WORLD LEVEL", then a tick's "NUMBER HASH", and after a
// hundredth tick's line "  FIELD HASH" lines.
struct Lines {
    std::string_view rest;

    bool next(std::string_view& line) {
        if (rest.empty()) return false;
        const std::size_t end = rest.find('\n');
        line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        return true;
    }
};

bool is_field_line(std::string_view line) { return line.starts_with("  "); }

}  // namespace

state::Result<std::string> record_chronicle(std::string_view world, std::string_view level,
                                            std::uint64_t ticks) {
    const auto setup = load_builtin_setup(world, level);
    if (!setup) return std::unexpected(setup.error());
    Match match(*setup, 1);
    Script script(match, 2);
    std::string text = "chronicle " + std::string(world) + " " + (*setup)->level + "\n";
    for (std::uint64_t tick = 1; tick <= ticks; ++tick) {
        match.step(script.next());
        text += std::to_string(tick) + " ";
        append_hash(text, match.hash());
        text += "\n";
        if (tick % 100 != 0) continue;
        for (const state::FieldHash& field : match.hash_fields()) {
            text += "  " + field.path + " ";
            append_hash(text, field.hash);
            text += "\n";
        }
    }
    return text;
}

std::string compare_chronicles(std::string_view expected, std::string_view produced, std::string_view build) {
    Lines expected_lines{expected};
    Lines produced_lines{produced};
    std::string_view title, a, b;
    if (!expected_lines.next(title) || !produced_lines.next(b) || title != b)
        return std::string(build) + ": expected \"" + std::string(title) + "\", got \"" + std::string(b) +
               "\"";
    const std::string who = std::string(title.substr(title.find(' ') + 1)) + ", " + std::string(build) + ": ";

    std::string first_tick;  // the line's number, once a tick differs
    std::size_t compared = 0;
    while (produced_lines.next(b)) {
        if (!expected_lines.next(a)) return who + "goes on after the expected chronicle ends";
        ++compared;
        if (a == b) continue;
        if (!is_field_line(a) && first_tick.empty()) first_tick = a.substr(0, a.find(' '));
        if (!is_field_line(a)) continue;
        const std::string_view field = a.substr(2, a.rfind(' ') - 2);
        if (first_tick.empty())
            return who + "all ticks agree, but the hash of field " + std::string(field) + " differs";
        return who + "first differs at tick " + first_tick +
               "; at the next hundredth tick the first field that differs is " + std::string(field);
    }
    if (compared == 0) return who + "has no ticks";
    if (!first_tick.empty())
        return who + "first differs at tick " + first_tick + "; the run ends before the next hundredth tick";
    return "";
}

}  // namespace instep::match
