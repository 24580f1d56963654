// SPDX-License-Identifier: MIT
// Stacks, pyramids and piles stand or settle, and at every tick a pile can be saved, stepped, restored and
// stepped again to the same bits.
#include <instep/rigid/step.h>

#include <algorithm>
#include <cmath>

#include <tests/rigid/support.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

double greatest_speed(const TestSpace& sim) {
    double most = 0;
    for (const Body& body : sim.bodies) most = std::max(most, math::length(body.velocity));
    return most;
}

double highest(const TestSpace& sim) {
    double most = -1e9;
    for (const Body& body : sim.bodies) most = std::max(most, body.position.y);
    return most;
}

// Boxes, balls and ships thrown into a bin.
struct Pile : TestSpace {
    static Setup bin_setup() {
        Setup setup = test::ground_setup(0.4, 0.2);
        const std::array<Vec2, 3> ship{Vec2{0, 1}, Vec2{-0.5, -0.5}, Vec2{0.5, -0.5}};
        setup.body_defs.push_back(test::body_def(BodyType::fixed, make_box(0.5, 20)));
        setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_polygon(ship)));
        setup.max_bodies = 128;
        setup.max_contacts = 512;
        return setup;
    }
    Pile() : TestSpace(bin_setup()) {
        auto random = math::Random::from_seed(3);
        add(test::ground, {0, -1});
        add(3, {-5, 20});
        add(3, {5, 20});
        for (int i = 0; i < 60; ++i) {
            const double angle = random.uniform(-3, 3);
            const double across = random.uniform(-0.2, 0.2);
            const auto kind = static_cast<std::uint16_t>(i % 3 == 0 ? 4 : 1 + i % 2);
            add(kind, {(i % 6) * 1.4 - 3.5 + across, 1.0 + 1.5 * (i / 6)}, {}, angle);
        }
    }
};

}  // namespace

TEST_CASE("stacking: a stack of ten boxes stands for a minute") {
    for (const bool sleeping : {true, false}) {
        Setup setup = test::ground_setup();
        if (!sleeping) setup.config.sleep_ticks = 0;
        TestSpace sim(setup);
        sim.add(test::ground, {0, -1});
        std::array<Handle, 10> boxes;
        for (int i = 0; i < 10; ++i) boxes[static_cast<std::size_t>(i)] = sim.add(test::box, {0, 0.5 + i});
        sim.step(3600);
        for (std::size_t i = 0; i < 10; ++i) {
            CHECK(std::fabs(sim[boxes[i]].position.x) < 0.02);
            CHECK(std::fabs(sim[boxes[i]].position.y - (0.5 + static_cast<double>(i))) < 0.15);
            CHECK(std::fabs(sim[boxes[i]].angle) < 0.02);
        }
        CHECK(greatest_speed(sim) < 0.05);
    }
}

TEST_CASE("stacking: a pyramid of ten rows stands for a minute") {
    for (const bool sleeping : {true, false}) {
        Setup setup = test::ground_setup();
        if (!sleeping) setup.config.sleep_ticks = 0;
        TestSpace sim(setup);
        test::add_pyramid(sim, 10);
        sim.step(3600);
        CHECK(highest(sim) > 9.2);
        CHECK(greatest_speed(sim) < 0.1);
    }
}

TEST_CASE("stacking: a pyramid of twenty rows settles and sleeps") {
    TestSpace sim(test::ground_setup());
    test::add_pyramid(sim, 20);
    sim.step(1200);
    CHECK(highest(sim) > 18.5);
    for (const Body& body : sim.bodies)
        if (body.def == test::box) REQUIRE(body.asleep);
}

TEST_CASE("rollback: a dense pile continues to the same bits after save and restore at every tick") {
    Pile pile;
    Pile other;
    for (int tick = 0; tick < 240; ++tick) {
        const auto image = pile.save();
        pile.step();
        const std::uint64_t first = pile.hash();
        pile.step(2);
        const std::uint64_t third = pile.hash();
        // Into a space whose memory holds another state, with an unused scratch.
        REQUIRE(state::load(other.layout, image, other.block.data()).has_value());
        REQUIRE(validate(other.space, other.setup).has_value());
        Scratch untouched(other.setup);
        rigid::step(other.space, other.setup, TestSpace::dt, untouched);
        CHECK(other.hash() == first);
        pile.restore(image);
        pile.step();
        CHECK(pile.hash() == first);
        other.step(2);
        CHECK(other.hash() == third);
    }
    CHECK(pile.space.contacts.size() > 60);
}

TEST_CASE("rollback: bodies may be added and removed between save and restore") {
    test::for_each_seed(20, [](math::Random& random) {
        Pile pile;
        pile.step(60 + static_cast<int>(random.below(60)));
        const auto image = pile.save();
        pile.step(10);
        const std::uint64_t expected = pile.hash();
        pile.restore(image);
        for (int i = 0; i < 10; ++i) {
            const std::uint32_t index = 3 + random.below(pile.bodies.size() - 3);
            remove_body(pile.space, pile.bodies, pile.bodies.handle_at(index));
            if (i % 2 == 0) pile.add(test::ball, {0, 15.0 + i});
            pile.step();
        }
        CHECK(validate(pile.space, pile.setup).has_value());
        CHECK(pile.hash() != expected);
        pile.restore(image);
        pile.step(10);
        CHECK(pile.hash() == expected);
    });
}

TEST_CASE("rollback: shapes may be added and removed between save and restore") {
    const auto half = [](double from, double to) {
        return make_polygon(std::array{Vec2{from, -0.5}, Vec2{to, -0.5}, Vec2{to, 0.5}, Vec2{from, 0.5}});
    };
    Setup setup = test::ground_setup();
    setup.body_defs.push_back(
        *make_body_def(BodyType::dynamic, {{.hull = *half(-1, -0.2)}, {.hull = *half(0.2, 1)}}));
    setup.body_defs.push_back(test::body_def(BodyType::fixed, make_box(0.5, 0.5)));
    constexpr std::uint16_t two_halves = 3;
    constexpr std::uint16_t block = 4;
    for (const std::uint16_t from : {two_halves, test::box})
        for (const std::uint16_t to : {two_halves, test::box, test::ball, block}) {
            CAPTURE(from);
            CAPTURE(to);
            for (const int ticks : {10, 200}) {  // awake, asleep
                TestSpace sim(setup);
                sim.add(test::ground, {0, -1});
                const Handle changed = sim.add(from, {0, 0.5});
                sim.add(test::box, {0, 1.5});
                sim.step(ticks);
                change_body_def(sim.space, changed, to);
                const auto image = sim.save();
                TestSpace other(setup);
                const auto loaded = other.load(image);
                REQUIRE_MESSAGE(loaded, loaded.error().text());
                for (int i = 0; i < 60; ++i) {
                    sim.step();
                    other.step();
                    REQUIRE(sim.hash() == other.hash());
                    REQUIRE(validate(sim.space, setup).has_value());
                    for (const Contact& contact : sim.space.contacts) {
                        const BodyDef& a = def_of(sim[contact.a], setup);
                        const BodyDef& b = def_of(sim[contact.b], setup);
                        REQUIRE(contact.shape_a < a.shapes.size());
                        REQUIRE(contact.shape_b < b.shapes.size());
                        REQUIRE((a.type == BodyType::dynamic || b.type == BodyType::dynamic));
                    }
                }
                sim.restore(image);
                sim.step(60);
                CHECK(sim.hash() == other.hash());
            }
        }
}

TEST_CASE("validate: every state that a step leaves is valid, even at the bounds of the world") {
    Setup setup = test::ground_setup();
    setup.body_defs.push_back(test::body_def(BodyType::kinematic, make_box(1, 0.25)));
    TestSpace sim(setup);
    sim.add(test::ball, {max_coordinate - 1, -max_coordinate + 1}, {100, -100});
    sim.add(test::box, {-max_coordinate, max_coordinate}, {-100, 100}, max_angle, 50);
    sim.add(3, {0, max_coordinate}, {0, max_coordinate}, -max_angle, -max_coordinate);
    for (int i = 0; i < 10; ++i) {
        sim.step();
        const auto valid = validate(sim.space, setup);
        REQUIRE_MESSAGE(valid, valid.error().text());
    }
}

TEST_CASE("stacking: a pile stays in its bin and comes to rest") {
    Pile pile;
    pile.step(900);
    for (const Body& body : pile.bodies) {
        CHECK(std::fabs(body.position.x) < 5.01);
        CHECK(body.position.y > -1.01);
    }
    CHECK(greatest_speed(pile) < 0.5);
    CHECK(pile.scratch.report.dropped == 0);
}

TEST_CASE("step: allocates nothing") {
    Pile pile;
    for (int i = 0; i < 200; ++i) {
        const test::AllocationCount allocations;
        pile.step();
        CHECK(allocations.so_far() == 0);
    }
}

TEST_CASE("step: with too few contacts it continues and counts what it dropped") {
    Setup setup = Pile::bin_setup();
    setup.max_contacts = 8;
    TestSpace sim(setup);
    test::add_pyramid(sim, 10);
    sim.step(5);
    CHECK(sim.scratch.report.dropped > 0);
    CHECK(sim.space.contacts.size() <= 8);
    CHECK(validate(sim.space, sim.setup).has_value());
}

TEST_CASE("validate: an image with a flipped byte is refused or can be stepped") {
    Pile pile;
    pile.step(100);
    const auto image = pile.save();
    std::size_t refused = 0;
    Pile other;
    test::for_each_seed(600, [&](math::Random& random) {
        auto corrupt = image;
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(corrupt.size()));
        corrupt[at] ^= static_cast<std::byte>(1 + random.below(255));
        if (!state::load(other.layout, corrupt, other.block.data()) || !validate(other.space, other.setup)) {
            ++refused;
            return;
        }
        other.step(3);
        for (const Body& body : other.bodies) CHECK(std::isfinite(body.position.x));
    });
    CHECK(refused > 0);
}

TEST_CASE("validate: a corrupt body or contact is refused with a reason") {
    Pile pile;
    pile.step(100);
    const auto image = pile.save();
    const auto refusal_after = [&](auto change) {
        pile.restore(image);
        REQUIRE(validate(pile.space, pile.setup).has_value());
        change();
        const auto valid = validate(pile.space, pile.setup);
        REQUIRE(!valid.has_value());
        return valid.error().text();
    };
    CHECK(refusal_after([&] { pile.bodies[4].def = 99; }).find("body 4.def") == 0);
    CHECK(refusal_after([&] { pile.bodies[5].position.x = std::nan(""); }).find("body 5.position") == 0);
    CHECK(refusal_after([&] { pile.bodies[5].velocity.y = 1e300; }).find("body 5.velocity") == 0);
    CHECK(refusal_after([&] { pile.bodies[0].asleep = true; }).find("dynamic") != std::string::npos);
    CHECK(refusal_after([&] { pile.space.contacts[1].points = 3; }).find("contacts[1].points") == 0);
    CHECK(refusal_after([&] { pile.space.contacts[1].normal_impulse[0] = -1; }).find("impulses") !=
          std::string::npos);
    CHECK(refusal_after([&] { std::swap(pile.space.contacts[1], pile.space.contacts[2]); }).find("order") !=
          std::string::npos);
    CHECK(refusal_after([&] {
              std::swap(pile.space.contacts[1].a, pile.space.contacts[1].b);
          }).find("lower id") != std::string::npos);
}
