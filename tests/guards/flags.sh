#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A compiler flag that would change results is refused with a sentence that says why.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about flags

compile() { "$@" -std=c++23 -Iinclude -ffp-contract=off -fsyntax-only src/math/trig.cpp; }

expect "g++ as the presets call it compiles the core" compile g++ -O3
expect "clang as the presets call it compiles the core" compile clang++-19 -O3 -march=native

fused="instep: g\+\+ fuses multiply and add into one rounding"
expect_refusal "g++ -mfma is refused" "$fused" compile g++ -O3 -mfma
expect_refusal "g++ -march=x86-64-v3 is refused" "$fused" compile g++ -O3 -march=x86-64-v3
expect_refusal "g++ -mavx512f is refused" "$fused" compile g++ -O3 -mavx512f
expect "g++ -mavx2 is accepted" compile g++ -O3 -mavx2

for compiler in g++ clang++-19; do
    expect_refusal "$compiler -ffast-math is refused" "instep: fast-math lets" compile $compiler -O3 -ffast-math
    expect_refusal "$compiler -ffinite-math-only is refused" "instep: .*-ffinite-math-only" \
        compile $compiler -O3 -ffinite-math-only
done
expect_refusal "g++ -Ofast is refused" "instep: fast-math lets" compile g++ -Ofast
expect_refusal "g++ -funsafe-math-optimizations is refused" "instep: .*not IEEE 754" \
    compile g++ -O3 -funsafe-math-optimizations
expect_refusal "g++ -mfpmath=387 is refused" "instep: intermediate results .*x87" compile g++ -O3 -mfpmath=387

finish
