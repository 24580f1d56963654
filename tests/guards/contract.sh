#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The compiler reports in one sentence what a world lacks, a field list that misses a byte, and an event kind without a row.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about contract

# with_edit EDIT: bounce after an edit of its sources by sed; INSTEP_WORLD asks for the contract.
with_edit() {
    cat worlds/bounce/bounce.h worlds/bounce/bounce.cpp | sed -E '/pragma once|bounce\/bounce.h/d' | sed -E "$1" >"$scratch/world.cpp"
    "$compiler" -std=c++23 -Iinclude -Iworlds -include "$scratch/$compiler/engine.h" -fsyntax-only "$scratch/world.cpp"
}

# The engine's headers are compiled once, since they take longer than the world.
precompile() {
    mkdir "$scratch/$compiler" && echo '#include <instep/game.h>' >"$scratch/$compiler/engine.h" &&
        "$compiler" -std=c++23 -Iinclude -x c++-header "$scratch/$compiler/engine.h" -o "$scratch/$compiler/engine.h.gch"
}

for compiler in g++ clang++-19; do
    expect "$compiler: the headers compile" precompile
    expect "$compiler: bounce keeps the contract" with_edit ''
    expect "$compiler: what has a default may be missing" with_edit 's/^(Input bot|motion::Box bounds|void (start|join))\(/&int, /; s/(bounds|bot)\(setup/\1(0, setup/'
    expect_refusal "$compiler: a world without a step is reported" 'has `void step' with_edit 's/^void step\(/void stride(/'
    expect_refusal "$compiler: a bot with other arguments is reported" "a world's .bot. is" \
        with_edit 's/^Input bot\(const State& state, const Setup&, Slot slot\)/Input bot(const State\& state, int, Slot slot)/'
    expect_refusal "$compiler: a world without a summary is reported" 'one line that says what players do' with_edit '/summary =/d'
    expect_refusal "$compiler: a world without event texts is reported" 'the texts of its event_table' \
        with_edit 's/events_of/kinds_of/; s/^using Event = .*/struct Event { EventKind kind; };/'
    expect_refusal "$compiler: a member missing from its field list is reported" 'must account for every byte' \
        with_edit 's/^    Slot owner = no_player;/    double spin = 0;\n&/'
    expect_refusal "$compiler: an event kind without a row is reported" 'one row for each kind' with_edit '/\{EventKind::knocked/d'
    expect_refusal "$compiler: event rows out of order are reported" 'event_rows_are_not_in_the_order_of_the_enum' \
        with_edit 's/\{EventKind::left, "left"/{EventKind::wall, "left"/'
done

finish
