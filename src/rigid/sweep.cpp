// SPDX-License-Identifier: MIT
// Conservative advancement (Mirtich 1996) along straight, evenly turning ways.
#include <instep/rigid/sweep.h>

#include <algorithm>
#include <cmath>

#include <instep/rigid/distance.h>
#include <instep/rigid/motion.h>
#include <instep/rigid/pairs.h>

namespace instep::rigid {
namespace {

constexpr int max_advances = 32;
constexpr double near_enough = 0.25 * linear_slop;
constexpr double hair = 1e-3 * linear_slop;

Motion motion_of(const Body& body, const Mover& mover) {
    return {body.position, mover.shift, body.angle, mover.turn};
}

double start_distance(const Hull& a, const Motion& motion_a, const Hull& b, const Motion& motion_b) {
    Hull placed_a;
    Hull placed_b;
    place(a, motion_a.at(0), placed_a);
    place(b, motion_b.at(0), placed_b);
    return separation(placed_a, placed_b).distance;
}

// Of two discs about their bodies' centres: the smaller root of |apart + t nearing| = radii.
double time_of_discs(Vec2 apart, Vec2 nearing, double radii) {
    const double c = math::length_squared(apart) - radii * radii;
    if (!(c > 0)) return 0;
    const double half_b = math::dot(apart, nearing);
    const double a = math::length_squared(nearing);
    const double discriminant = half_b * half_b - a * c;
    if (!(half_b < 0) || !(discriminant >= 0)) return 1;
    return std::min((-half_b - std::sqrt(discriminant)) / a, 1.0);
}

class Sweep {
public:
    Sweep(const Space& space, const Setup& setup, Scratch& scratch)
        : space_(space), setup_(setup), scratch_(scratch) {}

    // What the solver left alone goes its way, along which there was nothing, or is slow.
    bool may_hit(std::uint32_t number) const {
        const Proxy& proxy = scratch_.proxies[number];
        return proxy.dynamic &&
               (scratch_.first_obstacle[number] != no_obstacle || scratch_.batches.has(proxy.body));
    }

    void stop(std::uint32_t place) {
        const Form& form = form_of(space_.bodies[place], setup_);
        Mover& mover = scratch_.movers[place];
        double first = 1;
        for (std::uint32_t i = 0; i < form.shapes.size(); ++i) {
            const std::uint32_t number = scratch_.first_proxy[place] + i;
            if (may_hit(number)) first = std::min(first, first_impact(number));
        }
        mover.shift *= first;
        mover.turn *= first;
    }

private:
    double first_impact(std::uint32_t number) const {
        const Proxy& proxy = scratch_.proxies[number];
        const Form& form = form_of(space_.bodies[proxy.body], setup_);
        const Shape& shape = form.shapes[proxy.shape];
        const Mover& mover = scratch_.movers[proxy.body];
        double first = 1;
        const auto run_into = [&](std::uint32_t found) {
            const Proxy& other = scratch_.proxies[found];
            if ((other.dynamic && !form.options.bullet) || !may_touch(proxy, other)) return;
            const Shape& other_shape = form_of(space_.bodies[other.body], setup_).shapes[other.shape];
            first = std::min(first, impact_with(proxy, shape, other, other_shape));
        };
        // The solver may have sent it another way than the one along which obstacles were looked for.
        const Box way = scratch_.boxes[number].swept(mover.shift).grown(swing_of(form, shape, mover.turn));
        if (proxy.fast && scratch_.swept[number].contains(way)) {
            for (std::uint32_t i = scratch_.first_obstacle[number]; i != no_obstacle;
                 i = scratch_.obstacles[i].next)
                run_into(scratch_.obstacles[i].proxy);
        } else {
            scratch_.strips.for_each_overlap(way, run_into);
        }
        return first;
    }

    double impact_with(const Proxy& proxy, const Shape& shape, const Proxy& other,
                       const Shape& other_shape) const {
        const Motion motion = motion_of(space_.bodies[proxy.body], scratch_.movers[proxy.body]);
        const Motion other_motion = motion_of(space_.bodies[other.body], scratch_.movers[other.body]);
        const double time = time_of_impact(shape.hull, shape.reach, motion, other_shape.hull,
                                           other_shape.reach, other_motion);
        if (time > 0) return time;
        // They touch already: the solver has seen to them, and stopping would make everything stick that
        // slides. But the middle must not get through, even if others push: if most of it is on the other
        // side, the next manifold would push it there.
        Hull middle;
        middle.count = 1;
        middle.points[0] = shape.middle;
        const double reach = math::length(shape.middle);
        const double left = start_distance(middle, motion, other_shape.hull, other_motion);
        if (!(left > hair)) return 1;  // too late: let it out on whichever side is nearer
        middle.radius = std::min(0.75 * shape.core, left - hair);
        return time_of_impact(middle, reach, motion, other_shape.hull, other_shape.reach, other_motion, 0);
    }

    const Space& space_;
    const Setup& setup_;
    Scratch& scratch_;
};

}  // namespace

double time_of_impact(const Hull& a, double reach_a, const Motion& motion_a, const Hull& b, double reach_b,
                      const Motion& motion_b, double target) {
    if (reach_a == 0 && reach_b == 0)
        return time_of_discs(motion_a.from - motion_b.from, motion_a.shift - motion_b.shift,
                             a.radius + b.radius + target);
    const Vec2 nearing = motion_a.shift - motion_b.shift;
    const double turning = std::fabs(motion_a.turn) * reach_a + std::fabs(motion_b.turn) * reach_b;
    Hull placed_a;
    Hull placed_b;
    double time = 0;
    for (int i = 0; i < max_advances; ++i) {
        place(a, motion_a.at(time), placed_a);
        place(b, motion_b.at(time), placed_b);
        const Separation between = separation(placed_a, placed_b);
        const double left = between.distance - target;
        if (!(left > (i == 0 ? 0 : near_enough))) return time;
        const double most = math::dot(nearing, between.direction) + turning;
        if (!(most > 0)) return 1;
        if (!(left > near_enough)) return time;
        time += left / most;
        if (time >= 1) return 1;
    }
    return time;  // so slow a convergence is a graze; nothing has touched up to here
}

void stop_at_impacts(const Space& space, const Setup& setup, Scratch& scratch) {
    Sweep sweep(space, setup, scratch);
    std::uint32_t last = no_obstacle;
    // Bullets last: the others' ways are settled then.
    for (const bool bullets : {false, true})
        for (std::uint32_t i = 0; i < scratch.proxies.size(); ++i) {
            const std::uint32_t place = scratch.proxies[i].body;
            if (place == last || !sweep.may_hit(i)) continue;
            const Body& body = space.bodies[place];
            const Form& form = form_of(body, setup);
            if (form.options.bullet != bullets || body.asleep || !is_fast(form, scratch.movers[place]))
                continue;
            sweep.stop(place);
            last = place;
        }
}

}  // namespace instep::rigid
