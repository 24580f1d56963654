// SPDX-License-Identifier: MIT
#include <instep/cli/netsim.h>

#include <algorithm>
#include <cstdio>

#include <instep/cli/levels.h>

namespace instep::cli {

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

namespace {

// One match in four pauses the server once, outside the storm. Its own generator keeps all other choices as
// they are.
void plan_pause(net::SimulationPlan& plan) {
    constexpr std::uint64_t pause_stream = 0x7061757365;
    auto random = math::Random::from_seed(plan.seed ^ pause_stream);
    if (random.below(4) != 0) return;
    plan.host_pause_at = plan.seconds * (random.below(2) == 0 ? 0.2 : 0.75);
    plan.host_pause_seconds = random.uniform(1, 5);
}

}  // namespace

net::SimulationPlan make_plan(const NetsimOptions& options, const match::Setup& setup) {
    net::SimulationPlan plan;
    plan.seed = options.seed.value_or(1);
    plan.players = options.players.value_or(std::min(default_net_players, setup.facts.most_players));
    plan.seconds = options.seconds.value_or(default_net_seconds);
    plan.link = options.link.value_or(net::LinkKind::ordered);
    plan.replication = options.replication.value_or(net::default_replication(setup.facts));
    net::LinkConditions link;
    link.latency = options.round_trip.value_or(50) / 2000;
    link.jitter = options.jitter.value_or(0) / 1000;
    link.loss = options.loss.value_or(0) / 100;
    plan.conditions.up = plan.conditions.down = link;
    if (options.bad) {
        plan.varied = true;
        plan_pause(plan);
        plan.storm_at = plan.seconds * 0.4;
        plan.storm_seconds = plan.seconds * 0.2;
        plan.host_lateness = 0.5 / setup.facts.tick_rate;
    }
    plan.aims_at_screen = options.aim;
    if (options.pause_host) {
        plan.host_pause_at = plan.seconds * 0.3;
        plan.host_pause_seconds = *options.pause_host;
    }
    return plan;
}

namespace {

void print_pictures(const net::PictureStats& stats) {
    const auto percent = [](std::uint64_t part, std::uint64_t all) {
        return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(1, all));
    };
    if (stats.screen_hits > 0)
        std::printf("  aim          %s shots hit on screens, %.1f %% of them on the server\n",
                    with_commas(stats.screen_hits).c_str(), percent(stats.server_hits, stats.screen_hits));
    if (stats.predicted_hits > 0)
        std::printf("  hits         %s by the own player were shown at once, %.1f %% of them cancelled\n",
                    with_commas(stats.predicted_hits).c_str(),
                    percent(stats.cancelled_hits, stats.predicted_hits));
    std::printf("  others       jumped by more than 0.5 units in %.3f %% of frames\n",
                percent(stats.others_jumped, stats.others_drawn));
}

void print_report(const match::Setup& setup, const net::SimulationPlan& plan,
                  const net::SimulationReport& report, double taken) {
    std::printf("%s/%s, %s replication, %s links, %u players, %.0f s, seed %llu\n",
                std::string(setup.world->name).c_str(), printable(setup.level).c_str(),
                name_of(plan.replication).data(), name_of(plan.link).data(), report.players, report.seconds,
                static_cast<unsigned long long>(plan.seed));
    std::printf(
        "  bandwidth    %.2f kB/s down, %.2f kB/s up a player (payload); p99 snapshot %.0f B, join %.0f B\n",
        report.down, report.up, report.snapshot_p99, report.join_size);
    std::printf(
        "  corrections  above 0.05 units: %s of %s frames (%.3f %%), largest %.2f; own player predicted "
        "bit-exactly: %.1f %%\n",
        with_commas(report.corrections).c_str(), with_commas(report.frames).c_str(),
        100.0 * static_cast<double>(report.corrections) /
            static_cast<double>(std::max<std::uint64_t>(1, report.frames)),
        report.largest_correction, 100 * report.confirmed);
    if (report.free_frames > 0)  // zero if no player was there long enough
        std::printf(
            "  steady       %.2f kB/s down a player after five seconds; %s of %s frames (%.3f %%) corrected "
            "a second away from contacts\n",
            report.down_steady, with_commas(report.free_corrections).c_str(),
            with_commas(report.free_frames).c_str(),
            100.0 * static_cast<double>(report.free_corrections) / static_cast<double>(report.free_frames));
    std::printf("  lead         %.1f ms on average, deepest rollback %u ticks, %s ticks skipped\n",
                1000 * report.mean_lead, report.deepest_rollback, with_commas(report.skipped_ticks).c_str());
    std::printf("  events       %s shown, %s of them predicted; %s cancelled\n",
                with_commas(report.events_shown).c_str(), with_commas(report.events_confirmed).c_str(),
                with_commas(report.events_cancelled).c_str());
    std::printf(
        "  budget       %.2f %% of world deltas were over budget; corrections waited %u snapshots at most\n",
        100 * report.deltas_over_budget, report.longest_wait);
    std::printf("  starvation   %.3f %% of players' ticks had no input in time\n", 100 * report.starved);
    std::printf("  recovery     %s keyframes, %u desyncs, at most %s B in flight on a link\n",
                with_commas(report.keyframes).c_str(), report.desyncs,
                with_commas(report.max_in_flight).c_str());
    if (plan.aims_at_screen) print_pictures(report.pictures);
    if (plan.host_pause_seconds > 0)
        std::printf(
            "  pause        the server paused for %.1f s; inputs were accepted again %.0f ms beyond a round "
            "trip\n",
            plan.host_pause_seconds, 1000 * report.slowest_recovery);
    std::printf("  hash         %s\n", hash_text(report.hash).c_str());
    for (const std::string& fault : report.faults) std::printf("  FAULT        %s\n", fault.c_str());
    std::fprintf(stderr, "%.2f s, %.0f times real time\n", taken, report.seconds / taken);
}

Outcome<bool> play_one(const NetsimOptions& options) {
    if (options.limit) return fail(bad_input, "--limit: applies to a campaign only; add --campaign N");
    if (options.from) return fail(bad_input, "--from: applies to a campaign only; add --campaign N");
    if (options.threads) return fail(bad_input, "--threads: applies to a campaign only; add --campaign N");
    if (options.bad && (options.round_trip || options.jitter || options.loss))
        return fail(bad_input,
                    "--bad: chooses the conditions of every link; leave out --rtt, --jitter and --loss");
    const auto setup = load_level(options.world, options.level);
    if (!setup) return std::unexpected(setup.error());
    const net::SimulationPlan plan = make_plan(options, **setup);
    if (const auto checked = check_bots(**setup, plan.players); !checked)
        return std::unexpected(checked.error());
    const auto start = Clock::now();
    const net::SimulationReport report = net::simulate(*setup, plan);
    print_report(**setup, plan, report, seconds_since(start));
    return report.faults.empty();
}

}  // namespace

state::Result<net::LinkKind> parse_link(std::string_view text) {
    if (const auto kind = net::kind_named<net::LinkKind>(text)) return *kind;
    return state::refuse("", "expected ordered or datagram, got \"" + std::string(text) + "\"");
}

state::Result<net::ReplicationMode> parse_replication(std::string_view text) {
    if (const auto kind = net::kind_named<net::ReplicationMode>(text)) return *kind;
    return state::refuse("", "expected snapshots or relay, got \"" + std::string(text) + "\"");
}

int run_netsim(const NetsimOptions& options) {
    const auto good = options.campaign ? play_campaign(options) : play_one(options);
    if (!good) return report(good.error());
    return *good ? success : check_failed;
}

}  // namespace instep::cli
