// SPDX-License-Identifier: MIT
#include <instep/match/chronicle.h>

#include <instep/match/random_script.h>

namespace instep::match {
namespace {

void append_hash(std::string& text, std::uint64_t hash) {
    static constexpr char digits[] = "0123456789abcdef";
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[hash >> shift & 15];
}

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
    RandomScript script(match, 2);
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
    const std::string run = std::string(title.substr(title.find(' ') + 1)) + ", " + std::string(build) + ": ";

    std::string first_tick;       // the line's number, once a tick differs
    std::string last_tick = "0";  // that agreed
    while (produced_lines.next(b)) {
        if (!expected_lines.next(a)) return run + "goes on after the expected chronicle ends";
        if (a == b) {
            if (!is_field_line(a)) last_tick = a.substr(0, a.find(' '));
            continue;
        }
        if (!is_field_line(a) && first_tick.empty()) first_tick = a.substr(0, a.find(' '));
        if (!is_field_line(a)) continue;
        const std::string_view field = a.substr(2, a.rfind(' ') - 2);
        if (first_tick.empty())
            return run + "all ticks agree, but the hash of field " + std::string(field) + " differs";
        return run + "first differs at tick " + first_tick +
               "; at the next hundredth tick the first field that differs is " + std::string(field);
    }
    if (!first_tick.empty())
        return run + "first differs at tick " + first_tick + "; the run ends before the next hundredth tick";
    if (expected_lines.next(a)) return run + "agrees up to tick " + last_tick + ", where it stops too early";
    return "";
}

}  // namespace instep::match
