// SPDX-License-Identifier: MIT
// What makes the flail a weapon: hits that cannot be missed by being fast, a reel that is no slingshot,
// flails that parry, and swinging well as the way to win.
#include <flail/combat.h>

#include <doctest/doctest.h>

#include <flail/tests/support.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>

using namespace instep;
using namespace instep::worlds::flail;
using test::FlailRoom;

namespace {

void put(FlailRoom& room, Slot slot, Vec2 at) {
    double along = 0;
    for (Particle& node : rope_of(room.player(slot), room.setup)) {
        node = {.position = at + Vec2{0, along}, .velocity = {}};
        along += room.setup.rules.rope_rest_length;
    }
    room.player(slot).protection = 0;
}

FlailRoom duel(const Rules& rules = game) {
    FlailRoom room(rules);
    room.join(0);
    room.join(1);
    put(room, 0, {0, 0});
    put(room, 1, {1000, 0});
    return room;
}

// The health that the hits of a tick took.
std::vector<double> hits_of(const FlailRoom& room) {
    std::vector<double> hits;
    for (const Event& event : room.events.all())
        if (event.kind == EventKind::hit) hits.push_back(event.amount);
    return hits;
}

double median(std::vector<double> values) {
    REQUIRE(!values.empty());
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

TEST_CASE("flail game: a flail of any speed hits a body in its way, wherever it is when the tick begins") {
    Rules rules = game;
    rules.most_flail_speed = 0;
    test::for_each_seed(300, [&](math::Random& random) {
        FlailRoom room(rules);
        room.join(0);
        room.join(1);
        put(room, 0, {-3000, 3000});
        put(room, 1, {0, 0});
        room.player(0).loose = true;
        const double speed = random.uniform(20, 2000);
        const double aside = random.uniform(-60, 60);  // of the 75 that they reach
        room.flail_of(0) = {.position = {-random.uniform(80, 1500), aside}, .velocity = {speed, 0}};
        std::size_t hits = 0;
        for (int tick = 0; tick < 200 && hits == 0; ++tick) {
            room.step();
            hits = hits_of(room).size();
            if (room.flail_of(0).velocity.x < 15) return;  // slower than needed before it came there
            if (room.flail_of(0).position.x > 100) break;
        }
        REQUIRE(hits == 1);
    });
}

TEST_CASE("flail game: a called flail comes back, never faster than the reel, and tears nobody apart") {
    test::for_each_seed(50, [](math::Random& random) {
        FlailRoom room = duel();
        room.player(0).loose = true;
        const double away = random.uniform(300, 5000);
        const double angle = random.uniform(-math::pi, math::pi);
        const double most = room.setup.rules.reel_speed;
        room.flail_of(0) = {.position = Vec2{std::cos(angle), std::sin(angle)} * away,
                            .velocity = {random.uniform(-10, 10), random.uniform(-10, 10)}};
        room.inputs[0] = {.angle = random.uniform(-3, 3), .moving = random.below(2) == 0, .letting_go = true};
        int ticks = 0;
        do {
            room.step();
            REQUIRE(length(room.flail_of(0).velocity) <= most + 1e-9);
            for (const double hit : hits_of(room)) REQUIRE(hit <= damage_at(most + 10, room.setup.rules));
            ++ticks;
        } while (room.player(0).reeling && ticks < 1000);
        CHECK(!room.player(0).reeling);
        CHECK(ticks < 60 + away / 10);
    });
}

// The victim stands in the way and is put back there after each hit: what is measured is the swing.
TEST_CASE("flail game: a good circle hits for 15 and more, and kills in four to eight hits") {
    for (const double turn : {0.055, 0.06, 0.065, 0.07, 0.075}) {  // rad a tick; the circle of the body has
        CAPTURE(turn);                                             // 115 to 160 u then
        FlailRoom room = duel();
        std::vector<double> hits;
        for (int tick = 0; tick < 2000 && room.player(1).alive(); ++tick) {
            room.inputs[0] = {.angle = std::remainder(turn * tick, math::two_pi), .moving = true};
            if (tick == 200 || (tick > 200 && room.player(1).hit_pause == 1)) {
                // A quarter turn ahead of the flail, on its circle.
                const Vec2 velocity = room.flail_of(0).velocity;
                const Vec2 to_middle = Vec2{-velocity.y, velocity.x} * (1 / turn);
                const Vec2 middle = room.flail_of(0).position + to_middle * 0.97;
                put(room, 1, middle + velocity * (1 / turn));
                room.player(1).loose = true;  // its flail parries nothing
                room.flail_of(1) = {.position = {4000, 4000}, .velocity = {}};
            }
            room.step();
            const auto of_tick = hits_of(room);
            hits.insert(hits.end(), of_tick.begin(), of_tick.end());
        }
        CHECK(!room.player(1).alive());
        CHECK(median(hits) >= 15);
        CHECK(hits.size() >= 4);
        CHECK(hits.size() <= 8);
        CHECK(*std::max_element(hits.begin(), hits.end()) <= 60);
    }
}

TEST_CASE("flail game: running straight past does a third of what a circle does") {
    FlailRoom room = duel();
    put(room, 1, {2000, 60});
    room.inputs[0] = {.angle = 0, .moving = true};
    std::vector<double> hits;
    for (int tick = 0; tick < 400 && hits.empty(); ++tick) {
        room.step();
        hits = hits_of(room);
    }
    REQUIRE(hits.size() == 1);
    CHECK(hits[0] <= 7);
}

TEST_CASE(
    "flail game: no hit takes more than 60, and no flail is faster than its limit, whatever players do") {
    test::for_each_seed(10, [](math::Random& random) {
        FlailRoom room(Setup{.rules = game, .map = {.size = 1200, .most_players = 12}});
        room.setup.rules.spawn_spread = 500;
        for (Slot slot = 0; slot < 12; ++slot) room.join(slot);
        for (int tick = 0; tick < 1500; ++tick) {
            for (Slot slot = 0; slot < 12; ++slot)
                if (random.below(10) == 0)
                    room.inputs[slot] = {.angle = random.uniform(-3, 3),
                                         .moving = random.below(4) > 0,
                                         .letting_go = random.below(2) == 0};
            room.step();
            for (const double hit : hits_of(room)) REQUIRE(hit <= 60);
            REQUIRE(worlds::flail::validate(room.state, room.setup));
        }
    });
}

TEST_CASE(
    "flail game: bots swing: their kills take four to eight hits in the median, and few hits are scratches") {
    FlailRoom room(Setup{.rules = game, .map = {.size = 3000, .most_players = 8}});
    room.setup.rules.spawn_spread = 1200;
    for (Slot slot = 0; slot < 8; ++slot) room.join(slot);
    std::vector<double> hits;
    std::vector<double> hits_of_kills;
    std::array<int, 8> taken{};
    for (int tick = 0; tick < 40 * 240; ++tick) {
        for (Slot slot = 0; slot < 8; ++slot)
            room.inputs[slot] = worlds::flail::bot(room.state, room.setup, slot);
        room.step();
        for (const Event& event : room.events.all()) {
            if (event.kind == EventKind::hit) {
                hits.push_back(event.amount);
                ++taken[event.slot];
            } else if (event.kind == EventKind::died) {
                hits_of_kills.push_back(taken[event.slot]);
                taken[event.slot] = 0;
            }
        }
    }
    MESSAGE("hits " << hits.size() << " median " << median(hits) << ", kills " << hits_of_kills.size()
                    << " median hits " << median(hits_of_kills));
    CHECK(median(hits) >= 12);
    CHECK(median(hits_of_kills) >= 4);
    CHECK(median(hits_of_kills) <= 8);
}

TEST_CASE("flail game: a new player neither strikes nor is struck for two seconds") {
    FlailRoom room(game);
    room.join(0);
    room.join(1);
    put(room, 0, {0, 0});
    const auto strike_each_other = [&] {
        for (Slot slot = 0; slot < 2; ++slot) {
            room.player(slot).hit_pause = 0;
            room.player(slot).body().velocity = {};
            room.flail_of(slot) = {
                .position = room.player(static_cast<Slot>(1 - slot)).body().position + Vec2{0, 10.0 * slot},
                .velocity = {20, 0}};
        }
        room.events = contract::Events<Event>(room.event_room);
        strike_all(room.state, room.setup, TickStart(room.state, room.setup), room.events);
        return hits_of(room).size();
    };
    CHECK(room.player(1).protection == game.spawn_protection - 1);  // the tick of joining is the first
    for (std::uint32_t tick = 2; tick < game.spawn_protection; ++tick) REQUIRE(strike_each_other() == 0);
    CHECK(strike_each_other() == 2);
}

TEST_CASE("flail game: flails that meet bounce off each other, and no body behind them is hit") {
    test::for_each_seed(100, [](math::Random& random) {
        FlailRoom room = duel();
        put(room, 0, {-800, 0});
        put(room, 1, {300, 0});
        const double speed = random.uniform(20, 60);
        room.player(0).loose = room.player(1).loose = true;
        // The flail of 1 stands between the flail of 0 and the body of 1.
        room.flail_of(0) = {.position = {0, random.uniform(-10, 10)}, .velocity = {speed, 0}};
        room.flail_of(1) = {.position = {100, 0}, .velocity = {}};
        room.setup.rules.most_flail_speed = 0;
        bool clashed = false;
        for (int tick = 0; tick < 5; ++tick) {
            const Vec2 before = room.flail_of(0).velocity + room.flail_of(1).velocity;
            room.step();
            CHECK(hits_of(room).empty());
            const Vec2 after = room.flail_of(0).velocity + room.flail_of(1).velocity;
            CHECK(length(after - before * game.loose_kept) < 1e-9);  // momentum: both have the same size
            clashed = clashed || room.count(EventKind::clash) == 1;
        }
        CHECK(clashed);
        CHECK(room.flail_of(1).velocity.x > room.flail_of(0).velocity.x);
    });
}

TEST_CASE("flail game: a larger flail wins a clash") {
    FlailRoom room = duel();
    room.player(0).flail_size = 3000;
    room.player(0).loose = room.player(1).loose = true;
    room.flail_of(0) = {.position = {0, 500}, .velocity = {20, 0}};
    room.flail_of(1) = {.position = {130, 500}, .velocity = {-20, 0}};
    room.step();
    REQUIRE(room.count(EventKind::clash) == 1);
    CHECK(room.flail_of(0).velocity.x > 0);
    CHECK(room.flail_of(1).velocity.x > 30);
}
