// SPDX-License-Identifier: MIT
#include <instep/cli/scene.h>

#include <algorithm>

#include <instep/cli/bots.h>
#include <instep/cli/numbers.h>
#include <instep/match/registry.h>

#include <doctest/doctest.h>

using namespace instep;
using namespace instep::cli;

namespace {

struct Watched {
    match::Match match;
    Bots bots;
    EventLog events;
    Camera camera;

    Watched(std::string_view world, std::string_view level, std::uint32_t bot_count)
        : match(*match::load_builtin_setup(world, level), 1), bots(match, bot_count, 1) {}
    void step(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            match.step(bots.next());
            events.add_tick(match);
        }
        camera.follow(match);
    }
    std::string screen(int columns, int rows) const {
        return draw_scene({match, camera, events, 1, "q quits"}, columns, rows).plain();
    }
};

bool shows(const std::string& screen, const std::string& what) {
    return screen.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("scene: shows world, tick, hash, score board and field, in every world") {
    for (const match::WorldTable& world : match::worlds()) {
        INFO(world.name);
        Watched watched(world.name, "", 3);
        watched.step(100);
        const std::string screen = watched.screen(100, 30);
        INFO(screen);
        CHECK(shows(screen, std::string(world.name) + " / "));
        CHECK(shows(screen, "tick 100"));
        CHECK(shows(screen, hash_text(watched.match.hash())));
        for (const Score& score : score_board(watched.match)) CHECK(shows(screen, "● " + score.name));
        CHECK(shows(screen, "q quits"));
        bool has_dots = false;
        for (int dots = 1; dots < 64; ++dots) {
            const std::string cell{'\xE2', '\xA0', static_cast<char>(0x80 + dots)};
            has_dots = has_dots || shows(screen, cell);
        }
        CHECK(has_dots);
    }
}

TEST_CASE("scene: a screen of any size can be drawn") {
    Watched watched("bounce", "box", 16);
    watched.step(50);
    for (int columns = 0; columns <= 130; columns += 13)
        for (int rows = 0; rows <= 50; rows += 5) {
            const std::string screen = watched.screen(columns, rows);
            CHECK(std::count(screen.begin(), screen.end(), '\n') == rows);
        }
}

TEST_CASE("event log: events of players are lines, other events are only counted") {
    Watched watched("bounce", "box", 2);
    watched.step(1);
    CHECK(watched.events.total() >= 2);
    CHECK(watched.events.lines().size() == 2);
    CHECK(watched.events.lines()[0].text() == "Bix joined");
    CHECK(watched.events.lines()[1].text() == "Ada joined");
    watched.step(2000);
    CHECK(watched.events.total() > watched.events.lines().size());
    for (const EventLog::Line& line : watched.events.lines()) {
        const bool is_about_somebody = line.what.starts_with("Ada ") || line.what.starts_with("Bix ");
        CHECK(is_about_somebody);
    }
}

TEST_CASE("event log: repeated events are one line with a count") {
    const EventLog::Line line{"Bix knocked", ", speed 44", 3};
    CHECK(line.text() == "Bix knocked ×3, speed 44");
    Watched watched("bounce", "box", 1);
    watched.step(3000);
    const bool has_count = std::any_of(watched.events.lines().begin(), watched.events.lines().end(),
                                       [](const EventLog::Line& reported) { return reported.times > 1; });
    CHECK(has_count);
}

TEST_CASE("camera: shows all of a small world, and the players in a large one") {
    Watched small("bounce", "box", 8);
    small.step(1);
    CHECK(small.camera.extent().x >= 0.6 * small.match.facts().view_high.x);

    Watched large("flail", "plain", 2);
    large.step(1);
    const math::Vec2 whole = large.match.facts().view_high - large.match.facts().view_low;
    CHECK(large.camera.extent().x < whole.x * 0.65);
    for (int i = 0; i < 300; ++i) large.step(1);
    CHECK(shows(large.screen(100, 30), "Ada"));
}
