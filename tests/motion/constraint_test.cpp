// SPDX-License-Identifier: MIT
#include <instep/motion/constraint.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <vector>

using namespace instep;
using namespace instep::motion;

namespace {

constexpr std::uint32_t node_count = 12;

Vec2 random_vector(math::Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size)};
}

struct Chain {
    std::vector<Particle> nodes;
    std::vector<Bone> bones;

    // Anywhere, with lengths and limits of its own for each bone.
    explicit Chain(math::Random& random) {
        for (std::uint32_t i = 0; i < node_count; ++i) {
            nodes.push_back({random_vector(random, 200), random_vector(random, 5)});
            const double low = random.uniform(-2, 0);
            const double high = random.uniform(0, 2);
            if (i > 0)
                bones.push_back(
                    {.limit = AngleLimit::between(low, high), .length = random.uniform(10, 200), .node = i});
        }
    }

    void pass() { forward_pass(nodes, bones, root_of(nodes, 0, bones[0])); }
    Vec2 at(std::uint32_t i) const { return nodes[i].position; }
    double turn(std::uint32_t i) const {
        const Vec2 before = direction_of(at(i - 1) - at(i - 2));
        const Vec2 here = direction_of(at(i) - at(i - 1));
        return angle_of({dot(before, here), cross(before, here)});
    }
};

}  // namespace

TEST_CASE("constraint: after a forward pass every bone has its length and every bend is within its limits") {
    test::for_each_seed(500, [](math::Random& random) {
        Chain chain(random);
        const Vec2 root = chain.at(0);
        chain.pass();
        CHECK(chain.at(0) == root);
        for (const Bone& bone : chain.bones)
            CHECK(distance(chain.at(bone.node - 1), chain.at(bone.node)) ==
                  doctest::Approx(bone.length).epsilon(1e-12));
        for (std::uint32_t i = 2; i < node_count; ++i) {
            const AngleLimit& limit = chain.bones[i - 1].limit;
            CHECK(chain.turn(i) >= angle_of(limit.low) - 1e-9);
            CHECK(chain.turn(i) <= angle_of(limit.high) + 1e-9);
        }
    });
}

TEST_CASE("constraint: a chain that is as it should be is not moved by a forward pass") {
    test::for_each_seed(200, [](math::Random& random) {
        Chain chain(random);
        chain.pass();
        const Chain before = chain;
        chain.pass();
        for (std::uint32_t i = 0; i < node_count; ++i) CHECK(length(chain.at(i) - before.at(i)) < 1e-9);
    });
}

TEST_CASE(
    "constraint: the iterated solver brings bones to their lengths, and what it moves flies on, with no "
    "momentum of its own") {
    test::for_each_seed(100, [](math::Random& random) {
        Chain chain(random);
        const Chain before = chain;
        std::vector<Vec2> positions(node_count);
        const auto solve = [&](std::uint32_t rounds) {
            solve_iterated(
                chain.nodes, positions, rounds,
                [&] {
                    for (const Bone& bone : chain.bones)
                        pull_together(chain.nodes,
                                      {.length = bone.length, .a = bone.node - 1, .b = bone.node});
                },
                [] {});
        };
        const auto error = [&] {
            double sum = 0;
            for (const Bone& bone : chain.bones)
                sum += std::abs(distance(chain.at(bone.node - 1), chain.at(bone.node)) - bone.length);
            return sum;
        };
        const double at_first = error();
        solve(4);
        CHECK(error() < at_first);
        solve(400);
        CHECK(error() < 1e-3 * at_first);
        Vec2 pushed;
        for (std::uint32_t i = 0; i < node_count; ++i) {
            const Vec2 flies = chain.nodes[i].velocity - before.nodes[i].velocity;
            CHECK(length(flies - (chain.at(i) - before.at(i))) < 1e-9);
            pushed += flies;
        }
        CHECK(length(pushed) < 1e-9);
    });
}

TEST_CASE("constraint: constraints leave velocities alone") {
    test::for_each_seed(50, [](math::Random& random) {
        Chain chain(random);
        const Chain before = chain;
        chain.pass();
        limit_angles(chain.nodes, chain.bones, root_of(chain.nodes, 0, chain.bones[0]));
        pull_together(chain.nodes, {.length = 20, .a = 3, .b = 7});
        for (std::uint32_t i = 0; i < node_count; ++i)
            CHECK(chain.nodes[i].velocity == before.nodes[i].velocity);
    });
}

TEST_CASE("constraint: a mirrored chain is straightened in mirror image, to the last bit") {
    test::for_each_seed(200, [](math::Random& random) {
        Chain chain(random);
        Chain mirror = chain;
        for (Particle& node : mirror.nodes) node.position.x = -node.position.x;
        for (Bone& bone : mirror.bones) {
            const AngleLimit limit = bone.limit;
            bone.limit.low = {limit.high.x, -limit.high.y};
            bone.limit.high = {limit.low.x, -limit.low.y};
        }
        chain.pass();
        mirror.pass();
        for (std::uint32_t i = 0; i < node_count; ++i)
            CHECK(mirror.at(i) == Vec2{-chain.at(i).x, chain.at(i).y});
    });
}

TEST_CASE("constraint: a chain goes on from a node that is held, and leaves it where it is") {
    test::for_each_seed(200, [](math::Random& random) {
        Chain chain(random);
        chain.bones[4].held = true;
        const Vec2 held = chain.at(5);
        chain.pass();
        CHECK(chain.at(5) == held);
        CHECK(distance(held, chain.at(6)) == doctest::Approx(chain.bones[5].length).epsilon(1e-12));
    });
}

TEST_CASE("constraint: a pass in two parts is a pass in one") {
    test::for_each_seed(100, [](math::Random& random) {
        Chain whole(random);
        Chain parts = whole;
        whole.pass();
        const std::span bones(parts.bones);
        const ChainEnd middle = forward_pass(parts.nodes, bones.first(5), root_of(parts.nodes, 0, bones[0]));
        forward_pass(parts.nodes, bones.subspan(5), middle);
        for (std::uint32_t i = 0; i < node_count; ++i) CHECK(parts.at(i) == whole.at(i));
    });
}

TEST_CASE("constraint: limiting angles sets what has bent too far and carries along what hangs on it") {
    test::for_each_seed(200, [](math::Random& random) {
        Chain chain(random);
        const Chain before = chain;
        limit_angles(chain.nodes, chain.bones, root_of(chain.nodes, 0, chain.bones[0]));
        for (std::uint32_t i = 2; i < node_count; ++i) {
            const AngleLimit& limit = chain.bones[i - 1].limit;
            CHECK(chain.turn(i) >= angle_of(limit.low) - 1e-9);
            CHECK(chain.turn(i) <= angle_of(limit.high) + 1e-9);
            const Vec2 bone = chain.at(i) - chain.at(i - 1);
            const bool kept = length(bone - (before.at(i) - before.at(i - 1))) < 1e-9;
            if (!kept) CHECK(length(bone) == doctest::Approx(chain.bones[i - 1].length).epsilon(1e-12));
        }
    });
}

TEST_CASE("constraint: angles limited in two parts are angles limited in one") {
    test::for_each_seed(100, [](math::Random& random) {
        Chain whole(random);
        Chain parts = whole;
        const std::span bones(parts.bones);
        limit_angles(whole.nodes, whole.bones, root_of(whole.nodes, 0, whole.bones[0]));
        const ChainEnd middle = limit_angles(parts.nodes, bones.first(5), root_of(parts.nodes, 0, bones[0]));
        limit_angles(parts.nodes, bones.subspan(5), middle);
        for (std::uint32_t i = 0; i < node_count; ++i) CHECK(parts.at(i) == whole.at(i));
    });
}

TEST_CASE("constraint: a pull brings two free nodes to their distance and keeps the middle between them") {
    test::for_each_seed(500, [](math::Random& random) {
        std::vector<Particle> nodes{{random_vector(random, 100), {}}, {random_vector(random, 100), {}}};
        const Vec2 middle = nodes[0].position + nodes[1].position;
        pull_together(nodes, {.length = 30, .a = 0, .b = 1});
        CHECK(distance(nodes[0].position, nodes[1].position) == doctest::Approx(30).epsilon(1e-12));
        CHECK(length(nodes[0].position + nodes[1].position - middle) < 1e-12);
    });
}

TEST_CASE("constraint: beside a node that is held the other one takes the whole correction") {
    std::vector<Particle> nodes{{{0, 0}, {}}, {{50, 0}, {}}};
    pull_together(nodes, {.length = 30, .share_a = 0, .share_b = 1, .a = 0, .b = 1});
    CHECK(nodes[0].position == Vec2{0, 0});
    CHECK(nodes[1].position == Vec2{30, 0});
}

TEST_CASE("constraint: nodes at the same point have no direction to be pulled in") {
    std::vector<Particle> nodes{{{5, 5}, {}}, {{5, 5}, {}}};
    pull_together(nodes, {.length = 30, .a = 0, .b = 1});
    CHECK(nodes[0].position == Vec2{5, 5});
    CHECK(nodes[1].position == Vec2{5, 5});
}

TEST_CASE("constraint: going round all pairs again and again brings a net of them to rest") {
    test::for_each_seed(50, [](math::Random& random) {
        Chain chain(random);
        std::vector<DistanceLink> links;
        for (std::uint32_t i = 1; i < node_count; ++i) links.push_back({.length = 40, .a = i - 1, .b = i});
        const auto worst = [&] {
            double error = 0;
            for (const DistanceLink& link : links)
                error = std::max(error, std::abs(distance(chain.at(link.a), chain.at(link.b)) - link.length));
            return error;
        };
        const double before = worst();
        for (int i = 0; i < 2000; ++i)
            for (const DistanceLink& link : links) pull_together(chain.nodes, link);
        CHECK(worst() < 1e-6);
        CHECK(worst() < before);
    });
}
