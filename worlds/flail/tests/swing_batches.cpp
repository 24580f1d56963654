// SPDX-License-Identifier: MIT
// The law of swing_batch_test.cpp for builds without unit tests: tests/guards/batches.sh runs it natively,
// and wasm_batches.sh in Node, where the loops are 128-bit SIMD.
#include <flail/tests/crowd.h>

using namespace instep;

// How many of the crowds, each of another size and with other rules, a batch moved to other bits.
extern "C" __attribute__((export_name("batches_that_differ"))) unsigned batches_that_differ(unsigned crowds) {
    unsigned differing = 0;
    for (unsigned i = 0; i < crowds; ++i) {
        auto random = math::Random::from_seed(i);
        const test::Setup setup = test::random_setup(random);
        differing += test::swing_crowd_both_ways(random, setup, i % 71, 300) ? 1 : 0;
    }
    return differing;
}
