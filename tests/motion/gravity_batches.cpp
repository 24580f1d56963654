// SPDX-License-Identifier: MIT
// The law of swarms for builds without unit tests: tests/guards/batches.sh runs it natively, and
// wasm_batches.sh in Node, where the loops are 128-bit SIMD.
#include <tests/motion/swarm.h>

using namespace instep;

// How many of the swarms, each of another size and under another sun, moved to other bits.
extern "C" __attribute__((export_name("batches_that_differ"))) unsigned batches_that_differ(unsigned swarms) {
    unsigned differing = 0;
    for (unsigned i = 0; i < swarms; ++i) {
        auto random = math::Random::from_seed(i);
        differing += test::swarm_differs(random, i % 68) ? 1 : 0;
    }
    return differing;
}
