#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A world that lacks something must be told so by the compiler in a sentence, and a field list that misses a byte too.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

# without PATTERN: a copy of bounce's world struct that lacks the lines which match, held to the contract.
without() {
    {
        grep -vE "$1" src/worlds/bounce/bounce.h
        echo 'static_assert(instep::contract::check_world<instep::worlds::Bounce>());'
    } >"$scratch/world.cpp"
    "$compiler" -std=c++23 -Iinclude -fsyntax-only "$scratch/world.cpp"
}

with_forgotten_member() { # bounce's state, with a member that is in no field list
    sed 's/^    Slot owner = nobody;/    double spin = 0;\n&/' src/worlds/bounce/state.h >"$scratch/state.cpp"
    "$compiler" -std=c++23 -Iinclude -fsyntax-only "$scratch/state.cpp"
}

for compiler in g++ clang++-19; do
    expect "$compiler: bounce keeps the contract" without 'no such line'
    expect_refusal "$compiler: a world without a bot is told so" 'a world has `static Input bot' without 'static Input bot'
    expect_refusal "$compiler: a world without facts is told so" 'a world has `static Facts facts' without 'Facts facts'
    expect_refusal "$compiler: a world without a summary is told so" 'one line that says what one does' without 'summary'
    expect_refusal "$compiler: a forgotten member is told so" 'must account for every byte' with_forgotten_member
done

finish
