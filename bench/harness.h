// SPDX-License-Identifier: MIT
// Benchmarks that compare. Alternatives to the same work take turns in one process, so that whatever slows
// one down slows down the others, and what counts is the ratio to the reference, with its target beside it. A
// new benchmark is a new file, bench/<name>_bench.cpp:
//
//     const Benchmark copying{"copying", [](Bench& bench) {
//         std::vector<std::byte> from(65536), to(65536);
//         bench.compare({
//             .name = "64 KiB",
//             .reference = {"memcpy", [&] { std::memcpy(to.data(), from.data(), to.size()); keep(to); }},
//             .alternatives = {{"std::copy", [&] { std::ranges::copy(from, to.begin()); keep(to); }, 1.2}},
//         });
//     }};
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace instep::bench {

inline constexpr double no_target = std::numeric_limits<double>::infinity();

struct Alternative {
    std::string name;
    std::function<void()> run;   // does all of the comparison's operations once; the call itself costs 1 ns
    double at_most = no_target;  // its time over that of the reference
};

struct Comparison {
    std::string name;
    double operations = 1;  // in one run; times are given for one operation
    Alternative reference;
    std::vector<Alternative> alternatives;
};

// A median, and the quartiles around it.
struct Spread {
    double median = 0;
    double low = 0;
    double high = 0;
};

struct Outcome {
    std::string benchmark;
    std::string comparison;
    std::string alternative;
    std::string reference;
    Spread nanoseconds;
    Spread reference_nanoseconds;
    Spread ratio;  // of the times in each round, not of the medians
    double at_most = no_target;

    bool has_target() const { return at_most != no_target; }
    bool met() const { return ratio.median <= at_most; }
};

// How long to measure: each alternative runs for at least `sample_seconds` in each round. Many short rounds,
// so that those that are compared with each other are close in time.
struct Effort {
    int rounds = 301;
    double sample_seconds = 0.0005;
};

inline constexpr Effort quick_effort{.rounds = 21, .sample_seconds = 0.0002};

// What a benchmark measures with. Tells `on_outcome` of every alternative as soon as it is measured.
class Bench {
public:
    Bench(std::string benchmark, std::string filter, Effort effort,
          std::function<void(const Outcome&)> on_outcome);

    // Skipped if the filter is not part of "<benchmark>: <comparison>".
    void compare(const Comparison& comparison);
    // Whether a comparison of this name is not skipped: for what is costly to prepare.
    bool wants(const std::string& comparison) const;

private:
    std::string benchmark_;
    std::string filter_;
    Effort effort_;
    std::function<void(const Outcome&)> on_outcome_;
};

// Registers itself; main runs them all in order of name.
struct Benchmark {
    std::string name;
    std::function<void(Bench&)> run;

    Benchmark(std::string benchmark_name, std::function<void(Bench&)> body);
};

std::vector<Benchmark> all_benchmarks();

// Takes so much of this thread's time: what runs elsewhere, or a promise, enters a comparison by spending it.
void spend_microseconds(double microseconds);

// The compiler has to produce the value, and believes that memory was read and written.
template <typename T>
void keep(const T& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace instep::bench
