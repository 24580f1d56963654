// SPDX-License-Identifier: MIT
// Bots on the project's own levels: they play passably, which is to say that they do all there is to do.
#include <foothold/foothold.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

#include <map>

using namespace instep;
using namespace instep::worlds::foothold;

namespace {

Setup level(const std::string& name) {
    const auto path = test::source_dir() / "worlds/foothold/levels" / (name + ".json");
    auto setup = load({}, test::read_json_file(path), name);
    REQUIRE_MESSAGE(setup, setup.error().text());
    return std::move(*setup);
}

}  // namespace

TEST_CASE("foothold bot: bots beat mobs, pick up what those leave, score, and take portals") {
    for (const std::string name : {"town", "lake", "glacier"}) {
        CAPTURE(name);
        test::FootholdMatch match(level(name));
        constexpr std::uint8_t bots = 8;
        for (std::uint8_t slot = 0; slot < bots; ++slot) match.join(slot);
        std::map<EventKind, int> happened;
        for (int tick = 0; tick < 2 * 60 * 125; ++tick) {
            for (std::uint8_t slot = 0; slot < bots; ++slot)
                match.inputs[slot] = worlds::foothold::bot(match.state, match.setup, slot);
            match.step();
            for (const Event& event : match.happened) ++happened[event.kind];
        }
        CHECK(happened[EventKind::mob_died] > 20);
        CHECK(happened[EventKind::picked_up] > 10);
        CHECK(happened[EventKind::took_portal] >= 3);
        int scorers = 0;
        for (const Player& player : match.state.players) scorers += player.score > 0;
        CHECK(scorers > bots / 2);
    }
}

TEST_CASE("foothold bot: a bot lies down below a spike ball, which passes over it") {
    test::FootholdMatch match(level("glacier"));
    Player& player = match.join(0);
    player.body.position = {-700, 60};  // where a ball swings at the height of its head
    bool has_lain = false;
    for (int tick = 0; tick < 20 * 125; ++tick) {
        match.inputs[0] = worlds::foothold::bot(match.state, match.setup, 0);
        match.step();
        has_lain = has_lain || match.state.players[0].stance == Stance::prone;
    }
    CHECK(has_lain);
}
