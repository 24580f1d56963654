// SPDX-License-Identifier: MIT
#include <creature/game.h>

#include <creature/tests/room.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::test;

namespace {

Setup short_rounds() {
    Setup setup = setup_of(level_text("garden"));
    setup.rules.round_ticks = 50;
    setup.rules.restart_pause = 10;
    return setup;
}

struct RoundRoom : Room {
    RoundRoom() : Room(short_rounds()) {
        join(0);
        join(1);
    }
    int steps_until(bool over) {
        int steps = 0;
        for (; state.head->over != over && steps < 1000; ++steps) {
            step();
            check_legal();
        }
        return steps;
    }
};

}  // namespace

TEST_CASE("creature round: it ends with its clock, the best player wins, and creatures stand still") {
    RoundRoom room;
    room.player(1).score = 300;
    CHECK(room.steps_until(true) == 48);  // the two joins took a tick each
    CHECK(room.state.head->winner == 1);
    CHECK(room.count(EventKind::won) == 1);
    const std::vector<Body> before(room.state.creatures.begin(), room.state.creatures.end());
    room.inputs[0].pointer = {500, 500};
    room.step();
    for (std::uint32_t i = 0; i < before.size(); ++i) CHECK(room.body(i).nodes == before[i].nodes);
}

TEST_CASE("creature round: the next one begins with newborn players, also those that were dead") {
    RoundRoom room;
    room.player(1).score = 300;
    room.body_of(0).meals = 3;
    take_body(room.player(1), room.state);
    room.player(1).respawn_pause = room.setup.rules.respawn_pause;
    room.steps_until(true);
    CHECK(room.steps_until(false) == 10);
    CHECK(room.count(EventKind::restarted) == 1);
    CHECK(room.state.motes.empty());
    for (Slot slot : {Slot{0}, Slot{1}}) {
        CHECK(room.player(slot).score == 0);
        CHECK(room.body_of(slot).meals == 0);
    }
}

TEST_CASE("creature round: players that come or go while it is over do so as at any other time") {
    RoundRoom room;
    room.steps_until(true);
    room.join(2);
    room.check_legal();
    const Slot gone = 0;
    room.step({}, {&gone, 1});
    room.check_legal();
    CHECK(room.state.players.size() == 2);
}
