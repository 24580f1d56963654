#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# In WebAssembly, too, a batch of flail's players comes to the same bits as each player alone, and is SIMD.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

module=$scratch/swing_batch.wasm
build=${INSTEP_WASM_BUILD:-build/wasm}
flags=(--target=wasm32-wasi -std=c++23 -O3 -msimd128 -DNDEBUG -fno-exceptions -fno-rtti -ffp-contract=off -fno-math-errno)

build_module() {
    clang++-19 "${flags[@]}" -I. -Iinclude -c tests/worlds/flail/swing_batch_wasm.cpp -o "$scratch/swing_batch.o" &&
        clang++-19 --target=wasm32-wasi -mexec-model=reactor \
            -Wl,--no-entry,--strip-all,--gc-sections,-z,stack-size=1048576,--stack-first "$scratch/swing_batch.o" \
            "$build"/libinstep_{worlds,contract,motion,state,math}.a "$build/tests/libinstep_wasm_traps.a" -o "$module"
}

# agree CROWDS: that many crowds come to the same bits both ways.
agree() {
    node -e '
        const {exports} = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1])), {});
        exports._initialize();
        const differing = exports.crowds_that_differ(Number(process.argv[2]));
        console.log(`${differing} of ${process.argv[2]} crowds differ`);
        process.exit(differing === 0 ? 0 : 1);' "$module" "$1"
}

# uses NAME: the object of the batch has this instruction.
uses() {
    llvm-ar-19 p "$build/libinstep_worlds.a" swing_batch.cpp.obj >"$scratch/batch.o" &&
        llvm-objdump-19 -d "$scratch/batch.o" | grep -q "$1"
}

expect "the check of flail's batch builds for WebAssembly" build_module
expect "142 crowds of 0 to 70 players come to the same bits in WebAssembly" agree 142
expect "flail's batch takes square roots two at a time in WebAssembly" uses f64x2.sqrt
expect "flail's batch divides two at a time in WebAssembly" uses f64x2.div

finish
