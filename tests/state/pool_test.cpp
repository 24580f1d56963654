// SPDX-License-Identifier: MIT
// The pool against a model: elements in a vector, ids in a set, every handle ever given in a map.
#include <instep/state/pool.h>

#include <tests/support/property.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

using namespace instep;
using math::Random;
using state::Handle;
using state::Pool;
using test::for_each_seed;

namespace {

struct Coin {
    std::uint64_t number = 0;
};

// A pool whose memory is filled with noise: a pool must not depend on earlier contents.
struct OwnPool {
    explicit OwnPool(std::uint32_t capacity, std::uint32_t noise = 0xA5A5A5A5)
        : rows(capacity, state::PoolIndex{noise, noise, noise}),
          coins(capacity, Coin{noise}),
          pool(&header, rows.data(), coins.data(), capacity) {}
    OwnPool(const OwnPool&) = delete;

    state::PoolHeader header;
    std::vector<state::PoolIndex> rows;
    std::vector<Coin> coins;
    Pool<Coin> pool;
};

using Key = std::pair<std::uint32_t, std::uint32_t>;
Key key_of(Handle handle) { return {handle.id, handle.generation}; }

struct Model {
    std::vector<std::pair<Handle, std::uint64_t>> live;  // in the pool's order
    std::set<std::uint32_t> ids;
    std::map<Key, std::uint64_t> ever;  // every handle that was ever given, and its coin
    std::uint64_t next_number = 1;

    std::uint32_t lowest_free_id() const {
        std::uint32_t id = 0;
        while (ids.contains(id)) ++id;
        return id;
    }
};

void add(Model& model, Pool<Coin>& pool) {
    const bool has_room = model.live.size() < pool.capacity();
    const std::uint32_t expected_id = model.lowest_free_id();
    const Coin* added = pool.add({model.next_number});
    REQUIRE((added != nullptr) == has_room);
    if (!added) return;
    CHECK(added == &pool[pool.size() - 1]);
    const Handle handle = pool.handle_of(*added);
    CHECK(handle.id == expected_id);
    CHECK(model.ever.insert({key_of(handle), model.next_number}).second);
    model.ids.insert(handle.id);
    model.live.emplace_back(handle, model.next_number++);
}

void remove(Model& model, Pool<Coin>& pool, std::uint32_t index) {
    pool.remove_at(index);
    model.ids.erase(model.live[index].first.id);
    model.live[index] = model.live.back();
    model.live.pop_back();
}

void check_agreement(const Model& model, const OwnPool& own) {
    const Pool<Coin>& pool = own.pool;
    REQUIRE(pool.size() == model.live.size());
    CHECK(pool.empty() == model.live.empty());
    CHECK(pool.full() == (model.live.size() == pool.capacity()));
    std::set<Key> live;
    for (std::uint32_t index = 0; index < pool.size(); ++index) {
        const auto& [handle, number] = model.live[index];
        CHECK(pool[index].number == number);
        CHECK(pool.handle_at(index) == handle);
        CHECK(pool.find(handle) == &pool[index]);
        live.insert(key_of(handle));
    }
    for (const auto& [key, number] : model.ever)
        if (!live.contains(key)) CHECK(pool.find({key.first, key.second}) == nullptr);
    CHECK(own.header.id_count == (model.ids.empty() ? 0 : *model.ids.rbegin() + 1));
    CHECK(own.header.lowest_free_id == model.lowest_free_id());
}

}  // namespace

TEST_CASE("pool: behaves as a vector with swap-removal whose handles find their element or nothing") {
    for_each_seed(300, [](Random& random) {
        OwnPool own(1 + random.below(12));
        Model model;
        const std::uint32_t eagerness = 1 + random.below(8);  // from mostly empty to mostly full
        for (int step = 0; step < 120; ++step) {
            if (random.below(10) < eagerness)
                add(model, own.pool);
            else if (!model.live.empty())
                remove(model, own.pool, random.below(own.pool.size()));
            check_agreement(model, own);
        }
    });
}

TEST_CASE("pool: its contents don't depend on what was in its memory") {
    for_each_seed(50, [](Random& random) {
        OwnPool a(8, 0);
        OwnPool b(8, 0xFFFFFFFF);
        Model model_a;
        Model model_b;
        for (int step = 0; step < 60; ++step) {
            if (random.below(2) == 0) {
                add(model_a, a.pool);
                add(model_b, b.pool);
            } else if (!a.pool.empty()) {
                const std::uint32_t index = random.below(a.pool.size());
                remove(model_a, a.pool, index);
                remove(model_b, b.pool, index);
            }
            CHECK(std::memcmp(&a.header, &b.header, sizeof a.header) == 0);
            CHECK(std::memcmp(a.rows.data(), b.rows.data(), a.header.id_count * sizeof a.rows[0]) == 0);
            CHECK(std::memcmp(a.coins.data(), b.coins.data(), a.header.count * sizeof a.coins[0]) == 0);
        }
    });
}

TEST_CASE("pool: a null handle, an unused id or another generation finds nothing") {
    OwnPool own(4);
    CHECK_FALSE(Handle());
    CHECK(own.pool.find(Handle()) == nullptr);
    own.pool.add({7});
    const Handle handle = own.pool.handle_at(0);
    CHECK(handle);
    CHECK(own.pool.find(Handle()) == nullptr);
    CHECK(own.pool.find({handle.id + 1, handle.generation}) == nullptr);
    CHECK(own.pool.find({handle.id, handle.generation + 1}) == nullptr);
    CHECK(own.pool.find({handle.id, handle.generation - 1}) == nullptr);
    own.pool.remove_at(0);
    CHECK(own.pool.find(handle) == nullptr);
    CHECK(own.pool.find({0, 0}) == nullptr);
}

TEST_CASE("pool: no generation is used twice, for any id") {
    OwnPool own(3);
    auto random = Random::from_seed(3);
    std::set<std::uint32_t> generations;
    for (int i = 0; i < 1000; ++i) {
        if (own.pool.full()) own.pool.remove_at(random.below(3));
        CHECK(generations.insert(own.pool.handle_of(*own.pool.add({1})).generation).second);
    }
}

TEST_CASE("pool: is full once its generations are used up") {
    OwnPool own(5);
    own.header.next_generation = state::PoolHeader::last_generation - 2;
    CHECK(own.pool.add({1}) != nullptr);
    CHECK(own.pool.add({2}) != nullptr);
    CHECK(own.pool.full());
    CHECK(own.pool.add({3}) == nullptr);
    own.pool.remove_at(0);
    CHECK(own.pool.add({3}) == nullptr);
    CHECK(own.pool[0].number == 2);
}

TEST_CASE("pool: remove_if tests every element once and keeps the others") {
    for_each_seed(200, [](Random& random) {
        OwnPool own(10);
        for (std::uint64_t number = 0; number < 10; ++number) own.pool.add({number});
        const std::uint64_t goes = random.next();
        std::vector<std::uint64_t> asked;
        own.pool.remove_if([&](const Coin& coin) {
            asked.push_back(coin.number);
            return (goes >> coin.number & 1) != 0;
        });
        std::sort(asked.begin(), asked.end());
        CHECK(asked == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        std::set<std::uint64_t> left;
        for (const Coin& coin : own.pool) left.insert(coin.number);
        for (std::uint64_t number = 0; number < 10; ++number)
            CHECK(left.contains(number) == ((goes >> number & 1) == 0));
    });
}

TEST_CASE("pool: a pool of capacity 0 takes nothing") {
    OwnPool own(0);
    CHECK(own.pool.full());
    CHECK(own.pool.empty());
    CHECK(own.pool.add({1}) == nullptr);
    CHECK(own.pool.begin() == own.pool.end());
}

TEST_CASE("pool: assign overwrites in place and takes generations only for new elements") {
    OwnPool own(4);
    const auto number = [](std::uint32_t first) {
        return [first](std::uint32_t i) { return Coin{first + std::uint64_t{i}}; };
    };
    own.pool.assign(3, number(10));
    const Handle second = own.pool.handle_at(1);
    for (std::uint64_t round = 0; round < 100; ++round) own.pool.assign(3, number(20));
    CHECK(own.pool.handle_at(1) == second);
    CHECK(own.pool[2].number == 22);
    CHECK(own.header.next_generation == 3);
    own.pool.assign(1, number(30));
    CHECK(own.pool.size() == 1);
    CHECK(own.pool[0].number == 30);
    CHECK(own.pool.find(second) == nullptr);
    own.pool.assign(9, number(40));  // beyond the capacity
    CHECK(own.pool.size() == 4);
    CHECK(own.pool[3].number == 43);
}
