// SPDX-License-Identifier: MIT
#include <instep/cli/bots.h>

#include <array>
#include <cassert>
#include <string>

namespace instep::cli {
namespace {

constexpr std::array<std::string_view, 16> names{"Ada", "Bix", "Cleo", "Dov", "Elu", "Fay", "Gus", "Hana",
                                                 "Ivo", "Jun", "Kit",  "Lou", "Mia", "Nox", "Oda", "Pip"};

std::string name_of(std::uint32_t bot) {
    const std::string name(names[bot % names.size()]);
    const std::size_t round = bot / names.size();
    return round == 0 ? name : name + " " + std::to_string(round + 1);
}

}  // namespace

Bots::Bots(const match::Match& match, std::uint32_t count, std::uint64_t seed)
    : match_(match), tick_(match.setup()), count_(count), seed_(seed) {
    assert(count <= match.facts().most_players);
}

match::TickBytes Bots::next() {
    tick_.begin();
    const bool is_first = match_.tick() == 0;
    for (std::uint32_t i = 0; is_first && i < count_; ++i)
        tick_.join({.name = contract::PlayerName::of(name_of(i)),
                    .seed = seed_ + i,
                    .slot = static_cast<contract::Slot>(i)});
    const contract::SlotSet live = match_.live_slots();
    for (std::uint32_t i = 0; i < count_; ++i) {
        const auto slot = static_cast<contract::Slot>(i);
        if (!contract::contains(live, slot)) continue;
        match_.bot(slot, tick_.input(slot));
        match_.sanitize(tick_.input(slot));
    }
    return tick_.bytes();
}

}  // namespace instep::cli
