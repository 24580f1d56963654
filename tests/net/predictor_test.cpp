// SPDX-License-Identifier: MIT
#include <instep/net/predictor.h>

#include <tests/net/logged_match.h>

#include <instep/match/random_input.h>
#include <instep/math/random.h>

using namespace instep;
using namespace instep::net;

namespace {

// One player alone in a room, pressing at random.
struct Alone {
    match::SharedSetup setup;
    match::Match match;
    match::TickBuilder tick;
    math::Random random = math::Random::from_seed(9);
    present::EventFeed events;

    explicit Alone(const match::SharedSetup& given)
        : setup(given), match(given, 4), tick(*given), events(*given->world->event, 6) {
        tick.begin();
        tick.join({.name = contract::PlayerName::of("alone"), .slot = 0});
        match.step(tick.bytes());
        tick.begin();
    }
    void draw_input() {
        tick.begin();
        match::random_input(*setup->world->input, random, tick.input(0));
        match.sanitize(tick.input(0));
    }
};

}  // namespace

TEST_CASE("predictor: a player alone is predicted exactly, and a rollback ends in the same state") {
    test::for_each_level([](const match::SharedSetup& setup) {
        Alone room(setup);
        Predictor predictor(*setup, 40);
        predictor.set_base(room.match.state(), room.match.tick());
        predictor.replay(0, room.events);
        state::Block earlier(setup->layout);
        for (int round = 0; round < 8; ++round) {
            std::memcpy(earlier.data(), room.match.state(), setup->layout.size);
            const std::uint64_t then = room.match.tick();
            for (int i = 0; i < 30; ++i) {
                room.draw_input();
                predictor.advance(0, room.tick.input(0), room.events);
                room.match.step(room.tick.bytes());
            }
            REQUIRE(predictor.tick() == room.match.tick());
            REQUIRE(state::hash(setup->layout, predictor.state()) == room.match.hash());
            predictor.set_base(earlier.data(), then);
            REQUIRE(predictor.has_new_base());
            predictor.replay(0, room.events);
            REQUIRE(state::hash(setup->layout, predictor.state()) == room.match.hash());
            predictor.set_base(room.match.state(), room.match.tick());
            predictor.replay(0, room.events);
        }
    });
}

TEST_CASE("predictor: it never predicts or replays more than its depth") {
    Alone room(test::level("orbit", "belt"));
    Predictor predictor(*room.setup, 10);
    predictor.set_base(room.match.state(), room.match.tick());
    predictor.replay(0, room.events);
    const codec::Bytes nothing(room.setup->world->input->size);
    std::uint64_t ticks = 0;
    for (; predictor.may_go_on(); ++ticks) predictor.advance(0, nothing.data(), room.events);
    CHECK(ticks == 10);
    predictor.skip_to(predictor.tick() + 1000, 0, room.events);
    CHECK(predictor.tick() == predictor.base_tick() + 10);
    std::uint64_t before = predictor.steps();
    predictor.skip_to(predictor.tick() + 1000, 0, room.events);  // as in every frame of a line that is silent
    CHECK(predictor.steps() == before);
    predictor.set_base(room.match.state(), room.match.tick());
    predictor.replay(0, room.events);
    CHECK(predictor.steps() - before == 10);
}

TEST_CASE("predictor: skipped ticks use the last input, as the server does") {
    Alone room(test::level("bounce", "box"));
    Predictor predictor(*room.setup, 60);
    predictor.set_base(room.match.state(), room.match.tick());
    predictor.replay(0, room.events);
    room.draw_input();
    predictor.advance(0, room.tick.input(0), room.events);
    predictor.skip_to(predictor.tick() + 12, 0, room.events);
    for (int i = 0; i < 13; ++i) {
        room.match.step(room.tick.bytes());
        room.tick.begin();
    }
    CHECK(predictor.tick() == room.match.tick());
    CHECK(state::hash(room.setup->layout, predictor.state()) == room.match.hash());
}

TEST_CASE("predictor: skipping back or from a new base ends where playing to that tick does") {
    Alone room(test::level("bounce", "box"));
    Predictor predictor(*room.setup, 60);
    predictor.set_base(room.match.state(), room.match.tick());
    predictor.replay(0, room.events);
    std::uint64_t fifth = 0;
    for (int i = 0; i < 20; ++i) {
        room.draw_input();
        predictor.advance(0, room.tick.input(0), room.events);
        room.match.step(room.tick.bytes());
        if (i == 4) fifth = room.match.hash();
    }
    const std::uint64_t last = room.match.tick();
    predictor.skip_to(last - 15, 0, room.events);
    CHECK(predictor.tick() == last - 15);
    CHECK(state::hash(room.setup->layout, predictor.state()) == fifth);

    predictor.set_base(room.match.state(), last);
    predictor.skip_to(last + 5, 0, room.events);
    for (int i = 0; i < 5; ++i) room.match.step(room.tick.bytes());
    CHECK(predictor.tick() == room.match.tick());
    CHECK(state::hash(room.setup->layout, predictor.state()) == room.match.hash());
}

TEST_CASE("predictor: a base from the future moves the prediction to its tick") {
    Alone room(test::level("bounce", "box"));
    Predictor predictor(*room.setup, 60);
    predictor.set_base(room.match.state(), room.match.tick());
    predictor.replay(0, room.events);
    for (int i = 0; i < 20; ++i) room.match.step(room.tick.bytes()), room.tick.begin();
    predictor.set_base(room.match.state(), room.match.tick());
    predictor.replay(0, room.events);
    CHECK(predictor.tick() == room.match.tick());
}
