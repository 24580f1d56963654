// SPDX-License-Identifier: MIT
#include <instep/state/snapshot_ring.h>

#include <tests/state/sample.h>
#include <tests/support/property.h>

#include <map>

using namespace instep;
using namespace instep::test;
using state::Block;
using state::SnapshotRing;

namespace {

const state::Layout& layout() {
    static const state::Layout made = state::make_layout<State>(Setup{});
    return made;
}

std::vector<std::byte> image_of(const Block& block) {
    std::vector<std::byte> image(state::image_size(layout(), block.data()));
    state::save(layout(), block.data(), image);
    return image;
}

}  // namespace

TEST_CASE("snapshot ring: returns the last ticks as they were, and no others") {
    for_each_seed(100, [](Random& random) {
        const std::uint32_t capacity = 1 + random.below(7);
        SnapshotRing ring(layout(), capacity);
        CHECK(ring.capacity() == capacity);
        Block block(layout());
        State state = state::bind<State>(layout(), block.data());
        std::map<std::uint64_t, std::vector<std::byte>> stored;
        const std::uint64_t first = random.below(2) == 0 ? 0 : ~std::uint64_t{0} - 30;
        for (std::uint64_t tick = first; tick != first + 30; ++tick) {
            change_randomly(state, random, 3);
            ring.store(tick, block.data());
            stored[tick] = image_of(block);
            if (stored.size() > capacity) stored.erase(stored.begin());
            for (std::uint64_t asked = first; asked != first + 31; ++asked) {
                const auto found = ring.find(asked);
                const auto expected = stored.find(asked);
                CHECK(found.empty() == (expected == stored.end()));
                if (expected != stored.end())
                    CHECK(std::equal(found.begin(), found.end(), expected->second.begin(),
                                     expected->second.end()));
            }
        }
    });
}

TEST_CASE("snapshot ring: restores a stored tick, and an overwritten tick changes nothing") {
    for_each_seed(100, [](Random& random) {
        SnapshotRing ring(layout(), 4);
        Block block(layout());
        State state = state::bind<State>(layout(), block.data());
        std::vector<std::uint64_t> hashes;
        for (std::uint64_t tick = 0; tick < 10; ++tick) {
            change_randomly(state, random, 5);
            ring.store(tick, block.data());
            hashes.push_back(state::hash(layout(), block.data()));
        }
        const std::uint64_t wanted = random.below(12);
        const bool found = ring.restore_to(wanted, block.data());
        CHECK(found == (wanted >= 6 && wanted < 10));
        CHECK(state::hash(layout(), block.data()) == hashes[found ? wanted : 9]);
    });
}

TEST_CASE("snapshot ring: a tick that is stored again is replaced") {
    SnapshotRing ring(layout(), 3);
    Block block(layout());
    State state = state::bind<State>(layout(), block.data());
    ring.store(5, block.data());
    state.things.add();
    ring.store(5, block.data());
    Block restored(layout());
    REQUIRE(ring.restore_to(5, restored.data()));
    CHECK(state::bind<State>(layout(), restored.data()).things.size() == 1);
}

TEST_CASE("snapshot ring: an empty ring has no tick, not even tick 0") {
    const SnapshotRing ring(layout(), 3);
    Block block(layout());
    CHECK(ring.find(0).empty());
    CHECK_FALSE(ring.restore_to(0, block.data()));
}
