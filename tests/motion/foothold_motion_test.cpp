// SPDX-License-Identifier: MIT
// The reference's motion: against a second writing of its rules that shares nothing with ours, on maps with
// every oddity, bit for bit; then the laws that hold once its quirks are off.
#include <instep/motion/foothold_motion.h>

#include <doctest/doctest.h>

#include <tests/motion/foothold_maps.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace instep;
using motion::FootholdSet;
using motion::MotionFlags;
using motion::MotionType;
using motion::PhysicsObject;

namespace {

// --- The rules by the letter: ids, linear scans, the order of the recordings' headers ----------------------

struct Plain {
    std::vector<motion::FootholdSegment> list;
    double walls[2], borders[2];

    explicit Plain(std::vector<motion::FootholdSegment> segments) : list(std::move(segments)) {
        double l = 1e9, r = -1e9, t = 1e9, b = -1e9;
        for (const auto& f : list) {
            l = std::min({l, f.x1 * 1.0, f.x2 * 1.0}), r = std::max({r, f.x1 * 1.0, f.x2 * 1.0});
            t = std::min({t, f.y1 * 1.0, f.y2 * 1.0}), b = std::max({b, f.y1 * 1.0, f.y2 * 1.0});
        }
        walls[0] = l + 25, walls[1] = r - 25, borders[0] = t - 300, borders[1] = b + 100;
    }

    struct Fh {
        std::int32_t id = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, prev = 0, next = 0, layer = 0;
        double l() const { return std::min(x1, x2); }
        double r() const { return std::max(x1, x2); }
        bool wall() const { return id != 0 && x1 == x2; }
        double slope() const {
            return wall() ? 0.0 : static_cast<double>(y2 - y1) / static_cast<double>(x2 - x1);
        }
        double ground(double x) const {
            if (id == 0) return std::numeric_limits<double>::quiet_NaN();
            return y1 == y2 ? y1 : slope() * (x - x1) + y1;
        }
    };
    Fh fh(std::int32_t id) const {
        for (const auto& f : list)
            if (id != 0 && f.id == id) return {f.id, f.x1, f.y1, f.x2, f.y2, f.prev, f.next, f.layer};
        return {};
    }
    std::int32_t below(double fx, double fy) const {
        std::int32_t id = 0;
        double best = borders[1];
        for (const auto& f : list) {
            const Fh c = fh(f.id);
            if (c.wall() || std::trunc(fx) < c.l() || std::trunc(fx) > c.r()) continue;
            const double y = c.ground(fx);
            if (best >= y && y >= fy) best = y, id = c.id;
        }
        return id;
    }
    static bool blocks(const Fh& w, double s) {
        const auto contains = [&](double v) { return w.y1 <= v && v <= w.y2; };
        return w.wall() && (contains(s - 50) || contains(s - 1) || (s - 50 <= w.y1 && w.y1 <= s - 1) ||
                            (s - 50 <= w.y2 && w.y2 <= s - 1));
    }
    double get_wall(std::int32_t id, bool left, double y) const {
        const Fh cur = fh(id);
        const double s = std::trunc(y);
        const Fh one = fh(left ? cur.prev : cur.next);
        const Fh two = fh(left ? one.prev : one.next);
        if (blocks(one, s)) return left ? cur.l() : cur.r();
        if (blocks(two, s)) return left ? one.l() : one.r();
        return walls[left ? 0 : 1];
    }
    double get_edge(std::int32_t id, bool left) const {
        const Fh cur = fh(id);
        const std::int32_t one = left ? cur.prev : cur.next;
        if (one == 0) return left ? cur.l() : cur.r();
        const std::int32_t two = left ? fh(one).prev : fh(one).next;
        if (two == 0) return left ? fh(one).l() : fh(one).r();
        return walls[left ? 0 : 1];
    }
};

struct PlainObject {
    double x = 0, y = 0, hspeed = 0, vspeed = 0, hforce = 0, vforce = 0, groundbelow = 0, fhslope = 0;
    std::int32_t fhid = 0, fhlayer = 0;
    bool onground = true, enablejd = false, nogravity = false, turnatedges = false, checkbelow = false;
    MotionType type = MotionType::normal;

    void update_fh(const Plain& map) {
        if (type == MotionType::fixated && fhid > 0) return;
        const Plain::Fh cur = map.fh(fhid);
        bool checkslope = false;
        if (onground) {
            if (std::floor(x) > cur.r())
                fhid = cur.next;
            else if (std::ceil(x) < cur.l())
                fhid = cur.prev;
            if (fhid == 0)
                fhid = map.below(x, y);
            else
                checkslope = true;
        } else {
            fhid = map.below(x, y);
            if (fhid == 0) return;
        }
        const Plain::Fh nxt = map.fh(fhid);
        fhslope = nxt.slope();
        const double ground = nxt.ground(x);
        if (vspeed == 0 && checkslope) {
            double vd = std::abs(fhslope);
            if (fhslope < 0)
                vd *= ground - y;
            else if (fhslope > 0)
                vd *= y - ground;
            if (cur.slope() != 0 || nxt.slope() != 0) {
                if (hspeed > 0 && vd <= hspeed)
                    y = ground;
                else if (hspeed < 0 && vd >= hspeed)
                    y = ground;
            }
        }
        onground = y == ground;
        if (enablejd || checkbelow) {
            const std::int32_t b = map.below(x, ground + 1);
            enablejd = false;
            if (b != 0) enablejd = map.fh(b).ground(x) - ground < 600, groundbelow = ground + 1;
            checkbelow = false;
        }
        if (fhlayer == 0 || onground) fhlayer = nxt.layer;
        if (fhid == 0) fhid = cur.id, x = cur.x1, hspeed = 0;
    }
    void forces() {
        double hacc = 0, vacc = 0;
        if (type == MotionType::normal) {
            if (onground) {
                vacc = vforce, hacc = hforce;
                if (hacc == 0 && std::abs(hspeed) < 0.1)
                    hspeed = 0;
                else {
                    const double i = hspeed / 3.0;
                    const double s = fhslope > 0.5 ? 0.5 : fhslope < -0.5 ? -0.5 : fhslope;
                    hacc -= (0.5 + 0.1 * (1.0 + s * -i)) * i;
                }
            } else if (!nogravity)
                vacc = 0.14;
            hspeed += hacc, vspeed += vacc;
        } else {
            const double k = type == MotionType::flying ? 0.05 : 0.08;
            hacc = hforce - k * hspeed, vacc = vforce - k * vspeed;
            if (type == MotionType::swimming && !nogravity) vacc += 0.03;
            hspeed += hacc, vspeed += vacc;
            if (hacc == 0 && std::abs(hspeed) < 0.1) hspeed = 0;
            if (vacc == 0 && std::abs(vspeed) < 0.1) vspeed = 0;
        }
    }
    void limit(const Plain& map) {
        if (hspeed != 0) {
            const bool left = hspeed < 0;
            double w = map.get_wall(fhid, left, y + vspeed);
            const auto hits = [&] { return left ? x >= w && x + hspeed <= w : x <= w && x + hspeed >= w; };
            bool hit = hits();
            if (!hit && turnatedges) w = map.get_edge(fhid, left), hit = hits();
            if (hit) x = w, hspeed = 0, turnatedges = false;
        }
        if (vspeed != 0) {
            const double g1 = map.fh(fhid).ground(x), g2 = map.fh(fhid).ground(x + hspeed);
            if (y <= g1 && y + vspeed >= g2)
                y = g2, vspeed = 0, limit(map);
            else if (y + vspeed < map.borders[0])
                y = map.borders[0], vspeed = 0;
            else if (y + vspeed > map.borders[1])
                y = map.borders[1], vspeed = 0;
        }
    }
    void move(const Plain& map) {
        update_fh(map);
        if (type != MotionType::fixated && type != MotionType::ice) forces(), limit(map);
        hforce = vforce = 0;
        x += hspeed, y += vspeed;
    }
};

PhysicsObject standing_on(const FootholdSet& ground, motion::FootholdIndex at, double x) {
    PhysicsObject object;
    object.position = {x, ground[at].ground_at(x)};
    object.foothold = at;
    return object;
}

}  // namespace

TEST_CASE("every tick on every map is the original's, bit for bit") {
    test::for_each_seed(400, [](math::Random& random) {
        const auto segments = random.below(4) == 0 ? test::tame_map(random) : test::wild_map(random);
        const Plain map(segments);
        const FootholdSet ground(segments);
        const motion::MotionQuirks faithful;
        PhysicsObject ours;
        PlainObject theirs;
        const auto& begin = segments[random.below(static_cast<std::uint32_t>(segments.size()))];
        theirs.x = ours.position.x = random.below(2) == 0 ? random.uniform(-700, 700) : begin.x1 + 1;
        theirs.y = ours.position.y = random.below(2) == 0 ? random.uniform(-300, 300) : begin.y1;
        theirs.type = ours.type = static_cast<MotionType>(random.below(8) == 0 ? random.below(5) : 0);
        theirs.onground = ours.on_ground = random.below(2) == 0;
        theirs.fhid = random.below(2) == 0 ? begin.id : 0;
        ours.foothold = ground.find(theirs.fhid);
        double hforce = 0;
        for (int tick = 0; tick < 400; ++tick) {
            if (random.below(60) == 0) hforce = random.uniform(-0.3, 0.3);
            if (random.below(60) == 0) hforce = 0;
            const math::Vec2 force{hforce, random.below(80) == 0 ? -random.uniform(1, 12) : 0};
            if (random.below(50) == 0) ours.set(MotionFlags::turn_at_edges), theirs.turnatedges = true;
            if (random.below(50) == 0) ours.set(MotionFlags::check_below), theirs.checkbelow = true;
            if (random.below(200) == 0) ours.set(MotionFlags::no_gravity), theirs.nogravity = true;
            if (random.below(100) == 0 && ours.can_drop) {
                ours.position.y = ours.drop_height;
                theirs.y = theirs.groundbelow;
            }
            theirs.hforce = force.x, theirs.vforce = force.y;
            theirs.move(map);
            motion::move_object(ours, force, ground, faithful);
            CAPTURE(tick);
            REQUIRE(ours.position.x == theirs.x);
            REQUIRE(ours.position.y == theirs.y);
            REQUIRE(ours.velocity.x == theirs.hspeed);
            REQUIRE(ours.velocity.y == theirs.vspeed);
            REQUIRE(ours.on_ground == theirs.onground);
            REQUIRE(ground[ours.foothold].id == theirs.fhid);
            REQUIRE(ours.layer == theirs.fhlayer);
            REQUIRE(ours.has(MotionFlags::turn_at_edges) == theirs.turnatedges);
            REQUIRE(ours.can_drop == theirs.enablejd);
        }
    });
}

TEST_CASE("31 ticks of a force of 0.2 move an object 27 px") {
    const FootholdSet ground(std::vector<motion::FootholdSegment>{{1, 0, 0, -500, 0, 500, 0, 0, 0, false}});
    PhysicsObject object = standing_on(ground, 1, 0);
    for (int i = 0; i < 31; ++i) motion::move_object(object, {0.2, 0}, ground, motion::no_quirks);
    CHECK(object.position.x == doctest::Approx(27).epsilon(0.02));
}

TEST_CASE("a long push reaches the speed at which friction takes what the force gives") {
    const FootholdSet ground(std::vector<motion::FootholdSegment>{{1, 0, 0, -5000, 0, 5000, 0, 0, 0, false}});
    for (const double force : {0.1, 0.16, 0.2}) {
        PhysicsObject object = standing_on(ground, 1, 0);
        for (int i = 0; i < 500; ++i) motion::move_object(object, {force, 0}, ground, motion::MotionQuirks{});
        CHECK(object.velocity.x == doctest::Approx(force * 3 / 0.6));
    }
}

TEST_CASE("ice has no physics in the original, and slides as far as the map says without that quirk") {
    const FootholdSet ground(std::vector<motion::FootholdSegment>{{1, 0, 0, -5000, 0, 5000, 0, 0, 0, false}});
    const auto slide = [&](MotionType type, double friction, bool stands_still) {
        motion::MotionQuirks quirks = motion::no_quirks;
        quirks.ice_friction = friction;
        quirks.ice_stands_still = stands_still;
        PhysicsObject object = standing_on(ground, 1, 0);
        object.type = type;
        object.velocity.x = 1;
        for (int i = 0; i < 400; ++i) motion::move_object(object, {}, ground, quirks);
        return object.position.x;
    };
    CHECK(slide(MotionType::ice, 0.2, true) == 400);
    CHECK(slide(MotionType::ice, 1, false) == slide(MotionType::normal, 1, false));
    CHECK(slide(MotionType::ice, 0.2, false) > 3 * slide(MotionType::normal, 1, false));
}

TEST_CASE("an object never moves farther in a tick than its speed") {
    test::for_each_seed(100, [](math::Random& random) {
        const FootholdSet ground(test::tame_map(random));
        PhysicsObject object;
        object.position = {random.uniform(-700, 700), -700};
        object.on_ground = false;
        double way = 0;
        double last_reach = 0;
        for (int tick = 0; tick < 2000; ++tick) {
            if (random.below(100) == 0) way = random.uniform(-0.25, 0.25);
            const math::Vec2 before = object.position;
            const math::Vec2 speed = object.velocity;
            const double force = object.on_ground ? way : 0;
            motion::move_object(object, {force, 0}, ground, motion::no_quirks);
            const math::Vec2 moved = object.position - before;
            const double reach = std::abs(speed.x) + std::abs(force);
            CAPTURE(tick);
            REQUIRE(std::abs(moved.x) <= reach + 1e-9);
            // Feet are put on the ground under them, which on these maps is never steeper than 1: in the tick
            // after a step, and in the one in which they land.
            const double fall = std::abs(speed.y) + motion::foothold_gravity;
            REQUIRE(std::abs(moved.y) <= std::max({fall, reach, last_reach}) + 1e-9);
            last_reach = reach;
        }
    });
}

TEST_CASE("nobody ends below a foothold it stood on, without quirks and without dropping through") {
    test::for_each_seed(200, [](math::Random& random) {
        const FootholdSet ground(test::tame_map(random));
        PhysicsObject object;
        object.position = {random.uniform(-700, 700), -700};
        object.on_ground = false;
        double way = 0;
        motion::FootholdIndex stood_on = 0;
        for (int tick = 0; tick < 2000; ++tick) {
            if (random.below(80) == 0) way = random.uniform(-0.25, 0.25);
            const bool jumps = object.on_ground && random.below(60) == 0;
            const double step = std::abs(object.velocity.x) + std::abs(way);
            motion::move_object(object, {object.on_ground ? way : 0, jumps ? -4.5 : 0}, ground,
                                motion::no_quirks);
            if (object.on_ground) stood_on = object.foothold;
            const motion::Foothold& last = ground[stood_on];
            const bool is_over = object.position.x >= last.left && object.position.x <= last.right;
            if (!is_over || last.is_wall) stood_on = 0;  // walked or jumped off its end
            // Feet are held to the ground before the move, so uphill they lag by what one step climbs.
            const double lag = std::abs(last.slope) * step;
            if (stood_on != 0) REQUIRE(object.position.y <= last.ground_at(object.position.x) + lag + 1e-9);
        }
    });
}

TEST_CASE("who is above a chain stays above it, however it falls, jumps and is thrown over its joints") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<motion::FootholdSegment> chain;
        std::int32_t x = -600, y = 0;
        for (std::int32_t id = 1; x < 600; ++id) {
            const std::int32_t width = test::between(random, 5, 90);
            const std::int32_t rise = test::between(random, -width, width);
            const bool last = x + width >= 600;
            chain.push_back({id, 1, 0, x, y, x + width, y + rise, id - 1, last ? 0 : id + 1, false});
            x += width;
            y += rise;
        }
        const FootholdSet ground(chain);
        const auto height_at = [&](double at) {
            for (const motion::Foothold& f : ground.all())
                if (at >= f.left && at <= f.right) return f.ground_at(at);
            return ground.borders().high;
        };
        PhysicsObject object;
        object.position = {random.uniform(-500, 500), ground.extent_y().low - 50};
        object.on_ground = false;
        double way = 0;
        for (int tick = 0; tick < 2000; ++tick) {
            if (random.below(80) == 0) way = random.uniform(-0.25, 0.25);
            math::Vec2 force{object.on_ground ? way : 0, 0};
            if (object.on_ground && random.below(60) == 0)
                force = {random.uniform(-3, 3), -random.uniform(1, 6)};
            const double from = object.position.x;
            motion::move_object(object, force, ground, motion::no_quirks);
            // Feet are held to a slope before the move, so uphill they lag by what one step climbs.
            const double lag = object.velocity.y == 0 ? std::abs(object.position.x - from) : 0;
            CAPTURE(tick);
            REQUIRE(object.position.y <= height_at(object.position.x) + lag + 1e-6);
        }
    });
}

TEST_CASE("a chain walked right and then left leads back to the same point") {
    test::for_each_seed(100, [](math::Random& random) {
        std::vector<motion::FootholdSegment> chain;
        std::int32_t x = 0, y = 0;
        for (std::int32_t id = 1; id <= 12; ++id) {
            const std::int32_t width = test::between(random, 3, 120);
            const std::int32_t rise = random.below(2) == 0 ? 0 : test::between(random, -2 * width, 2 * width);
            chain.push_back({id, 1, 0, x, y, x + width, y + rise, id - 1, id == 12 ? 0 : id + 1, false});
            x += width;
            y += rise;
        }
        const FootholdSet ground(chain);
        PhysicsObject object = standing_on(ground, 1, 1.5);
        const math::Vec2 start = object.position;
        const auto go_to = [&](double goal) {
            for (int tick = 0; tick < 20'000 && std::abs(object.position.x - goal) > 1e-9; ++tick) {
                // Exactly as fast as is needed to end there, so that nothing but the chain is tested.
                const double step = std::clamp(goal - object.position.x, -1.0, 1.0);
                object.velocity = {step, 0};
                motion::find_footing(object, ground, motion::no_quirks);
                REQUIRE(object.on_ground);
                object.position.x += step;
            }
            object.velocity = {0, 0};
            motion::find_footing(object, ground, motion::no_quirks);
        };
        go_to(x - 1.5);
        CHECK(object.foothold == 12);
        go_to(start.x);
        CHECK(object.foothold == 1);
        CHECK(object.position.x == doctest::Approx(start.x));
        CHECK(object.position.y == doctest::Approx(start.y));
    });
}

TEST_CASE("walls hold from both sides once they do, and only from one in the original") {
    // A pit of walls 100 px high: the left one is drawn downwards, the right one upwards.
    const FootholdSet ground(
        std::vector<motion::FootholdSegment>{{1, 1, 0, -200, -100, -200, 0, 0, 2, false},
                                             {2, 1, 0, -200, 0, 200, 0, 1, 3, false},
                                             {3, 1, 0, 200, 0, 200, -100, 2, 0, false},
                                             {4, 1, 0, -500, 400, 500, 400, 0, 0, false}});
    const auto farthest = [&](double force, const motion::MotionQuirks& quirks) {
        PhysicsObject object = standing_on(ground, 2, 0);
        for (int i = 0; i < 600; ++i) motion::move_object(object, {force, 0}, ground, quirks);
        return object.position.x;
    };
    CHECK(farthest(-0.16, motion::no_quirks) == -200);
    CHECK(farthest(0.16, motion::no_quirks) == 200);
    CHECK(farthest(-0.16, motion::MotionQuirks{}) == -200);
    CHECK(farthest(0.16, motion::MotionQuirks{}) > 200);
}

TEST_CASE("nobody leaves a pit through its walls, however they are drawn") {
    test::for_each_seed(200, [](math::Random& random) {
        const bool jumps = random.below(2) == 0;
        const auto height = [&] {
            return jumps ? test::between(random, 250, 600) : test::between(random, 10, 90);
        };
        std::vector<motion::FootholdSegment> pit;
        // A wall's ends in either order: from the top down, or from the bottom up.
        const auto add_wall = [&](std::int32_t id, std::int32_t x, std::int32_t bottom, std::int32_t prev,
                                  std::int32_t next) {
            const std::int32_t top = bottom - height();
            const bool down = random.below(2) == 0;
            pit.push_back({id, 1, 0, x, down ? top : bottom, x, down ? bottom : top, prev, next, false});
        };
        const std::int32_t links = test::between(random, 1, 5);
        add_wall(1, 0, 0, 0, 2);
        std::int32_t x = 0, y = 0;
        for (std::int32_t k = 0; k < links; ++k) {
            const std::int32_t width = test::between(random, 30, 120);
            const std::int32_t rise = test::between(random, -width / 2, width / 2);
            pit.push_back({2 + k, 1, 0, x, y, x + width, y + rise, 1 + k, 3 + k, false});
            x += width;
            y += rise;
        }
        add_wall(2 + links, x, y, 1 + links, 0);
        pit.push_back({3 + links, 1, 1, -900, 900, x + 900, 900, 0, 0, false});
        const FootholdSet ground(pit);
        PhysicsObject object = standing_on(ground, 2, 10);
        double way = 0.25;
        bool touched_left = false, touched_right = false;
        for (int tick = 0; tick < 3000; ++tick) {
            if (random.below(300) == 0) way = random.below(2) == 0 ? -0.25 : 0.25;
            // Not twice: in the tick after a jump a body still says that it is on the ground, and two jumps
            // lead over the wall.
            const bool stands = object.on_ground && object.velocity.y == 0;
            const bool jumps_now = jumps && stands && random.below(60) == 0;
            motion::move_object(object, {object.on_ground ? way : 0, jumps_now ? -4.5 : 0}, ground,
                                motion::no_quirks);
            CAPTURE(tick);
            REQUIRE(object.position.x >= 0);
            REQUIRE(object.position.x <= x);
            touched_left = touched_left || object.position.x == 0;
            touched_right = touched_right || object.position.x == x;
        }
        CHECK((touched_left || touched_right));
    });
}

TEST_CASE("who comes down beside a wall lands, however steeply the ground rises to it") {
    test::for_each_seed(2000, [](math::Random& random) {
        const std::int32_t width = test::between(random, 30, 120);
        const std::int32_t rise = test::between(random, -2 * width, 2 * width);
        const bool at_left = random.below(2) == 0;
        const std::int32_t end = at_left ? 0 : rise;  // height of the ground at the wall
        const std::int32_t x = at_left ? 0 : width;
        const std::int32_t foot = end - test::between(random, 0, 40);  // it may end above the ground
        const FootholdSet ground(std::vector<motion::FootholdSegment>{
            {1, 1, 0, x, end - 400, x, foot, at_left ? 0 : 2, at_left ? 2 : 0, false},
            {2, 1, 0, 0, 0, width, rise, at_left ? 1 : 0, at_left ? 0 : 1, false},
            {3, 1, 1, -900, 900, 900, 900, 0, 0, false}});
        const double away = random.uniform(0, 6);
        PhysicsObject object;
        object.position.x = at_left ? away : width - away;
        object.position.y = ground[2].ground_at(object.position.x) - random.uniform(0.01, 30);
        object.velocity = {random.uniform(0, 4) * (at_left ? -1 : 1), random.uniform(-2, 25)};
        object.on_ground = false;
        for (int tick = 0; tick < 100; ++tick) motion::move_object(object, {}, ground, motion::no_quirks);
        CHECK(object.on_ground);
        CHECK(object.foothold == 2);
    });
}

TEST_CASE("in the original a wall puts one who falls into ground that rises to it, and through") {
    const FootholdSet ground(
        std::vector<motion::FootholdSegment>{{1, 1, 0, 0, -400, 0, 0, 0, 2, false},
                                             {2, 1, 0, 0, 0, 77, 30, 1, 0, false},
                                             {3, 1, 1, -900, 900, 900, 900, 0, 0, false}});
    for (const bool original : {true, false}) {
        PhysicsObject object{
            .position = {1.1, 0.1}, .velocity = {-1.4, 3.3}, .foothold = 2, .on_ground = false};
        const motion::MotionQuirks quirks = original ? motion::MotionQuirks{} : motion::no_quirks;
        for (int tick = 0; tick < 200; ++tick) motion::move_object(object, {}, ground, quirks);
        CHECK(object.foothold == (original ? 3 : 2));
    }
}

TEST_CASE("who steps off into nothing is put back by the original, and falls without that quirk") {
    const FootholdSet ground(std::vector<motion::FootholdSegment>{{1, 1, 0, -300, 0, -50, 0, 0, 0, false},
                                                                  {2, 1, 0, 50, 0, 300, 0, 0, 0, false}});
    for (const bool teleports : {true, false}) {
        motion::MotionQuirks quirks = motion::no_quirks;
        quirks.void_teleport = teleports;
        PhysicsObject object = standing_on(ground, 1, -60);
        double lowest = 0;
        double leftmost = 0;
        for (int i = 0; i < 300; ++i) {
            motion::move_object(object, {object.on_ground ? 0.16 : 0, 0}, ground, quirks);
            lowest = std::max(lowest, object.position.y);
            leftmost = std::min(leftmost, object.position.x);
        }
        CHECK((leftmost < -299) == teleports);
        CHECK(lowest == (teleports ? 0 : ground.borders().high));
    }
}

TEST_CASE("ground that forbids dropping through does so unless the quirk is on") {
    for (const bool anywhere : {true, false}) {
        motion::MotionQuirks quirks = motion::no_quirks;
        quirks.drops_anywhere = anywhere;
        const FootholdSet ground(std::vector<motion::FootholdSegment>{
            {1, 1, 0, -300, 0, 300, 0, 0, 0, true}, {2, 1, 0, -300, 200, 300, 200, 0, 0, false}});
        PhysicsObject object = standing_on(ground, 1, 0);
        object.set(MotionFlags::check_below);
        motion::move_object(object, {}, ground, quirks);
        CHECK(object.can_drop == anywhere);
    }
}
