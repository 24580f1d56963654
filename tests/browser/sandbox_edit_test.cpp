// SPDX-License-Identifier: MIT
// Editing a running match in the sandbox: moving, dropping and removing bodies, and what is refused.
#include <cmath>
#include <limits>

#include <instep/browser/describe.h>
#include <instep/browser/local_stage.h>
#include <instep/present/own_entities.h>
#include <instep/present/position.h>
#include <instep/state/raw_pool.h>
#include <tests/browser/level_text.h>
#include <tests/net/logged_match.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::browser;
using math::Vec2;

namespace {

EntityRef first_of(const LocalStage& stage, std::string_view pool_name) {
    const state::Layout& layout = stage.setup()->layout;
    for (std::size_t i = 0; i < layout.pools.size(); ++i)
        if (layout.pools[i].name == pool_name)
            return {i, state::RawPool::looking_at(layout, i, stage.match().state()).handle_at(0)};
    REQUIRE_MESSAGE(false, "no such pool");
    return {};
}

Vec2 position_of(const LocalStage& stage, const EntityRef& entity) {
    const auto pool = state::RawPool::looking_at(stage.setup()->layout, entity.pool, stage.match().state());
    return *present::PositionFields(pool.layout()).of(pool.find(entity.handle));
}

}  // namespace

TEST_CASE("sandbox: bodies are moved, copied and removed, and an illegal edit changes nothing") {
    LocalStage stage(test::level("bounce", "box"), 1, 2);
    stage.set_speed(0);
    stage.step(5);
    const EntityRef ball = first_of(stage, "balls");
    const contract::Facts& facts = stage.setup()->facts;
    const Vec2 middle = (facts.view_low + facts.view_high) * 0.5;
    CHECK(stage.move(ball, middle));
    CHECK(position_of(stage, ball) == middle);
    const std::uint64_t hash = stage.match().hash();
    CHECK(!stage.move(ball, {std::numeric_limits<double>::quiet_NaN(), 0}));
    CHECK(stage.match().hash() == hash);
    CHECK(!stage.move({99, {0, 0}}, {0, 0}));
    CHECK(!stage.remove({ball.pool, {12345, 1}}));

    LocalStage garden(test::level("creature", "garden"), 1, 2);
    garden.set_speed(0);
    garden.step(200);
    const EntityRef mote = first_of(garden, "motes");
    const auto motes = [&] {
        return state::RawPool::looking_at(garden.setup()->layout, mote.pool, garden.match().state()).size();
    };
    const std::uint32_t before = motes();
    REQUIRE(garden.copy(mote, position_of(garden, mote) + Vec2{1, 0}));
    CHECK(motes() == before + 1);
    REQUIRE(garden.remove(mote));
    CHECK(motes() == before);
    garden.step(100);
    CHECK(!garden.remove(mote));
}

TEST_CASE("sandbox: a bot is dropped at a position and removed again, in every level with bodies") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LocalStage stage(setup, 5, 1);
        stage.set_speed(0);
        stage.step(20);
        const std::uint32_t before = stage.bots();
        const std::uint64_t hash_before = stage.match().hash();
        const Vec2 to = (setup->facts.view_low * 0.45 + setup->facts.view_high * 0.55);
        const auto dropped = stage.drop_bot(to);
        if (setup->facts.most_players <= before + 1) {
            CHECK(!dropped.has_value());
            return;
        }
        const contract::Slot slot = 2;
        const auto at = present::own_position(setup->layout, stage.match().state(), slot);
        if (!dropped) {  // only in levels where players have no body
            CHECK(!at.has_value());
            CHECK(stage.bots() == before);
            CHECK(stage.match().hash() == hash_before);
            return;
        }
        REQUIRE(at.has_value());
        CHECK(*at == to);
        CHECK(stage.bots() == before + 1);
        std::optional<EntityRef> body;
        for (std::size_t i = 0; i < setup->layout.pools.size() && !body; ++i) {
            const auto pool = state::RawPool::looking_at(setup->layout, i, stage.match().state());
            const present::PositionFields position(pool.layout());
            for (std::uint32_t index = 0; index < pool.size() && !body; ++index)
                if (position.of(pool.element(index)) == at) body = {i, pool.handle_at(index)};
        }
        REQUIRE(body.has_value());
        REQUIRE(stage.remove(*body));
        CHECK(stage.bots() == before);
        CHECK(!contract::contains(stage.match().live_slots(), slot));
        stage.step(30);
        CHECK(setup->world->validate(setup->value.get(), setup->layout, stage.match().state()));
    });
}

TEST_CASE("sandbox: a refused drop of a bot leaves no bot, no tick and no event") {
    LocalStage stage(test::level("arena", "belt"), 1, 2);
    stage.set_speed(0);
    stage.step(20);
    present::EventNotice notice;
    while (stage.next_event(notice)) {
    }
    const std::uint64_t before = stage.match().hash();
    REQUIRE(!stage.drop_bot({1e9, 0}).has_value());
    CHECK(stage.bots() == 2);
    CHECK(stage.match().hash() == before);
    CHECK(!stage.next_event(notice));
}

TEST_CASE("sandbox: a rope is dropped with all of its nodes") {
    LocalStage stage(test::level("flail", "pit"), 1, 0);
    stage.set_speed(0);
    stage.step(20);
    for (const Vec2 to :
         {Vec2{-400, 0}, Vec2{400, 0}}) {  // at least one of them is far from where bots begin
        REQUIRE(stage.drop_bot(to));
        const auto pool = state::RawPool::looking_at(stage.setup()->layout, 0, stage.match().state());
        const std::byte* body = pool.element(pool.size() - 1);
        std::size_t nodes = 0;
        for (const state::Field& field : pool.element_info().fields) {
            if (!field.path.starts_with("rope") || !field.path.ends_with("position.x")) continue;
            const double x = state::number_at(field, body);
            if (x == 0) continue;  // not in use
            ++nodes;
            CHECK(std::abs(x - to.x) < 300);
        }
        CHECK(nodes > 1);
    }
}

TEST_CASE("sandbox: the own player cannot be removed") {
    LocalStage stage(test::level("arena", "belt"), 1, 2);
    stage.set_speed(0);
    const auto removed = stage.remove(first_of(stage, "players"));
    REQUIRE(!removed.has_value());
    CHECK(removed.error().text().find("is your own player") != std::string::npos);
}

TEST_CASE("sandbox: every body that a level lists can be dropped, and all else goes on unchanged") {
    std::size_t dropped = 0;
    test::for_each_level([&](const match::SharedSetup& setup) {
        if (!setup->world->bodies) return;
        const auto level = state::parse_json(test::level_text(setup->world->name, setup->level), "level");
        REQUIRE(level.has_value());
        for (const std::string& body : setup->world->bodies(setup->world->context, *level)) {
            CAPTURE(setup->level);
            CAPTURE(body);
            LocalStage stage(setup, 5, 3);
            stage.set_speed(0);
            stage.step(50);
            const Vec2 to = (setup->facts.view_low * 0.3 + setup->facts.view_high * 0.7);
            const auto text = setup->world->with_body(setup->world->context, *level, body, to);
            REQUIRE(text.has_value());
            const auto larger = match::load_setup(state::write_json(*text), "level");
            REQUIRE_MESSAGE(larger.has_value(), (larger ? "" : larger.error().text()));
            const auto added = stage.with_added_body(*larger, to);
            REQUIRE_MESSAGE(added.has_value(), (added ? "" : added.error().text()));
            LocalStage& next = **added;
            CHECK(next.match().tick() == stage.match().tick());
            CHECK(next.bots() == stage.bots());
            CHECK(present::own_position((*larger)->layout, next.match().state(), LocalStage::own_player) ==
                  present::own_position(setup->layout, stage.match().state(), LocalStage::own_player));
            bool found = false;
            for (std::size_t i = 0; i < setup->layout.pools.size(); ++i) {
                const auto old = state::RawPool::looking_at(setup->layout, i, stage.match().state());
                const auto now = state::RawPool::looking_at((*larger)->layout, i, next.match().state());
                const present::PositionFields position(now.layout());
                if (now.size() != old.size() + 1) continue;
                for (std::uint32_t at = 0; at < now.size(); ++at)
                    found = found || position.of(now.element(at))->x == to.x;
                for (std::uint32_t at = 0; at < old.size(); ++at) CHECK(now.find(old.handle_at(at)));
            }
            CHECK(found);
            next.step(60);
            CHECK(
                (*larger)->world->validate((*larger)->value.get(), (*larger)->layout, next.match().state()));
            ++dropped;
        }
        LocalStage stage(setup, 5, 3);
        CHECK(!stage.with_added_body(setup, {1, 1}).has_value());  // the same level lists no further body
        const auto odd = setup->world->with_body(setup->world->context, *level, "no such thing", {});
        CHECK((!odd || !match::load_setup(state::write_json(*odd), "level")));
    });
    CHECK(dropped >= 10);
}

TEST_CASE("sandbox: the bodies that can be dropped are listed, and the rest can be copied") {
    for (const auto& [world, level, names] : {std::tuple{"arena", "belt", "bot rock shots "},
                                              {"creature", "garden", "bot lizard snake spider fish motes "},
                                              {"flail", "pit", "bot "},
                                              {"orbit", "belt", "bot pallet "},
                                              {"bounce", "box", "bot loose ball "}}) {
        const auto setup = test::level(world, level);
        const auto text = state::parse_json(test::level_text(world, level), "level");
        const state::Json drops = describe_drops(setup, *text);
        std::string listed;
        for (const state::Json& drop : *drops.array()) listed += *drop.find("name")->string() + " ";
        CHECK(listed == names);
    }
    LocalStage stage(test::level("creature", "garden"), 1, 2);
    stage.set_speed(0);
    const std::size_t motes = first_of(stage, "players").pool + 2;
    stage.step(200);
    const auto count = [&] {
        return state::RawPool::looking_at(stage.setup()->layout, motes, stage.match().state()).size();
    };
    const std::uint32_t before = count();
    REQUIRE(stage.drop_copy(motes, {12, 34}));
    CHECK(count() == before + 1);
    const auto pool = state::RawPool::looking_at(stage.setup()->layout, motes, stage.match().state());
    CHECK(present::PositionFields(pool.layout()).of(pool.element(before)) == Vec2{12, 34});
    LocalStage quiet(test::level("arena", "belt"), 1, 0);
    CHECK(!quiet.drop_copy(first_of(quiet, "rocks").pool + 1, {0, 0})
               .has_value());  // no shot has been fired yet
    CHECK(!stage.drop_copy(99, {0, 0}).has_value());
    CHECK(!stage.drop_copy(motes, {std::numeric_limits<double>::infinity(), 0}).has_value());
}

TEST_CASE("sandbox: after random edits every level holds a legal state") {
    test::for_each_seed(6, [](math::Random& random) {
        test::for_each_level([&](const match::SharedSetup& setup) {
            LocalStage stage(setup, 5, 3);
            stage.set_speed(0);
            for (int i = 0; i < 12; ++i) {
                stage.step(3);
                const auto pool = random.below(static_cast<std::uint32_t>(setup->layout.pools.size()));
                const auto elements = state::RawPool::looking_at(setup->layout, pool, stage.match().state());
                if (elements.empty()) continue;
                const EntityRef entity{pool, elements.handle_at(random.below(elements.size()))};
                const Vec2 to{random.uniform(-500, 500), random.uniform(-500, 500)};
                switch (random.below(6)) {
                    case 0: (void)stage.move(entity, to); break;
                    case 1: (void)stage.copy(entity, to); break;
                    case 2: (void)stage.remove(entity); break;
                    case 3: (void)stage.drop_bot(to); break;
                    case 4: (void)stage.drop_copy(pool, to); break;
                    default: stage.set_bots(random.below(6)); break;
                }
            }
            stage.step(5);
            const auto legal =
                setup->world->validate(setup->value.get(), setup->layout, stage.match().state());
            CHECK_MESSAGE(legal, (legal ? std::string() : legal.error().text()));
        });
    });
}
