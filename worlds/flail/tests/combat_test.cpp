// SPDX-License-Identifier: MIT
#include <flail/combat.h>

#include <algorithm>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::worlds::flail;
using test::FlailRoom;

namespace {

// A room of the game in which the players stand far apart, with their ropes beside them.
struct Arena : FlailRoom {
    explicit Arena(Slot players = 2) : FlailRoom(worlds::flail::game) {
        for (Slot slot = 0; slot < players; ++slot) {
            join(slot);
            put(slot, {1000.0 * slot, 0});
            player(slot).protection = 0;
        }
    }
    void put(Slot slot, Vec2 at) {
        double along = 0;
        for (Particle& node : rope_of(player(slot), setup)) {
            node = {.position = at + Vec2{0, along}, .velocity = {}};
            along += setup.rules.rope_rest_length;
        }
    }
    // The flail of one touches the body of the other at this velocity; nothing else of the tick is run.
    void strike(Slot striker, Slot victim, Vec2 velocity) {
        flail_of(striker) = {.position = player(victim).body().position, .velocity = velocity};
        events = contract::Events<Event>(event_room);
        strike_all(state, setup, TickStart(state, setup), events);
        put_flail_away(striker);
    }
    void put_flail_away(Slot slot) {
        flail_of(slot) = {.position = player(slot).body().position + Vec2{0, 160}, .velocity = {}};
    }
    void wait(int ticks) {
        for (int i = 0; i < ticks; ++i) strike_all(state, setup, TickStart(state, setup), events);
    }
    void kill(Slot striker, Slot victim) {
        player(victim).body().velocity = {};
        player(victim).hit_pause = 0;
        player(victim).health = 1;
        strike(striker, victim, {1000, 0});
        REQUIRE(!player(victim).alive());
    }
};

}  // namespace

TEST_CASE("flail combat: damage grows with the relative speed, from nothing up to the harmless speed on") {
    CHECK(damage_at(0, game) == 0);
    CHECK(damage_at(game.harmless_speed, game) == 0);
    CHECK(damage_at(game.harmless_speed + 1, game) == game.damage_per_speed);
    test::for_each_seed(200, [](math::Random& random) {
        const double slow = random.uniform(0, 50);
        const double fast = slow + random.uniform(0, 50);
        CHECK(damage_at(slow, game) <= damage_at(fast, game));
    });
}

TEST_CASE("flail combat: a hit takes health by its relative speed, says so, and knocks the body along") {
    Arena room;
    room.player(1).body().velocity = {-2, 0};
    room.strike(0, 1, {10, 0});  // they meet at 12 u/tick
    const double damage = damage_at(12, room.setup.rules);
    CHECK(damage == (12 - 8) * 2.25);
    CHECK(room.player(1).health == 100 - damage);
    CHECK(room.player(1).body().velocity == Vec2{-2 + 0.6 * 12, 0});
    REQUIRE(room.events.all().size() == 1);
    const Event& event = room.events.all()[0];
    CHECK(event.kind == worlds::flail::EventKind::hit);
    CHECK(event.slot == 1);
    CHECK(event.by == 0);
    CHECK(event.amount == damage);
}

TEST_CASE(
    "flail combat: what counts is the relative speed: a flail that flies along with its victim does "
    "nothing") {
    Arena room;
    room.player(1).body().velocity = {10, 0};
    room.strike(0, 1, {12, 0});
    CHECK(room.player(1).health == 100);
    CHECK(room.player(1).body().velocity == Vec2{10, 0});
    CHECK(room.events.all().empty());
}

TEST_CASE("flail combat: a flail reaches as far as its radius and that of the body") {
    Arena room;
    const double reach = room.setup.rules.body_radius + room.setup.flail_radius(room.player(0).flail_size);
    CHECK(reach == doctest::Approx(75));
    const auto hits_from = [&](double distance) {
        room.player(1).hit_pause = 0;
        room.player(1).body().velocity = {};
        room.flail_of(0) = {.position = room.player(1).body().position + Vec2{distance, 0},
                            .velocity = {-9, 0}};
        room.events = contract::Events<Event>(room.event_room);
        strike_all(room.state, room.setup, TickStart(room.state, room.setup), room.events);
        return !room.events.all().empty();
    };
    CHECK(hits_from(reach - 0.001));
    CHECK(!hits_from(reach + 0.001));
    room.player(0).flail_size = 3000;
    CHECK(hits_from(reach + 59));
    CHECK(!hits_from(reach + 61));
}

TEST_CASE("flail combat: a player that was hit cannot be hit again for a moment") {
    Arena room(3);
    room.strike(0, 1, {10, 0});
    const double health = room.player(1).health;
    room.strike(0, 1, {30, 0});
    room.strike(2, 1, {30, 0});
    CHECK(room.player(1).health == health);
    room.wait(static_cast<int>(room.setup.rules.hit_pause) - 3);  // two of its ticks have gone
    room.player(1).body().velocity = {};
    room.strike(2, 1, {10, 0});
    CHECK(room.player(1).health < health);
}

TEST_CASE("flail combat: a flail never hurts its owner") {
    Arena room;
    room.flail_of(0) = {.position = room.player(0).body().position, .velocity = {500, 0}};
    strike_all(room.state, room.setup, TickStart(room.state, room.setup), room.events);
    CHECK(room.player(0).health == 100);
    CHECK(room.player(0).body().velocity == Vec2{});
}

TEST_CASE("flail combat: a kill scores and makes the killer's flail grow, up to a limit") {
    Arena room;
    const Rules& rules = room.setup.rules;
    const std::uint32_t kills_to_limit = (rules.most_flail_size - rules.flail_size) / rules.growth;
    for (std::uint32_t kill = 1; kill <= kills_to_limit + 3; ++kill) {
        room.kill(0, 1);
        CHECK(room.count(worlds::flail::EventKind::died) == 1);
        CHECK(room.player(1).health == 0);
        CHECK(room.player(0).score == static_cast<std::int32_t>(kill));
        CHECK(room.player(0).flail_size ==
              std::min(rules.flail_size + kill * rules.growth, rules.most_flail_size));
        room.player(1).respawn_pause = 0;
        room.player(1).health = 100;
    }
    CHECK(room.player(1).score == 0);
}

TEST_CASE("flail combat: the event of a death names the dead player, the position and the attacker") {
    Arena room;
    room.kill(0, 1);
    REQUIRE(room.count(EventKind::died) == 1);
    const auto all = room.events.all();
    const Event& event = *std::ranges::find(all, EventKind::died, &Event::kind);
    CHECK(event.slot == 1);
    CHECK(event.by == 0);
    CHECK(event.position == room.player(1).body().position);
}

TEST_CASE(
    "flail combat: the dead neither move nor strike nor are struck, and live again after a pause, as new but "
    "for the score") {
    Arena room;
    room.player(1).score = 5;
    room.player(1).flail_size = 2000;
    room.player(1).loose = true;
    room.kill(0, 1);
    room.inputs[1] = {.angle = 0, .moving = true};
    const auto rope = room.player(1).rope;
    const double pause = room.setup.rules.respawn_pause;
    for (int tick = 1; tick < pause; ++tick) {
        room.step();
        REQUIRE(!room.player(1).alive());
        REQUIRE(room.player(1).rope == rope);
    }
    room.flail_of(1) = {.position = room.player(0).body().position, .velocity = {50, 0}};
    room.flail_of(0) = {.position = room.player(1).body().position, .velocity = {50, 0}};
    strike_all(room.state, room.setup, TickStart(room.state, room.setup), room.events);
    CHECK(room.player(0).health == 100);
    CHECK(room.player(1).health == 0);

    room.put_flail_away(0);
    room.step();
    CHECK(room.count(worlds::flail::EventKind::respawned) == 1);
    const Player& reborn = room.player(1);
    CHECK(reborn.alive());
    CHECK(reborn.health == room.setup.rules.most_health);
    CHECK(reborn.flail_size == room.setup.rules.flail_size);
    CHECK(reborn.score == 5);
    CHECK(!reborn.loose);
    CHECK(reborn.body().velocity == Vec2{});
}

TEST_CASE("flail combat: a press lets the flail fly, holding changes nothing, the next press calls it back") {
    Arena room;
    using worlds::flail::EventKind;
    const auto step_with = [&](bool button) {
        room.inputs[0].letting_go = button;
        room.step();
        return room.count(EventKind::let_go) - room.count(EventKind::called_back);
    };
    CHECK(step_with(false) == 0);
    CHECK(step_with(true) == 1);
    CHECK(room.player(0).loose);
    for (int tick = 0; tick < 50; ++tick) {
        CHECK(step_with(true) == 0);
        CHECK(room.player(0).loose);
    }
    for (int tick = 0; tick < 5; ++tick) CHECK(step_with(false) == 0);
    CHECK(room.player(0).loose);
    CHECK(step_with(true) == -1);
    CHECK(!room.player(0).loose);
    CHECK(step_with(true) == 0);
    CHECK(!room.player(0).loose);
}

TEST_CASE("flail combat: whatever the button does, the flail's state is the parity of its presses") {
    test::for_each_seed(50, [](math::Random& random) {
        Arena room;
        bool before = false;
        bool loose = false;
        for (int tick = 0; tick < 100; ++tick) {
            const bool button = random.below(2) == 0;
            if (button && !before) loose = !loose;
            before = button;
            room.inputs[0].letting_go = button;
            room.step();
            REQUIRE(room.player(0).loose == loose);
            REQUIRE(!room.player(1).loose);
        }
    });
}

TEST_CASE("flail combat: a button that was held in death does not count as pressed in the new life") {
    Arena room;
    room.kill(0, 1);
    room.inputs[1].letting_go = true;
    for (std::uint32_t tick = 0; tick < room.setup.rules.respawn_pause + 5; ++tick) room.step();
    CHECK(room.player(1).alive());
    CHECK(!room.player(1).loose);
}

TEST_CASE("flail combat: a called flail is drawn back by its rope") {
    Arena room;
    room.player(0).loose = true;
    room.flail_of(0) = {.position = {0, 1500}, .velocity = {}};
    room.inputs[0].letting_go = true;
    for (int tick = 0; tick < 200; ++tick) room.step();
    CHECK(!room.player(0).loose);
    CHECK(distance(room.flail_of(0).position, room.player(0).body().position) < 300);
}

TEST_CASE("flail combat: a loose flail hits as one on its rope does") {
    Arena room;
    room.player(0).loose = true;
    room.flail_of(0) = {.position = {900, 0}, .velocity = {30, 0}};
    room.step();
    CHECK(room.count(worlds::flail::EventKind::hit) == 1);
    CHECK(room.player(1).health < 100);
}

TEST_CASE("flail combat: faithful rules know no damage, no loose flail and no death") {
    FlailRoom room(faithful);
    room.join(0);
    room.join(1);
    room.inputs[0] = {.angle = 0, .moving = true, .letting_go = true};
    for (int tick = 0; tick < 100; ++tick) {
        room.flail_of(0) = {.position = room.player(1).body().position, .velocity = {50, 0}};
        room.step();
        REQUIRE(room.events.all().empty());
    }
    CHECK(!room.player(0).loose);
    CHECK(room.player(1).body().position == Vec2{});
    CHECK(room.player(1).alive());
}
