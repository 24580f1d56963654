// SPDX-License-Identifier: MIT
#include <creature/game.h>

#include <creature/tests/room.h>
#include <tests/support/property.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::test;

namespace {

// A snake of four nodes that grows to twelve, three meals a node.
constexpr std::string_view level = R"({"rules": "game",
  "playground": {"half_width": 900, "half_height": 700, "most_players": 4, "most_creatures": 4, "motes": 20},
  "plans": [{"name": "snake", "born": 4, "nodes": [
     {"position": [0, 0], "radius": 10, "node_type": "Anchor", "movement_speed": 6},
     {"position": [-20, 0]}, {"position": [-40, 0]}, {"position": [-60, 0]},
     {"position": [-80, 0]}, {"position": [-100, 0]}, {"position": [-120, 0]}, {"position": [-140, 0]},
     {"position": [-160, 0]}, {"position": [-180, 0]}, {"position": [-200, 0]}, {"position": [-220, 0]}],
   "constraints": [{"node_a": 0, "node_b": 1, "rest_length": 20}, {"node_a": 1, "node_b": 2, "rest_length": 20},
     {"node_a": 2, "node_b": 3, "rest_length": 20}, {"node_a": 3, "node_b": 4, "rest_length": 20},
     {"node_a": 4, "node_b": 5, "rest_length": 20}, {"node_a": 5, "node_b": 6, "rest_length": 20},
     {"node_a": 6, "node_b": 7, "rest_length": 20}, {"node_a": 7, "node_b": 8, "rest_length": 20},
     {"node_a": 8, "node_b": 9, "rest_length": 20}, {"node_a": 9, "node_b": 10, "rest_length": 20},
     {"node_a": 10, "node_b": 11, "rest_length": 20}]}]})";

// Moves a player's creature there as it is, and lets it stay.
void put(Room& room, Slot slot, Vec2 head) {
    Body& own = room.body_of(slot);
    for (std::uint32_t i = 0; i < room.size(own).nodes; ++i) {
        own.nodes[i].position = {head.x - 20.0 * i, head.y};
        own.nodes[i].velocity = {};
    }
    room.inputs[slot].pointer = head;
}

void feed(Room& room, Slot slot, int motes) {
    for (int i = 0; i < motes; ++i) {
        while (!room.state.motes.empty()) room.state.motes.remove_at(0);
        room.state.motes.add({room.body_of(slot).nodes[0].position});
        room.step();
    }
}

// Two players, the second one's head at the tip of the first one's tail.
Room at_the_tail(std::uint32_t meals) {
    Room room(setup_of(level));
    room.join(0);
    room.join(1);
    Body& victim = room.body_of(0);
    resize(victim, meals, room.plan_of(victim), room.setup.rules);
    put(room, 0, {0, 0});
    hold_together(victim, room.plan_of(victim), room.size(victim), room.setup.rules);
    const std::uint32_t tip = room.plan_of(victim).tip(room.size(victim).nodes);
    put(room, 1, victim.nodes[tip].position - Vec2{20, 0});
    room.body_of(0).bite_pause = 0;
    while (!room.state.motes.empty()) room.state.motes.remove_at(0);
    return room;
}

}  // namespace

TEST_CASE("creature game: a joining player gets a body inside the playground, and loses it on leaving") {
    Room room(setup_of(level));
    for (Slot slot = 0; slot < 4; ++slot) {
        room.join(slot, slot);
        CHECK(room.count(EventKind::joined) == 1);
    }
    CHECK(room.state.creatures.size() == 4);
    room.check_legal();
    const Slot leaving[] = {1, 2};
    room.step({}, leaving);
    CHECK(room.count(EventKind::left) == 2);
    CHECK(room.state.creatures.size() == 2);
    CHECK(room.body_of(3).owner == 3);
    room.check_legal();
}

TEST_CASE("creature game: a head goes to where its own player points") {
    Room room(setup_of(level));
    room.join(0);
    room.join(1);
    put(room, 0, {-400, 0});
    put(room, 1, {400, 0});
    room.inputs[0].pointer = {-400, 300};
    for (int tick = 0; tick < 100; ++tick) room.step();
    CHECK(distance(room.body_of(0).nodes[0].position, {-400, 300}) < 1);
    CHECK(distance(room.body_of(1).nodes[0].position, {400, 0}) < 1);
}

TEST_CASE("creature game: a mote scores, and every third brings out a whole node of the tail") {
    Room room(setup_of(level));
    room.join(0);
    put(room, 0, {0, 0});
    CHECK(room.size(room.body_of(0)).nodes == 4);
    feed(room, 0, 1);
    CHECK(room.player(0).score == 1);
    CHECK(room.count(EventKind::ate) == 1);
    CHECK(room.count(EventKind::grew) == 0);
    CHECK(room.size(room.body_of(0)).nodes == 5);
    CHECK(room.size(room.body_of(0)).part_of_last == doctest::Approx(1.0 / 3));
    room.step();
    CHECK(distance(room.body_of(0).nodes[3].position, room.body_of(0).nodes[4].position) ==
          doctest::Approx(20.0 / 3));
    feed(room, 0, 2);
    CHECK(room.count(EventKind::grew) == 1);
    CHECK(room.size(room.body_of(0)).nodes == 5);
    CHECK(room.size(room.body_of(0)).part_of_last == 1);
    room.check_legal();
}

TEST_CASE("creature game: a full-grown creature goes on scoring and does not grow any more") {
    Room room(setup_of(level));
    room.join(0);
    put(room, 0, {0, 0});
    feed(room, 0, 30);
    CHECK(room.player(0).score == 30);
    CHECK(room.body_of(0).meals == 24);
    CHECK(room.size(room.body_of(0)).nodes == 12);
    room.check_legal();
}

TEST_CASE("creature game: a bite takes a node, scores, leaves a mote and is followed by a pause") {
    Room room = at_the_tail(9);
    room.step();
    CHECK(room.count(EventKind::bitten) == 1);
    CHECK(room.body_of(0).meals == 6);
    CHECK(room.player(1).score == game.bite_score);
    CHECK(room.body_of(0).bite_pause == game.bite_pause);
    room.step();
    CHECK(room.count(EventKind::bitten) == 0);
    room.check_legal();
}

TEST_CASE("creature game: a body without grown nodes dies of a bite and is born again after a while") {
    Room room = at_the_tail(2);
    room.step();
    CHECK(room.count(EventKind::died) == 1);
    CHECK(room.state.creatures.size() == 1);
    CHECK(room.player(1).score == game.kill_score);
    room.check_legal();
    int ticks = 0;
    for (; room.count(EventKind::respawned) == 0 && ticks < 1000; ++ticks) room.step();
    CHECK(ticks == static_cast<int>(game.respawn_pause) - 1);  // the tick of the death is the first
    CHECK(room.body_of(0).meals == 0);
    CHECK(room.state.creatures.size() == 2);
    room.check_legal();
}

TEST_CASE("creature game: a newborn body cannot be bitten") {
    Room room = at_the_tail(9);
    room.body_of(0).bite_pause = 10;
    room.step();
    CHECK(room.count(EventKind::bitten) == 0);
}

TEST_CASE("creature game: motes come up one after the other until there are enough") {
    Room room(setup_of(level));
    for (int tick = 0; tick < 600; ++tick) {
        room.step();
        CHECK(room.state.motes.size() <= 20);
    }
    CHECK(room.state.motes.size() == 20);
    for (const Mote& mote : room.state.motes) CHECK(room.setup.walls().contains(mote.position));
}

TEST_CASE("creature game: nothing leaves the playground, however bodies are led and pushed") {
    test::for_each_seed(5, [](math::Random& random) {
        Room room(setup_of(level), random.next());
        for (Slot slot = 0; slot < 4; ++slot) room.join(slot, random.next());
        for (int tick = 0; tick < 1000; ++tick) {
            for (Slot slot = 0; slot < 4; ++slot)
                if (random.below(20) == 0)
                    room.inputs[slot].pointer = {random.uniform(-900, 900), random.uniform(-700, 700)};
            room.step();
            for (const Body& creature : room.state.creatures)
                for (std::uint32_t i = 0; i < room.size(creature).nodes; ++i)
                    REQUIRE(room.setup.edge().contains(creature.nodes[i].position));
        }
        room.check_legal();
    });
}
