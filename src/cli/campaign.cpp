// SPDX-License-Identifier: MIT
// Matches share only their immutable setups, so each thread plays one after another. A match's result does
// not depend on the thread or the time: the summary is the same with any number of threads, and a campaign
// that was cut short can be continued.
#include <instep/cli/netsim.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

#include <instep/cli/levels.h>
#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>

namespace instep::cli {
namespace {

std::atomic<int> interrupted_by = 0;  // a signal
static_assert(std::atomic<int>::is_always_lock_free, "its handler sets it");

struct Planned {
    std::string_view world;
    std::uint32_t turn = 1;  // of this world's matches, from 1
    match::SharedSetup setup;
    net::SimulationPlan plan;
    std::optional<net::SimulationReport> report;  // nothing yet, or it was never begun
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

// World after world in turns, so that a campaign that is cut short has seen them all. Each level is played
// over both kinds of links in both kinds of rooms before the next.
Outcome<std::vector<Planned>> plan_matches(const NetsimOptions& options) {
    std::vector<std::pair<std::string_view, std::vector<match::SharedSetup>>> worlds;
    for (const match::WorldTable& world : match::worlds()) {
        if (!options.world.empty() && world.name != options.world) continue;
        auto levels = levels_of(world.name, options.level);
        if (!levels) return std::unexpected(levels.error());
        if (!levels->empty()) worlds.emplace_back(world.name, std::move(*levels));
    }
    if (worlds.empty()) {
        const auto one = load_level(options.world, options.level);  // says what there is
        return one ? fail(bad_input, "--campaign: plays built-in levels only") : std::unexpected(one.error());
    }
    std::vector<Planned> matches;
    for (std::uint32_t i = options.from.value_or(1) - 1; i < *options.campaign; ++i) {
        NetsimOptions one = options;
        one.bad = true;
        one.seed = options.seed.value_or(1) + i;
        one.seconds = options.seconds.value_or(default_campaign_seconds);
        if (!options.link) one.link = i % 2 == 0 ? net::LinkKind::ordered : net::LinkKind::datagram;
        if (!options.room)
            one.room = i / 2 % 2 == 0 ? net::ReplicationMode::snapshots : net::ReplicationMode::relay;
        for (const auto& [world, levels] : worlds) {
            const match::SharedSetup& setup = levels[i / 4 % levels.size()];
            net::SimulationPlan plan = make_plan(one, *setup);
            plan.players = std::min(plan.players, setup->facts.most_players);
            matches.push_back({world, i + 1, setup, plan, {}});
        }
    }
    return matches;
}

std::string command_to_replay(const match::Setup& setup, const net::SimulationPlan& plan) {
    return "instep netsim " + std::string(setup.world->name) + " --level " + setup.level + " --bad --seed " +
           std::to_string(plan.seed) + " --players " + std::to_string(plan.players) + " --seconds " +
           brief(plan.seconds) + " --link " + std::string(name_of(plan.link)) + " --replication " +
           std::string(name_of(plan.room));
}

class Campaign {
public:
    Campaign(std::vector<Planned> matches, std::optional<double> limit)
        : matches_(std::move(matches)), limit_(limit) {}

    // Ctrl-C lets the matches at hand end, since what was played is worth a summary.
    void play(std::uint32_t threads) {
        for (const int signal : {SIGINT, SIGTERM})
            if (std::signal(signal, interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
        {
            std::vector<std::jthread> others;
            for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back([this] { play_in_turn(); });
            play_in_turn();
        }
        if (in_terminal_) std::fputc('\n', stderr);
    }
    double taken() const { return seconds_since(start_); }
    std::size_t played() const { return played_; }
    const std::vector<Planned>& matches() const { return matches_; }

private:
    static void interrupt(int signal) {
        interrupted_by = signal;
        std::signal(signal, SIG_DFL);
        constexpr std::string_view text = "\nending the matches at hand; once more ends at once\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }

    void play_in_turn() {
        for (std::size_t i = next_++; i < matches_.size(); i = next_++) {
            if (interrupted_by != 0 || (limit_ && taken() > *limit_)) return;
            Planned& match = matches_[i];
            match.report = net::simulate(match.setup, match.plan);
            tell(match);
        }
    }

    void tell(const Planned& match) {
        const std::lock_guard lock(telling_);
        for (const std::string& fault : match.report->faults)
            std::printf("FAULT %s\n  again: %s\n", fault.c_str(),
                        printable(command_to_replay(*match.setup, match.plan)).c_str());
        std::fflush(stdout);
        std::fprintf(stderr, "%s%zu of %zu matches, %.0f s, %s/%s seed %llu, hash %s: %s%s",
                     in_terminal_ ? "\r\033[K" : "", ++played_, matches_.size(), taken(),
                     std::string(match.world).c_str(), printable(match.setup->level).c_str(),
                     static_cast<unsigned long long>(match.plan.seed), hash_text(match.report->hash).c_str(),
                     match.report->faults.empty() ? "well" : "FAILED", in_terminal_ ? "" : "\n");
    }

    std::vector<Planned> matches_;
    std::optional<double> limit_;
    Clock::time_point start_ = Clock::now();
    const bool in_terminal_ = isatty(STDERR_FILENO) != 0;
    std::atomic<std::size_t> next_ = 0;
    std::mutex telling_;
    std::size_t played_ = 0;
};

// What all matches of a world came to; false if one of them failed.
bool print_tally(std::string_view world, const std::vector<Planned>& matches) {
    std::uint32_t played = 0;
    std::uint32_t failed = 0;
    double down = 0;
    double starved = 0;
    std::uint64_t corrections = 0;
    std::uint64_t frames = 0;
    std::uint32_t deepest = 0;
    std::uint64_t max_in_flight = 0;
    for (const Planned& match : matches) {
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
                    "--campaign: draws every link's conditions itself; leave out --rtt, --jitter and --loss");
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
    bool good = true;
    for (const match::WorldTable& world : match::worlds())
        good = print_tally(world.name, campaign.matches()) && good;
    const auto rest =
        std::ranges::find_if(campaign.matches(), [](const Planned& one) { return !one.report; });
    if (rest != campaign.matches().end())
        std::printf("cut short; the rest is the same command with --from %u\n", rest->turn);
    if (interrupted_by != 0) {
        std::fflush(stdout);
        std::raise(interrupted_by);
    }
    return good;
}

}  // namespace instep::cli
