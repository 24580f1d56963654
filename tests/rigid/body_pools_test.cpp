// SPDX-License-Identifier: MIT
// Bodies in a world's own elements: several pools of different structs are one space, stepped where they lie.
#include <instep/rigid/step.h>

#include <tests/rigid/support.h>

using namespace instep;
using namespace instep::rigid;
using test::TestSpace;

namespace {

struct Crate {
    std::uint64_t owner = 7;
    Body body;
};
constexpr auto fields_of(state::Type<Crate>) {
    return state::fields("Crate", state::field("owner", &Crate::owner), state::field("body", &Crate::body));
}

// Only a motion, in another order of members.
struct Flight {
    double spin = 0;
    double angle = 0;
    Vec2 velocity;
    Vec2 position;
};
constexpr auto fields_of(state::Type<Flight>) {
    using state::field;
    return state::fields("Flight", field("spin", &Flight::spin), field("angle", &Flight::angle),
                         field("velocity", &Flight::velocity), field("position", &Flight::position));
}
constexpr auto motion_of(state::Type<Flight>) {
    return MotionMembers<Flight>{&Flight::position, &Flight::velocity, &Flight::angle, &Flight::spin};
}
struct Bird {
    Flight flight;
    std::uint64_t hidden = 0;
};
constexpr auto fields_of(state::Type<Bird>) {
    return state::fields("Bird", state::field("flight", &Bird::flight),
                         state::field("hidden", &Bird::hidden));
}

struct Head {
    std::uint64_t tick = 0;
};
constexpr auto fields_of(state::Type<Head>) {
    return state::fields("Head", state::field("tick", &Head::tick));
}

constexpr std::uint32_t crates = 16;
constexpr std::uint32_t birds = 16;

struct State {
    state::Single<Head> head;
    state::Pool<Crate> crates;
    state::Pool<Bird> birds;
    state::Pool<Contact> contacts;
};
auto parts_of(state::Type<State>) {
    return state::parts(
        state::head(&State::head),
        state::pool("crates", &State::crates, [](const Setup&) { return crates; },
                    {.position = {&Crate::body, &Body::position}}),
        state::pool("birds", &State::birds, [](const Setup&) { return birds; }),
        state::pool("contacts", &State::contacts, [](const Setup& setup) { return setup.max_contacts; }));
}

BodyTraits bird_traits(const Bird& bird, std::uint32_t, const std::uint16_t& def) {
    return {.def = def, .group = 0, .present = bird.hidden == 0};
}
constexpr std::uint16_t bird_def = test::ball;

struct World {
    Setup setup;
    state::Layout layout;
    state::Block block;
    State state;
    Scratch scratch;
    Space space;

    static Setup with_ground(Setup setup) {
        setup.fixed_bodies = {{.position = {0, -1}, .def = test::ground}};
        return setup;
    }
    explicit World(const Setup& given)
        : setup(with_ground(given)),
          layout(state::make_layout<State>(setup)),
          block(layout),
          state(state::bind<State>(layout, block.data())),
          scratch(setup),
          space(setup, state.contacts) {
        REQUIRE(check(setup).has_value());
        space.bodies.add(state.crates, &Crate::body);
        space.bodies.add<bird_traits>(state.birds, &Bird::flight, bird_def);
    }
    void step(int times = 1) {
        for (int i = 0; i < times; ++i) rigid::step(space, setup, TestSpace::dt, scratch);
    }
    std::vector<std::byte> save() const {
        std::vector<std::byte> image(state::image_size(layout, block.data()));
        state::save(layout, block.data(), image);
        return image;
    }
    std::uint64_t hash() const { return state::hash(layout, block.data()); }
};

Setup setup_without_sleep() {
    Setup setup = test::ground_setup(0.4, 0.3);
    setup.config.sleep_ticks = 0;
    return setup;
}

void fill(World& world) {
    for (int i = 0; i < 10; ++i)
        world.state.crates.add(
            {.body = {.position = {0.2 * i, 0.6 + 1.3 * i}, .angle = 0.3 * i, .def = test::box}});
    for (int i = 0; i < 10; ++i)
        world.state.birds.add({.flight = {.velocity = {5, 0}, .position = {-8.0 - i, 1.0 + i}}});
}

}  // namespace

TEST_CASE("body pools: bodies in several pools move as they would in one, bit for bit") {
    World world(setup_without_sleep());
    fill(world);
    TestSpace single(setup_without_sleep());
    single.add(test::ground, {0, -1});
    for (const Crate& crate : world.state.crates)
        single.add(test::box, crate.body.position, {}, crate.body.angle);
    for (const Bird& bird : world.state.birds)
        single.add(test::ball, bird.flight.position, bird.flight.velocity);
    for (int i = 0; i < 300; ++i) {
        world.step();
        single.step();
        for (std::uint32_t k = 0; k < 10; ++k) {
            REQUIRE(world.state.crates[k].body.position == single.bodies[1 + k].position);
            REQUIRE(world.state.crates[k].body.angle == single.bodies[1 + k].angle);
            REQUIRE(world.state.birds[k].flight.position == single.bodies[11 + k].position);
            REQUIRE(world.state.birds[k].flight.spin == single.bodies[11 + k].angular_velocity);
        }
    }
    CHECK(world.state.contacts.size() > 10);
    CHECK(world.state.crates[3].owner == 7);
    CHECK(kinetic_energy(world.space) == doctest::Approx(kinetic_energy(single.space)));
}

TEST_CASE("body pools: a contact's handles find the elements, and nothing once they are removed") {
    World world(setup_without_sleep());
    Crate& crate = *world.state.crates.add({.body = {.position = {0, 0.5}, .def = test::box}});
    Bird& bird = *world.state.birds.add({.flight = {.position = {0, 1.5}}});
    const Handle crate_body = world.space.bodies.handle_of(world.state.crates, crate);
    const Handle bird_body = world.space.bodies.handle_of(world.state.birds, bird);
    CHECK(crate_body.id == 1);  // after the ground
    CHECK(bird_body.id == 1 + crates);
    world.step(5);
    REQUIRE(world.state.contacts.size() == 2);
    CHECK(world.state.contacts[0].a == Handle{0, 0});
    CHECK(world.state.contacts[0].b == crate_body);
    CHECK(world.state.contacts[1].a == crate_body);
    CHECK(world.state.contacts[1].b == bird_body);
    CHECK(world.space.bodies.find(world.state.crates, crate_body) == &crate);
    CHECK(world.space.bodies.find(world.state.birds, bird_body) == &bird);
    CHECK(world.space.bodies.find(world.state.birds, crate_body) == nullptr);
    CHECK(&world.space.bodies.find(bird_body)->position == &bird.flight.position);
    CHECK(&world.space.bodies.find(Handle{0, 0})->position == &world.setup.fixed_bodies[0].position);
    CHECK(!world.space.bodies.find(Handle{0, 1}));
    CHECK(!world.space.bodies.find(Handle{500, 0}));

    remove_body(world.space, world.state.crates, crate_body);
    CHECK(world.state.crates.empty());
    CHECK(!world.space.bodies.find(crate_body));
    world.state.crates.add({.body = {.position = {9, 9}, .def = test::box}});  // takes the id, not the handle
    CHECK(!world.space.bodies.find(crate_body));
    world.step();
    for (const Contact& contact : world.state.contacts) CHECK(contact.a != crate_body);
}

TEST_CASE("body pools: an element whose body is absent is not stepped and touches nothing") {
    World world(setup_without_sleep());
    world.state.birds.add({.flight = {.position = {0, 3}}});
    world.state.birds.add({.flight = {.position = {0, 2}}, .hidden = 1});
    const Handle hidden = world.space.bodies.handle_of(world.state.birds, world.state.birds[1]);
    world.step(120);
    CHECK(world.state.birds[0].flight.position.y == doctest::Approx(0.5).epsilon(0.03));
    CHECK(world.state.birds[1].flight.position == Vec2{0, 2});
    CHECK(!world.space.bodies.find(hidden));
    world.state.birds[1].hidden = 0;
    CHECK(world.space.bodies.find(hidden));
    world.step(120);
    CHECK(world.state.birds[1].flight.position.y == doctest::Approx(1.5).epsilon(0.03));
}

TEST_CASE("body pools: a body with only a motion never sleeps, nor does what it touches") {
    World world(test::ground_setup());
    world.state.crates.add({.body = {.position = {0, 0.5}, .def = test::box}});
    world.state.crates.add({.body = {.position = {5, 0.5}, .def = test::box}});
    world.state.birds.add({.flight = {.position = {0, 1.5}}});
    world.step(300);
    CHECK(!world.state.crates[0].body.asleep);
    CHECK(world.state.crates[1].body.asleep);
}

TEST_CASE("rollback: elements of all pools may come and go between save and restore") {
    World world(test::ground_setup());
    fill(world);
    for (int round = 0; round < 30; ++round) {
        const auto image = world.save();
        world.step(10);
        const std::uint64_t expected = world.hash();
        state::restore(world.layout, image, world.block.data());
        remove_body(world.space, world.state.crates,
                    world.space.bodies.handle_of(world.state.crates, world.state.crates[0]));
        world.state.birds.remove_at(0);
        world.step(5);
        REQUIRE(validate(world.space, world.setup).has_value());
        REQUIRE(world.hash() != expected);
        state::restore(world.layout, image, world.block.data());
        world.step(10);
        REQUIRE(world.hash() == expected);
    }
}

TEST_CASE("check: a fixed body that could move is refused") {
    Setup setup = test::ground_setup();
    setup.fixed_bodies = {{.def = test::box}};
    REQUIRE(!check(setup).has_value());
    CHECK(check(setup).error().text().find("fixed_bodies[0]") == 0);
}
