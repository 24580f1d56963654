// SPDX-License-Identifier: MIT
// The laws that every registered world keeps, on every built-in level. A new world is tested here by being
// registered.
#include <instep/match/builtin_levels.h>
#include <instep/match/random_input.h>
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

std::vector<std::byte> image_of(const Match& match) {
    std::vector<std::byte> image(match.image_size());
    match.save(image);
    return image;
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

TEST_CASE("match laws: save, run on, restore, run again with the same inputs: the same hash at every tick") {
    for_each_level([](const SharedSetup& setup) {
        test::for_each_seed(20, [&](math::Random& random) {
            Match match(setup, random.next());
            RandomScript script(match, random.next());
            run(match, script, random.below(600));
            const std::vector<std::byte> saved = image_of(match);
            std::vector<KeptTick> ticks;
            std::vector<std::uint64_t> hashes;
            for (std::uint32_t n = 1 + random.below(60); n > 0; --n) {
                ticks.emplace_back(script.next());
                match.step(ticks.back().bytes());
                hashes.push_back(match.hash());
            }
            match.restore(saved);
            for (std::size_t i = 0; i < ticks.size(); ++i) {
                match.step(ticks[i].bytes());
                REQUIRE(match.hash() == hashes[i]);
            }
        });
    });
}

TEST_CASE("match laws: a state saved in one match goes on in another, which had a different past") {
    for_each_level([](const SharedSetup& setup) {
        test::for_each_seed(10, [&](math::Random& random) {
            Match a(setup, random.next());
            Match b(setup, random.next());
            RandomScript script_a(a, random.next());
            RandomScript script_b(b, random.next());
            run(a, script_a, 300);
            run(b, script_b, random.below(600));
            const auto loaded = b.load(image_of(a));
            REQUIRE_MESSAGE(loaded, loaded.error().text());
            CHECK(image_of(b) == image_of(a));
            for (int i = 0; i < 60; ++i) {
                const KeptTick tick(script_a.next());
                a.step(tick.bytes());
                b.step(tick.bytes());
                REQUIRE(a.hash() == b.hash());
            }
        });
    });
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

TEST_CASE("match laws: every state that a match reaches is legal, and its tick counts up by one") {
    for_each_level([](const SharedSetup& setup) {
        test::for_each_seed(5, [&](math::Random& random) {
            Match match(setup, random.next());
            RandomScript script(match, random.next());
            for (std::uint64_t tick = 0; tick < 500; ++tick) {
                REQUIRE(match.tick() == tick);
                const auto legal = setup->world->validate(setup->value.get(), setup->layout, match.state());
                REQUIRE_MESSAGE(legal, legal.error().text());
                match.step(script.next());
                CHECK(match.events_lost() == 0);
            }
        });
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

TEST_CASE("match laws: any bits become a legal input, and sanitizing again changes nothing") {
    for_each_level([](const SharedSetup& setup) {
        const Match match(setup, 1);
        const std::size_t size = setup->world->input->size;
        test::for_each_seed(2000, [&](math::Random& random) {
            std::vector<std::byte> input(size);
            for (std::byte& byte : input) byte = static_cast<std::byte>(random.next());
            if (random.below(2) == 0) match::random_input(*setup->world->input, random, input.data());
            match.sanitize(input.data());
            const std::vector<std::byte> once = input;
            REQUIRE(match.sanitize(input.data()));
            REQUIRE(input == once);
        });
    });
}

TEST_CASE("match laws: raw bits from players, sanitized, never lead to an illegal state") {
    for_each_level([](const SharedSetup& setup) {
        test::for_each_seed(5, [&](math::Random& random) {
            Match match(setup, random.next());
            match::TickBuilder tick(*setup);
            for (std::uint32_t i = 0; i < setup->facts.most_players; ++i)
                tick.join({.slot = static_cast<contract::Slot>(i)});
            for (int t = 0; t < 300; ++t) {
                match.step(tick.bytes());
                tick.begin();
                for (std::uint32_t i = 0; i < setup->facts.most_players; ++i) {
                    std::byte* input = tick.input(static_cast<contract::Slot>(i));
                    for (std::uint32_t k = 0; k < setup->world->input->size; ++k)
                        input[k] = static_cast<std::byte>(random.next());
                    match.sanitize(input);
                }
                const auto legal = setup->world->validate(setup->value.get(), setup->layout, match.state());
                REQUIRE_MESSAGE(legal, legal.error().text());
            }
        });
    });
}

TEST_CASE("match laws: an image with flipped bits is refused, or is a legal state that can be stepped") {
    for_each_level([](const SharedSetup& setup) {
        Match source(setup, 8);
        RandomScript source_script(source, 9);
        run(source, source_script, 400);
        const std::vector<std::byte> image = image_of(source);
        test::for_each_seed(300, [&](math::Random& random) {
            std::vector<std::byte> broken = image;
            for (std::uint32_t n = 1 + random.below(4); n > 0; --n)
                broken[random.below(static_cast<std::uint32_t>(broken.size()))] ^=
                    static_cast<std::byte>(1u << random.below(8));
            if (random.below(4) == 0) broken.resize(random.below(static_cast<std::uint32_t>(broken.size())));
            Match match(setup, 1);
            const std::uint64_t before = match.hash();
            if (const auto loaded = match.load(broken); !loaded) {
                CHECK(!loaded.error().text().empty());
                CHECK(match.hash() == before);
                return;
            }
            RandomScript script(match, random.next());
            run(match, script, 20);
            const auto legal = setup->world->validate(setup->value.get(), setup->layout, match.state());
            REQUIRE_MESSAGE(legal, legal.error().text());
        });
    });
}

TEST_CASE("match laws: bots are pure: looking at a state, drawing it and asking bots changes nothing") {
    for_each_level([](const SharedSetup& setup) {
        Match match(setup, 11);
        RandomScript script(match, 12);
        run(match, script, 300);
        const std::uint64_t before = match.hash();
        contract::DrawList list;
        match.view(list);
        CHECK(!list.shapes.empty());
        std::vector<std::uint64_t> first(setup->world->input->size / 8 + 1);
        std::vector<std::uint64_t> second = first;
        for (std::uint32_t i = 0; i < setup->facts.most_players; ++i) {
            match.bot(static_cast<contract::Slot>(i), reinterpret_cast<std::byte*>(first.data()));
            match.bot(static_cast<contract::Slot>(i), reinterpret_cast<std::byte*>(second.data()));
            CHECK(first == second);
        }
        CHECK(match.hash() == before);
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

TEST_CASE("match laws: an entity kind names fields that exist, and a position is a pair of doubles") {
    for_each_level([](const SharedSetup& setup) {
        CHECK(setup->layout.pools[0].name == "players");
        for (const state::PoolLayout& pool : setup->layout.pools) {
            CAPTURE(pool.name);
            if (!pool.kind.owner.empty()) CHECK(pool.element->find(pool.kind.owner));
            if (pool.kind.position.empty()) continue;
            for (const char* axis : {".x", ".y"}) {
                const state::Field* field = pool.element->find(std::string(pool.kind.position) + axis);
                REQUIRE(field);
                CHECK(field->kind == state::FieldKind::f64);
            }
        }
    });
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
