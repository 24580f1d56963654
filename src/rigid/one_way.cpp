// SPDX-License-Identifier: MIT
#include <instep/rigid/one_way.h>

#include <algorithm>

namespace instep::rigid {

double distance_in_front(const Hull& platform, Vec2 direction, const Hull& other) {
    double top = math::dot(direction, platform.points[0]);
    for (std::uint32_t i = 1; i < platform.count; ++i)
        top = std::max(top, math::dot(direction, platform.points[i]));
    double bottom = math::dot(direction, other.points[0]);
    for (std::uint32_t i = 1; i < other.count; ++i)
        bottom = std::min(bottom, math::dot(direction, other.points[i]));
    return bottom - top - platform.radius - other.radius;
}

}  // namespace instep::rigid
