// SPDX-License-Identifier: MIT
// `instep bots`: headless clients that play on a server, and a report of their connections.
#include <cstdio>

#include <unistd.h>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/levels.h>
#include <instep/cli/signals.h>
#include <instep/headless/headless_clients.h>

namespace instep::cli {
namespace {

void print_progress(const headless::HeadlessStats& stats, std::uint32_t count, double seconds) {
    std::fprintf(stderr, "\r\033[K%.0f s: %u of %u play, %s snapshots, %s disconnects", seconds,
                 stats.playing, count, with_commas(stats.snapshots).c_str(),
                 with_commas(stats.disconnects).c_str());
    std::fflush(stderr);
}

void print_report(const headless::HeadlessStats& stats, const headless::HeadlessPlan& plan, double seconds) {
    const double players = plan.count * seconds * 1000;
    std::printf("%s/%s, %u %s for %.1f s\n", std::string(plan.setup->world->name).c_str(),
                printable(plan.setup->level).c_str(), plan.count, plan.thin ? "thin bots" : "bots", seconds);
    std::printf("  connections  %u play at the end, %s connects, %s disconnects\n", stats.playing,
                with_commas(stats.connects).c_str(), with_commas(stats.disconnects).c_str());
    std::printf("  bandwidth    %.2f kB/s down, %.2f kB/s up a player (payload), %s snapshots\n",
                static_cast<double>(stats.bytes_down) / players,
                static_cast<double>(stats.bytes_up) / players, with_commas(stats.snapshots).c_str());
    if (!plan.thin)
        std::printf("  corrections  above 0.05 units: %s of %s frames, largest %.2f\n",
                    with_commas(stats.corrections).c_str(), with_commas(stats.ticks).c_str(),
                    stats.largest_correction);
    if (stats.moves > 0)
        std::printf(
            "  moves        %s to another server; at most %s corrections of one bot in the 2 s after one\n",
            with_commas(stats.moves).c_str(), with_commas(stats.most_corrections_after_move).c_str());
    if (stats.malformed + stats.desyncs > 0)
        std::printf("  FAULT        %s malformed messages, %s desyncs\n",
                    with_commas(stats.malformed).c_str(), with_commas(stats.desyncs).c_str());
    for (const std::string& reason : stats.disconnect_reasons)
        std::printf("  disconnect   %s\n", printable(reason).c_str());
}

void print_delays(const std::vector<float>& sorted) {
    if (sorted.empty()) return;
    const auto quantile = [&](std::size_t percent) {
        return 1000.0 * sorted[(sorted.size() - 1) * percent / 100];
    };
    std::printf("  latency      input to snapshot: p50 %.2f ms, p90 %.2f ms, p99 %.2f ms\n", quantile(50),
                quantile(90), quantile(99));
}

// Makes tokens for the players of a plan.
Outcome<std::function<std::string(const std::string&)>> token_maker(const NetBotsOptions& options,
                                                                    const match::Setup& setup) {
    if (options.room.empty())
        return fail(bad_input, "--secret: a token is for one room; name it with --room");
    const auto keys = read_keys(options.secret);
    if (!keys) return std::unexpected(keys.error());
    server::Token token;
    if (!options.audience.empty()) token.audience = options.audience;
    token.room = options.room;
    token.world = setup.world->name;
    token.level = setup.level;
    return [token, key = keys->front()](const std::string& player) {
        server::Token one = token;
        one.player = player;
        one.issued = server::milliseconds_since_1970();
        one.expires = one.issued + default_token_seconds * 1000;
        one.id = server::random_text(12);
        return server::sign(one, key);
    };
}

Outcome<bool> play(const NetBotsOptions& options) {
    const auto url = headless::parse_url(options.url);
    if (!url) return fail(state::Error{"--url", url.error().text()});
    const auto setup = load_level(options.world, options.level);
    if (!setup) return std::unexpected(setup.error());
    headless::HeadlessPlan plan;
    plan.url = *url;
    for (const std::string& other : options.others) {
        const auto parsed = headless::parse_url(other);
        if (!parsed) return fail(state::Error{"--also", parsed.error().text()});
        plan.others.push_back(*parsed);
    }
    plan.trace = !options.trace.empty();
    plan.setup = *setup;
    plan.room = options.room;
    if (!options.secret.empty()) {
        auto token = token_maker(options, **setup);
        if (!token) return std::unexpected(token.error());
        plan.token = std::move(*token);
    }
    plan.count = options.count.value_or(default_net_bots);
    plan.thin = options.thin;
    plan.stay = options.stay.value_or(0);
    plan.connects_per_second = options.connects_per_second.value_or(plan.connects_per_second);
    plan.seed = options.seed.value_or(static_cast<std::uint64_t>(getpid()));

    const Signals signals;
    server::Loop loop(1);
    headless::HeadlessClients clients(loop, plan);
    const bool in_terminal = isatty(STDERR_FILENO) != 0;
    const auto began = server::Clock::now();
    for (;;) {
        const double passed = std::chrono::duration<double>(server::Clock::now() - began).count();
        const double left = options.seconds.value_or(most_seconds) - passed;
        if (left <= 0 || signals.wait(std::min(left, 1.0))) break;
        if (in_terminal) print_progress(clients.stats(), plan.count, passed);
    }
    if (in_terminal) std::fputs("\r\033[K", stderr);
    const headless::HeadlessStats stats = clients.stats();
    print_report(stats, plan, std::chrono::duration<double>(server::Clock::now() - began).count());
    print_delays(clients.input_delays());
    clients.leave();
    if (plan.trace) {
        std::string text;
        char line[128];
        for (const headless::AppliedSnapshot& applied : clients.applied()) {
            const int size = std::snprintf(
                line, sizeof line, "%u %u %.6f %llu %016llx\n", applied.client, applied.slot, applied.time,
                static_cast<unsigned long long>(applied.tick), static_cast<unsigned long long>(applied.hash));
            text.append(line, static_cast<std::size_t>(size));
        }
        if (const auto written = write_file(options.trace, text); !written)
            return std::unexpected(written.error());
    }
    const bool all_play = plan.stay > 0 || stats.playing == plan.count;
    return all_play && stats.disconnects == 0 && stats.malformed == 0 && stats.desyncs == 0;
}

}  // namespace

int run_net_bots(const NetBotsOptions& options) {
    const auto good = play(options);
    if (!good) return report(good.error());
    return *good ? success : check_failed;
}

}  // namespace instep::cli
