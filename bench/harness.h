// SPDX-License-Identifier: MIT
// Comparative benchmarks. Alternatives for the same work take turns in one process, so that other load slows
// all of them down alike. The result is the ratio to the reference, next to its target. A new benchmark is a
// new file, bench/<name>_bench.cpp:
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
    std::function<void()> run;   // runs all operations of the comparison once; the call itself costs 1 ns
    double at_most = no_target;  // its time over that of the reference
};

struct Comparison {
    std::string name;
    double operations = 1;  // in one run; times are given for one operation
    Alternative reference;
    std::vector<Alternative> alternatives;
};

// A median and its quartiles.
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

// How long to measure: each alternative runs for at least `sample_seconds` in each round. Rounds are short
// and many, so that samples that are compared are close in time.
struct Effort {
    int rounds = 301;
    double sample_seconds = 0.0005;
};

inline constexpr Effort quick_effort{.rounds = 21, .sample_seconds = 0.0002};

// Measures comparisons and calls `on_outcome` for every alternative as soon as it is measured.
class Bench {
public:
    Bench(std::string benchmark, std::string filter, Effort effort,
          std::function<void(const Outcome&)> on_outcome);

    // Skipped if the filter is not part of "<benchmark>: <comparison>".
    void compare(const Comparison& comparison);
    // Whether a comparison of this name will run: ask before costly preparations.
    bool wants(const std::string& comparison) const;

private:
    std::string benchmark_;
    std::string filter_;
    Effort effort_;
    std::function<void(const Outcome&)> on_outcome_;
};

// Registers itself; main runs all benchmarks in order of name.
struct Benchmark {
    std::string name;
    std::function<void(Bench&)> run;

    Benchmark(std::string benchmark_name, std::function<void(Bench&)> body);
};

std::vector<Benchmark> all_benchmarks();

// Uses up so much processor time: represents a fixed limit, or a time measured elsewhere, in a comparison.
void spend_microseconds(double microseconds);

// Forces the compiler to compute the value and to assume that memory was read and written.
template <typename T>
void keep(const T& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace instep::bench
