// SPDX-License-Identifier: MIT
#include <instep/rigid/lone_space.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::rigid;

namespace {

// As the header has it.
LoneSpace ball_over_ground() {
    Setup setup;
    setup.rules.gravity = {0, -10};
    setup.forms = {*make_form(BodyType::fixed, {{.hull = *make_box(20, 1)}}),
                   *make_form(BodyType::dynamic, {{.hull = *make_circle(0.5)}})};
    LoneSpace room(setup);
    room.space.bodies.add({.position = {0, -1}, .form = 0});
    room.space.bodies.add({.position = {0, 10}, .form = 1});
    return room;
}

void step(LoneSpace& room, int times) {
    for (int i = 0; i < times; ++i) room.step(1.0 / 60);
}

}  // namespace

TEST_CASE("a ball falls to the ground in a space that needs nothing around it") {
    LoneSpace room = ball_over_ground();
    step(room, 200);
    CHECK(room.space.bodies[1].position.y == doctest::Approx(0.5).epsilon(0.03));
    CHECK(room.space.contacts.size() == 1);
}

TEST_CASE("another space goes on with what one has saved") {
    LoneSpace room = ball_over_ground();
    step(room, 90);
    LoneSpace other = ball_over_ground();
    REQUIRE(other.load(room.save()).has_value());
    step(room, 90);
    step(other, 90);
    CHECK(other.hash() == room.hash());
}

TEST_CASE("bytes that no step could have left are refused with a reason") {
    LoneSpace room = ball_over_ground();
    const std::vector<std::byte> good = room.save();
    const auto refusal = [&](std::span<const std::byte> image) {
        const auto loaded = room.load(image);
        return loaded ? std::string() : loaded.error().text();
    };
    CHECK(refusal(good).empty());
    CHECK_FALSE(refusal({}).empty());
    CHECK_FALSE(refusal(std::span(good).first(good.size() - 1)).empty());

    room.restore(good);
    room.space.bodies[1].form = 7;  // there are two
    const std::vector<std::byte> bad = room.save();
    CHECK(refusal(bad).find("form") != std::string::npos);
}
