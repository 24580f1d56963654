// SPDX-License-Identifier: MIT
// What each weapon fires. All of them heat the ship, so that none of them gets around the heat rule: damage
// for each unit of heat is that of the cannon within a fifth if every shot hits.
#pragma once

#include <arena/setup.h>

namespace instep::worlds::arena {

struct Salvo {
    std::uint32_t shots = 1;
    double spread = 0;        // angle between neighbouring shots, rad
    double speed = 0;         // on top of the ship's velocity, u/s
    std::int32_t damage = 0;  // of each shot
    double heat = 0;          // of the salvo
    std::uint32_t pause = 0;  // until the next one, ticks
};

constexpr Salvo salvo_of(Weapon weapon, const Rules& rules) {
    switch (weapon) {
        case Weapon::scatter:  // for short distances: further out most of its shots miss
            return {5,
                    0.1,
                    rules.shot_speed * 0.9,
                    rules.shot_damage * 2 / 5,
                    rules.shot_heat * 1.7,
                    rules.fire_pause * 2};
        case Weapon::lance:  // for long distances: hard to dodge, and nearly a second until the next shot
            return {1,
                    0,
                    rules.shot_speed * 1.75,
                    rules.shot_damage * 2,
                    rules.shot_heat * 1.8,
                    rules.fire_pause * 4};
        case Weapon::cannon: break;
    }
    return {1, 0, rules.shot_speed, rules.shot_damage, rules.shot_heat, rules.fire_pause};
}

inline constexpr double most_salvo_heat = 1.8;           // of any weapon, in units of shot_heat
inline constexpr std::uint32_t longest_salvo_pause = 4;  // in units of fire_pause

}  // namespace instep::worlds::arena
