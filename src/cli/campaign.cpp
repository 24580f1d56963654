// SPDX-License-Identifier: MIT
// Matches share only their immutable setups, so every thread plays one after another. A match's result does
// not depend on the thread or the order: the summary is the same with any number of threads, and a campaign
// that was stopped can be continued later.
#include <instep/cli/netsim.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

#include <instep/cli/game.h>
#include <instep/cli/levels.h>
#include <instep/cli/signals.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

struct PlannedMatch {
    std::string_view world;
    std::uint32_t number = 1;  // among this world's matches
    match::SharedSetup setup;
    net::SimulationPlan plan;
    std::optional<net::SimulationReport> report;  // empty until the match was played
};

Outcome<std::vector<match::SharedSetup>> levels_of(std::string_view world, std::string_view only) {
    std::vector<match::SharedSetup> levels;
    for (const match::BuiltinLevel& level : match::builtin_levels()) {
        if (level.world != world || (!only.empty() && level.name != only)) continue;
        auto setup = match::load_builtin_setup(level.world, level.name);
        if (!setup) return fail(setup.error());
        levels.push_back(*setup);
    }
    return levels;
}

// Worlds take turns, so that a campaign that is stopped early has played all of them. Each level is played
// over both link kinds with both replication modes before the next level.
Outcome<std::vector<PlannedMatch>> plan_matches(const NetsimOptions& options) {
    std::vector<std::pair<std::string_view, std::vector<match::SharedSetup>>> worlds;
    for (const match::WorldTable& world : match::worlds()) {
        if (!options.world.empty() && world.name != options.world) continue;
        auto levels = levels_of(world.name, options.level);
        if (!levels) return std::unexpected(levels.error());
        if (!levels->empty()) worlds.emplace_back(world.name, std::move(*levels));
    }
    if (worlds.empty()) {
        const auto one = load_level(options.world, options.level);  // its error lists the levels
        return one ? fail(bad_input, "--campaign: plays built-in levels only") : std::unexpected(one.error());
    }
    std::vector<PlannedMatch> matches;
    for (std::uint32_t i = options.from.value_or(1) - 1; i < *options.campaign; ++i) {
        NetsimOptions one = options;
        one.bad = true;
        one.seed = options.seed.value_or(1) + i;
        one.seconds = options.seconds.value_or(default_campaign_seconds);
        if (!options.link) one.link = i % 2 == 0 ? net::LinkKind::ordered : net::LinkKind::datagram;
        if (!options.replication)
            one.replication = i / 2 % 2 == 0 ? net::ReplicationMode::snapshots : net::ReplicationMode::relay;
        for (const auto& [world, levels] : worlds) {
            const match::SharedSetup& setup = levels[i / 4 % levels.size()];
            net::SimulationPlan plan = make_plan(one, *setup);
            plan.players = std::min(plan.players, setup->facts.most_players);
            matches.push_back({world, i + 1, setup, plan, {}});
        }
    }
    return matches;
}

std::string command_to_repeat(const match::Setup& setup, const net::SimulationPlan& plan) {
    return std::string(game().name) + " netsim " + std::string(setup.world->name) + " --level " +
           setup.level + " --bad --seed " + std::to_string(plan.seed) + " --players " +
           std::to_string(plan.players) + " --seconds " + brief(plan.seconds) + " --link " +
           std::string(name_of(plan.link)) + " --replication " + std::string(name_of(plan.replication));
}

class Campaign {
public:
    Campaign(std::vector<PlannedMatch> matches, std::optional<double> limit)
        : matches_(std::move(matches)), limit_(limit) {}

    // SIGINT and SIGTERM let the running matches end, then the summary is printed.
    void play(std::uint32_t threads) {
        for (const int signal : {SIGINT, SIGTERM})
            if (std::signal(signal, interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
        {
            std::vector<std::jthread> others;
            for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back([this] { play_next(); });
            play_next();
        }
        if (in_terminal_) std::fputc('\n', stderr);
    }
    double taken() const { return seconds_since(start_); }
    std::size_t played() const { return played_; }
    const std::vector<PlannedMatch>& matches() const { return matches_; }

private:
    static void interrupt(int signal) {
        if (!StopRequest::take(signal)) return;
        constexpr std::string_view text = "\nending after the running matches; again to end at once\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }

    void play_next() {
        for (std::size_t i = next_++; i < matches_.size(); i = next_++) {
            if (StopRequest::signal() != 0 || (limit_ && taken() > *limit_)) return;
            PlannedMatch& match = matches_[i];
            match.report = net::simulate(match.setup, match.plan);
            print_result(match);
        }
    }

    void print_result(const PlannedMatch& match) {
        const std::lock_guard lock(printing_);
        for (const std::string& fault : match.report->faults)
            std::printf("FAULT %s\n  repeat: %s\n", fault.c_str(),
                        printable(command_to_repeat(*match.setup, match.plan)).c_str());
        std::fflush(stdout);
        std::fprintf(stderr, "%s%zu of %zu matches, %.0f s, %s/%s seed %llu, hash %s: %s%s",
                     in_terminal_ ? "\r\033[K" : "", ++played_, matches_.size(), taken(),
                     std::string(match.world).c_str(), printable(match.setup->level).c_str(),
                     static_cast<unsigned long long>(match.plan.seed), hash_text(match.report->hash).c_str(),
                     match.report->faults.empty() ? "ok" : "FAILED", in_terminal_ ? "" : "\n");
    }

    std::vector<PlannedMatch> matches_;
    std::optional<double> limit_;
    Clock::time_point start_ = Clock::now();
    const bool in_terminal_ = isatty(STDERR_FILENO) != 0;
    std::atomic<std::size_t> next_ = 0;
    std::mutex printing_;
    std::size_t played_ = 0;
};

// The sums over a world's matches; false if one of them failed.
bool print_tally(std::string_view world, const std::vector<PlannedMatch>& matches) {
    std::uint32_t played = 0;
    std::uint32_t failed = 0;
    double down = 0;
    double starved = 0;
    std::uint64_t corrections = 0;
    std::uint64_t frames = 0;
    std::uint32_t deepest = 0;
    std::uint64_t max_in_flight = 0;
    for (const PlannedMatch& match : matches) {
        if (match.world != world || !match.report) continue;
        const net::SimulationReport& report = *match.report;
        ++played;
        if (!report.faults.empty()) ++failed;
        down += report.down;
        starved += report.starved;
        corrections += report.corrections;
        frames += report.frames;
        deepest = std::max(deepest, report.deepest_rollback);
        max_in_flight = std::max(max_in_flight, report.max_in_flight);
    }
    if (played == 0) return true;
    std::printf(
        "%-10s %u matches, %u failed; %.2f kB/s down a player, %.1f %% starved, %.2f %% of frames corrected, "
        "deepest rollback %u ticks, at most %s B in flight\n",
        std::string(world).c_str(), played, failed, down / played, 100 * starved / played,
        100.0 * static_cast<double>(corrections) / static_cast<double>(std::max<std::uint64_t>(1, frames)),
        deepest, with_commas(max_in_flight).c_str());
    return failed == 0;
}

}  // namespace

Outcome<bool> play_campaign(const NetsimOptions& options) {
    if (options.round_trip || options.jitter || options.loss)
        return fail(bad_input,
                    "--campaign: chooses the conditions of every link; leave out --rtt, --jitter and --loss");
    if (options.pause_host)
        return fail(bad_input, "--campaign: pauses the server in one match of four; leave out --pause-host");
    if (options.from.value_or(1) > *options.campaign)
        return fail(bad_input, "--from: a campaign of " + std::to_string(*options.campaign) +
                                   " has no match " + std::to_string(*options.from));
    auto matches = plan_matches(options);
    if (!matches) return std::unexpected(matches.error());
    Campaign campaign(std::move(*matches), options.limit);
    campaign.play(options.threads.value_or(std::max(1u, std::thread::hardware_concurrency())));
    std::printf("campaign of %zu matches from seed %llu in %.0f s\n", campaign.played(),
                static_cast<unsigned long long>(campaign.matches().front().plan.seed), campaign.taken());
    bool passed = true;
    for (const match::WorldTable& world : match::worlds())
        passed = print_tally(world.name, campaign.matches()) && passed;
    const auto rest =
        std::ranges::find_if(campaign.matches(), [](const PlannedMatch& match) { return !match.report; });
    if (rest != campaign.matches().end())
        std::printf("stopped early; play the rest with --from %u\n", rest->number);
    if (const int signal = StopRequest::signal(); signal != 0) {
        std::fflush(stdout);
        StopRequest::end_by(signal);
    }
    return passed;
}

}  // namespace instep::cli
