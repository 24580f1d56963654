// SPDX-License-Identifier: MIT
#include <flail/units.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>

#include <cmath>

using namespace instep;
using namespace instep::worlds::flail;

TEST_CASE("flail units: packet space is a tenth of world space") {
    CHECK(packet_length_from_world(8500) == 850.0f);
    CHECK(world_length_from_packet(850.0f) == 8500.0);
    CHECK(world_point_from_packet(1.5f, -2.0f) == math::Vec2{15, -20});
    test::for_each_seed(1000, [](math::Random& random) {
        const double world = random.uniform(-4250, 4250);
        CHECK(std::abs(world_length_from_packet(packet_length_from_world(world)) - world) < 4250 * 0x1p-23);
    });
}

TEST_CASE("flail units: a length that came in a packet goes back into it as the same float") {
    test::for_each_seed(1000, [](math::Random& random) {
        const auto packet = static_cast<float>(random.uniform(-1e6, 1e6));
        CHECK(packet_length_from_world(world_length_from_packet(packet)) == packet);
    });
}

TEST_CASE("flail units: a window's size is sent in tens") {
    CHECK(world_size_from_packet(1920) == 19200);
    CHECK(world_size_from_packet(0) == 0);
    CHECK(world_size_from_packet(65535) == 655350);
}

TEST_CASE("flail units: headings turn back by a quarter on the way in and on the way out") {
    CHECK(heading_from_packet(math::half_pi) == 0);
    CHECK(heading_from_packet(0) == -math::half_pi);
    CHECK(heading_from_packet(-3) == -4.570796326794897);
    CHECK(packet_heading_from_world(0) == static_cast<float>(-math::half_pi));
    CHECK(packet_heading_from_world(heading_from_packet(0)) == static_cast<float>(-math::pi));
}

TEST_CASE("flail units: a heading sent is read back as that heading") {
    test::for_each_seed(1000, [](math::Random& random) {
        const double heading = random.uniform(-10, 10);
        CHECK(heading_from_packet(packet_input_from_heading(heading)) ==
              doctest::Approx(heading).epsilon(1e-14));
    });
}
