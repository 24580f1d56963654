// SPDX-License-Identifier: MIT
// `instep play`: a match of bots in real time, drawn in the terminal.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <instep/cli/bots.h>
#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/game.h>
#include <instep/cli/levels.h>
#include <instep/cli/scene.h>
#include <instep/cli/terminal.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double frame_seconds = 1.0 / 30;
constexpr double most_lag = 0.25;  // s; further behind than this, ticks are skipped
constexpr double seconds_without_screen = 10;
constexpr int frames_without_screen = 3;

std::string first_world() { return std::string(match::worlds().front().get().name); }

// A running match and what is drawn of it.
struct Viewer {
    match::Match match;
    Bots bots;
    EventLog events;
    Camera camera;
    std::uint64_t seed;

    Viewer(const match::SharedSetup& setup, std::uint32_t bot_count, std::uint64_t first_seed)
        : match(setup, first_seed), bots(match, bot_count, first_seed), seed(first_seed) {}
    Viewer(const Viewer&) = delete;  // bots has a reference to match
    Viewer& operator=(const Viewer&) = delete;

    void step() {
        match.step(bots.next());
        events.add_tick(match);
    }
    Canvas frame(int columns, int rows, const std::string& hint) {
        camera.follow(match);
        return draw_scene({match, camera, events, seed, hint}, columns, rows);
    }
};

// Steps the ticks that are due at `now`; `next` is the time of the next tick.
void catch_up(Viewer& viewer, Clock::time_point now, Clock::time_point& next) {
    const auto tick =
        std::chrono::duration_cast<Clock::duration>(Seconds(1.0 / viewer.match.facts().tick_rate));
    if (Seconds(now - next).count() > most_lag) next = now;
    for (; next <= now; next += tick) viewer.step();
}

void play_on_screen(Viewer& viewer, double seconds) {
    Terminal terminal;
    const auto start = Clock::now();
    auto next_tick = start;
    auto next_frame = start;
    for (;;) {
        const auto now = Clock::now();
        if (Seconds(now - start).count() >= seconds) return;
        catch_up(viewer, now, next_tick);
        const ScreenSize size = screen_size();
        if (!terminal.show(viewer.frame(size.columns, size.rows, "q quits").with_colors())) return;
        next_frame =
            std::max(next_frame + std::chrono::duration_cast<Clock::duration>(Seconds(frame_seconds)), now);
        if (terminal.wait(Seconds(next_frame - Clock::now()).count())) return;
    }
}

// A few frames without escape codes, for a file or a pipe, in real time.
Outcome<void> print_frames(Viewer& viewer, double seconds) {
    auto output = Output::open("-");
    if (!output) return std::unexpected(output.error());
    const auto start = Clock::now();
    auto next_tick = start;
    for (int frame = 1; frame <= frames_without_screen; ++frame) {
        const auto due = start + std::chrono::duration_cast<Clock::duration>(
                                     Seconds(seconds * frame / frames_without_screen));
        while (Clock::now() < due) {
            catch_up(viewer, Clock::now(), next_tick);
            std::this_thread::sleep_until(std::min(due, next_tick));
        }
        if (!output->write(viewer.frame(100, 30, "").plain() + "\n")) break;
    }
    return output->finish();
}

void print_summary(const Viewer& viewer, std::uint32_t bots) {
    const match::Match& match = viewer.match;
    const std::string scores = score_line(match);
    const std::string world(match.world().name);
    std::printf("%s / %s: %s ticks, %s events, hash %s\n", world.c_str(), match.setup().level.c_str(),
                with_commas(match.tick()).c_str(), with_commas(viewer.events.total()).c_str(),
                hash_text(match.hash()).c_str());
    if (!scores.empty()) std::printf("score: %s\n", scores.c_str());
    std::printf("to repeat it: %s simulate %s --level %s --bots %u --seed %llu --ticks %llu --format none\n",
                std::string(game().name).c_str(), world.c_str(), match.setup().level.c_str(), bots,
                static_cast<unsigned long long>(viewer.seed),
                static_cast<unsigned long long>(std::max<std::uint64_t>(match.tick(), 1)));
}

Outcome<void> play(const PlayOptions& options) {
    const bool level_names_world = options.world.empty() && options.level.ends_with(".json");
    const std::string world = !options.world.empty() ? options.world : level_names_world ? "" : first_world();
    const auto setup = load_level(world, options.level);
    if (!setup) return std::unexpected(setup.error());
    const std::uint32_t bots = options.bots.value_or(std::min(default_bots, (*setup)->facts.most_players));
    if (const auto checked = check_bots(**setup, bots); !checked) return checked;
    // A different match each time, unless a seed is given.
    const auto by_clock =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    Viewer viewer(*setup, bots, options.seed.value_or(by_clock / 1'000'000 % 1'000'000));
    if (stdout_is_a_screen()) {
        play_on_screen(viewer, options.seconds.value_or(most_seconds * 365));
    } else if (auto played = print_frames(viewer, options.seconds.value_or(seconds_without_screen));
               !played) {
        return played;
    }
    print_summary(viewer, bots);
    return {};
}

}  // namespace

int run_play(const PlayOptions& options) {
    const auto played = play(options);
    return played ? success : report(played.error());
}

}  // namespace instep::cli
