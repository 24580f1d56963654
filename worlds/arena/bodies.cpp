// SPDX-License-Identifier: MIT
#include <arena/bodies.h>

#include <algorithm>

namespace instep::worlds::arena {
namespace {

using rigid::BodyTraits;

std::uint16_t group_of(Slot slot) { return static_cast<std::uint16_t>(slot + 1); }

BodyTraits ship_traits(const Player& player, std::uint32_t, const Setup&) {
    return {ship_def, group_of(player.slot), player.alive()};
}

BodyTraits rock_traits(const Rock& rock, std::uint32_t id, const Setup& setup) {
    return {static_cast<std::uint16_t>(first_wall_def + setup.walls.size() + id), 0, rock.is_there()};
}

// A shot passes through its own ship at first.
BodyTraits shot_traits(const Shot& shot, std::uint32_t, const Setup& setup) {
    const Rules& rules = setup.rules;
    const bool is_safe =
        rules.shot_ticks - std::min(shot.ticks_left, rules.shot_ticks) < rules.shot_safe_ticks;
    return {shot_def, is_safe ? group_of(shot.owner) : std::uint16_t{0}};
}

}  // namespace

rigid::Space space_of(const State& state, const Setup& setup) {
    rigid::Space space(setup.bodies, state.touches.of_members(&Touch::contact));
    space.bodies.add<ship_traits>(state.players, &Player::ship, setup);
    space.bodies.add<rock_traits>(state.rocks, &Rock::flight, setup);
    space.bodies.add<shot_traits>(state.shots, &Shot::flight, setup);
    return space;
}

}  // namespace instep::worlds::arena
