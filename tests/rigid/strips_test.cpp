// SPDX-License-Identifier: MIT
#include <instep/rigid/strips.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;

namespace {

std::vector<std::uint32_t> asked(const Strips& strips, const Box& box) {
    std::vector<std::uint32_t> found;
    strips.for_each_overlap(box, [&](std::uint32_t number) { found.push_back(number); });
    return found;
}

Box random_box(math::Random& random, double spread) {
    const double x = random.uniform(-spread, spread);
    const double y = random.uniform(-spread, spread);
    // From specks to walls.
    const std::uint32_t size = random.below(5);
    const double largest = size == 0 ? 0.01 : size == 1 ? 100 : 2;
    const double width = random.uniform(0, largest);
    const double height = random.uniform(0, largest);
    return {{x, y}, {x + width, y + height}};
}

}  // namespace

TEST_CASE("a question finds exactly the boxes that overlap, each once") {
    test::for_each_seed(60, [](math::Random& random) {
        const double spread = random.below(2) == 0 ? 10 : 1000;
        std::vector<Box> boxes;
        for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, spread));
        Strips strips(200);
        strips.build(boxes);
        for (int i = 0; i < 100; ++i) {
            const Box box = random_box(random, spread);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t k = 0; k < boxes.size(); ++k)
                if (boxes[k].overlaps(box)) expected.push_back(k);
            auto found = asked(strips, box);
            std::sort(found.begin(), found.end());
            CHECK(found == expected);
        }
    });
}

TEST_CASE("every two boxes that overlap are told of once") {
    test::for_each_seed(60, [](math::Random& random) {
        const double spread = random.below(2) == 0 ? 10 : 1000;
        std::vector<Box> boxes;
        for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, spread));
        if (random.below(2) == 0) boxes.push_back({{1e6, -1e6}, {1e6 + 1, -1e6 + 1}});
        std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
        for (std::uint32_t i = 0; i < boxes.size(); ++i)
            for (std::uint32_t k = i + 1; k < boxes.size(); ++k)
                if (boxes[i].overlaps(boxes[k])) expected.emplace_back(i, k);
        Strips strips(201);
        strips.build(boxes);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        strips.for_each_pair(
            [&](std::uint32_t a, std::uint32_t b) { found.emplace_back(std::min(a, b), std::max(a, b)); });
        std::sort(found.begin(), found.end());
        CHECK(found == expected);
    });
}

TEST_CASE("building again forgets the boxes of before") {
    const std::vector<Box> first{{{0, 0}, {1, 1}}, {{5, 5}, {6, 6}}};
    const std::vector<Box> second{{{5, 5}, {6, 6}}};
    Strips strips(2);
    strips.build(first);
    CHECK(asked(strips, {{0, 0}, {1, 1}}).size() == 1);
    strips.build(second);
    CHECK(asked(strips, {{0, 0}, {1, 1}}).empty());
    CHECK(asked(strips, {{5, 5}, {6, 6}}).size() == 1);
}

TEST_CASE("boxes that are no numbers or beyond all bounds do no harm") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Box> boxes{
        {{nan, nan}, {nan, nan}}, {{-1e300, -1e300}, {1e300, 1e300}}, {{0, 0}, {1, 1}}};
    Strips strips(3);
    strips.build(boxes);
    CHECK(asked(strips, {{0, 0}, {1, 1}}).size() == 2);
}
