// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <tests/rigid/golden_pile.h>

using namespace instep;

TEST_CASE("determinism: a pile of all kinds of shapes has the same hashes in every build") {
    test::GoldenPile pile;
    for (const test::GoldenHash& golden : test::golden_pile) {
        INFO("tick " << golden.tick);
        CHECK(pile.hash_at(golden.tick) == golden.hash);
    }
}
