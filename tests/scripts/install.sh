#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A game finds the installed modules with find_package, links the one that it uses and gets those which that one needs.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about install

mkdir "$scratch/game"
cat >"$scratch/game/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(Game LANGUAGES CXX)
find_package(Instep 0.1 REQUIRED COMPONENTS ${MODULES})
add_executable(game game.cpp)
target_link_libraries(game PRIVATE instep::match)
CMAKE
cat >"$scratch/game/game.cpp" <<'CPP'
#include <instep/match.h>
#include <instep/math/trig.h>

int main() {
    const bool sine = instep::math::sin(0.0) == 0.0;
    return sine && instep::match::worlds().empty() ? 0 : 1;
}
CPP

configure() { # MODULES
    rm -rf "$scratch/game/build"
    cmake -G Ninja -S "$scratch/game" -B "$scratch/game/build" -D "CMAKE_PREFIX_PATH=$scratch/installed" -D "MODULES=$1"
}

expect "the release build installs" cmake --install build/release --prefix "$scratch/installed"
expect "headers are installed in a folder for each module" test -f "$scratch/installed/include/instep/math/vec2.h"
expect "a game finds the modules that it names" configure "math;match"
expect "the game builds" cmake --build "$scratch/game/build"
expect "the game runs" "$scratch/game/build/game"
expect "the installed program runs" "$scratch/installed/bin/instep" worlds
expect_refusal "a module that does not exist is not found" "[Ii]nstep" configure "math;attic"

finish
