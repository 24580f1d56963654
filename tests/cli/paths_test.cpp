// SPDX-License-Identifier: MIT
#include <instep/cli/paths.h>

#include <cstring>

#include <instep/cli/bots.h>
#include <instep/match/tick_builder.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::cli;

namespace {

struct Run {
    match::Match match;
    match::TickBuilder tick;
    PathRecorder recorder;

    explicit Run(std::size_t most_points = 1'000'000)
        : match(*match::load_builtin_setup("bounce", "box"), 1),
          tick(match.setup()),
          recorder(match, most_points) {}
    void step() {
        match.step(tick.bytes());
        recorder.add_tick();
        tick.begin();
    }
    void join(contract::Slot slot) { tick.join({.slot = slot}); }
    std::vector<Path> owned(std::uint32_t slot) const {
        std::vector<Path> found;
        for (const Path& path : recorder.paths())
            if (path.owner == slot) found.push_back(path);
        return found;
    }
};

std::size_t points_in(const PathRecorder& recorder) {
    std::size_t count = 0;
    for (const Path& path : recorder.paths()) count += path.points.size();
    return count;
}

}  // namespace

TEST_CASE("paths: every entity with a position has a path with its owner") {
    Run run;
    run.join(2);
    run.step();
    CHECK(run.recorder.paths().size() == 13);  // twelve loose balls and one that is pushed
    CHECK(run.owned(2).size() == 1);
    CHECK(run.owned(no_owner).size() == 12);
}

TEST_CASE("paths: there is a point for each tick in which an entity moved") {
    Run run;
    run.join(0);
    run.step();
    const double push[] = {1, 0};
    std::memcpy(run.tick.input(0), push, sizeof push);
    for (int i = 0; i < 10; ++i) run.step();
    const Path path = run.owned(0)[0];
    REQUIRE(path.points.size() == 11);
    for (std::size_t i = 1; i < path.points.size(); ++i) {
        CHECK(path.points[i].at.x > path.points[i - 1].at.x);
        CHECK(path.points[i].tick == path.points[i - 1].tick + 1);
        CHECK(!path.points[i].jumped);
    }
    for (const Path& still : run.owned(no_owner)) CHECK(still.points.size() <= 2);
}

TEST_CASE("paths: an entity that reuses an id begins a new path") {
    Run run;
    run.join(0);
    run.step();
    run.tick.leave(0);
    run.step();
    run.join(0);
    run.step();
    CHECK(run.owned(0).size() == 2);
    for (const Path& path : run.owned(0)) CHECK(path.points[0].jumped);
}

TEST_CASE("paths: above the limit the oldest points are dropped") {
    match::Match match(*match::load_builtin_setup("bounce", "box"), 1);
    Bots bots(match, 16, 1);
    PathRecorder recorder(match, 2000);
    for (int i = 0; i < 3000; ++i) {
        match.step(bots.next());
        recorder.add_tick();
        CHECK(points_in(recorder) <= 2000 + 28);
    }
    CHECK(recorder.first_tick() > 2800);
    CHECK(recorder.first_tick() < 3000);
    for (const Path& path : recorder.paths()) {
        REQUIRE(!path.points.empty());
        for (std::size_t i = 1; i < path.points.size(); ++i) {
            CHECK(path.points[i].tick >= recorder.first_tick());
            CHECK(path.points[i].tick > path.points[i - 1].tick);
        }
    }
}

TEST_CASE("paths: a move beyond the teleport distance is marked as a jump") {
    Run here;
    here.step();
    match::Match elsewhere(*match::load_builtin_setup("bounce", "box"), 99);
    std::vector<std::byte> image(elsewhere.image_size());
    elsewhere.save(image);
    REQUIRE(here.match.load(image));
    here.step();
    int jumps = 0;
    for (const Path& path : here.recorder.paths()) {
        REQUIRE(path.points.size() == 2);
        const double leap = math::length(path.points[1].at - path.points[0].at);
        CHECK(path.points[1].jumped == (leap > here.match.facts().teleport_distance));
        jumps += path.points[1].jumped ? 1 : 0;
    }
    CHECK(jumps > 6);  // twelve balls at random places in a box of 160 by 90; a jump is 20
}
