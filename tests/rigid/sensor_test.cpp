// SPDX-License-Identifier: MIT
// Sensors: events and overlaps agree with the geometry at every tick, and are rolled back exactly.
#include <instep/rigid/sensors.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include <instep/rigid/distance.h>
#include <tests/rigid/support.h>
#include <tests/support/allocations.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

// A sensor's body and shape, a visitor's body and shape.
using Overlap = std::tuple<std::uint32_t, int, std::uint32_t, int>;

constexpr std::uint16_t gate = 3;       // a fixed sensor, 0.2 units wide and 20 high
constexpr std::uint16_t zone = 4;       // a kinematic one, 4 units wide and high
constexpr std::uint16_t watcher = 5;    // a dynamic ball with a sensor of 2 units around it
constexpr std::uint16_t bystander = 6;  // a box that no sensor sees

Setup sensor_setup() {
    Setup setup = test::ground_setup();
    const auto sensor = [](const Hull& hull) {
        Shape shape{hull, {.density = 0}, {.mask = 1}};
        shape.sensor = true;
        return shape;
    };
    setup.body_defs.push_back(*make_body_def(BodyType::fixed, {sensor(*make_box(0.1, 10))}));
    setup.body_defs.push_back(*make_body_def(BodyType::kinematic, {sensor(*make_box(2, 2))}));
    setup.body_defs.push_back(
        *make_body_def(BodyType::dynamic, {Shape{*make_circle(0.4), {}, {}}, sensor(*make_circle(2))}));
    setup.body_defs.push_back(test::body_def(BodyType::dynamic, make_box(0.5, 0.5)));
    setup.body_defs[bystander].shapes[0].filter.category = 2;
    return setup;
}

std::set<Overlap> overlaps_in(const TestSpace& sim) {
    std::set<Overlap> found;
    sim.space.bodies.for_each([&](const BodyRef& sensor) {
        for (std::size_t i = 0; i < sensor.def.shapes.size(); ++i) {
            const Shape& region = sensor.def.shapes[i];
            if (!region.sensor) continue;
            Hull placed;
            transform(region.hull, sensor.pose(), placed);
            sim.space.bodies.for_each([&](const BodyRef& other) {
                if (other.handle == sensor.handle) return;
                if (sensor.def.type == BodyType::fixed && other.def.type == BodyType::fixed) return;
                for (std::size_t k = 0; k < other.def.shapes.size(); ++k) {
                    const Shape& shape = other.def.shapes[k];
                    if (shape.sensor || !may_touch(region.filter, shape.filter)) continue;
                    Hull placed_other;
                    transform(shape.hull, other.pose(), placed_other);
                    if (hull_distance(placed, placed_other).distance <= 0)
                        found.insert(
                            {sensor.handle.id, static_cast<int>(i), other.handle.id, static_cast<int>(k)});
                }
            });
        }
    });
    return found;
}

std::set<Overlap> stored_overlaps(const TestSpace& sim) {
    std::set<Overlap> found;
    sim.space.bodies.for_each([&](const BodyRef& sensor) {
        for_each_visitor(sim.space, sensor.handle,
                         [&](Handle visitor, std::uint8_t region, std::uint8_t shape) {
                             found.insert({sensor.handle.id, region, visitor.id, shape});
                         });
    });
    return found;
}

int count_of(const TestSpace& sim, SensorEvent::Kind kind) {
    return static_cast<int>(std::ranges::count_if(sim.scratch.sensor_events,
                                                  [&](const auto& event) { return event.kind == kind; }));
}
constexpr auto begin = SensorEvent::Kind::begin;
constexpr auto end = SensorEvent::Kind::end;

void fill(TestSpace& sim, math::Random& random) {
    sim.add(test::ground, {0, -1});
    sim.add(gate, {0, 10});
    sim.add(gate, {5, 10}, {}, 0.5);
    sim.add(zone, {-6, 3}, {1, 0.2}, 0, 0.3);
    for (int i = 0; i < 4; ++i) sim.add(watcher, {random.uniform(-8, 8), random.uniform(1, 8)});
    for (int i = 0; i < 16; ++i)
        sim.add(static_cast<std::uint16_t>(i % 4 == 3 ? bystander : 1 + i % 2),
                {random.uniform(-8, 8), random.uniform(1, 12)},
                {random.uniform(-60, 60), random.uniform(-10, 10)}, random.uniform(-3, 3));
}

}  // namespace

TEST_CASE("sensor: reports who enters and who leaves, and pushes nothing") {
    Setup setup = sensor_setup();
    setup.config.gravity = {};
    TestSpace sim(std::move(setup));
    const Handle sensor = sim.add(gate, {0, 0});
    const Handle ball = sim.add(test::ball, {-2, 0}, {3, 0});
    int begun = 0;
    int ended = 0;
    for (int i = 0; i < 120; ++i) {
        sim.step();
        for (const SensorEvent& event : sim.scratch.sensor_events) {
            CHECK(event.sensor == sensor);
            CHECK(event.visitor == ball);
            const double x = sim[ball].position.x;
            CHECK(x == doctest::Approx(event.kind == begin ? -0.6 : 0.6).epsilon(0.1));
            ++(event.kind == begin ? begun : ended);
        }
    }
    CHECK(begun == 1);
    CHECK(ended == 1);
    CHECK(sim[ball].velocity == Vec2{3, 0});
    CHECK(sim.scratch.events.empty());
}

TEST_CASE("sensor: a fast body does not skip it, whatever it is and however it moves") {
    test::for_each_seed(300, [](math::Random& random) {
        Setup setup = sensor_setup();
        setup.config.gravity = {};
        setup.config.max_translation = 20;
        TestSpace sim(std::move(setup));
        sim.add(gate, {0, 0}, {}, random.uniform(-0.5, 0.5));
        const double speed = random.uniform(100, 1000);
        sim.add(static_cast<std::uint16_t>(1 + random.below(2)), {random.uniform(-30, -4), 0}, {speed, 0},
                random.uniform(-3, 3), random.uniform(-20, 20));
        int begun = 0;
        int ended = 0;
        for (int i = 0; i < 40; ++i) {
            sim.step();
            begun += count_of(sim, begin);
            ended += count_of(sim, end);
        }
        CHECK(begun == 1);
        CHECK(ended == 1);
    });
}

TEST_CASE("sensor: a body that a hit sends flying in this very step is noticed too") {
    Setup setup = sensor_setup();
    setup.config.gravity = {};
    setup.config.max_translation = 20;
    setup.body_defs[test::ball].options.bullet = true;
    for (const auto def : {test::ball, test::box}) setup.body_defs[def].shapes[0].material.restitution = 1;
    TestSpace sim(std::move(setup));
    sim.add(gate, {2, 0});
    const Handle rests = sim.add(test::ball, {0, 0});
    sim.add(test::ball, {-1, 0}, {300, 0});  // touches it already
    int begun = 0;
    for (int i = 0; i < 5; ++i) {
        sim.step();
        for (const SensorEvent& event : sim.scratch.sensor_events)
            if (event.kind == begin && event.visitor == rests) ++begun;
    }
    CHECK(sim[rests].velocity.x > 200);
    CHECK(begun == 1);
}

TEST_CASE("sensor: events, stored overlaps and geometry agree at every tick") {
    test::for_each_seed(10, [](math::Random& random) {
        TestSpace sim(sensor_setup());
        fill(sim, random);
        std::set<Overlap> by_events;
        for (int tick = 0; tick < 300; ++tick) {
            // A world may also move and remove bodies by hand.
            if (tick % 50 == 49) sim.bodies[random.below(10) + 6].position = {random.uniform(-8, 8), 5};
            if (tick % 100 == 99) remove_body(sim.space, sim.bodies, sim.bodies.handle_at(12));
            sim.step();
            for (const SensorEvent& event : sim.scratch.sensor_events) {
                const Overlap overlap{event.sensor.id, event.sensor_shape, event.visitor.id,
                                      event.visitor_shape};
                if (event.kind == begin)
                    REQUIRE(by_events.insert(overlap).second);
                else
                    REQUIRE(by_events.erase(overlap) == 1);
            }
            const std::set<Overlap> geometry = overlaps_in(sim);
            REQUIRE(by_events == geometry);
            REQUIRE(stored_overlaps(sim) == geometry);
            REQUIRE(validate(sim.space, sim.setup).has_value());
        }
    });
}

TEST_CASE("sensor: a restored space reports the same events again, without allocating") {
    TestSpace sim(sensor_setup());
    auto random = math::Random::from_seed(5);
    fill(sim, random);
    for (int round = 0; round < 20; ++round) {
        const auto image = sim.save();
        std::vector<std::vector<SensorEvent>> first;
        for (int i = 0; i < 10; ++i) {
            const test::AllocationCount allocations;
            sim.step();
            CHECK(allocations.so_far() == 0);
            first.push_back(sim.scratch.sensor_events);
        }
        const std::uint64_t hash = sim.hash();
        TestSpace other(sensor_setup());
        REQUIRE(other.load(image).has_value());
        for (int i = 0; i < 10; ++i) {
            other.step();
            const auto& events = other.scratch.sensor_events;
            REQUIRE(events.size() == first[static_cast<std::size_t>(i)].size());
            for (std::size_t k = 0; k < events.size(); ++k) {
                const SensorEvent& expected = first[static_cast<std::size_t>(i)][k];
                CHECK(events[k].kind == expected.kind);
                CHECK(events[k].sensor == expected.sensor);
                CHECK(events[k].visitor == expected.visitor);
            }
        }
        CHECK(other.hash() == hash);
    }
}

TEST_CASE("sensor: a removed visitor and a removed sensor give an end event") {
    Setup setup = sensor_setup();
    setup.config.gravity = {};
    TestSpace sim(std::move(setup));
    const Handle first = sim.add(zone, {0, 0});
    const Handle second = sim.add(zone, {20, 0});
    const Handle ball = sim.add(test::ball, {0, 0});
    sim.add(test::ball, {20, 0});
    sim.step();
    REQUIRE(count_of(sim, begin) == 2);
    remove_body(sim.space, sim.bodies, ball);
    remove_body(sim.space, sim.bodies, second);
    sim.step();
    REQUIRE(count_of(sim, end) == 2);
    CHECK(sim.scratch.sensor_events[0].sensor == first);
    CHECK(sim.scratch.sensor_events[0].visitor == ball);
    CHECK(sim.scratch.sensor_events[1].sensor == second);
    CHECK(sim.space.contacts.empty());
}

TEST_CASE("sensor: overlaps beyond the capacity are dropped and counted, never contacts") {
    Setup setup = sensor_setup();
    setup.max_contacts = 4;
    TestSpace sim(std::move(setup));
    sim.add(zone, {0, 1});
    sim.add(test::ground, {0, -1});
    for (int i = 0; i < 3; ++i) sim.add(test::ball, {1.2 * i - 1.2, 0.5});
    sim.step(3);
    CHECK(sim.space.contacts.size() == 4);
    CHECK(sim.scratch.report.dropped > 0);
    CHECK(validate(sim.space, sim.setup).has_value());
}
