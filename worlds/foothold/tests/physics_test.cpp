// SPDX-License-Identifier: MIT
// The reference's motion against a second writing of its rules that shares nothing with ours, on maps with
// every oddity, bit for bit. The laws that hold once its quirks are off are in physics_laws_test.cpp.
#include <foothold/physics.h>

#include <doctest/doctest.h>

#include <foothold/tests/maps.h>
#include <tests/support/property.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace instep;
using worlds::foothold::FootholdSet;
using worlds::foothold::MotionFlags;
using worlds::foothold::MotionType;
using worlds::foothold::PhysicsObject;

namespace {

// --- The rules by the letter: ids, linear scans, the order of the recordings' headers ----------------------

struct Plain {
    std::vector<worlds::foothold::FootholdSegment> list;
    double walls[2], borders[2];

    explicit Plain(std::vector<worlds::foothold::FootholdSegment> segments) : list(std::move(segments)) {
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

}  // namespace

TEST_CASE("foothold physics: every tick on every map is the original's, bit for bit") {
    test::for_each_seed(400, [](math::Random& random) {
        const auto segments = random.below(4) == 0 ? test::tame_map(random) : test::wild_map(random);
        const Plain map(segments);
        const FootholdSet ground(segments);
        const worlds::foothold::MotionQuirks faithful;
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
            worlds::foothold::move_object(ours, force, ground, faithful);
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
