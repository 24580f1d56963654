// SPDX-License-Identifier: MIT
// The recorded queue and session, statement by statement, and the laws behind them.
#include <orbit/tests/command_queue.h>

#include <orbit/flight.h>

#include <doctest/doctest.h>

#include <orbit/tests/support.h>
#include <tests/support/property.h>

#include <limits>
#include <set>

using namespace instep;
using namespace instep::worlds::orbit;
using state::Json;
using namespace test::orbit;

namespace {

constexpr Nanoseconds millisecond = 1'000'000;

Json recorded() { return test::orbit::read_json(test::orbit::vectors() / "session_and_queue.json"); }

std::uint32_t whole(const Json& object, std::string_view key) {
    std::uint64_t value = 0;
    REQUIRE(at(object, key).to_integer(value));
    return static_cast<std::uint32_t>(value);
}

Command command(std::uint32_t sequence) { return {sequence, {1, 1}}; }

// The document's session: a ship that is there from the beginning.
Room session_room(const Setup& setup) {
    Room room(setup);
    launch(*room.state.players.add(), room.setup);
    return room;
}

}  // namespace

TEST_CASE("orbit command queue: the queue decides on every recorded command as the original did") {
    const Json file = recorded();
    CommandQueue queue;
    for (const Json& event : *at(file, "queue_events").array()) {
        CAPTURE(state::write_json(event));
        const bool ok = *at(event, "ok").boolean();
        if (*at(event, "op").string() == "enqueue") {
            CHECK(queue.enqueue(command(whole(event, "seq"))) == ok);
        } else {
            const auto taken = queue.dequeue();
            CHECK(taken.has_value() == ok);
            if (taken) CHECK(taken->sequence == whole(event, "seq"));
        }
        CHECK(queue.size() == whole(event, "size"));
    }
}

TEST_CASE(
    "orbit command queue: the session runs the recorded ticks at the recorded times, to the recorded "
    "position") {
    const Json file = recorded();
    Room room = session_room(test::orbit::default_world());
    Session session;
    Nanoseconds now = 0;
    std::uint32_t sequence = 0;
    for (const Json& run : *at(file, "session_runs").array()) {
        CAPTURE(state::write_json(run));
        // What the figures tell of the commands: six of full thrust and full turn, each there in time.
        if (++sequence <= 6) REQUIRE(session.queue.enqueue(command(sequence)));
        now += whole(run, "advance_ms") * millisecond;
        CHECK(session.run(room.state, room.setup, now, 10, room.events) == whole(run, "ticks_processed"));
        CHECK(room.state.head->tick == whole(run, "tick"));
        CHECK(room.ship(0).position.x == doctest::Approx(at(run, "x").number()).epsilon(1e-14));
        CHECK(room.player(0).rotation == doctest::Approx(at(run, "rot").number()).epsilon(1e-14));
        CHECK(double{room.player(0).energy} == at(run, "energy").number());
    }
}

TEST_CASE(
    "orbit command queue: a restart here has all ten pallets, where the original's second session lacked "
    "one") {
    CHECK(whole(at(recorded(), "restart_defect"), "active_pallets_after_restart") == 9);
    const Setup setup = test::orbit::default_world();
    Room first = session_room(setup);
    Session session;
    CHECK(session.run(first.state, first.setup, 33 * millisecond, 10, first.events) == 1);
    CHECK(first.active_pallets() == 9);
    CHECK(session_room(setup).active_pallets() == 10);
    CHECK(session_room(first.setup).active_pallets() == 10);
    worlds::orbit::start(first.state, first.setup);
    CHECK(first.active_pallets() == 10);
}

TEST_CASE(
    "orbit command queue: commands come out lowest first, each at most once, never one below the last") {
    test::for_each_seed(2000, [](math::Random& random) {
        CommandQueue queue;
        std::set<std::uint32_t> expected;
        std::uint32_t next = 1;
        for (int i = 0; i < 100; ++i) {
            if (random.below(3) > 0) {
                const std::uint32_t sequence = next + random.below(12) - std::min(next, 4u);
                const bool fits = sequence >= next && expected.size() < CommandQueue::capacity &&
                                  !expected.contains(sequence);
                CHECK(queue.enqueue(command(sequence)) == fits);
                if (fits) expected.insert(sequence);
            } else if (const auto taken = queue.dequeue()) {
                REQUIRE(!expected.empty());
                CHECK(taken->sequence == *expected.begin());
                next = taken->sequence + 1;
                expected.erase(expected.begin());
            } else {
                CHECK(expected.empty());
            }
            REQUIRE(queue.size() == expected.size());
        }
    });
}

TEST_CASE("orbit command queue: a command keeps its input, whatever comes between") {
    CommandQueue queue;
    CHECK(queue.enqueue({9, {0.25f, -1}}));
    CHECK(queue.enqueue({4, {0.75f, 0.5f}}));
    CHECK(!queue.enqueue({9, {1, 1}}));
    CHECK(queue.dequeue()->input.thrust == 0.75f);
    CHECK(queue.dequeue()->input.turn == -1);
}

TEST_CASE("orbit command queue: after the last sequence number of all every command is old") {
    constexpr std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
    CommandQueue queue;
    CHECK(queue.enqueue(command(last)));
    CHECK(queue.dequeue()->sequence == last);
    CHECK(!queue.enqueue(command(last)));
    CHECK(!queue.enqueue(command(0)));
    CHECK(!queue.enqueue(command(1)));
}

TEST_CASE(
    "orbit command queue: an early call gets one tick, a late one at most what it asked for, none for time "
    "that did not pass") {
    CHECK(ticks_due(0, 10) == 0);
    CHECK(ticks_due(-500 * millisecond, 10) == 0);
    CHECK(ticks_due(1, 10) == 1);
    CHECK(ticks_due(33 * millisecond - 1, 10) == 1);
    CHECK(ticks_due(66 * millisecond - 1, 10) == 1);
    CHECK(ticks_due(66 * millisecond, 10) == 2);
    CHECK(ticks_due(500 * millisecond, 10) == 10);
    CHECK(ticks_due(std::numeric_limits<Nanoseconds>::max(), 10) == 10);
    CHECK(ticks_due(66 * millisecond, 0) == 0);
}

TEST_CASE("orbit command queue: a tick without a command is flown without thrust or turn") {
    Room with_session = session_room(test::orbit::default_world());
    Room plain = session_room(test::orbit::default_world());
    Session session;
    for (int i = 1; i <= 20; ++i) {
        CHECK(session.run(with_session.state, with_session.setup, i * tick_interval, 10,
                          with_session.events) == 1);
        plain.step();
        REQUIRE(with_session.image() == plain.image());
    }
}

TEST_CASE("orbit command queue: a session stops when the match is over, in the middle of its ticks") {
    Room room = session_room(test::orbit::default_world());
    Session session;
    room.ship(0) = {{50.3, 0}, {-6, 0}};  // two ticks from the sun
    CHECK(session.run(room.state, room.setup, 330 * millisecond, 10, room.events) == 2);
    CHECK(room.state.head->over);
    CHECK(room.state.head->tick == 2);
    CHECK(session.last_tick == 66 * millisecond);
    CHECK(session.run(room.state, room.setup, 660 * millisecond, 10, room.events) == 0);
}
