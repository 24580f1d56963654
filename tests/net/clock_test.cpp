// SPDX-License-Identifier: MIT
#include <instep/net/clock.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <cmath>

using namespace instep;
using net::Clock;

namespace {

// A link between a client and a server whose room time is the true time; the client's clock is wrong.
struct Link {
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
        double next_margin = true_time;
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
            if (clock.known() && true_time >= next_margin) {
                next_margin += 0.1;
                const double delay = up + random.uniform() * jitter;
                const double margin = clock.time() - (true_time + delay);  // of an input made now
                clock.add_input_margin(clock.lead(local()), margin, local());
                if (true_time > half) least = std::min(least, margin);
            }
        }
        return least;
    }
};

}  // namespace

TEST_CASE("clock: it finds room time and a lead that is just long enough") {
    Link link;
    const double least = link.run(10);
    CHECK(std::abs(link.clock.room_time(link.local()) - link.true_time) < 0.001);
    CHECK(link.clock.round_trip() == doctest::Approx(0.08).epsilon(0.01));
    CHECK(least > 0);
    CHECK(least < 2.0 / 60);
}

TEST_CASE("clock: inputs arrive in time over a lopsided, jittery link with a drifting clock") {
    for (const double drift : {-3e-4, 0.0, 3e-4}) {
        for (const double jitter : {0.0, 0.02, 0.06}) {
            Link link;
            link.up = 0.12;
            link.down = 0.01;
            link.jitter = jitter;
            link.drift = drift;
            CAPTURE(drift);
            CAPTURE(jitter);
            const double least = link.run(60);
            CHECK(least > 0);
            CHECK(link.clock.lead(link.local()) < 0.2 + jitter + 3.0 / 60);
        }
    }
}

TEST_CASE("clock: the lead grows with jitter and shrinks again when the link is calm") {
    Link link;
    link.run(20);
    const double calm = link.clock.wanted_lead();
    link.jitter = 0.1;
    link.run(20);
    const double rough = link.clock.wanted_lead();
    CHECK(rough > calm + 0.05);
    link.jitter = 0;
    link.run(60);
    CHECK(link.clock.wanted_lead() < calm + 0.01);
}

TEST_CASE("clock: a lead that shrinks by much is walked back, never jumped") {
    for (const double tick_rate : {20, 60, 120}) {
        CAPTURE(tick_rate);
        Link link{.clock = Clock(1 / tick_rate)};
        link.up = link.down = 0.7;
        link.run(20);
        CHECK(link.clock.lead(link.local()) == doctest::Approx(net::ClockConfig{}.max_lead).epsilon(0.05));
        const std::uint32_t jumps = link.clock.jumps();
        link.up = link.down = 0.01;
        link.run(60);
        CHECK(link.clock.jumps() == jumps);
        CHECK(link.slowest >= 0.9499);
        CHECK(link.clock.lead(link.local()) < 0.1);
    }
}

TEST_CASE("clock: the client's time never runs more than 5 percent fast or slow") {
    Link link;
    link.jitter = 0.05;
    link.run(20);
    link.up = 0.2;
    link.run(20);
    link.up = 0.01;
    link.run(40);
    CHECK(link.fastest <= 1.0501);
    CHECK(link.slowest >= 0.9499);
}

TEST_CASE("clock: after a long sleep it jumps instead of catching up") {
    Link link;
    link.run(5);
    const double lead = link.clock.lead(link.local());
    link.true_time += 30;
    link.clock.advance(link.local());
    CHECK(link.clock.lead(link.local()) == doctest::Approx(lead).epsilon(0.2));
}

TEST_CASE("clock: a long sleep does not multiply a small difference") {
    Clock clock(1.0 / 60);
    clock.add_probe(0, 100.02, 0.04);
    clock.advance(0.04);
    clock.add_input_margin(clock.lead(0.04), 0.005, 0.05);  // the lead is a little too long
    clock.advance(20);
    CHECK(clock.jumps() == 0);
    CHECK(clock.lead(20) == doctest::Approx(clock.wanted_lead()));
}

TEST_CASE("clock: the lead is bounded, and values that cannot be are ignored") {
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

TEST_CASE("clock: probes that contradict older ones are believed, and time jumps") {
    Clock clock(1.0 / 60);
    const auto probe = [&](double sent, double offset, double waited = 0) {
        const double arrival = sent + waited + 0.04;
        const bool stepped = clock.add_probe(sent, sent + waited + 0.02 + offset, arrival);
        clock.advance(arrival);
        return stepped;
    };
    for (int i = 0; i < 16; ++i) CHECK(!probe(i * 0.5, 100));
    CHECK(clock.jumps() == 0);
    // The server stood still for three seconds, and this probe waited for the last 0.4 s of them.
    CHECK(probe(11, 97, 0.4));
    CHECK(std::abs(clock.room_time(11.44) - 108.44) < 0.001);
    CHECK(clock.jumps() == 1);
    CHECK(clock.lead(11.44) == doctest::Approx(clock.wanted_lead()));
    CHECK(clock.round_trip() == doctest::Approx(0.04));
    CHECK(!probe(11.5, 97));
    CHECK(std::abs(clock.room_time(11.54) - 108.54) < 0.001);
    // An answer from before the pause that was overtaken.
    CHECK(!clock.add_probe(9, 109.02, 11.6));
    CHECK(std::abs(clock.room_time(11.6) - 108.6) < 0.001);
    // A slow probe bounds the offset loosely, and contradicts nothing.
    CHECK(!probe(12, 97, 0.3));
    CHECK(std::abs(clock.room_time(12.5) - 109.5) < 0.001);
    CHECK(clock.jumps() == 1);
}
