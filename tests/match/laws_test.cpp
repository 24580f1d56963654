// SPDX-License-Identifier: MIT
// The laws that every registered world keeps, on every built-in level: those of match/laws.h, which a game's
// `check` tries too, and some that only a test can see. A new world is tested here by being registered.
#include <instep/match/builtin_levels.h>
#include <instep/match/laws.h>
#include <instep/match/random_script.h>
#include <instep/match/registry.h>
#include <instep/state/snapshot_ring.h>

#include <doctest/doctest.h>

#include <tests/match/levels.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

#include <thread>

using namespace instep;
using match::Match;
using match::RandomScript;
using match::SharedSetup;
using test::for_each_level;

namespace {

void run(Match& match, RandomScript& script, std::uint64_t ticks) {
    for (std::uint64_t i = 0; i < ticks; ++i) match.step(script.next());
}

// A tick's inputs that outlive the script that made them.
struct KeptTick {
    std::vector<contract::Slot> leaves;
    std::vector<contract::Join> joins;
    std::vector<std::uint64_t> rows;
    std::size_t size;

    explicit KeptTick(const match::TickBytes& tick)
        : leaves(tick.leaves.begin(), tick.leaves.end()),
          joins(tick.joins.begin(), tick.joins.end()),
          rows((tick.inputs.size() + 7) / 8),
          size(tick.inputs.size()) {
        std::memcpy(rows.data(), tick.inputs.data(), size);
    }
    match::TickBytes bytes() const {
        return {leaves, joins, {reinterpret_cast<const std::byte*>(rows.data()), size}};
    }
};

}  // namespace

TEST_CASE("match laws: every world has a level to play") {
    for (const match::WorldTable& world : match::worlds()) {
        CAPTURE(world.name);
        CHECK(match::load_builtin_setup(world.name, ""));
    }
}

TEST_CASE("match laws: every level keeps the laws that a game can check") {
    for (const match::Law& law : match::laws()) {
        CAPTURE(law.name);
        for_each_level([&](const SharedSetup& setup) {
            test::for_each_seed(5, [&](math::Random& random) {
                const auto held = law.holds(setup, random);
                CHECK_MESSAGE(held, held.error().text());
            });
        });
    }
}

TEST_CASE("match laws: a world that breaks a law is found out") {
    const auto setup = match::load_builtin_setup(match::worlds().front().get().name, "");
    REQUIRE(setup);
    match::Setup bent = **setup;
    match::WorldTable table = *bent.world;
    bent.world = &table;
    const auto broken = [&] {
        int count = 0;
        for (const match::Law& law : match::laws()) {
            math::Random random = math::Random::from_seed(1);
            count += law.holds(std::make_shared<const match::Setup>(bent), random) ? 0 : 1;
        }
        return count;
    };
    CHECK(broken() == 0);
    static std::uint64_t hidden = 0;  // state outside the state
    static decltype(table.step) honest = table.step;
    table.step = [](const void* value, const state::Layout& layout, std::byte* block,
                    const match::TickBytes& tick, match::EventBytes& events) {
        honest(value, layout, block, tick, events);
        if (++hidden % 7 == 0) reinterpret_cast<contract::Head*>(block)->random.counter += 2;
    };
    CHECK(broken() > 0);
    table.step = honest;
    table.view = [](const void*, const state::Layout&, const std::byte*, const contract::DrawTimes&,
                    contract::DrawList&) {};
    CHECK(broken() == 1);
}

TEST_CASE("match laws: a ring of snapshots brings back each of the last ticks, and no older one") {
    for_each_level([](const SharedSetup& setup) {
        Match match(setup, 5);
        RandomScript script(match, 6);
        state::SnapshotRing ring(setup->layout, 32);
        std::vector<std::uint64_t> hashes;
        for (std::uint64_t tick = 0; tick < 200; ++tick) {
            ring.store(tick, match.state());
            hashes.push_back(match.hash());
            match.step(script.next());
        }
        state::Block block(setup->layout);
        for (std::uint64_t tick = 0; tick < 200; ++tick) {
            REQUIRE(ring.restore_to(tick, block.data()) == (tick >= 168));
            if (tick >= 168) CHECK(state::hash(setup->layout, block.data()) == hashes[tick]);
        }
    });
}

TEST_CASE("match laws: nothing is allocated in a step, a save, a restore or a hash") {
    for_each_level([](const SharedSetup& setup) {
        Match match(setup, 3);
        RandomScript script(match, 4);
        std::vector<std::byte> image(setup->layout.max_image_size);
        for (int i = 0; i < 1000; ++i) {
            const KeptTick tick(script.next());
            const match::TickBytes bytes = tick.bytes();
            const test::AllocationCount count;
            match.step(bytes);
            const std::uint32_t size = match.save(image);
            match.restore({image.data(), size});
            match.hash();
            REQUIRE(count.so_far() == 0);
        }
    });
}

TEST_CASE("match laws: bots play: after a minute some level of each world has scores in it") {
    for (const match::WorldTable& world : match::worlds()) {
        double total = 0;
        for_each_level([&](const SharedSetup& setup) {
            if (setup->world != &world) return;
            Match match(setup, 21);
            match::TickBuilder tick(*setup);
            for (std::uint32_t i = 0; i < setup->facts.most_players; ++i)
                tick.join({.slot = static_cast<contract::Slot>(i)});
            for (std::uint32_t t = 0; t < 60 * setup->facts.tick_rate; ++t) {
                match.step(tick.bytes());
                tick.begin();
                for (std::uint32_t i = 0; i < setup->facts.most_players; ++i)
                    match.bot(static_cast<contract::Slot>(i), tick.input(static_cast<contract::Slot>(i)));
            }
            const state::PoolLayout& players = setup->layout.pools[0];
            const state::Field* score = players.element->find("score");
            REQUIRE(score);
            for (std::uint32_t i = 0; i < setup->layout.header(0, match.state()).count; ++i)
                total +=
                    number_at(*score, match.state() + players.elements_offset + i * players.element->size);
        });
        CAPTURE(world.name);
        CHECK(total > 0);
    }
}

TEST_CASE("match laws: matches that share a setup can run in threads of their own and still agree") {
    for_each_level([](const SharedSetup& setup) {
        const auto play = [&setup](std::uint64_t& hash) {
            Match match(setup, 7);
            RandomScript script(match, 8);
            run(match, script, 500);
            hash = match.hash();
        };
        std::uint64_t hashes[2];
        std::thread other(play, std::ref(hashes[0]));
        play(hashes[1]);
        other.join();
        CHECK(hashes[0] == hashes[1]);
    });
}
