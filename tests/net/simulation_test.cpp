// SPDX-License-Identifier: MIT
// Rooms of bots over bad networks: small ones here, the campaign is `instep netsim campaign`.
#include <instep/net/simulation.h>

#include <tests/net/rooms.h>

using namespace instep;
using namespace instep::net;

namespace {

std::string text_of(const SimulationReport& report) {
    std::string text;
    for (const std::string& fault : report.faults) text += fault + "\n";
    return text;
}

}  // namespace

TEST_CASE("on every level nobody is lost for good over lines of all kinds with a storm in the middle") {
    std::uint64_t levels = 0;
    test::for_each_level([&](const match::SharedSetup& setup) {
        // Each level meets one of the four kinds of rooms; the campaign goes through all.
        const std::uint64_t seed = ++levels;
        const SimulationPlan plan{.seed = seed,
                                  .players = std::min(3u, setup->facts.most_players),
                                  .seconds = 24,
                                  .room = seed % 4 < 2 ? RoomKind::snapshots : RoomKind::relay,
                                  .link = seed % 2 == 0 ? LinkKind::ordered : LinkKind::datagram,
                                  .varied = true,
                                  .storm_at = 2,
                                  .storm_seconds = 5,
                                  .host_lateness = 0.005};
        const SimulationReport report = simulate(setup, plan);
        CAPTURE(plan.seed);
        CHECK_MESSAGE(report.faults.empty(), text_of(report));
        CHECK(report.desyncs == 0);
        CHECK(report.deepest_rollback <= setup->facts.tick_rate);
        CHECK(report.most_under_way < 200'000);
    });
}

TEST_CASE("the same seed is the same simulation, another seed another") {
    const match::SharedSetup setup = test::level("flail", "pit");
    SimulationPlan plan{.seed = 5, .players = 6, .seconds = 10, .link = LinkKind::datagram, .varied = true};
    const SimulationReport one = simulate(setup, plan);
    const SimulationReport two = simulate(setup, plan);
    CHECK(one.hash == two.hash);
    CHECK(one.down == two.down);
    CHECK(one.corrections == two.corrections);
    plan.seed = 6;
    CHECK(simulate(setup, plan).hash != one.hash);
}

TEST_CASE("the server's lateness does not change how far ahead clients run") {
    const match::SharedSetup setup = test::level("orbit", "belt");
    SimulationPlan plan{.players = 4, .seconds = 30};
    const SimulationReport punctual = simulate(setup, plan);
    plan.host_lateness = 0.03;
    const SimulationReport late = simulate(setup, plan);
    CHECK(std::abs(late.mean_lead - punctual.mean_lead) < 0.005);
}

// The targets where they can be measured in seconds; each figure is payload over an ordered link.
TEST_CASE("thirty-two players of flail and of orbit cost at most 3 kB a second each") {
    for (const auto& [world, name] : {std::pair{"flail", "plain"}, {"orbit", "belt"}}) {
        const SimulationReport report = simulate(test::level(world, name), {.players = 32, .seconds = 20});
        CAPTURE(std::string(world));
        CHECK(report.faults.empty());
        CHECK(report.down <= 3);
        CHECK(report.join_size <= 4000);
    }
}

TEST_CASE(
    "free flight at 50 ms is never corrected, and at 150 ms with 2 percent loss in fewer than 1 of 1000 "
    "frames") {
    const match::SharedSetup setup = test::level("orbit", "belt");
    const SimulationReport near = simulate(setup, {.players = 16, .seconds = 30});
    CHECK(near.corrections == 0);
    PlayerConditions far;
    far.up = far.down = {.latency = 0.075, .loss = 0.02};
    const SimulationReport rough =
        simulate(setup, {.players = 16, .seconds = 60, .link = LinkKind::datagram, .conditions = far});
    CHECK(rough.corrections * 1000 < rough.frames);
}
