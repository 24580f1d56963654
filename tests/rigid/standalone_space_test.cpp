// SPDX-License-Identifier: MIT
#include <instep/rigid/standalone_space.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::rigid;

namespace {

// The example of the header.
StandaloneSpace ball_over_ground() {
    Setup setup;
    setup.config.gravity = {0, -10};
    setup.body_defs = {*make_body_def(BodyType::fixed, {{.hull = *make_box(20, 1)}}),
                       *make_body_def(BodyType::dynamic, {{.hull = *make_circle(0.5)}})};
    StandaloneSpace sim(setup);
    sim.bodies.add({.position = {0, -1}, .def = 0});
    sim.bodies.add({.position = {0, 10}, .def = 1});
    return sim;
}

void step(StandaloneSpace& sim, int times) {
    for (int i = 0; i < times; ++i) sim.step(1.0 / 60);
}

}  // namespace

TEST_CASE("standalone space: a ball falls to the ground") {
    StandaloneSpace sim = ball_over_ground();
    step(sim, 200);
    CHECK(sim.bodies[1].position.y == doctest::Approx(0.5).epsilon(0.03));
    CHECK(sim.space.contacts.size() == 1);
}

TEST_CASE("standalone space: another space continues from a saved image") {
    StandaloneSpace sim = ball_over_ground();
    step(sim, 90);
    StandaloneSpace other = ball_over_ground();
    REQUIRE(other.load(sim.save()).has_value());
    step(sim, 90);
    step(other, 90);
    CHECK(other.hash() == sim.hash());
}

TEST_CASE("standalone space: load refuses an invalid image with a reason") {
    StandaloneSpace sim = ball_over_ground();
    const std::vector<std::byte> good = sim.save();
    const auto refusal = [&](std::span<const std::byte> image) {
        const auto loaded = sim.load(image);
        return loaded ? std::string() : loaded.error().text();
    };
    CHECK(refusal(good).empty());
    CHECK_FALSE(refusal({}).empty());
    CHECK_FALSE(refusal(std::span(good).first(good.size() - 1)).empty());

    sim.restore(good);
    sim.bodies[1].def = 7;  // there are two
    const std::vector<std::byte> bad = sim.save();
    CHECK(refusal(bad).find("def") != std::string::npos);
}
