// SPDX-License-Identifier: MIT
// The laws of every world again, with rules drawn from the ranges that levels may ask for: a number that a
// range allows must be one that the world can stand.
#include <instep/match/builtin_levels.h>
#include <instep/match/random_input.h>
#include <instep/match/random_script.h>
#include <instep/match/registry.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

using namespace instep;
using match::Match;
using match::RandomScript;
using match::SharedSetup;
using state::Json;

namespace {

// The level with about one in five of its rules drawn anew.
Json with_drawn_rules(const Json& level, const match::WorldTable& world, math::Random& random) {
    const Json* given = level.find("rules");
    const Json* base = given->object() ? given->find("base") : given;
    Json::Object rules{{"base", *base}};
    std::vector<std::byte> drawn(world.rules->size);
    match::random_input(*world.rules, random, drawn.data());
    const Json all = state::struct_to_json(*world.rules, drawn.data());
    for (const auto& [name, value] : *all.object())
        if (random.below(5) == 0) rules.emplace_back(name, value);
    Json::Object changed;
    for (const auto& [key, value] : *level.object())
        changed.emplace_back(key, key == "rules" ? Json(rules) : value);
    return changed;
}

// Plays for a while and goes back in between; says what is wrong with the state at the end, if anything is.
state::Result<void> play(const SharedSetup& setup, math::Random& random) {
    Match match(setup, random.next());
    RandomScript script(match, random.next());
    for (std::uint32_t n = random.below(300); n > 0; --n) match.step(script.next());
    std::vector<std::byte> image(match.image_size());
    match.save(image);

    Match twin(setup, 0);
    if (auto loaded = twin.load(image); !loaded) return loaded;
    for (int i = 0; i < 30; ++i) {
        const match::TickBytes tick = script.next();
        match.step(tick);
        twin.step(tick);
        REQUIRE(twin.hash() == match.hash());
    }
    image.resize(match.image_size());
    match.save(image);
    return twin.load(image);
}

}  // namespace

TEST_CASE("rules: with any rules that a level may ask for, matches stay legal and go on from a saved state") {
    for (const match::BuiltinLevel& builtin : match::builtin_levels()) {
        const match::WorldTable& world = **match::find_world(builtin.world);
        const Json level = *state::parse_json(builtin.json, builtin.name);
        CAPTURE(builtin.world);
        CAPTURE(builtin.name);
        std::size_t played = 0;
        test::for_each_seed(60, [&](math::Random& random) {
            const std::string text = state::write_json(with_drawn_rules(level, world, random));
            const auto setup = match::load_setup(text, "drawn.json");
            if (!setup) return;  // rules that do not go together are refused, with a sentence
            CAPTURE(text);
            const auto legal = play(*setup, random);
            CHECK_MESSAGE(legal, legal.error().text());
            ++played;
        });
        CHECK(played > 0);
    }
}
