// SPDX-License-Identifier: MIT
// The golden pile for WebAssembly: tests/guards/wasm_batches.sh builds it and runs it in Node.
#include <tests/rigid/golden_pile.h>

#include <algorithm>

using namespace instep;

namespace {
std::vector<std::byte> image;
}

// How many of the first `count` hashes differ from those of the native builds.
extern "C" __attribute__((export_name("batches_that_differ"))) unsigned batches_that_differ(unsigned count) {
    test::GoldenPile pile;
    unsigned differing = 0;
    for (unsigned i = 0; i < count && i < test::golden_pile.size(); ++i)
        differing += pile.hash_at(test::golden_pile[i].tick) != test::golden_pile[i].hash ? 1 : 0;
    return differing;
}

// A buffer for an image of so many bytes.
extern "C" __attribute__((export_name("image_of"))) std::byte* image_of(unsigned bytes) {
    image.resize(bytes);
    return image.data();
}

// Whether a pile stepped for 120 ticks here has exactly the bytes of the image.
extern "C" __attribute__((export_name("saves_the_same"))) bool saves_the_same() {
    test::GoldenPile pile;
    pile.hash_at(120);
    return std::ranges::equal(pile.save(), image);
}

// Whether the image, saved after 120 ticks, loads and continues to the hashes of the native builds.
extern "C" __attribute__((export_name("goes_on"))) bool goes_on() {
    test::GoldenPile pile;
    if (!pile.load(image, 120)) return false;
    for (const test::GoldenHash& golden : test::golden_pile)
        if (golden.tick >= 120 && pile.hash_at(golden.tick) != golden.hash) return false;
    return true;
}
