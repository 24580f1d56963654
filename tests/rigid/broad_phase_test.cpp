// SPDX-License-Identifier: MIT
#include <instep/rigid/broad_phase.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <tests/rigid/support.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::rigid;

namespace {

std::vector<std::uint32_t> asked(const BroadPhase& broad_phase, const Aabb& box) {
    std::vector<std::uint32_t> found;
    broad_phase.for_each_overlap(box, [&](std::uint32_t number) { found.push_back(number); });
    return found;
}

Aabb random_box(math::Random& random, double spread) {
    const double x = random.uniform(-spread, spread);
    const double y = random.uniform(-spread, spread);
    // From tiny boxes to walls.
    const std::uint32_t size = random.below(5);
    const double largest = size == 0 ? 0.01 : size == 1 ? 100 : 2;
    const double width = random.uniform(0, largest);
    const double height = random.uniform(0, largest);
    return {{x, y}, {x + width, y + height}};
}

}  // namespace

TEST_CASE("broad phase: a query finds exactly the boxes that overlap, each once") {
    test::for_each_seed(60, [](math::Random& random) {
        const double spread = random.below(2) == 0 ? 10 : 1000;
        std::vector<Aabb> boxes;
        for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, spread));
        BroadPhase broad_phase(200);
        broad_phase.build(boxes);
        for (int i = 0; i < 100; ++i) {
            const Aabb box = random_box(random, spread);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t k = 0; k < boxes.size(); ++k)
                if (boxes[k].overlaps(box)) expected.push_back(k);
            auto found = asked(broad_phase, box);
            std::sort(found.begin(), found.end());
            CHECK(found == expected);
        }
    });
}

TEST_CASE("broad phase: every pair that overlaps is reported once") {
    test::for_each_seed(60, [](math::Random& random) {
        const double spread = random.below(2) == 0 ? 10 : 1000;
        std::vector<Aabb> boxes;
        for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, spread));
        if (random.below(2) == 0) boxes.push_back({{1e6, -1e6}, {1e6 + 1, -1e6 + 1}});
        std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
        for (std::uint32_t i = 0; i < boxes.size(); ++i)
            for (std::uint32_t k = i + 1; k < boxes.size(); ++k)
                if (boxes[i].overlaps(boxes[k])) expected.emplace_back(i, k);
        BroadPhase broad_phase(201);
        broad_phase.build(boxes);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        broad_phase.for_each_pair(
            [&](std::uint32_t a, std::uint32_t b) { found.emplace_back(std::min(a, b), std::max(a, b)); });
        std::sort(found.begin(), found.end());
        CHECK(found == expected);
    });
}

TEST_CASE("broad phase: a rebuild forgets the earlier boxes") {
    const std::vector<Aabb> first{{{0, 0}, {1, 1}}, {{5, 5}, {6, 6}}};
    const std::vector<Aabb> second{{{5, 5}, {6, 6}}};
    BroadPhase broad_phase(2);
    broad_phase.build(first);
    CHECK(asked(broad_phase, {{0, 0}, {1, 1}}).size() == 1);
    broad_phase.build(second);
    CHECK(asked(broad_phase, {{0, 0}, {1, 1}}).empty());
    CHECK(asked(broad_phase, {{5, 5}, {6, 6}}).size() == 1);
}

TEST_CASE("broad phase: boxes with NaN or huge sides do no harm") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Aabb> boxes{
        {{nan, nan}, {nan, nan}}, {{-1e300, -1e300}, {1e300, 1e300}}, {{0, 0}, {1, 1}}};
    BroadPhase broad_phase(3);
    broad_phase.build(boxes);
    CHECK(asked(broad_phase, {{0, 0}, {1, 1}}).size() == 2);
}
