// SPDX-License-Identifier: MIT
#include <instep/present/interpolation.h>

#include <tests/net/logged_match.h>
#include <tests/support/files.h>

#include <instep/match/parity.h>
#include <instep/state/raw_pool.h>

#include <fstream>
#include <sstream>

using namespace instep;
using namespace instep::present;

namespace {

struct Placed {
    double time = 0;
    math::Vec2 position;
};

constexpr double document_teleport = 300;  // px

}  // namespace

TEST_CASE("interpolation: others are drawn where the document's client draws them") {
    const auto path = test::source_dir() / "worlds/foothold/vectors/web_remote_interpolation.json";
    std::ifstream in(path);
    REQUIRE(in);
    std::stringstream text;
    text << in.rdbuf();
    const auto json = state::parse_json(text.str(), "recording");
    REQUIRE(json);
    const auto recording = match::read_recording(*json, "recording");
    REQUIRE(recording);
    std::vector<Placed> snapshots;
    for (const state::Json& row : *json->find("header")->find("snapshots")->array()) {
        const auto& numbers = *row.array();
        snapshots.push_back({numbers[0].number(), {numbers[1].number(), numbers[2].number()}});
    }

    Timeline timeline;
    std::size_t arrived = 0;
    for (const std::vector<double>& row : recording->rows) {
        const double now = row[0];
        for (; arrived < snapshots.size() && snapshots[arrived].time <= now; ++arrived)
            timeline.add({snapshots[arrived].time, static_cast<std::uint32_t>(arrived)});
        const double time = now - InterpolationDelay::min_delay * 1000;
        const auto pair = timeline.at(time);
        REQUIRE(pair);
        const math::Vec2 from = snapshots[pair->from.number].position;
        const math::Vec2 to = snapshots[pair->to.number].position;
        const bool jumped = distance(from, to) > document_teleport;
        const math::Vec2 shown = jumped ? to : from + (to - from) * pair->part;
        timeline.forget_before(time);
        CAPTURE(now);
        CHECK(shown.x == doctest::Approx(row[1]).epsilon(1e-12));
        CHECK(shown.y == doctest::Approx(row[2]).epsilon(1e-12));
        CHECK(static_cast<double>(timeline.size()) == row[3]);
    }
}

TEST_CASE("blend: 0 is the first state, 1 the second, 0.5 halfway between them") {
    test::for_each_level([](const match::SharedSetup& setup) {
        test::LoggedMatch match(setup, 21);
        for (int i = 0; i < 60; ++i) match.step_to_snapshot();
        state::Block from(setup->layout);
        state::Block to(setup->layout);
        state::Block out(setup->layout);
        std::memcpy(from.data(), match.match().state(), setup->layout.size);
        match.step();
        std::memcpy(to.data(), match.match().state(), setup->layout.size);
        const state::Layout& layout = setup->layout;
        const auto check = [&](double part) {
            blend_states(layout, from.data(), to.data(), part, 1e9, out.data());
            for (std::size_t p = 0; p < layout.pools.size(); ++p) {
                const state::RawPool a = state::RawPool::looking_at(layout, p, from.data());
                const state::RawPool b = state::RawPool::looking_at(layout, p, to.data());
                const state::RawPool c = state::RawPool::looking_at(layout, p, out.data());
                REQUIRE(c.size() == b.size());
                for (std::uint32_t index = 0; index < c.size(); ++index) {
                    const std::byte* before = a.find(c.handle_at(index));
                    for (const state::Field& field : c.element_info().fields) {
                        if (!before || field.rules.blend != state::Blend::linear) continue;
                        const double expected =
                            number_at(field, before) * (1 - part) + number_at(field, b.element(index)) * part;
                        CHECK(number_at(field, c.element(index)) == doctest::Approx(expected).epsilon(1e-6));
                    }
                }
            }
        };
        check(0);
        check(0.5);
        check(1);
        check(1.5);
    });
}

TEST_CASE("blend: an element that teleported is drawn where it arrived") {
    const match::SharedSetup setup = test::level("orbit", "belt");
    test::LoggedMatch match(setup, 22);
    while (match.match().live_slots() == 0) match.step();
    state::Block from(setup->layout);
    state::Block to(setup->layout);
    state::Block out(setup->layout);
    std::memcpy(from.data(), match.match().state(), setup->layout.size);
    std::memcpy(to.data(), match.match().state(), setup->layout.size);
    state::RawPool players(setup->layout, 0, to.data());
    const state::Field* x = players.element_info().find("ship.position.x");
    REQUIRE(x);
    const double there = number_at(*x, players.element(0)) + 150;
    std::memcpy(players.element(0) + x->offset, &there, sizeof there);
    blend_states(setup->layout, from.data(), to.data(), 0.5, 100, out.data());
    CHECK(number_at(*x, state::RawPool::looking_at(setup->layout, 0, out.data()).element(0)) == there);
    blend_states(setup->layout, from.data(), to.data(), 0.5, 200, out.data());
    CHECK(number_at(*x, state::RawPool::looking_at(setup->layout, 0, out.data()).element(0)) ==
          doctest::Approx(there - 75));
}

TEST_CASE("timeline: it keeps at most twenty snapshots, each once") {
    Timeline timeline;
    for (std::uint32_t i = 0; i < 50; ++i) {
        timeline.add({i * 0.05, i});
        timeline.add({i * 0.05, i});
    }
    CHECK(timeline.size() == Timeline::capacity);
    CHECK(timeline.at(-5)->part == 0);
    CHECK(timeline.at(1000)->part == Timeline::max_extrapolation);
    CHECK(timeline.at(2.425)->part == doctest::Approx(0.5));
    CHECK(timeline.at(2.425)->to.number == 49);
}

TEST_CASE("interpolation delay: two intervals and at least 100 ms, more where snapshots are missing") {
    InterpolationDelay delay(0.05);
    CHECK(delay.wanted() == doctest::Approx(0.1));
    CHECK(InterpolationDelay(0.2).wanted() == doctest::Approx(0.4));
    for (int i = 0; i < 1000; ++i) delay.add(i % 100 != 0);
    CHECK(delay.wanted() == doctest::Approx(0.1));
    for (int i = 0; i < 1000; ++i) delay.add(i % 20 != 0);
    CHECK(delay.wanted() == doctest::Approx(0.15));
    const double before = delay.advance(0);
    CHECK(delay.advance(0.1) <= before + 0.005 + 1e-12);
    for (int i = 0; i < 1000; ++i) delay.add(false);
    CHECK(delay.wanted() == doctest::Approx(0.25));
}
