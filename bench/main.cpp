// SPDX-License-Identifier: MIT
// The program instep_bench: runs every benchmark, prints the table row by row and writes the JSON. A missed
// target is marked in its row and counted in the last line.
#include <bench/harness.h>

#include <instep/math/float_rules.h>
#include <instep/state/json.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace instep::bench {
namespace {
constexpr const char* help =
    R"(instep_bench [--quick] [--filter TEXT] [--json FILE] [--enforce]

  --quick        fewer and shorter samples: shows that everything runs, not how fast
  --filter TEXT  only comparisons whose "benchmark: comparison" contains TEXT
  --json FILE    also write every result, quartiles included, to FILE
  --enforce      exit with 1 if a target is missed
)";

struct Options {
    Effort effort;
    std::string filter;
    std::string json_file;
    bool enforce = false;
};

// Empty, after a message on stderr, if the command line is invalid.
std::optional<Options> options_from(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        const bool has_value = i + 1 < count;
        if (argument == "--quick") {
            options.effort = quick_effort;
        } else if (argument == "--enforce") {
            options.enforce = true;
        } else if (argument == "--filter" && has_value) {
            options.filter = arguments[++i];
        } else if (argument == "--json" && has_value) {
            options.json_file = arguments[++i];
        } else {
            std::cerr << "instep_bench does not know what to do with " << argument << ".\n" << help;
            return std::nullopt;
        }
    }
    return options;
}

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "an unknown processor";
}

std::string compiler() {
#if defined(__clang__)
    return std::string("clang ") + __clang_version__;
#else
    return std::string("g++ ") + __VERSION__;
#endif
}

std::string time_text(double nanoseconds) {
    constexpr const char* units[] = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    for (; nanoseconds >= 1000 && unit < 3; ++unit) nanoseconds /= 1000;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %s", nanoseconds < 100 ? 2 : 0, nanoseconds, units[unit]);
    return text;
}

void print_heading(const std::string& benchmark) {
    std::printf("\n%-42s %-14s %10s   %-10s %10s %7s %7s %9s\n", benchmark.c_str(), "", "time", "reference",
                "time", "ratio", "spread", "target");
}

void print_row(const Outcome& outcome) {
    char target[32] = "";
    if (outcome.has_target()) std::snprintf(target, sizeof target, "<= %.2f", outcome.at_most);
    const double spread = 100 * (outcome.ratio.high - outcome.ratio.low) / outcome.ratio.median;
    std::printf("  %-40s %-14s %10s   %-10s %10s %7.2f %5.1f %% %9s%s\n", outcome.comparison.c_str(),
                outcome.alternative.c_str(), time_text(outcome.nanoseconds.median).c_str(),
                outcome.reference.c_str(), time_text(outcome.reference_nanoseconds.median).c_str(),
                outcome.ratio.median, spread, target,
                !outcome.has_target() ? ""
                : outcome.met()       ? "  met"
                                      : "  MISSED");
    std::fflush(stdout);
}

state::Json to_json(const Spread& spread) {
    return state::Json::Object{{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

state::Json to_json(const Outcome& outcome) {
    state::Json::Object object{{"benchmark", outcome.benchmark},
                               {"comparison", outcome.comparison},
                               {"alternative", outcome.alternative},
                               {"nanoseconds", to_json(outcome.nanoseconds)},
                               {"reference", outcome.reference},
                               {"reference_nanoseconds", to_json(outcome.reference_nanoseconds)},
                               {"ratio", to_json(outcome.ratio)}};
    if (outcome.has_target()) {
        object.emplace_back("at_most", outcome.at_most);
        object.emplace_back("met", outcome.met());
    }
    return object;
}

bool write_outcomes(const std::string& path, const std::vector<Outcome>& outcomes) {
    state::Json::Array list;
    for (const Outcome& outcome : outcomes) list.emplace_back(to_json(outcome));
    std::ofstream file(path);
    file << state::write_json(state::Json::Object{
                {"processor", processor()}, {"compiler", compiler()}, {"outcomes", std::move(list)}})
         << '\n';
    file.close();
    if (!file) std::cerr << "Cannot write " << path << ".\n";
    return !file.fail();
}

int run(const Options& options) {
    std::vector<Outcome> outcomes;
    std::printf("%s, %s, %d rounds of %g ms\n", processor().c_str(), compiler().c_str(),
                options.effort.rounds, 1000 * options.effort.sample_seconds);
    for (const Benchmark& benchmark : all_benchmarks()) {
        bool first = true;
        Bench bench(benchmark.name, options.filter, options.effort, [&](const Outcome& outcome) {
            if (std::exchange(first, false)) print_heading(benchmark.name);
            print_row(outcome);
            outcomes.push_back(outcome);
        });
        benchmark.run(bench);
    }

    int met = 0;
    int missed = 0;
    for (const Outcome& outcome : outcomes) {
        if (outcome.has_target()) ++(outcome.met() ? met : missed);
    }
    std::printf("\n%zu comparisons, %d targets met, %d missed\n", outcomes.size(), met, missed);
    if (outcomes.empty()) {
        std::cerr << "Nothing matches --filter " << options.filter << ".\n";
        return 2;
    }
    if (!options.json_file.empty() && !write_outcomes(options.json_file, outcomes)) return 2;
    return options.enforce && missed > 0 ? 1 : 0;
}
}  // namespace
}  // namespace instep::bench

int main(int count, char** arguments) {
    if (count == 2 && std::string_view(arguments[1]) == "--help") {
        std::cout << instep::bench::help;
        return 0;
    }
    if (!instep::math::arithmetic_is_sound()) {
        std::cerr << "This process does not compute as IEEE 754 says; its results would mean nothing.\n";
        return 2;
    }
    const auto options = instep::bench::options_from(count, arguments);
    return options ? instep::bench::run(*options) : 2;
}
