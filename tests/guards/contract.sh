#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The compiler reports in one sentence what a world lacks, a field list that misses a byte or has a member that is no plain
# value, an event kind without a row, and an enum without labels.
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
    expect_refusal "$compiler: a std::string in a state is reported" 'FixedText<N> instead of a std::string' \
        with_edit 's/^    Slot owner = no_player;/    std::string motto;\n&/; s/field\("owner", &Ball::owner\)/field("motto", \&Ball::motto), &/'
    expect_refusal "$compiler: a pointer in a state is reported" 'keep the Handle of an element' \
        with_edit 's/^    Slot owner = no_player;/    Ball* next = nullptr;\n&/; s/field\("owner", &Ball::owner\)/field("next", \&Ball::next), &/'
    expect_refusal "$compiler: a position that is no member is reported" 'plaice' with_edit 's/\.position = &Ball::position/.position = \&Ball::plaice/'
    expect_refusal "$compiler: a position that is no Vec2 is reported" 'a position is a Vec2' with_edit 's/\.position = &Ball::position/.position = \&Ball::owner/'
    # An enum of a ball, and how its field describes it.
    with_mood() {
        with_edit "s/^struct Ball \{/enum class Mood : std::uint8_t { calm, cross };\nconstexpr std::string_view moods[] = {\"calm\", \"cross\", \"none\"};\n&/
            s/^    Slot owner = no_player;/    Mood mood = Mood::calm;\n&/; s/Reserved<7>/Reserved<6>/
            s/field\(\"unused\", &Ball::unused\)/field(\"mood\", \&Ball::mood$1), &/"
    }
    expect "$compiler: an enum with a label for each value compiles" with_mood ', {.labels = std::span(moods).first(2)}'
    expect_refusal "$compiler: an enum without labels is reported" 'a field whose type is an enum has labels' with_mood ''
    expect_refusal "$compiler: an enum with too few labels is reported" 'fewer labels than its enum has values' with_mood ', {.labels = std::span(moods).first(1)}'
    expect_refusal "$compiler: an enum with too many labels is reported" 'more labels than its enum has values' with_mood ', {.labels = moods}'
    expect_refusal "$compiler: an event kind without a row is reported" 'one row for each kind' with_edit '/\{EventKind::knocked/d'
    expect_refusal "$compiler: event rows out of order are reported" 'event_rows_are_not_in_the_order_of_the_enum' \
        with_edit 's/\{EventKind::left, "left"/{EventKind::wall, "left"/'
done

finish
