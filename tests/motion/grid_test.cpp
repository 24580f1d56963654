// SPDX-License-Identifier: MIT
#include <instep/motion/grid.h>

#include <tests/support/property.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace instep;
using namespace instep::motion;
using math::Vec2;

namespace {

constexpr Box area{{-200, -150}, {200, 150}};

// Some are missing, some are outside of the area.
std::vector<Circle> random_circles(math::Random& random) {
    std::vector<Circle> circles(2 + random.below(80));
    const std::uint32_t groups = 1 + random.below(static_cast<std::uint32_t>(circles.size()) / 3 + 1);
    for (Circle& circle : circles) {
        circle.center = {random.uniform(-230, 230), random.uniform(-180, 180)};
        circle.radius = random.below(10) == 0 ? -1 : random.uniform(1, 40);
        circle.group = random.below(groups);
    }
    return circles;
}

std::vector<ScratchBlock> blocks_for(const std::vector<Circle>& circles) {
    return std::vector<ScratchBlock>(scratch_blocks_for(static_cast<std::uint32_t>(circles.size())));
}

void push(std::vector<Circle>& circles, const PushRules& rules = {}, const Box& where = area) {
    std::vector<ScratchBlock> blocks = blocks_for(circles);
    Scratch scratch(blocks);
    scratch.take<Circle>(circles.size());  // a world's circles are in the same memory
    push_apart(circles, where, rules, scratch);
}

// The original's way: every cell has a list, pairs that share a list are sorted.
void push_plainly(std::vector<Circle>& circles, const PushRules& rules) {
    std::map<std::pair<double, double>, std::vector<std::uint32_t>> cells;
    for (std::uint32_t i = 0; i < circles.size(); ++i) {
        const Circle& circle = circles[i];
        if (circle.radius < 0) continue;
        for (double x = std::floor((circle.center.x - circle.radius) / rules.cell);
             x <= std::floor((circle.center.x + circle.radius) / rules.cell); ++x)
            for (double y = std::floor((circle.center.y - circle.radius) / rules.cell);
                 y <= std::floor((circle.center.y + circle.radius) / rules.cell); ++y)
                cells[{x, y}].push_back(i);
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& [cell, list] : cells)
        for (const std::uint32_t a : list)
            for (const std::uint32_t b : list)
                if (a < b && circles[a].group != circles[b].group) pairs.insert({a, b});
    for (std::uint32_t pass = 0; pass < rules.passes; ++pass) {
        bool moved = false;
        for (const auto& [a, b] : pairs) {
            const Vec2 between = circles[a].center - circles[b].center;
            const double reach = circles[a].radius + circles[b].radius;
            const double squared = length_squared(between);
            if (squared <= 0.0001 || squared >= reach * reach) continue;
            const double distance = std::sqrt(squared);
            const Vec2 push = between / distance * ((reach - distance) * 0.5);
            circles[a].center += push;
            circles[b].center -= push;
            moved = true;
        }
        if (!moved) return;
    }
}

Vec2 sum_of_centers(const std::vector<Circle>& circles) {
    Vec2 sum;
    for (const Circle& circle : circles) sum += circle.center;
    return sum;
}

}  // namespace

TEST_CASE("grid: every box that touches an area is found there, once, and no other") {
    test::for_each_seed(300, [](math::Random& random) {
        std::vector<Box> boxes(1 + random.below(60));
        for (Box& box : boxes) {
            const Vec2 low{random.uniform(-250, 200), random.uniform(-200, 150)};
            box = {low, low + Vec2{random.uniform(0, 90), random.uniform(0, 90)}};
            if (random.below(8) == 0) box = Box::empty();
        }
        std::vector<ScratchBlock> blocks(scratch_blocks_for(static_cast<std::uint32_t>(boxes.size())));
        Scratch scratch(blocks);
        const BoxGrid grid(boxes, area, scratch);
        const Vec2 low{random.uniform(-300, 200), random.uniform(-250, 150)};
        const Box asked{low, low + Vec2{random.uniform(0, 200), random.uniform(0, 200)}};
        std::vector<int> found(boxes.size());
        grid.for_each_touching(asked, [&](std::uint32_t index) { ++found[index]; });
        for (std::size_t i = 0; i < boxes.size(); ++i) CHECK(found[i] == (boxes[i].touches(asked) ? 1 : 0));
    });
}

TEST_CASE("grid: a group has its members in order, and bounds that hold them and nothing more") {
    test::for_each_seed(200, [](math::Random& random) {
        const std::vector<Circle> circles = random_circles(random);
        std::vector<ScratchBlock> blocks = blocks_for(circles);
        Scratch scratch(blocks);
        const CircleGroups groups(circles, area, scratch);
        std::size_t members = 0;
        for (std::uint32_t group = 0; group < groups.count(); ++group) {
            Box bounds = Box::empty();
            std::uint32_t last = 0;
            for (const std::uint32_t i : groups.members(group)) {
                CHECK(circles[i].group == group);
                CHECK(circles[i].exists());
                CHECK((i > last || i == 0));
                last = i;
                bounds = bounds.joined_with(circles[i].extent());
                ++members;
            }
            CHECK(groups.bounds(group).low == bounds.low);
            CHECK(groups.bounds(group).high == bounds.high);
        }
        CHECK(members == static_cast<std::size_t>(std::count_if(circles.begin(), circles.end(),
                                                                [](const Circle& c) { return c.exists(); })));
    });
}

TEST_CASE(
    "grid: circles are pushed as if every pair that shares a cell were looked at in the order of the "
    "indices") {
    test::for_each_seed(300, [](math::Random& random) {
        std::vector<Circle> circles = random_circles(random);
        std::vector<Circle> plain = circles;
        const PushRules rules{.cell = random.uniform(5, 60), .passes = 1 + random.below(6)};
        push(circles, rules);
        push_plainly(plain, rules);
        for (std::size_t i = 0; i < circles.size(); ++i) CHECK(circles[i].center == plain[i].center);
    });
}

TEST_CASE("grid: a crowd too dense for a list of its pairs is pushed in the same way") {
    auto random = math::Random::from_seed(1);
    std::vector<Circle> circles(300);
    for (std::uint32_t i = 0; i < circles.size(); ++i)
        circles[i] = {{random.uniform(-20, 20), random.uniform(-20, 20)}, random.uniform(5, 10), i};
    std::vector<Circle> plain = circles;
    push(circles);
    push_plainly(plain, {});
    for (std::size_t i = 0; i < circles.size(); ++i) CHECK(circles[i].center == plain[i].center);
}

TEST_CASE("grid: where the area lies changes nothing") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<Circle> circles = random_circles(random);
        std::vector<Circle> same = circles;
        push(circles);
        push(same, {}, {{-1000, -90}, {50, 4000}});
        for (std::size_t i = 0; i < circles.size(); ++i) CHECK(circles[i].center == same[i].center);
    });
}

TEST_CASE("grid: pushing keeps the middle of all, and leaves the members of one group alone") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<Circle> circles = random_circles(random);
        std::vector<Circle> one_group = circles;
        for (Circle& circle : one_group) circle.group = 1;
        const Vec2 before = sum_of_centers(circles);
        push(circles);
        push(one_group);
        CHECK(length(sum_of_centers(circles) - before) < 1e-9);
        CHECK(sum_of_centers(one_group) == before);
    });
}

TEST_CASE("grid: two circles that overlap touch after one push") {
    std::vector<Circle> circles{{{0, 0}, 10, 0}, {{12, 0}, 6, 1}};
    push(circles);
    CHECK(circles[0].center.x == doctest::Approx(-2));
    CHECK(circles[1].center.x == doctest::Approx(14));
}

TEST_CASE("grid: two circles at the same point have no direction to part in") {
    std::vector<Circle> circles{{{3, 4}, 10, 0}, {{3, 4}, 10, 1}};
    push(circles);
    CHECK(circles[0].center == Vec2{3, 4});
    CHECK(circles[1].center == Vec2{3, 4});
}
