// SPDX-License-Identifier: MIT
// The project's own levels: every ladder leads somewhere, and every platform can be reached.
#include <foothold/foothold.h>

#include <doctest/doctest.h>

#include <foothold/tests/support.h>

#include <algorithm>
#include <cmath>

using namespace instep;
using namespace instep::worlds::foothold;

namespace {

Setup level_named(const std::string& name) {
    auto setup = load(
        {}, test::read_json_file(test::source_dir() / "worlds/foothold/levels" / (name + ".json")), name);
    REQUIRE_MESSAGE(setup, setup.error().text());
    return std::move(*setup);
}

// A player leaves a ladder 5 px above its top, and takes it from ground at most this far below its bottom.
constexpr double ladder_end = 12;  // px

bool has_ground_near(const Setup& setup, double x, double y) {
    return web::find_near(setup.ground, x, y, ladder_end).foothold != 0;
}

// Which ground can be reached from which, judged with a margin: by walking, by a fall, by a jump of 80 px (a
// jump of the game is 90 px high) or over a gap of 30 px, by ladders, portals, and through water.
class Reach {
public:
    explicit Reach(const Setup& setup) : setup_(setup), reached_(setup.ground.index_count()) {
        for (const Vec2 spawn : setup.spawns) reach_below(spawn);
        for (bool grows = true; grows;) {
            grows = false;
            for (const Foothold& f : setup.ground.all())
                if (reached_[f.self]) grows = spread_from(f) || grows;
        }
    }
    bool has(const Foothold& f) const { return reached_[f.self]; }

private:
    bool mark(FootholdIndex index) {
        if (index == 0 || reached_[index]) return false;
        return reached_[index] = true;
    }
    bool reach_below(Vec2 at) { return mark(web::find_below(setup_.ground, at.x, at.y).foothold); }
    bool spread_from(const Foothold& f) {
        bool grows = mark(setup_.ground[f.prev].self);
        grows = mark(setup_.ground[f.next].self) || grows;
        if (f.is_wall) return grows;
        constexpr double jump = 80, gap = 30;
        for (const Foothold& other : setup_.ground.all()) {
            if (other.is_wall || other.left > f.right + gap || other.right < f.left - gap) continue;
            const double from = std::max(f.left - gap, other.left * 1.0);
            const double to = std::min(f.right + gap, other.right * 1.0);
            const bool dives = setup_.is_water({from, other.ground_at(from)}) &&
                               setup_.is_water({from, f.ground_at(from) + 20});
            for (const double x : {from, (from + to) / 2, to}) {
                const double rise = f.ground_at(f.nearest_to(x)) - other.ground_at(x);
                if (rise <= jump || dives) grows = mark(other.self) || grows;
            }
        }
        for (const Ladder& ladder : setup_.ladders)
            for (const double end : {ladder.top * 1.0, ladder.bottom * 1.0}) {
                if (!f.reaches_over(ladder.x) || std::abs(f.ground_at(ladder.x) - end) > ladder_end) continue;
                for (const double exit : {ladder.top * 1.0, ladder.bottom * 1.0})
                    grows = mark(web::find_near(setup_.ground, ladder.x, exit, ladder_end).foothold) || grows;
            }
        for (std::size_t i = 0; i < setup_.portals.size(); ++i) {
            const Vec2 at = setup_.portals[i].position;
            if (f.reaches_over(at.x) && std::abs(f.ground_at(at.x) - at.y) <= setup_.rules.portal_range)
                grows = reach_below(setup_.portals[setup_.portal_ends[i]].position) || grows;
        }
        return grows;
    }

    const Setup& setup_;
    std::vector<bool> reached_;
};

}  // namespace

TEST_CASE(
    "foothold level: every ladder and rope leads to ground at its top, and to ground or water at its "
    "bottom") {
    for (const std::string name : {"town", "lake"}) {
        const Setup setup = level_named(name);
        for (const Ladder& ladder : setup.ladders) {
            CAPTURE(name);
            CAPTURE(ladder.x);
            CHECK(has_ground_near(setup, ladder.x, ladder.top));
            CHECK((has_ground_near(setup, ladder.x, ladder.bottom) ||
                   setup.is_water({ladder.x * 1.0, ladder.bottom * 1.0})));
        }
    }
}

TEST_CASE("foothold level: every platform can be reached from where players begin") {
    for (const std::string name : {"town", "lake"}) {
        const Setup setup = level_named(name);
        const Reach reach(setup);
        for (const Foothold& f : setup.ground.all()) {
            CAPTURE(name);
            CAPTURE(f.id);
            CHECK(reach.has(f));
        }
    }
}

TEST_CASE("foothold level: in the lake a player climbs from the shore to the platform above it") {
    test::FootholdMatch match(level_named("lake"));
    match.setup.mobs.clear();
    Player& player = match.join(0);
    place(player, {-1150, 470}, match.setup);
    match.run(60);
    match.inputs[0].up = true;
    match.run(400);
    CHECK(player.body.on_ground);
    CHECK(match.setup.ground[player.body.foothold].id == 26);
}
