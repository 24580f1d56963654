#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The compiler reports in one sentence what a world lacks, a field list that misses a byte, and an event kind without a row.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about contract

# without PATTERN: checks a copy of bounce's header that lacks the lines which match against the contract.
without() {
    {
        grep -vE "$1" worlds/bounce/bounce.h
        echo 'static_assert(instep::contract::check_world<instep::worlds::bounce::World>());'
    } >"$scratch/world.cpp"
    "$compiler" -std=c++23 -Iinclude -Iworlds -fsyntax-only "$scratch/world.cpp"
}

# with_state EDIT: compiles bounce's state after an edit by sed.
with_state() {
    sed "$1" worlds/bounce/state.h >"$scratch/state.cpp"
    "$compiler" -std=c++23 -Iinclude -Iworlds -fsyntax-only "$scratch/state.cpp"
}

for compiler in g++ clang++-19; do
    expect "$compiler: bounce keeps the contract" without 'no such line'
    expect_refusal "$compiler: a world without a bot is reported" 'has `Input bot' without '^Input bot'
    expect_refusal "$compiler: a world without facts is reported" 'has `Facts facts' without 'Facts facts'
    expect_refusal "$compiler: a world without a summary is reported" 'one line that says what players do' without 'summary'
    expect_refusal "$compiler: a world without event texts is reported" 'the texts of its event_table' without 'event_texts'
    expect_refusal "$compiler: a member missing from its field list is reported" 'must account for every byte' \
        with_state 's/^    Slot owner = nobody;/    double spin = 0;\n&/'
    expect_refusal "$compiler: an event kind without a row is reported" 'one row for each kind' with_state '/{EventKind::knocked/d'
    expect_refusal "$compiler: event rows out of order are reported" 'event_rows_are_not_in_the_order_of_the_enum' \
        with_state 's/{EventKind::left, "left"/{EventKind::wall, "left"/'
done

finish
