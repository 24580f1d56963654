#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Batches (SIMD) and one-by-one computation give the same bits in the builds of the determinism proof. The unit tests
# check this for release and sanitize, and wasm_batches.sh for WebAssembly.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about batches

cat >"$scratch/main.cpp" <<'CODE'
#include <cstdlib>
extern "C" unsigned batches_that_differ(unsigned);
int main(int, char** arguments) { return batches_that_differ(static_cast<unsigned>(std::atoi(arguments[1]))) == 0 ? 0 : 1; }
CODE

# agree BUILD NAME SOURCE COUNT COMPILER...: with $run before the program, if it is for another processor.
agree() {
    local build=build/$1 program=$scratch/$2
    "${@:5}" -std=c++23 -ffp-contract=off -fno-math-errno -Wno-attributes -Wno-unknown-attributes -I. -Iinclude -Iworlds "$3" "$scratch/main.cpp" \
        "$build"/libinstep_{worlds,contract,rigid,motion,state,math}.a -o "$program" && $run "$program" "$4"
}

# check_build PRESET NAME COMPILER...
check_build() {
    if ! { cmake --preset "$1" && cmake --build "build/$1" --target instep_worlds; } >"$scratch/build"; then
        fail "$2: builds"
        tail -n 20 "$scratch/build"
        return
    fi
    expect "$2: 142 crowds of flail have the same bits" agree "$1" swing worlds/flail/tests/swing_batches.cpp 142 "${@:3}"
    expect "$2: 680 swarms of ships have the same bits" agree "$1" gravity tests/motion/gravity_batches.cpp 680 "${@:3}"
}

run=
check_build proof-gcc-O0 "g++ -O0" g++ -O0
check_build proof-gcc-avx2 "g++ -O3 -mavx2" g++ -O3 -mavx2 -DNDEBUG
check_build proof-clang-O0 "clang -O0" clang++-19 -O0
check_build clang "clang -O3 -march=native" clang++-19 -O3 -march=native -DNDEBUG
run=qemu-aarch64
check_build proof-aarch64 "g++ -O3 for aarch64" aarch64-linux-gnu-g++ -static -O3 -DNDEBUG

finish
