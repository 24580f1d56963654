#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The chronicles notice one changed bit of one constant of bounce: the check names world, build, tick and field.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about chronicle

# The next double after the constant.
mkdir -p "$scratch/include/bounce"
sed 's/\.restitution = 0\.9}/.restitution = 0.90000000000000013}/' worlds/bounce/bounce.h \
    >"$scratch/include/bounce/bounce.h"
expect "bounce has the constant that is changed here" \
    test 1 -eq "$(diff worlds/bounce/bounce.h "$scratch/include/bounce/bounce.h" | grep -c '^>')"

# A game of bounce alone; the engine comes from the libraries of the release build.
printf '|%s\n' "$PWD"/worlds/bounce/levels/*.json >"$scratch/levels.txt"
cmake -D "LEVELS=$scratch/levels.txt" -D "OUTPUT=$scratch/levels.cpp" -P cmake/embed_levels.cmake
compile() { # INCLUDE... : makes $scratch/produce
    g++ -std=c++23 -O1 -DNDEBUG -ffp-contract=off -fno-exceptions -fno-rtti "$@" -Iinclude -Iworlds worlds/bounce/bounce.cpp \
        "$scratch/levels.cpp" tests/chronicle/produce.cpp build/release/libinstep_{match,contract,rigid,motion,state,math}.a -o "$scratch/produce" &&
        "$scratch/produce" >"$scratch/produced"
}
compare() { build/release/instep chronicle check bounce --produced "$scratch/produced" --build "one bit off"; }

expect "bounce builds as it is" compile
expect "bounce as it is computes the recorded bits" compare
expect "bounce builds with one bit changed" compile "-I$scratch/include"
expect_refusal "one bit of one constant is noticed" 'bounce' compare
for what in 'one bit off' 'tick [0-9]+' 'first field that differs is [a-z]+\.[a-z]'; do
    expect_refusal "the report has: $what" "$what" compare
done

finish
