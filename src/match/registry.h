// SPDX-License-Identifier: MIT
// The worlds and levels of this program. The engine has none: a game's code adds its worlds with
// INSTEP_WORLD, and code that finds worlds at run time calls add_world. Add before the first match begins;
// the registry is not locked.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <instep/match/builtin_levels.h>
#include <instep/match/world_table.h>

namespace instep::match {

using WorldReference = std::reference_wrapper<const WorldTable>;

// Sorted by name.
std::span<const WorldReference> worlds();

// Refuses an unknown name with the list of those there are.
state::Result<const WorldTable*> find_world(std::string_view name);

// The table must outlive every match of it. Refuses a second world of one name.
state::Result<void> add_world(const WorldTable& table);

// The first error of a world or a level that was added before the program began; empty if there was none.
const std::string& registration_error();

namespace detail {
void register_world(const WorldTable& table);
void register_levels(std::span<const BuiltinLevel> levels);
}  // namespace detail

template <class World>
struct WorldRegistration {
    WorldRegistration() {
        static const WorldTable table = make_table<World>();
        detail::register_world(table);
    }
};

struct LevelRegistration {
    explicit LevelRegistration(std::span<const BuiltinLevel> levels) { detail::register_levels(levels); }
};

}  // namespace instep::match

#define INSTEP_JOIN(a, b) a##b
#define INSTEP_NAME(line) INSTEP_JOIN(instep_world_, line)
// In one source of a game: its programs and its page then have this world.
#define INSTEP_WORLD(World)                                                              \
    [[maybe_unused]] static const ::instep::match::WorldRegistration<World> INSTEP_NAME( \
        __LINE__);  // NOLINT(cert-err58-cpp)
