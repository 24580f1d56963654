// SPDX-License-Identifier: MIT
// Rollback's price: saving and restoring a full room against memcpy of as many bytes, and the hash of its
// state.
#include <bench/harness.h>

#include <instep/match/builtin_levels.h>
#include <instep/match/match.h>
#include <instep/match/tick_builder.h>

#include <cstring>
#include <string>
#include <vector>

namespace instep::bench {
namespace {

constexpr double target = 1.2;

// Ten seconds into a match of bots, with nobody missing.
match::Match full_room(const match::SharedSetup& setup) {
    match::Match match(setup, 1);
    match::TickBuilder tick(*setup);
    for (std::uint32_t i = 0; i < setup->facts.most_players; ++i)
        tick.join({.slot = static_cast<contract::Slot>(i)});
    for (std::uint32_t t = 0; t < 10 * setup->facts.tick_rate; ++t) {
        match.step(tick.bytes());
        tick.begin();
        for (std::uint32_t i = 0; i < setup->facts.most_players; ++i)
            match.bot(static_cast<contract::Slot>(i), tick.input(static_cast<contract::Slot>(i)));
    }
    return match;
}

void compare_level(Bench& bench, const match::BuiltinLevel& level) {
    const auto setup = match::load_builtin_setup(level.world, level.name);
    if (!setup) return;
    match::Match match = full_room(*setup);
    std::vector<std::byte> image(match.image_size());
    std::vector<std::byte> copy(image.size());
    match.save(image);
    const Alternative memcpy_alone{"memcpy", [&] {
                                       std::memcpy(copy.data(), image.data(), image.size());
                                       keep(copy);
                                   }};
    const std::string room = std::string(level.world) + " " + std::string(level.name) + ", " +
                             std::to_string(image.size()) + " bytes";
    bench.compare({.name = room,
                   .reference = memcpy_alone,
                   .alternatives = {{"save",
                                     [&] {
                                         match.save(image);
                                         keep(image);
                                     },
                                     target},
                                    {"restore",
                                     [&] {
                                         match.restore(image);
                                         keep(match);
                                     },
                                     target},
                                    {"hash", [&] { keep(match.hash()); }}}});
}

const Benchmark rollback{"rollback", [](Bench& bench) {
                             for (const match::BuiltinLevel& level : match::builtin_levels())
                                 compare_level(bench, level);
                         }};

}  // namespace
}  // namespace instep::bench
