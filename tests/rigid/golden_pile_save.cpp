// SPDX-License-Identifier: MIT
// Writes the image of the pile of known bits after 120 ticks to standard output, for
// tests/guards/wasm_batches.sh, which has WebAssembly go on with it.
#include <tests/rigid/golden_pile.h>

#include <cstdio>

int main() {
    instep::test::GoldenPile pile;
    pile.hash_at(120);
    const std::vector<std::byte> image = pile.save();
    return std::fwrite(image.data(), 1, image.size(), stdout) == image.size() ? 0 : 1;
}
