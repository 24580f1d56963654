// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <flail/tests/support.h>

using namespace instep;
using namespace instep::worlds::flail;
using test::FlailRoom;

namespace {

constexpr Rules short_rounds = [] {
    Rules rules = game;
    rules.round_ticks = 50;
    rules.round_goal = 5;
    rules.restart_pause = 10;
    return rules;
}();

struct RoundRoom : FlailRoom {
    RoundRoom() : FlailRoom(short_rounds) {
        join(0);
        join(1);
    }
    int steps_until(bool over) {
        int steps = 0;
        for (; state.head->over != over && steps < 1000; ++steps) {
            step();
            const auto legal = validate(state, setup);
            REQUIRE_MESSAGE(legal, legal.error().text());
        }
        return steps;
    }
    // The flail of one runs into the body of the other, which has hardly any health.
    void kill(Slot striker, Slot victim) {
        for (Player& one : state.players) one.protection = 0;
        player(victim).health = 1;
        player(victim).hit_pause = 0;
        flail_of(striker) = {.position = player(victim).body().position, .velocity = {39, 0}};
        step();
        REQUIRE(!player(victim).alive());
    }
};

}  // namespace

TEST_CASE("flail round: it ends with its clock, the best player wins, and the match stands still") {
    RoundRoom room;
    room.player(1).score = 3;
    CHECK(room.steps_until(true) == 48);  // the two joins took a tick each
    CHECK(room.state.head->winner == 1);
    CHECK(room.count(EventKind::won) == 1);
    const Vec2 at = room.player(0).body().position;
    room.inputs[0] = {.angle = 0, .moving = true};
    room.step();
    CHECK(room.player(0).body().position == at);
}

TEST_CASE("flail round: the next one begins after the pause, with no score and whole players") {
    RoundRoom room;
    room.player(1).score = 3;
    room.player(0).health = 10;
    room.player(0).flail_size = 2000;
    room.steps_until(true);
    CHECK(room.steps_until(false) == 10);
    CHECK(room.count(EventKind::restarted) == 1);
    CHECK(room.state.head->winner == no_player);
    CHECK(room.state.head->ticks_left == 50);
    for (Slot slot : {Slot{0}, Slot{1}}) {
        CHECK(room.player(slot).score == 0);
        CHECK(room.player(slot).health == game.most_health);
        CHECK(room.player(slot).flail_size == game.flail_size);
    }
}

TEST_CASE("flail round: the goal ends it at once, equal scores are a draw") {
    RoundRoom room;
    room.player(0).score = room.player(1).score = 5;
    room.step();
    CHECK(room.state.head->over);
    CHECK(room.state.head->winner == no_player);
    CHECK(room.count(EventKind::drawn) == 1);
}

TEST_CASE("flail round: a player in an empty room begins a whole one") {
    RoundRoom room;
    room.steps_until(true);
    room.leave(0);
    room.leave(1);
    CHECK(!room.state.head->over);
    room.join(5);
    CHECK(!room.state.head->over);
    CHECK(room.state.head->ticks_left == 49);
}

TEST_CASE("flail king: the leader is crowned once, and killing it is worth the bounty") {
    RoundRoom room;
    room.kill(0, 1);
    CHECK(room.count(EventKind::crowned) == 1);
    REQUIRE(king_of(room.state.players));
    CHECK(king_of(room.state.players)->slot == 0);
    room.step();
    CHECK(room.count(EventKind::crowned) == 0);
    room.player(1).respawn_pause = 1;
    room.step();  // it is back
    room.kill(1, 0);
    CHECK(room.player(1).score == 1 + room.setup.rules.king_bounty);
    CHECK(king_of(room.state.players)->slot == 1);
}

TEST_CASE("flail round: the document's rules have neither rounds nor kings") {
    FlailRoom room(faithful);
    room.join(0);
    for (int i = 0; i < 100; ++i) room.step();
    CHECK(room.state.head->ticks_left == 0);
    CHECK(!room.state.head->over);
}

TEST_CASE("flail round: a head that no round has is refused") {
    const auto refusal = [](auto change) {
        RoundRoom room;
        change(*room.state.head);
        const auto legal = validate(room.state, room.setup);
        return legal ? std::string() : legal.error().text();
    };
    using Head = contract::RoundHead;
    CHECK(refusal([](Head&) {}).empty());
    CHECK(refusal([](Head& head) { head.ticks_left = 51; }).find("ticks_left") != std::string::npos);
    CHECK(refusal([](Head& head) {
              head.over = true;
              head.ticks_left = 0;
          }).find("head.over") != std::string::npos);
    CHECK(refusal([](Head& head) { head.winner = 1; }).find("head.winner") != std::string::npos);
}
