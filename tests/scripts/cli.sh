#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program as a user meets it: bad input gets a sentence and an exit code, a good one what was asked for.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=build/release/instep
# refused SENTENCE CODE PATTERN ARGUMENT...: the program says no with this code, on stderr, and prints no result.
refused() {
    local sentence=$1 code=$2 pattern=$3 got=0
    shift 3
    timeout 20 $instep "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
    if [ $got -eq "$code" ] && [ ! -s "$scratch/out" ] && grep -Eq -- "$pattern" "$scratch/err"; then
        ok "$sentence"
    else
        fail "$sentence (exit code $got, expected $code and on stderr: $pattern)"
        head -n 5 "$scratch/out" "$scratch/err" | sed 's/^/    /'
    fi
}

refused "an unknown command is refused" 2 'no command "bogus"; there are: worlds' bogus
refused "an unknown world is refused, and the worlds are named" 2 'no world "nowhere"; there are: bounce' simulate nowhere
refused "an unknown level is refused, and the levels are named" 2 'no level "nope"; there are: ' simulate bounce --level nope
refused "two thousand million ticks are refused" 2 '--ticks: expected a whole number' simulate bounce --ticks 2147483648
refused "more ticks than a number holds are refused" 2 '--ticks: expected' simulate bounce --ticks 99999999999999999999
refused "a negative number of ticks is refused" 2 '--ticks: expected' simulate bounce --ticks -5
refused "an unknown flag is refused" 2 'frobnicate' simulate bounce --frobnicate
refused "a level that is not there is named" 3 '/no/such/level.json: No such file' simulate bounce --level /no/such/level.json
refused "a file that can't be written is named" 3 '/no/such/folder/x' simulate bounce --ticks 2 --out /no/such/folder/x

# level TEXT: writes a level file and prints its name.
level() { printf '%s' "$1" >"$scratch/level.json"; echo "$scratch/level.json"; }

whole=$(cat levels/bounce/box.json)
half=${whole:0:$((${#whole} / 2))}
refused "a truncated level is refused, with the place" 2 'level.json' simulate bounce --level "$(level "$half")"
refused "an empty level is refused" 2 'level.json' simulate bounce --level "$(level '')"
refused "a level of another kind is refused" 2 'level.json.*expected' simulate bounce --level "$(level '[1, 2, 3]')"
refused "nesting without end is refused" 2 'level.json' simulate bounce --level "$(level "$(printf '[%.0s' {1..100000})")"
head -c 4096 /dev/urandom >"$scratch/level.json"
refused "noise is refused" 2 'level.json' simulate bounce --level "$scratch/level.json"

run_twice() {
    $instep simulate bounce --seed 7 --ticks 300 >"$scratch/first" &&
        $instep simulate bounce --seed 7 --ticks 300 >"$scratch/second" &&
        [ -s "$scratch/first" ] && cmp "$scratch/first" "$scratch/second"
}
expect "the same seed gives the same output, byte for byte" run_twice
expect "the worlds are listed" grep -q bounce <($instep worlds)
expect "a match of bots can be watched without a terminal" $instep play bounce --seconds 0.3
expect "help is help, not an error" $instep simulate --help

finish
