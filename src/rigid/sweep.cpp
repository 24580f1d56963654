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
// Along all that is touched, and then once more along what does not give way: that has the last word.
constexpr int slide_rounds = 2;

Motion motion_of(const Body& body, const Mover& mover) {
    return {body.position, mover.shift, body.angle, mover.turn};
}

// A shape's middle at the beginning of a step, how far it is from another shape, and how much of that the
// step would take away.
struct Approach {
    Separation between{};
    double closing = 0;
};

Hull middle_of(const Shape& shape, double radius) {
    Hull middle;
    middle.count = 1;
    middle.points[0] = shape.middle;
    middle.radius = radius;
    return middle;
}

Approach approach_of(const Shape& shape, const Motion& motion, const Hull& other,
                     const Motion& other_motion) {
    Hull from;
    Hull to;
    Hull placed_other;
    place(middle_of(shape, 0), motion.at(0), from);
    place(middle_of(shape, 0), motion.at(1), to);
    place(other, other_motion.at(0), placed_other);
    const Separation between = separation(from, placed_other);
    const Vec2 way = to.points[0] - from.points[0] - other_motion.shift;
    return {between, math::dot(way, between.direction)};
}

// How near the middle may come to what it touches: if most of the shape were on the other side, the next
// manifold would push it there.
double room_of_middle(const Shape& shape) { return 0.75 * shape.core; }

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
    Sweep(const Space& space, const Setup& setup, double dt, Scratch& scratch)
        : space_(space), setup_(setup), dt_(dt), scratch_(scratch) {}

    // What the solver left alone goes its way, along which there was nothing, or is slow.
    bool may_hit(std::uint32_t number) const {
        const Proxy& proxy = scratch_.proxies[number];
        return proxy.dynamic && (scratch_.first_obstacle[number] != no_obstacle || proxy.missed_obstacles ||
                                 scratch_.batches.has(proxy.body));
    }

    void stop(std::uint32_t place) {
        Mover& mover = scratch_.movers[place];
        if (may_touch_already(place))
            for (int round = 0; round < slide_rounds && slide(place, round > 0); ++round) {
            }
        double first = 1;
        for_each_obstacle(
            place, [&](const Proxy& proxy, const Shape& shape, const Proxy& other, const Shape& other_shape) {
                first = std::min(first, impact_with(proxy, shape, other, other_shape));
            });
        if (!(first < 1)) return;
        mover.shift *= first;
        mover.turn *= first;
        // What has gone only a part of its way has fallen only for a part of the step.
        if (!scratch_.batches.has(place)) mover.velocity -= (1 - first) * dt_ * setup_.rules.gravity;
    }

private:
    // What touches has a contact, if there was room for it.
    bool may_touch_already(std::uint32_t place) const {
        return scratch_.batches.has(place) || scratch_.report.dropped > 0;
    }

    // Of every shape of a body, everything that may be in its way and does not give way.
    template <class Visit>
    void for_each_obstacle(std::uint32_t place, Visit visit) const {
        const Form& form = form_of(space_.bodies[place], setup_);
        const Mover& mover = scratch_.movers[place];
        for (std::uint32_t i = 0; i < form.shapes.size(); ++i) {
            const std::uint32_t number = scratch_.first_proxy[place] + i;
            if (!may_hit(number)) continue;
            const Proxy& proxy = scratch_.proxies[number];
            const Shape& shape = form.shapes[i];
            const auto visit_if_hard = [&](std::uint32_t found) {
                const Proxy& other = scratch_.proxies[found];
                if ((other.dynamic && !form.options.bullet) || !may_touch(proxy, other)) return;
                visit(proxy, shape, other, form_of(space_.bodies[other.body], setup_).shapes[other.shape]);
            };
            // The solver may have sent it another way than the one along which obstacles were looked for.
            const Box way =
                scratch_.boxes[number].swept(mover.shift).grown(swing_of(form, shape, mover.turn));
            if (proxy.fast && !proxy.missed_obstacles && scratch_.swept[number].contains(way)) {
                for (std::uint32_t k = scratch_.first_obstacle[number]; k != no_obstacle;
                     k = scratch_.obstacles[k].next)
                    visit_if_hard(scratch_.obstacles[k].proxy);
            } else {
                scratch_.strips.for_each_overlap(way, visit_if_hard);
            }
        }
    }

    // Takes from a body's way what would bring its middle too near to what it touches, and leaves it the way
    // along it. Says whether there was anything to take.
    bool slide(std::uint32_t place, bool only_hard) {
        Mover& mover = scratch_.movers[place];
        Vec2 shift = mover.shift;
        for_each_obstacle(
            place, [&](const Proxy& proxy, const Shape& shape, const Proxy& other, const Shape& other_shape) {
                if ((only_hard && other.dynamic) || !touches(proxy, other)) return;
                Motion motion = motion_of(space_.bodies[proxy.body], mover);
                motion.shift = shift;
                const Motion other_motion = motion_of(space_.bodies[other.body], scratch_.movers[other.body]);
                const Approach approach = approach_of(shape, motion, other_shape.hull, other_motion);
                const double left = approach.between.distance;
                if (!(left > hair)) return;
                const double too_much = approach.closing - std::max(0.0, left - room_of_middle(shape));
                if (too_much > 0) shift -= too_much * approach.between.direction;
            });
        const bool slid = shift != mover.shift;
        mover.shift = shift;
        return slid;
    }

    bool touches(const Proxy& proxy, const Proxy& other) const {
        return scratch_.boxes[number_of(proxy)].overlaps(scratch_.boxes[number_of(other)]) &&
               start_distance(proxy, other) <= touching_distance + near_enough;
    }

    double impact_with(const Proxy& proxy, const Shape& shape, const Proxy& other,
                       const Shape& other_shape) const {
        const Motion motion = motion_of(space_.bodies[proxy.body], scratch_.movers[proxy.body]);
        const Motion other_motion = motion_of(space_.bodies[other.body], scratch_.movers[other.body]);
        const double time = time_of_impact(shape.hull, shape.reach, motion, other_shape.hull,
                                           other_shape.reach, other_motion);
        if (time > 0) return time;
        // They touch already: the solver has seen to where they do, and slide() to their middles, as far as
        // ways are straight. What turns may hit with another corner: it goes on until that is a little deep.
        const Approach approach = approach_of(shape, motion, other_shape.hull, other_motion);
        if (!(approach.between.distance > hair)) return 1;  // too late: let it out on the nearer side
        const double deep = std::min(start_distance(proxy, other), 0.0) - 0.25 * shape.core;
        const double until_deep = time_of_impact(shape.hull, shape.reach, motion, other_shape.hull,
                                                 other_shape.reach, other_motion, deep);
        const double radius = std::min(room_of_middle(shape), approach.between.distance) - 2 * near_enough;
        if (!(radius > 0)) return until_deep;
        return std::min(until_deep,
                        time_of_impact(middle_of(shape, radius), math::length(shape.middle), motion,
                                       other_shape.hull, other_shape.reach, other_motion, 0));
    }

    double start_distance(const Proxy& proxy, const Proxy& other) const {
        return separation(scratch_.hulls[number_of(proxy)], scratch_.hulls[number_of(other)]).distance;
    }

    std::size_t number_of(const Proxy& proxy) const {
        return static_cast<std::size_t>(&proxy - scratch_.proxies.data());
    }

    const Space& space_;
    const Setup& setup_;
    double dt_;
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

void stop_at_impacts(const Space& space, const Setup& setup, double dt, Scratch& scratch) {
    Sweep sweep(space, setup, dt, scratch);
    std::uint32_t last = no_obstacle;
    // Bullets last: the others' ways are settled then.
    for (const bool bullets : {false, true})
        for (std::uint32_t i = 0; i < scratch.proxies.size(); ++i) {
            const std::uint32_t place = scratch.proxies[i].body;
            if (place == last || !sweep.may_hit(i)) continue;
            const Body& body = space.bodies[place];
            const Form& form = form_of(body, setup);
            if (form.options.bullet != bullets || body.asleep) continue;
            if (!scratch.pressed[place] && !is_fast(form, scratch.movers[place])) continue;
            sweep.stop(place);
            last = place;
        }
}

}  // namespace instep::rigid
