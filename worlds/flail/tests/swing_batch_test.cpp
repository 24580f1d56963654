// SPDX-License-Identifier: MIT
#include <flail/swing_batch.h>

#include <doctest/doctest.h>

#include <flail/tests/crowd.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::worlds::flail;
using test::random_input;
using test::random_player;
using test::random_setup;
using test::same_bits;

namespace {

void check_both_ways(math::Random& random, const Setup& setup, std::size_t count, int ticks) {
    CAPTURE(count);
    CAPTURE(setup.rules.rope_nodes);
    const auto divergence = test::swing_crowd_both_ways(random, setup, count, ticks);
    if (divergence) FAIL("they part in tick " << divergence->tick << " at player " << divergence->player);
}

}  // namespace

TEST_CASE("flail swing batch: a batch moves each player to the same bits as a swing of that player alone") {
    test::for_each_seed(142, [](math::Random& random) {
        const Setup setup = random_setup(random);
        const std::size_t count = random.below(71);
        check_both_ways(random, setup, count, 300);
    });
}

TEST_CASE(
    "flail swing batch: every number of players up to 70, and every length of rope, gives the bits of the "
    "single swing") {
    auto random = math::Random::from_seed(7);
    for (std::size_t count = 0; count <= 70; ++count) {
        Setup setup;
        setup.rules.rope_nodes = 2 + static_cast<std::uint32_t>(count % (most_rope_nodes - 1));
        check_both_ways(random, setup, count, 100);
    }
}

TEST_CASE("flail swing batch: crowds that are larger than a block of the loops are moved to the same bits") {
    test::for_each_seed(6, [](math::Random& random) {
        const Setup setup = random_setup(random);
        const std::size_t count = 250 + random.below(600);
        check_both_ways(random, setup, count, 40);
    });
}

TEST_CASE("flail swing batch: a step of a batch allocates nothing") {
    const Setup setup;
    SwingBatch batch(1000, setup.rules.rope_nodes);
    const test::AllocationCount count;
    for (int tick = 0; tick < 10; ++tick) batch.step(setup);
    CHECK(count.so_far() == 0);
}

TEST_CASE("flail swing batch: values are read back as set, and a new batch stands in the origin") {
    test::for_each_seed(50, [](math::Random& random) {
        const Setup setup = random_setup(random);
        SwingBatch batch(9, setup.rules.rope_nodes);
        Player fresh = random_player(random, setup);
        const Player nothing;
        batch.get(4, fresh);
        CHECK(std::memcmp(&fresh.rope, &nothing.rope, setup.rules.rope_nodes * sizeof(Particle)) == 0);

        Player in = random_player(random, setup);
        in.input = random_input(random);
        in.flail_angle = random.uniform(-3, 3);
        batch.set(4, in);
        Player out;
        batch.get(4, out);
        CHECK(same_bits(in, out));
        CHECK(out.input.angle == in.input.angle);
        CHECK(out.input.moving == in.input.moving);
    });
}
