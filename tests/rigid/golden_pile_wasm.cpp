// SPDX-License-Identifier: MIT
// The pile of known bits for WebAssembly: tests/guards/wasm_batches.sh builds it and runs it in Node.
#include <tests/rigid/golden_pile.h>

using namespace instep;

// How many of the first `count` hashes are not those of the native builds.
extern "C" __attribute__((export_name("batches_that_differ"))) unsigned batches_that_differ(unsigned count) {
    test::GoldenPile pile;
    unsigned differing = 0;
    for (unsigned i = 0; i < count && i < test::golden_pile.size(); ++i)
        differing += pile.hash_at(test::golden_pile[i].tick) != test::golden_pile[i].hash ? 1 : 0;
    return differing;
}
