// SPDX-License-Identifier: MIT
// A world of its own, played without a network: a match of two players is saved in the middle, goes on, is
// restored, and goes on again to the same hash.
//
//     find_package(Instep REQUIRED COMPONENTS match)
//     target_link_libraries(program PRIVATE instep::match)
#include <cstdio>
#include <cstring>
#include <vector>

#include <instep/match.h>

#include "drift.h"

using namespace instep;

namespace {

void put_input(match::TickBuilder& tick, contract::Slot slot, const drift::Input& input) {
    std::memcpy(tick.input(slot), &input, sizeof input);
}

// The input of each player turns with the ticks, so that a tick that is left out or played twice changes the
// hash.
std::uint64_t play(match::Match& match, match::TickBuilder& tick, int ticks) {
    for (int i = 0; i < ticks; ++i) {
        tick.begin();
        const double phase = static_cast<double>(match.tick() % 60) / 30 - 1;
        put_input(tick, 0, {{1, phase}});
        put_input(tick, 1, {{phase, -1}});
        match.step(tick.bytes());
    }
    return match.hash();
}

}  // namespace

int main() {
    const auto setup = match::load_setup(drift::level, "the level");
    if (!setup) {
        std::fprintf(stderr, "%s\n", setup.error().text().c_str());
        return 1;
    }
    match::Match match(*setup, 7);
    match::TickBuilder tick(**setup);
    tick.begin();
    tick.join({.name = contract::PlayerName::of("Ann"), .slot = 0});
    tick.join({.name = contract::PlayerName::of("Bob"), .slot = 1});
    match.step(tick.bytes());

    play(match, tick, 100);
    std::vector<std::byte> image(match.image_size());
    match.save(image);
    const std::uint64_t first = play(match, tick, 200);
    match.restore(image);
    const std::uint64_t second = play(match, tick, 200);
    std::printf("%zu bytes were saved; tick %llu has the hash %016llx, and after a rollback %016llx\n",
                image.size(), static_cast<unsigned long long>(match.tick()),
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(second));
    return first == second ? 0 : 1;
}
