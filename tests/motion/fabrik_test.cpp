// SPDX-License-Identifier: MIT
#include <instep/motion/fabrik.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <vector>

using namespace instep;
using namespace instep::motion;

namespace {

struct Limb {
    std::vector<Joint> joints;
    std::vector<Vec2> positions;
    Reach reach;

    double length() const {
        double sum = 0;
        for (const Joint& joint : joints) sum += joint.length;
        return sum;
    }
    void go() { reach_for(reach, joints, positions); }
    Vec2 point(std::size_t i) const { return i == 0 ? reach.root : positions[i - 1]; }
};

Limb random_limb(math::Random& random, std::size_t joints) {
    Limb limb;
    limb.reach.root = {random.uniform(-50, 50), random.uniform(-50, 50)};
    limb.reach.heading = direction_at(random.uniform(-3, 3));
    for (std::size_t i = 0; i < joints; ++i) {
        limb.joints.push_back(
            {.limit = AngleLimit::between(-math::pi, math::pi), .length = random.uniform(20, 40)});
        limb.positions.push_back({random.uniform(-150, 150), random.uniform(-150, 150)});
    }
    return limb;
}

// All joints bend to one side, for only then can the limb be mirrored in its line without being torn.
void bend_all(Limb& limb, bool left) {
    for (Joint& joint : limb.joints) joint.bends_left = left;
}

void check_lengths(const Limb& limb) {
    for (std::size_t i = 0; i < limb.joints.size(); ++i)
        CHECK(distance(limb.point(i), limb.point(i + 1)) ==
              doctest::Approx(limb.joints[i].length).epsilon(1e-9));
}

}  // namespace

TEST_CASE("fabrik: a limb of two free bones reaches whatever is within reach, mostly in ten iterations") {
    int hasty = 0;
    int all = 0;
    test::for_each_seed(2000, [&](math::Random& random) {
        ++all;
        Limb limb = random_limb(random, 2);
        bend_all(limb, random.below(2) == 0);
        const double least = std::abs(limb.joints[0].length - limb.joints[1].length);
        const double far = random.uniform(least + 0.25 * (limb.length() - least), 0.9 * limb.length());
        limb.reach.goal = limb.reach.root + direction_at(random.uniform(-3.2, 3.2)) * far;
        limb.go();
        if (distance(limb.positions.back(), limb.reach.goal) <= limb.reach.tolerance) ++hasty;
        check_lengths(limb);
        limb.reach.iterations = 200;
        limb.go();
        CHECK(distance(limb.positions.back(), limb.reach.goal) <= limb.reach.tolerance);
        check_lengths(limb);
    });
    CHECK(hasty * 10 >= all * 9);
}

TEST_CASE("fabrik: a limb of three or more free bones gets there as well if it is bent as it should be") {
    test::for_each_seed(1000, [](math::Random& random) {
        Limb limb = random_limb(random, 3 + random.below(4));
        const bool left = random.below(2) == 0;
        bend_all(limb, left);
        // Every bone turned a little from the one before, all to the same side.
        double angle = random.uniform(-3, 3);
        Vec2 end = limb.reach.root;
        for (std::size_t i = 0; i < limb.joints.size(); ++i) {
            limb.positions[i] = end += direction_at(angle) * limb.joints[i].length;
            angle += random.uniform(0.2, 0.6) * (left ? -1 : 1);
        }
        limb.reach.iterations = 1000;
        limb.reach.goal = limb.reach.root + direction_at(random.uniform(-3.2, 3.2)) *
                                                (random.uniform(0.3, 0.95) * limb.length());
        limb.go();
        CHECK(distance(limb.positions.back(), limb.reach.goal) <= limb.reach.tolerance);
    });
}

TEST_CASE("fabrik: a limb points straight at a goal out of reach") {
    test::for_each_seed(500, [](math::Random& random) {
        Limb limb = random_limb(random, 1 + random.below(5));
        limb.reach.goal = limb.reach.root +
                          direction_at(random.uniform(-3.2, 3.2)) * (limb.length() * random.uniform(1, 5));
        limb.go();
        check_lengths(limb);
        const Vec2 way = direction_of(limb.reach.goal - limb.reach.root);
        for (const Vec2 joint : limb.positions)
            CHECK(length(direction_of(joint - limb.reach.root) - way) < 1e-9);
    });
}

TEST_CASE("fabrik: joints are on the side to which they are to bend") {
    test::for_each_seed(500, [](math::Random& random) {
        Limb limb = random_limb(random, 2 + random.below(3));
        for (Joint& joint : limb.joints) joint.bends_left = random.below(2) == 0;
        limb.reach.goal = limb.reach.root + direction_at(random.uniform(-3.2, 3.2)) *
                                                (random.uniform(0.3, 0.9) * limb.length());
        limb.go();
        const Vec2 line = limb.positions.back() - limb.reach.root;
        for (std::size_t i = 0; i + 1 < limb.joints.size(); ++i) {
            const double side = cross(line, limb.positions[i] - limb.reach.root);
            CHECK((limb.joints[i].bends_left ? side > -1e-6 : side < 1e-6));
        }
    });
}

TEST_CASE("fabrik: the first bone stays within its limit against the heading of the body") {
    test::for_each_seed(500, [](math::Random& random) {
        Limb limb = random_limb(random, 1);
        const double low = random.uniform(-2, 0);
        const double high = random.uniform(0, 2);
        limb.joints[0].limit = AngleLimit::between(low, high);
        limb.reach.goal = limb.reach.root + direction_at(random.uniform(-3.2, 3.2)) * (0.5 * limb.length());
        limb.go();
        const Vec2 bone = direction_of(limb.positions[0] - limb.reach.root);
        const double turn = angle_of({dot(limb.reach.heading, bone), cross(limb.reach.heading, bone)});
        CHECK(turn >= low - 1e-9);
        CHECK(turn <= high + 1e-9);
    });
}

TEST_CASE("fabrik: a mirrored limb reaches in mirror image, to the last bit") {
    test::for_each_seed(1000, [](math::Random& random) {
        Limb limb = random_limb(random, 1 + random.below(4));
        for (Joint& joint : limb.joints) joint.bends_left = random.below(2) == 0;
        limb.reach.goal = limb.reach.root + direction_at(random.uniform(-3.2, 3.2)) *
                                                (random.uniform(0.3, 1.2) * limb.length());
        Limb mirror = limb;
        mirror.reach.root.x *= -1;
        mirror.reach.goal.x *= -1;
        mirror.reach.heading.x *= -1;
        for (Vec2& joint : mirror.positions) joint.x *= -1;
        for (Joint& joint : mirror.joints) joint.bends_left = !joint.bends_left;
        limb.go();
        mirror.go();
        for (std::size_t i = 0; i < limb.positions.size(); ++i)
            CHECK(mirror.positions[i] == Vec2{-limb.positions[i].x, limb.positions[i].y});
    });
}

TEST_CASE("fabrik: a foot that is where it should be keeps its leg as it is") {
    test::for_each_seed(200, [](math::Random& random) {
        Limb limb = random_limb(random, 2);
        bend_all(limb, true);
        limb.reach.goal = limb.reach.root + direction_at(random.uniform(-3, 3)) * (0.7 * limb.length());
        limb.reach.iterations = 100;
        limb.go();
        limb.reach.goal = limb.positions.back();
        const Limb before = limb;
        limb.go();
        for (std::size_t i = 0; i < 2; ++i) CHECK(distance(limb.positions[i], before.positions[i]) < 1e-9);
    });
}
