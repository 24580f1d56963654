#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A game finds the installed rooms with find_package, links the one it wants and gets those above it.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

mkdir "$scratch/game"
cat >"$scratch/game/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(Game LANGUAGES CXX)
find_package(Instep 0.1 REQUIRED COMPONENTS ${ROOMS})
add_executable(game game.cpp)
target_link_libraries(game PRIVATE instep::match)
CMAKE
cat >"$scratch/game/game.cpp" <<'CPP'
#include <instep/match/builtin_levels.h>
#include <instep/math/trig.h>

int main() {
    const bool sine = instep::math::sin(0.0) == 0.0;
    return sine && !instep::match::builtin_levels().empty() ? 0 : 1;
}
CPP

configure() { # ROOMS
    rm -rf "$scratch/game/build"
    cmake -G Ninja -S "$scratch/game" -B "$scratch/game/build" -D "CMAKE_PREFIX_PATH=$scratch/installed" -D "ROOMS=$1"
}

expect "the release build installs" cmake --install build/release --prefix "$scratch/installed"
expect "headers are installed by room" test -f "$scratch/installed/include/instep/math/vec2.h"
expect "a game finds the rooms it wants" configure "math;match"
expect "the game builds" cmake --build "$scratch/game/build"
expect "the game runs" "$scratch/game/build/game"
expect "the installed program runs" "$scratch/installed/bin/instep" worlds
expect_refusal "a room that does not exist is not found" "[Ii]nstep" configure "math;attic"

finish
