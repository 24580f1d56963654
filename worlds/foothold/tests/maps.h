// SPDX-License-Identifier: MIT
// Random maps for the tests of footholds: tame ones, where every chain is sound, and wild ones with all the
// oddities that real files have.
#pragma once

#include <foothold/ground.h>
#include <instep/math/random.h>

#include <vector>

namespace instep::test {

inline std::int32_t between(math::Random& random, std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(high - low + 1)));
}

// Links that lead elsewhere, ends that don't meet, duplicates, x1 > x2, steep slopes, walls drawn both ways,
// neighbours that are missing.
inline std::vector<worlds::foothold::FootholdSegment> wild_map(math::Random& random) {
    const std::int32_t count = between(random, 1, 60);
    std::vector<worlds::foothold::FootholdSegment> segments;
    for (std::int32_t i = 1; i <= count; ++i) {
        worlds::foothold::FootholdSegment s;
        s.id = i * 3;
        s.layer = between(random, 0, 7);
        s.x1 = between(random, -600, 600);
        s.y1 = between(random, -300, 300);
        const std::uint32_t kind = random.below(8);
        s.x2 = kind == 0 ? s.x1 : s.x1 + between(random, kind == 1 ? -200 : 1, 200);
        s.y2 = kind < 4 ? s.y1 + between(random, -90, 90) : s.y1;
        if (kind == 2) s.x2 = s.x1 + 1;
        if (!segments.empty() && random.below(10) == 0) {
            const worlds::foothold::FootholdSegment& other =
                segments[random.below(static_cast<std::uint32_t>(segments.size()))];
            s.x1 = other.x1, s.y1 = other.y1, s.x2 = other.x2, s.y2 = other.y2;
        }
        const auto link = [&]() -> std::int32_t {
            switch (random.below(5)) {
                case 0: return 0;
                case 1: return between(random, 1, 200);  // maybe nobody
                default: return 3 * between(random, 1, count);
            }
        };
        s.prev = link();
        s.next = link();
        segments.push_back(s);
    }
    return segments;
}

// Platforms of linked slopes, flats and walls, left to right, over a floor that reaches under all of them.
inline std::vector<worlds::foothold::FootholdSegment> tame_map(math::Random& random,
                                                               std::int32_t platforms = 6) {
    std::vector<worlds::foothold::FootholdSegment> segments;
    std::int32_t id = 1;
    for (std::int32_t p = 0; p < platforms; ++p) {
        std::int32_t x = between(random, -800, 400);
        std::int32_t y = -100 * p;
        const std::int32_t links = between(random, 1, 8);
        for (std::int32_t k = 0; k < links; ++k) {
            worlds::foothold::FootholdSegment s;
            s.id = id;
            s.layer = 1;
            s.group = p;
            s.x1 = x, s.y1 = y;
            if (k > 0 && k + 1 < links && segments.back().x1 != segments.back().x2 && random.below(5) == 0) {
                y += random.below(2) == 0 ? -between(random, 10, 60) : between(random, 10, 60);
            } else {
                const std::int32_t width = between(random, 20, 150);
                x += width;
                y += random.below(2) == 0 ? 0 : between(random, -width, width);
            }
            s.x2 = x, s.y2 = y;
            s.prev = k == 0 ? 0 : id - 1;
            s.next = k + 1 == links ? 0 : id + 1;
            segments.push_back(s);
            ++id;
        }
    }
    segments.push_back({id, 1, 99, -1500, 900, 1500, 900, 0, 0, false});
    return segments;
}

}  // namespace instep::test
