// SPDX-License-Identifier: MIT
#include <instep/cli/state_text.h>

#include <algorithm>
#include <set>
#include <sstream>

#include <instep/cli/bots.h>
#include <instep/cli/numbers.h>
#include <instep/match/registry.h>
#include <instep/state/raw_pool.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::cli;
using state::Json;
using state::RawPool;

namespace {

match::Match played(std::string_view world, std::string_view level, std::uint32_t bot_count, int ticks) {
    match::Match match(*match::load_builtin_setup(world, level), 3);
    Bots bots(match, bot_count, 3);
    for (int i = 0; i < ticks; ++i) match.step(bots.next());
    return match;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("JSON lines: a line has the whole state, in every world") {
    for (const match::WorldTable& world : match::worlds()) {
        INFO(world.name);
        const match::Match match = played(world.name, "", 2, 50);
        const std::string text = json_line(match, true);
        CHECK(text.find('\n') == text.size() - 1);
        const auto line = state::parse_json(text, "line");
        REQUIRE(line);
        CHECK(line->find("tick")->number() == 50);
        CHECK(*line->find("hash")->string() == hash_text(match.hash()));
        CHECK(line->find("head")->find("tick")->number() == 50);
        CHECK(line->find("events")->array());
        for (std::size_t i = 0; i < match.layout().pools.size(); ++i) {
            const RawPool pool = RawPool::looking_at(match.layout(), i, match.state());
            const Json* elements = line->find(pool.layout().name);
            REQUIRE(elements);
            REQUIRE(elements->array()->size() == pool.size());
            for (std::uint32_t index = 0; index < pool.size(); ++index) {
                const Json& element = (*elements->array())[index];
                CHECK(element.find("id")->number() == pool.handle_at(index).id);
                CHECK(element.object()->size() > 1);
            }
        }
    }
}

TEST_CASE("JSON lines: no pool is named like another key, in every world") {
    for (const match::WorldTable& world : match::worlds()) {
        std::set<std::string_view> keys{"tick", "hash", "head", "events", "events_lost"};
        const auto setup = *match::load_builtin_setup(world.name, "");
        for (const state::PoolLayout& pool : setup->layout.pools) {
            INFO(world.name << ": " << pool.name);
            CHECK(keys.insert(pool.name).second);
            CHECK(!pool.element->find("id"));
        }
    }
}

TEST_CASE("JSON lines: events are included on request only") {
    const match::Match match = played("bounce", "box", 3, 1);
    const auto with = state::parse_json(json_line(match, true), "line");
    CHECK(with->find("events")->array()->size() >= 3);  // three joined
    CHECK(!state::parse_json(json_line(match, false), "line")->find("events"));
}

TEST_CASE("CSV: there is a row for each element and a cell for each field") {
    const match::Match match = played("bounce", "box", 2, 10);
    const auto pool = find_pool(match.layout(), "balls");
    REQUIRE(pool);
    CHECK(csv_header(match.layout().pools[*pool]) ==
          "tick,id,position.x,position.y,velocity.x,velocity.y,owner\n");
    const auto rows = lines_of(csv_rows(match, *pool));
    REQUIRE(rows.size() == 14);
    for (const std::string& row : rows) {
        CHECK(row.starts_with("10,"));
        CHECK(std::count(row.begin(), row.end(), ',') == 6);
    }
    const RawPool balls = RawPool::looking_at(match.layout(), *pool, match.state());
    const double x = state::number_at(*balls.element_info().find("position.x"), balls.element(0));
    CHECK(rows[0].find("," + shortest(x) + ",") != std::string::npos);
}

TEST_CASE("CSV: text is quoted") {
    match::Match match(*match::load_builtin_setup("bounce", "box"), 1);
    match::TickBuilder tick(match.setup());
    tick.join({.name = contract::PlayerName::of("a \"b\", c"), .slot = 0});
    match.step(tick.bytes());
    const std::string rows = csv_rows(match, *find_pool(match.layout(), "players"));
    CHECK(rows.find(",\"a \"\"b\"\", c\",") != std::string::npos);
}

TEST_CASE("pools: the default is the first pool with a position") {
    const auto setup = *match::load_builtin_setup("bounce", "box");
    CHECK(setup->layout.pools[*find_pool(setup->layout, "")].name == "balls");
    CHECK(setup->layout.pools[*find_pool(setup->layout, "players")].name == "players");
    CHECK(!find_pool(setup->layout, "cubes"));
}

TEST_CASE("score board: sorted by score, then by slot") {
    const match::Match match = played("bounce", "box", 8, 600);
    const std::vector<Score> scores = score_board(match);
    REQUIRE(scores.size() == 8);
    CHECK(scores.front().score > 0);
    for (std::size_t i = 1; i < scores.size(); ++i) {
        const bool in_order = scores[i - 1].score > scores[i].score ||
                              (scores[i - 1].score == scores[i].score && scores[i - 1].slot < scores[i].slot);
        CHECK(in_order);
    }
}

TEST_CASE("bots: all join at the first tick with different names, and a seed repeats the match") {
    for (const match::WorldTable& world : match::worlds()) {
        INFO(world.name);
        const std::uint32_t most = (*match::load_builtin_setup(world.name, ""))->facts.most_players;
        const match::Match match = played(world.name, "", most, 1);
        std::set<std::string> names;
        for (const Score& score : score_board(match)) names.insert(score.name);
        CHECK(names.size() == most);
        CHECK(played(world.name, "", 2, 100).hash() == played(world.name, "", 2, 100).hash());
    }
}

TEST_CASE("fields: a value is written according to its type") {
    struct Sample {
        double real = 0.1;
        std::uint64_t large = ~std::uint64_t{0};
        std::int64_t negative = std::numeric_limits<std::int64_t>::min();
        float single = 0.3f;
        bool yes = true;
        std::uint8_t color = 1;
        state::FixedText<2> text = state::FixedText<2>::of("ab");
    };
    static constexpr std::string_view colors[] = {"red", "green"};
    using state::FieldKind;
    const Sample sample;
    const auto* bytes = reinterpret_cast<const std::byte*>(&sample);
    const auto text = [bytes](FieldKind kind, std::size_t offset, std::uint32_t size,
                              state::Rules rules = {}) {
        return field_text({"field", kind, static_cast<std::uint32_t>(offset), size, rules}, bytes);
    };
    CHECK(text(FieldKind::f64, offsetof(Sample, real), 8) == "0.1");
    CHECK(text(FieldKind::u64, offsetof(Sample, large), 8) == "18446744073709551615");
    CHECK(text(FieldKind::i64, offsetof(Sample, negative), 8) == "-9223372036854775808");
    CHECK(text(FieldKind::f32, offsetof(Sample, single), 4) == "0.3");
    CHECK(text(FieldKind::boolean, offsetof(Sample, yes), 1) == "true");
    CHECK(text(FieldKind::u8, offsetof(Sample, color), 1, {.labels = colors}) == "green");
    CHECK(text(FieldKind::u8, offsetof(Sample, color), 1) == "1");
    CHECK(text(FieldKind::text, offsetof(Sample, text), 2) == "ab");
}
