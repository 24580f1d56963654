#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The chronicles notice one changed bit of one constant of bounce: the check names world, build, tick and field.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about chronicle

# The next double after the constant.
mkdir -p "$scratch/include/bounce"
sed 's/\.restitution = 0\.9}/.restitution = 0.90000000000000013}/' worlds/bounce/setup.h \
    >"$scratch/include/bounce/setup.h"
expect "bounce has the constant that is changed here" \
    test 1 -eq "$(diff worlds/bounce/setup.h "$scratch/include/bounce/setup.h" | grep -c '^>')"

# Only bounce is compiled; the rest comes from the libraries of the release build.
compile() { # INCLUDE... : makes $scratch/produce
    g++ -std=c++23 -O1 -DNDEBUG -ffp-contract=off -fno-exceptions -fno-rtti "$@" -Iinclude -Iworlds worlds/bounce/*.cpp \
        tests/chronicle/produce.cpp -Wl,--start-group build/release/libinstep_*.a -Wl,--end-group -o "$scratch/produce" &&
        "$scratch/produce" >"$scratch/produced"
}
compare() { build/release/instep chronicle check --produced "$scratch/produced" --build "one bit off"; }

expect "bounce builds as it is" compile
expect "bounce as it is computes the recorded bits" compare
expect "bounce builds with one bit changed" compile "-I$scratch/include"
expect_refusal "one bit of one constant is noticed" 'bounce' compare
for what in 'one bit off' 'tick [0-9]+' 'first field that differs is [a-z]+\.[a-z]'; do
    expect_refusal "the report has: $what" "$what" compare
done

finish
