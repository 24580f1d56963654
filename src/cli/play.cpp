// SPDX-License-Identifier: MIT
// `instep play`: a match of bots at the world's own pace, drawn in the terminal.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <instep/cli/bots.h>
#include <instep/cli/commands.h>
#include <instep/cli/files.h>
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
constexpr double most_lag = 0.25;  // seconds; who falls further behind goes on from where it is
constexpr double seconds_without_a_screen = 10;
constexpr int frames_without_a_screen = 3;

// The world to begin with: the example to copy is the least of them.
std::string first_world() {
    for (const match::WorldTable& world : match::worlds())
        if (world.name != "bounce") return std::string(world.name);
    return std::string(match::worlds().front().name);
}

struct Show {
    match::Match match;
    Bots bots;
    EventLog events;
    Camera camera;
    std::uint64_t seed;

    Show(const match::SharedSetup& setup, std::uint32_t bot_count, std::uint64_t first_seed)
        : match(setup, first_seed), bots(match, bot_count, first_seed), seed(first_seed) {}
    Show(const Show&) = delete;  // the bots look at the match
    Show& operator=(const Show&) = delete;

    void step() {
        match.step(bots.next());
        events.add_tick(match);
    }
    Canvas frame(int columns, int rows, const std::string& hint) {
        camera.follow(match);
        return draw_scene({match, camera, events, seed, hint}, columns, rows);
    }
};

// Steps what is due at `now`; `next` is when the next tick is.
void catch_up(Show& show, Clock::time_point now, Clock::time_point& next) {
    const auto tick =
        std::chrono::duration_cast<Clock::duration>(Seconds(1.0 / show.match.facts().tick_rate));
    if (Seconds(now - next).count() > most_lag) next = now;
    for (; next <= now; next += tick) show.step();
}

void play_on_screen(Show& show, double seconds) {
    Terminal terminal;
    const auto start = Clock::now();
    auto next_tick = start;
    auto next_frame = start;
    for (;;) {
        const auto now = Clock::now();
        if (Seconds(now - start).count() >= seconds) return;
        catch_up(show, now, next_tick);
        const ScreenSize size = screen_size();
        if (!terminal.show(show.frame(size.columns, size.rows, "q ends it").with_colors())) return;
        next_frame =
            std::max(next_frame + std::chrono::duration_cast<Clock::duration>(Seconds(frame_seconds)), now);
        if (terminal.wait(Seconds(next_frame - Clock::now()).count())) return;
    }
}

// A few frames without escape codes, for a file or a pipe, at the same pace.
Outcome<void> play_on_paper(Show& show, double seconds) {
    auto output = Output::open("-");
    if (!output) return std::unexpected(output.error());
    const auto start = Clock::now();
    auto next_tick = start;
    for (int frame = 1; frame <= frames_without_a_screen; ++frame) {
        const auto due = start + std::chrono::duration_cast<Clock::duration>(
                                     Seconds(seconds * frame / frames_without_a_screen));
        while (Clock::now() < due) {
            catch_up(show, Clock::now(), next_tick);
            std::this_thread::sleep_until(std::min(due, next_tick));
        }
        if (!output->write(show.frame(100, 30, "").plain() + "\n")) break;
    }
    return output->finish();
}

void print_summary(const Show& show, std::uint32_t bots) {
    const match::Match& match = show.match;
    std::string board;
    for (const Score& score : score_board(match))
        board += (board.empty() ? "" : ", ") + score.name + " " + std::to_string(score.score);
    const std::string world(match.world().name);
    std::printf("%s / %s: %s ticks, %s events, hash %s\n", world.c_str(), match.setup().level.c_str(),
                with_commas(match.tick()).c_str(), with_commas(show.events.total()).c_str(),
                hash_text(match.hash()).c_str());
    if (!board.empty()) std::printf("score: %s\n", board.c_str());
    std::printf(
        "the same again: instep simulate %s --level %s --bots %u --seed %llu --ticks %llu --format none\n",
        world.c_str(), match.setup().level.c_str(), bots, static_cast<unsigned long long>(show.seed),
        static_cast<unsigned long long>(std::max<std::uint64_t>(match.tick(), 1)));
}

Outcome<void> play(const PlayOptions& options) {
    const bool level_names_world = options.world.empty() && options.level.ends_with(".json");
    const std::string world = !options.world.empty() ? options.world : level_names_world ? "" : first_world();
    const auto setup = load_level(world, options.level);
    if (!setup) return std::unexpected(setup.error());
    const std::uint32_t bots = options.bots.value_or(std::min(default_bots, (*setup)->facts.most_players));
    if (const auto checked = check_bots(**setup, bots); !checked) return checked;
    // Another match each time, unless a seed says which.
    const auto by_clock =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    Show show(*setup, bots, options.seed.value_or(by_clock / 1'000'000 % 1'000'000));
    if (stdout_is_a_screen()) {
        play_on_screen(show, options.seconds.value_or(most_seconds * 365));
    } else if (auto played = play_on_paper(show, options.seconds.value_or(seconds_without_a_screen));
               !played) {
        return played;
    }
    print_summary(show, bots);
    return {};
}

}  // namespace

int run_play(const PlayOptions& options) {
    const auto played = play(options);
    return played ? success : report(played.error());
}

}  // namespace instep::cli
