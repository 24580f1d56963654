// SPDX-License-Identifier: MIT
// The cost of rollback: saving and restoring a full room against memcpy of as many bytes, and hashing its
// state.
#include <bench/harness.h>

#include <instep/match/builtin_levels.h>
#include <instep/match/match.h>
#include <instep/match/tick_builder.h>
#include <instep/math/simd.h>
#include <instep/state/copy.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace instep::bench {
namespace {

constexpr double target = 1.2;
constexpr std::size_t page = 4096;  // bytes; memcpy is fastest between equal offsets in two pages

// Ten seconds into a match of bots, with all slots taken.
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
    state::AlignedBytes image(match.image_size());  // aligned as in a SnapshotRing
    std::vector<std::byte> copy(image.size() + page);
    std::byte* const to = copy.data() + (reinterpret_cast<std::uintptr_t>(image.data()) -
                                         reinterpret_cast<std::uintptr_t>(copy.data())) %
                                            page;
    match.save(image);
    const Alternative memcpy_alone{"memcpy", [&] {
                                       std::memcpy(to, image.data(), image.size());
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

INSTEP_WIDE_COPY
void copy_as_a_state(std::byte* to, const std::byte* from, std::size_t size) {
    state::copy_words(to, from, size);
}

// Why a state is not copied by memcpy: on some processors its speed depends on the target's offset in its
// page.
void compare_in_page(Bench& bench, std::size_t beyond) {
    constexpr std::size_t size = 3 * page;
    std::vector<std::byte> memory(2 * size + beyond);
    std::byte* const from = memory.data();
    std::byte* const to = memory.data() + size + beyond;
    bench.compare(
        {.name = std::to_string(size) + " bytes, to " + std::to_string(beyond) + " bytes beyond, in a page",
         .reference = {"memcpy",
                       [&] {
                           std::memcpy(to, from, size);
                           keep(memory);
                       }},
         .alternatives = {{"copy_words",
                           [&] {
                               copy_as_a_state(to, from, size);
                               keep(memory);
                           },
                           target}}});
}

const Benchmark rollback{"rollback", [](Bench& bench) {
                             for (const match::BuiltinLevel& level : match::builtin_levels())
                                 compare_level(bench, level);
                             compare_in_page(bench, 0);
                             compare_in_page(bench, 16);
                         }};

}  // namespace
}  // namespace instep::bench
