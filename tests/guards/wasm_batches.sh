#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# In WebAssembly, batches are SIMD and give the same bits as one-by-one computation; and a pile of rigid bodies has the
# bits of the native builds, also when it continues from an image that a native program saved.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "wasm batches"

build=${INSTEP_WASM_BUILD:-build/wasm}
native=${INSTEP_NATIVE_BUILD:-build/release}
flags=(--target=wasm32-wasi -std=c++23 -O3 -msimd128 -DNDEBUG -fno-exceptions -fno-rtti -ffp-contract=off -fno-math-errno)

build_module() { # NAME SOURCE
    clang++-19 "${flags[@]}" -I. -Iinclude -Iworlds -c "$2" -o "$scratch/$1.o" &&
        clang++-19 --target=wasm32-wasi -mexec-model=reactor \
            -Wl,--no-entry,--strip-all,--gc-sections,-z,stack-size=1048576,--stack-first "$scratch/$1.o" \
            "$build"/libinstep_{worlds,contract,rigid,motion,state,math}.a "$build/libinstep_wasm_traps.a" -o "$scratch/$1.wasm"
}

# agree NAME COUNT: that many batches have the same bits both ways.
agree() {
    node -e '
        const {exports} = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1])), {});
        exports._initialize();
        const differing = exports.batches_that_differ(Number(process.argv[2]));
        console.log(`${differing} of ${process.argv[2]} batches differ`);
        process.exit(differing === 0 ? 0 : 1);' "$scratch/$1.wasm" "$2"
}

# A native program saves the pile in the middle of its fall.
save_natively() {
    g++ -std=c++23 -O1 -DNDEBUG -ffp-contract=off -fno-math-errno -I. -Iinclude -Iworlds tests/rigid/golden_pile_save.cpp \
        "$native"/libinstep_{rigid,motion,state,math}.a -o "$scratch/save" && "$scratch/save" >"$scratch/pile.image" &&
        [ "$(wc -c <"$scratch/pile.image")" -gt 1000 ]
}

# with_image QUESTION [BYTE]: loads the image, with that byte flipped, into the pile in WebAssembly; the answer must be yes.
with_image() {
    node -e '
        const {readFileSync} = require("fs");
        const [module, file, question, byte] = process.argv.slice(1);
        const {exports} = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)), {});
        exports._initialize();
        const image = readFileSync(file);
        if (byte) image[Number(byte)] ^= 0xFF;
        const at = exports.image_of(image.length);
        new Uint8Array(exports.memory.buffer, at, image.length).set(image);
        process.exit(exports[question]() ? 0 : 1);' "$scratch/pile.wasm" "$scratch/pile.image" "$@"
}
refuses() { ! with_image "$@"; }

# uses MODULE OBJECT INSTRUCTION: the object has this instruction.
uses() {
    llvm-ar-19 p "$build/libinstep_$1.a" "$2.cpp.obj" >"$scratch/batch.o" &&
        llvm-objdump-19 -d "$scratch/batch.o" | grep -q "$3"
}

expect "the check of flail's batch builds" build_module swing worlds/flail/tests/swing_batches.cpp
expect "142 crowds of 0 to 70 players have the same bits" agree swing 142
expect "flail's batch takes square roots two at a time" uses worlds swing_batch f64x2.sqrt
expect "flail's batch divides two at a time" uses worlds swing_batch f64x2.div

expect "the check of swarms builds" build_module gravity tests/motion/gravity_batches.cpp
expect "680 swarms of 0 to 67 ships have the same bits" agree gravity 680
expect "swarms take square roots two at a time" uses motion gravity f64x2.sqrt
expect "swarms divide two at a time" uses motion gravity f64x2.div

expect "the pile with recorded bits builds" build_module pile tests/rigid/golden_pile_wasm.cpp
expect "a rigid pile has the bits of the native builds" agree pile 4
expect "a native program saves the pile" save_natively
expect "an image saved here has the same bytes" with_image saves_the_same
expect "an image saved natively loads and continues with the same hashes" with_image goes_on
expect "an image with an impossible pile is refused" refuses goes_on 8

finish
