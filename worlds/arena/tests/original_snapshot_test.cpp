// SPDX-License-Identifier: MIT
// The document's codec, held against what the original made of the same states.
#include <arena/tests/original_snapshot.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>
#include <tests/support/property.h>

#include <cmath>

using namespace instep;
using state::Json;
using test::arena::at;
using test::arena::compress;
using test::arena::CompressedEntity;
using test::arena::decompress;
using test::arena::OriginalEntity;
using test::arena::Vec2;
using test::arena::ZeroHealth;

namespace {

Vec2 pair(const Json& json) { return {at(json, "x").number(), at(json, "y").number()}; }

OriginalEntity entity_of(const Json& json) {
    return {*at(json, "id").string(),   pair(at(json, "position")), pair(at(json, "velocity")),
            at(json, "angle").number(), at(json, "heat").number(),  at(json, "health").number()};
}

std::vector<OriginalEntity> entities_of(const Json& list) {
    std::vector<OriginalEntity> entities;
    for (const Json& item : *list.array()) entities.push_back(entity_of(item));
    return entities;
}

}  // namespace

TEST_CASE(
    "arena original snapshot: states are compressed and read back as the original does, its defect "
    "included") {
    const Json file = test::arena::recording("state_codec.json");
    const std::vector<OriginalEntity> entities = entities_of(at(at(file, "state1"), "entities"));
    const Json::Array& compressed = *at(at(file, "compressed1"), "e").array();
    const Json::Array& decompressed = *at(at(file, "decompressed1"), "entities").array();
    REQUIRE(entities.size() == 3);
    REQUIRE(compressed.size() == 3);
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Json::Array& expected = *compressed[i].array();
        const CompressedEntity ours = compress(entities[i], ZeroHealth::becomes_full);
        CHECK(*expected[0].string() == entities[i].id);
        for (std::size_t k = 0; k < ours.size(); ++k) CHECK(ours[k] == expected[k + 1].number());

        const OriginalEntity read = decompress(entities[i].id, ours);
        const OriginalEntity recorded = entity_of(decompressed[i]);
        CHECK(read.position == recorded.position);
        CHECK(read.velocity == recorded.velocity);
        CHECK(read.angle == recorded.angle);
        CHECK(read.heat == recorded.heat);
        CHECK(read.health == recorded.health);
    }
}

TEST_CASE("arena original snapshot: done right, a health of 0 is sent as 0") {
    const OriginalEntity dead{"p", {}, {}, 0, 0, 0};
    CHECK(compress(dead, ZeroHealth::is_sent)[6] == 0);
    CHECK(compress(dead, ZeroHealth::becomes_full)[6] == 100);
}

TEST_CASE("arena original snapshot: a delta holds the changed, new and removed entities") {
    const Json file = test::arena::recording("state_codec.json");
    const auto delta = test::arena::difference(entities_of(at(at(file, "state1"), "entities")),
                                               entities_of(at(at(file, "state2"), "entities")));
    const Json& expected = at(file, "delta_1_to_2");
    const std::vector<OriginalEntity> changed = entities_of(at(expected, "changed"));
    REQUIRE(delta.changed.size() == changed.size());
    for (std::size_t i = 0; i < changed.size(); ++i) CHECK(delta.changed[i].id == changed[i].id);
    const Json::Array& removed = *at(expected, "removed").array();
    REQUIRE(delta.removed.size() == removed.size());
    for (std::size_t i = 0; i < removed.size(); ++i) CHECK(delta.removed[i] == *removed[i].string());
}

TEST_CASE("arena original snapshot: what was compressed and read back is compressed to the same again") {
    test::for_each_seed(500, [](math::Random& random) {
        const OriginalEntity entity{"p",
                                    {random.uniform(-1000, 1000), random.uniform(-1000, 1000)},
                                    {random.uniform(-120, 120), random.uniform(-120, 120)},
                                    random.uniform(-10, 10),
                                    random.uniform(0, 120),
                                    std::floor(random.uniform(0, 101))};
        const CompressedEntity once = compress(entity, ZeroHealth::is_sent);
        const OriginalEntity read = decompress("p", once);
        CHECK(compress(read, ZeroHealth::is_sent) == once);
        CHECK(length(read.position - entity.position) < 0.0071);
    });
}
