// SPDX-License-Identifier: MIT
// Bots on the project's own levels: they play passably, which is to say that they do all there is to do.
#include <foothold/foothold.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

#include <map>

using namespace instep;
using namespace instep::worlds::foothold;

TEST_CASE("foothold bot: bots beat mobs, pick up what those leave, score, and take portals") {
    for (const std::string name : {"town", "lake"}) {
        CAPTURE(name);
        const auto path = test::source_dir() / "worlds/foothold/levels" / (name + ".json");
        auto setup = load({}, test::read_json_file(path), name);
        REQUIRE_MESSAGE(setup, setup.error().text());
        test::FootholdMatch match(std::move(*setup));
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
