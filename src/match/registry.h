// SPDX-License-Identifier: MIT
// All worlds there are. A new one is a folder under src/worlds and one line in registry.cpp.
#pragma once

#include <span>
#include <string_view>

#include <instep/match/world_table.h>

namespace instep::match {

std::span<const WorldTable> worlds();

// Refuses an unknown name with the list of those there are.
state::Result<const WorldTable*> find_world(std::string_view name);

}  // namespace instep::match
