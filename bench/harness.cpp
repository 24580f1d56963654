// SPDX-License-Identifier: MIT
#include <bench/harness.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <utility>

namespace instep::bench {
namespace {
// The processor time of this thread: other load on the machine does not count.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_for(const std::function<void()>& run, int runs) {
    const double start = processor_seconds();
    for (int i = 0; i < runs; ++i) run();
    return processor_seconds() - start;
}

// So many runs that a sample is long against the clock's resolution. Finding the number also warms caches and
// branch predictors up.
int runs_per_sample(const std::function<void()>& run, double sample_seconds) {
    for (int runs = 1; runs < (1 << 28); runs *= 2) {
        if (seconds_for(run, runs) >= sample_seconds) return runs;
    }
    return 1 << 28;
}

// Interpolates linearly between two samples.
double quantile(const std::vector<double>& sorted, double q) {
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

Spread spread_of(std::vector<double> values) {
    std::ranges::sort(values);
    return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)};
}

std::vector<Benchmark>& registry() {
    static std::vector<Benchmark> benchmarks;
    return benchmarks;
}
}  // namespace

void spend_microseconds(double microseconds) {
    for (const double start = processor_seconds(); processor_seconds() - start < 1e-6 * microseconds;) {
    }
}

Bench::Bench(std::string benchmark, std::string filter, Effort effort,
             std::function<void(const Outcome&)> on_outcome)
    : benchmark_(std::move(benchmark)),
      filter_(std::move(filter)),
      effort_(effort),
      on_outcome_(std::move(on_outcome)) {}

bool Bench::wants(const std::string& comparison) const {
    return (benchmark_ + ": " + comparison).find(filter_) != std::string::npos;
}

void Bench::compare(const Comparison& comparison) {
    if (!wants(comparison.name)) return;

    struct Contestant {
        const Alternative* alternative;
        int runs;
        std::vector<double> nanoseconds;  // for one operation, by round
    };
    std::vector<Contestant> contestants{{&comparison.reference, 0, {}}};
    for (const Alternative& alternative : comparison.alternatives)
        contestants.push_back({&alternative, 0, {}});
    for (Contestant& c : contestants) c.runs = runs_per_sample(c.alternative->run, effort_.sample_seconds);

    // Every round starts with another alternative, so that none always runs after the same one.
    for (int round = 0; round < effort_.rounds; ++round) {
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            Contestant& c = contestants[(i + static_cast<std::size_t>(round)) % contestants.size()];
            const double seconds = seconds_for(c.alternative->run, c.runs);
            c.nanoseconds.push_back(seconds * 1e9 / (comparison.operations * c.runs));
        }
    }

    const Contestant& reference = contestants.front();
    for (std::size_t i = 1; i < contestants.size(); ++i) {
        const Contestant& c = contestants[i];
        std::vector<double> ratios(c.nanoseconds.size());
        std::ranges::transform(c.nanoseconds, reference.nanoseconds, ratios.begin(), std::divides<>{});
        on_outcome_({.benchmark = benchmark_,
                     .comparison = comparison.name,
                     .alternative = c.alternative->name,
                     .reference = reference.alternative->name,
                     .nanoseconds = spread_of(c.nanoseconds),
                     .reference_nanoseconds = spread_of(reference.nanoseconds),
                     .ratio = spread_of(ratios),
                     .at_most = c.alternative->at_most});
    }
}

Benchmark::Benchmark(std::string benchmark_name, std::function<void(Bench&)> body)
    : name(std::move(benchmark_name)), run(std::move(body)) {
    registry().push_back(*this);
}

std::vector<Benchmark> all_benchmarks() {
    std::vector<Benchmark> benchmarks = registry();
    std::ranges::sort(benchmarks, {}, &Benchmark::name);
    return benchmarks;
}

}  // namespace instep::bench
