// SPDX-License-Identifier: MIT
#include <instep/net/clock.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace instep;
using net::Clock;

namespace {

// A line between a client and a server whose room time is the true time; the client's clock is wrong.
struct Line {
    double up = 0.04;
    double down = 0.04;
    double jitter = 0;
    double drift = 0;
    Clock clock{1.0 / 60};
    math::Random random = math::Random::from_seed(3);
    double true_time = 100;
    double last_input = -1;
    double fastest = 0;
    double slowest = 2;

    double local() const { return 5000 + true_time * (1 + drift); }
    // Runs for a while: probes twice a second, a margin report ten times; returns the least margin of the
    // last half.
    double run(double seconds) {
        double least = 1;
        const double half = true_time + seconds / 2;
        double next_probe = true_time;
        double next_slack = true_time;
        for (const double end = true_time + seconds; true_time < end; true_time += 1.0 / 240) {
            const double before = clock.time();
            const bool ran = clock.known();
            const std::uint32_t jumps = clock.jumps();
            clock.advance(local());
            if (ran && before > 0 && clock.jumps() == jumps) {
                const double rate = (clock.time() - before) * 240 / (1 + drift);
                fastest = std::max(fastest, rate);
                slowest = std::min(slowest, rate);
            }
            if (true_time >= next_probe) {
                next_probe += 0.5;
                const double there = up + random.uniform() * jitter;
                const double back = down + random.uniform() * jitter;
                clock.add_probe(local() - (there + back) * (1 + drift), true_time - back, local());
            }
            if (clock.known() && true_time >= next_slack) {
                next_slack += 0.1;
                const double way = up + random.uniform() * jitter;
                const double margin = clock.time() - (true_time + way);  // of an input made now
                clock.add_input_margin(clock.lead(local()), margin, local());
                if (true_time > half) least = std::min(least, margin);
            }
        }
        return least;
    }
};

}  // namespace

TEST_CASE("the clock finds the room's time and a lead that is just long enough") {
    Line line;
    const double least = line.run(10);
    CHECK(std::abs(line.clock.room_time(line.local()) - line.true_time) < 0.001);
    CHECK(line.clock.round_trip() == doctest::Approx(0.08).epsilon(0.01));
    CHECK(least > 0);
    CHECK(least < 2.0 / 60);
}

TEST_CASE("inputs arrive in time over a lopsided, jittery line with a drifting clock") {
    for (const double drift : {-3e-4, 0.0, 3e-4}) {
        for (const double jitter : {0.0, 0.02, 0.06}) {
            Line line;
            line.up = 0.12;
            line.down = 0.01;
            line.jitter = jitter;
            line.drift = drift;
            CAPTURE(drift);
            CAPTURE(jitter);
            const double least = line.run(60);
            CHECK(least > 0);
            CHECK(line.clock.lead(line.local()) < 0.2 + jitter + 3.0 / 60);
        }
    }
}

TEST_CASE("the lead grows with jitter and shrinks again when the line is calm") {
    Line line;
    line.run(20);
    const double calm = line.clock.wanted_lead();
    line.jitter = 0.1;
    line.run(20);
    const double rough = line.clock.wanted_lead();
    CHECK(rough > calm + 0.05);
    line.jitter = 0;
    line.run(60);
    CHECK(line.clock.wanted_lead() < calm + 0.01);
}

TEST_CASE("a lead that shrinks by much is walked back, never jumped") {
    for (const double tick_rate : {20, 60, 120}) {
        CAPTURE(tick_rate);
        Line line{.clock = Clock(1 / tick_rate)};
        line.up = line.down = 0.7;
        line.run(20);
        CHECK(line.clock.lead(line.local()) == doctest::Approx(net::ClockConfig{}.max_lead).epsilon(0.05));
        const std::uint32_t jumps = line.clock.jumps();
        line.up = line.down = 0.01;
        line.run(60);
        CHECK(line.clock.jumps() == jumps);
        CHECK(line.slowest >= 0.9499);
        CHECK(line.clock.lead(line.local()) < 0.1);
    }
}

TEST_CASE("the client's time never runs more than 5 percent fast or slow") {
    Line line;
    line.jitter = 0.05;
    line.run(20);
    line.up = 0.2;
    line.run(20);
    line.up = 0.01;
    line.run(40);
    CHECK(line.fastest <= 1.0501);
    CHECK(line.slowest >= 0.9499);
}

TEST_CASE("after a long sleep the clock jumps instead of catching up") {
    Line line;
    line.run(5);
    const double lead = line.clock.lead(line.local());
    line.true_time += 30;
    line.clock.advance(line.local());
    CHECK(line.clock.lead(line.local()) == doctest::Approx(lead).epsilon(0.2));
}

TEST_CASE("the lead has an end, and nonsense is not believed") {
    Clock clock(1.0 / 60);
    clock.add_probe(0, 100, 0.05);
    clock.add_input_margin(0.1, -1e9, 1);
    CHECK(clock.wanted_lead() <= net::ClockConfig{}.max_lead);
    clock.add_input_margin(0.1, std::nan(""), 1);
    clock.add_probe(5, 100, 4);
    clock.add_probe(4, std::nan(""), 5);
    clock.advance(6);
    CHECK(std::isfinite(clock.time()));
    CHECK(clock.room_time(0.05) == doctest::Approx(100.025));
}
