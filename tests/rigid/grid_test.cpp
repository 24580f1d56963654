// SPDX-License-Identifier: MIT
#include <instep/rigid/grid.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;

namespace {

std::vector<std::uint32_t> asked(const Grid& grid, const Box& box) {
    std::vector<std::uint32_t> found;
    grid.for_each_overlap(box, [&](std::uint32_t number) { found.push_back(number); });
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

TEST_CASE("the grid finds exactly the boxes that overlap, each once") {
    test::for_each_seed(60, [](math::Random& random) {
        const double spread = random.below(2) == 0 ? 10 : 1000;
        std::vector<Box> boxes;
        for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, spread));
        Grid grid(200);
        grid.build(boxes);
        for (int i = 0; i < 100; ++i) {
            const Box box = random_box(random, spread);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t k = 0; k < boxes.size(); ++k)
                if (boxes[k].overlaps(box)) expected.push_back(k);
            auto found = asked(grid, box);
            std::sort(found.begin(), found.end());
            CHECK(found == expected);
        }
    });
}

TEST_CASE("building again forgets the boxes of before") {
    const std::vector<Box> first{{{0, 0}, {1, 1}}, {{5, 5}, {6, 6}}};
    const std::vector<Box> second{{{5, 5}, {6, 6}}};
    Grid grid(2);
    grid.build(first);
    CHECK(asked(grid, {{0, 0}, {1, 1}}).size() == 1);
    grid.build(second);
    CHECK(asked(grid, {{0, 0}, {1, 1}}).empty());
    CHECK(asked(grid, {{5, 5}, {6, 6}}).size() == 1);
}

TEST_CASE("boxes that are no numbers or beyond all bounds do no harm") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Box> boxes{
        {{nan, nan}, {nan, nan}}, {{-1e300, -1e300}, {1e300, 1e300}}, {{0, 0}, {1, 1}}};
    Grid grid(3);
    grid.build(boxes);
    CHECK(asked(grid, {{0, 0}, {1, 1}}).size() == 2);
}
