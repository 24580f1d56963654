// SPDX-License-Identifier: MIT
// Writes the image of the golden pile after 120 ticks to standard output, for tests/guards/wasm_batches.sh,
// which continues from it in WebAssembly.
#include <tests/rigid/golden_pile.h>

#include <cstdio>

int main() {
    instep::test::GoldenPile pile;
    pile.hash_at(120);
    const std::vector<std::byte> image = pile.save();
    return std::fwrite(image.data(), 1, image.size(), stdout) == image.size() ? 0 : 1;
}
