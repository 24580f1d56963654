// SPDX-License-Identifier: MIT
// Prints the chronicles of all built-in levels, for builds that have nothing else: `chronicle_produce
// [TICKS]`.
#include <cstdio>
#include <cstdlib>

#include <instep/match/builtin_levels.h>
#include <instep/match/chronicle.h>
#include <instep/math/float_rules.h>

int main(int argc, char** argv) {
    if (!instep::math::arithmetic_is_sound()) {
        std::fputs("this build fuses or reorders arithmetic, or the process rounds another way\n", stderr);
        return 1;
    }
    const std::uint64_t ticks =
        argc > 1 ? std::strtoull(argv[1], nullptr, 10) : instep::match::chronicle_ticks;
    for (const instep::match::BuiltinLevel& level : instep::match::builtin_levels()) {
        const auto text = instep::match::record_chronicle(level.world, level.name, ticks);
        if (!text) {
            std::fprintf(stderr, "%s\n", text.error().text().c_str());
            return 1;
        }
        std::fputs(text->c_str(), stdout);
    }
    return 0;
}
