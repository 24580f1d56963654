// SPDX-License-Identifier: MIT
// `instep simulate`: runs a match of bots or of a script as fast as possible, and writes its states as JSON
// lines, CSV or an SVG.
#include <chrono>
#include <cstdio>
#include <filesystem>

#include <instep/cli/bots.h>
#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/levels.h>
#include <instep/cli/paths.h>
#include <instep/cli/plot_svg.h>
#include <instep/cli/state_text.h>

namespace instep::cli {
namespace {

// The options, resolved and checked.
struct Plan {
    match::SharedSetup setup;
    std::optional<match::Script> script;
    std::uint64_t seed = 1;
    std::uint64_t ticks = default_ticks;
    std::uint32_t bots = 0;
    Format format = Format::jsonl;
    std::size_t pool = 0;
};

Outcome<match::Script> load_script(const SimulateOptions& options) {
    const auto text = read_file(options.inputs);
    if (!text) return std::unexpected(text.error());
    auto script = match::parse_script(*text, options.inputs);
    if (!script) return fail(script.error());
    if (!options.world.empty() && options.world != script->world->name)
        return fail(bad_input, options.inputs + ": is a script for \"" + std::string(script->world->name) +
                                   "\", not for \"" + options.world + "\"");
    return std::move(*script);
}

Format choose_format(const SimulateOptions& options) {
    if (options.format) return *options.format;
    if (options.out.ends_with(".csv") || !options.pool.empty()) return Format::csv;
    return options.out.empty() && !options.plot.empty() ? Format::none : Format::jsonl;
}

Outcome<std::size_t> choose_pool(const match::Setup& setup, const std::string& name) {
    if (const auto pool = find_pool(setup.layout, name)) return *pool;
    std::string known;
    for (const state::PoolLayout& pool : setup.layout.pools)
        known += (known.empty() ? "" : ", ") + std::string(pool.name);
    return fail(bad_input, "--pool: world \"" + std::string(setup.world->name) + "\" has no pool \"" + name +
                               "\"; there are: " + known);
}

// Options that need or exclude each other.
Outcome<void> check_options(const SimulateOptions& options, Format format) {
    if (options.bots && !options.inputs.empty())
        return fail(bad_input, "--bots: a script has its own players; leave out --bots or --inputs");
    const std::string extension = std::filesystem::path(options.plot).extension().string();
    if (!extension.empty() && extension != ".svg")
        return fail(bad_input, "--plot: pictures are SVG; give a file that ends in .svg");
    if (!options.plot.empty() && options.plot == options.out)
        return fail(bad_input, "--plot: is the same file as --out; give two files");
    if (format == Format::none && !options.out.empty())
        return fail(bad_input, "--out: --format none writes nothing; leave out one of them");
    if (options.size && options.plot.empty())
        return fail(bad_input, "--size: is the size of a plot; add --plot FILE");
    if (!options.pool.empty() && format != Format::csv)
        return fail(bad_input, "--pool: applies to CSV only; add --format csv");
    if (options.events && format != Format::jsonl)
        return fail(bad_input, "--events: applies to JSON lines only; add --format jsonl");
    return {};
}

Outcome<Plan> make_plan(const SimulateOptions& options) {
    Plan plan;
    plan.format = choose_format(options);
    if (const auto checked = check_options(options, plan.format); !checked)
        return std::unexpected(checked.error());
    std::string level = options.level;
    if (!options.inputs.empty()) {
        auto script = load_script(options);
        if (!script) return std::unexpected(script.error());
        plan.script = std::move(*script);
        const std::uint64_t last = plan.script->entries.empty() ? 0 : plan.script->entries.back().tick;
        plan.seed = plan.script->seed.value_or(plan.seed);
        plan.ticks = plan.script->ticks.value_or(std::max(default_ticks, last));
        if (level.empty()) level = plan.script->level;
    }
    const std::string world = plan.script ? std::string(plan.script->world->name) : options.world;
    auto setup = load_level(world, level);
    if (!setup) return std::unexpected(setup.error());
    plan.setup = *setup;

    plan.seed = options.seed.value_or(plan.seed);
    plan.ticks = options.ticks.value_or(plan.ticks);
    plan.bots = options.bots.value_or(std::min(default_bots, plan.setup->facts.most_players));
    if (const auto checked = check_bots(*plan.setup, plan.bots); !checked)
        return std::unexpected(checked.error());
    const auto pool = choose_pool(*plan.setup, options.pool);
    if (!pool) return std::unexpected(pool.error());
    plan.pool = *pool;
    return plan;
}

// The inputs of each tick, from a script or from bots.
class Players {
public:
    Players(const Plan& plan, const match::Match& match)
        : bots_(match, plan.script ? 0 : plan.bots, plan.seed) {
        if (plan.script) script_.emplace(*plan.script, match);
    }
    state::Result<match::TickBytes> next() {
        if (script_) return script_->next();
        return bots_.next();
    }
    std::size_t entries_left() const { return script_ ? script_->entries_left() : 0; }

private:
    Bots bots_;
    std::optional<match::ScriptPlayer> script_;
};

std::string tick_text(const Plan& plan, const match::Match& match, bool events) {
    return plan.format == Format::csv ? csv_rows(match, plan.pool) : json_line(match, events);
}

void print_summary(const Plan& plan, const match::Match& match, double seconds) {
    const double per_second = static_cast<double>(match.tick()) / std::max(seconds, 1e-9);
    std::fprintf(stderr, "%s/%s, seed %llu: %s ticks in %.3f s (%s ticks/s, %.0f times real time)\n",
                 std::string(match.world().name).c_str(), match.setup().level.c_str(),
                 static_cast<unsigned long long>(plan.seed), with_commas(match.tick()).c_str(), seconds,
                 with_commas(static_cast<std::uint64_t>(per_second)).c_str(),
                 per_second / match.facts().tick_rate);
    std::fprintf(stderr, "hash %s\n", hash_text(match.hash()).c_str());
    const std::string scores = score_line(match);
    if (!scores.empty()) std::fprintf(stderr, "score %s\n", scores.c_str());
}

std::string draw(const Plan& plan, const match::Match& match, const PathRecorder& recorder,
                 const std::optional<Size>& size) {
    contract::DrawList drawing;
    match.view(drawing);
    const double seconds = static_cast<double>(match.tick()) / match.facts().tick_rate;
    const std::string caption = "seed " + std::to_string(plan.seed) + " · " + with_commas(match.tick()) +
                                " ticks (" + brief(seconds) + " s at " +
                                std::to_string(match.facts().tick_rate) + " Hz) · hash " +
                                hash_text(match.hash());
    return plot_svg({match.facts(), std::string(match.world().name) + " / " + match.setup().level, caption,
                     score_board(match), size, recorder.first_tick(), match.tick()},
                    recorder.paths(), drawing);
}

Outcome<void> simulate(const SimulateOptions& options) {
    const auto planned = make_plan(options);
    if (!planned) return std::unexpected(planned.error());
    const Plan& plan = *planned;
    auto output = Output::open(plan.format == Format::none ? "" : options.out);
    if (!output) return std::unexpected(output.error());
    // Checked before the run, which may take minutes. An existing picture stays until the new one is written.
    const bool has_plot = !options.plot.empty();
    if (has_plot)
        if (auto can = can_write(options.plot); !can) return can;

    match::Match match(plan.setup, plan.seed);
    Players players(plan, match);
    PathRecorder recorder(match);
    if (has_plot) recorder.add_tick();
    if (plan.format == Format::csv) output->write(csv_header(match.layout().pools[plan.pool]));
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t tick = 1; tick <= plan.ticks; ++tick) {
        const auto inputs = players.next();
        if (!inputs) {
            if (auto kept = output->finish(); !kept) return kept;
            return fail(inputs.error());
        }
        match.step(*inputs);
        if (has_plot) recorder.add_tick();
        if (plan.format == Format::none || tick % options.every.value_or(1) != 0) continue;
        if (!output->write(tick_text(plan, match, options.events))) break;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

    if (auto written = output->finish(); !written) return written;
    if (has_plot)
        if (auto drawn = write_file(options.plot, draw(plan, match, recorder, options.size)); !drawn)
            return drawn;
    if (output->pipe_closed()) return {};
    print_summary(plan, match, taken.count());
    if (players.entries_left() > 0)
        std::fprintf(stderr, "note: %s of the script's entries come after tick %s and were not played\n",
                     with_commas(players.entries_left()).c_str(), with_commas(plan.ticks).c_str());
    return {};
}

}  // namespace

state::Result<Format> parse_format(std::string_view text) {
    if (text == "jsonl") return Format::jsonl;
    if (text == "csv") return Format::csv;
    if (text == "none") return Format::none;
    return state::refuse("", "expected jsonl, csv or none, got \"" + std::string(text) + "\"");
}

int run_simulate(const SimulateOptions& options) {
    const auto done = simulate(options);
    return done ? success : report(done.error());
}

}  // namespace instep::cli
