// SPDX-License-Identifier: MIT
// Instep's trigonometry against the system's libm. Throughput: independent arguments. Latency: a chain in
// which each argument depends on the previous result.
#include <bench/harness.h>

#include <instep/math/random.h>
#include <instep/math/trig.h>
#include <instep/math/units.h>

#include <math.h>  // for ::sincos, which is in the C library only

#include <cmath>
#include <string>
#include <vector>

namespace instep::bench {
namespace {
constexpr std::size_t count = 4096;
constexpr double target = 1.5;
constexpr double span_target = 0.75;  // below this a span is worth gathering

using Values = std::vector<double>;

Values uniform_values(double low, double high, std::uint64_t seed) {
    math::Random random = math::Random::from_seed(seed);
    Values values(count);
    for (double& value : values) value = random.uniform(low, high);
    return values;
}

template <typename Function>
std::function<void()> throughput(Function function, const Values& values) {
    return [function, &values, results = Values(count)]() mutable {
        for (std::size_t i = 0; i < count; ++i) results[i] = function(values[i], i);
        keep(results);
    };
}

// The previous result has so little weight that it does not change the range.
template <typename Function>
std::function<void()> latency(Function function, const Values& values) {
    return [function, &values] {
        double result = 0;
        for (std::size_t i = 0; i < count; ++i) result = function(values[i] + result * 1e-12, i);
        keep(result);
    };
}

template <typename Ours, typename Libm>
void compare_both_ways(Bench& bench, const std::string& name, const Values& values, Ours ours, Libm libm) {
    bench.compare({.name = name + ", throughput",
                   .operations = count,
                   .reference = {"libm", throughput(libm, values)},
                   .alternatives = {{"instep", throughput(ours, values), target}}});
    bench.compare({.name = name + ", latency",
                   .operations = count,
                   .reference = {"libm", latency(libm, values)},
                   .alternatives = {{"instep", latency(ours, values), target}}});
}

void compare_angles(Bench& bench, const std::string& range, const Values& angles) {
    compare_both_ways(
        bench, "sin, " + range, angles, [](double angle, std::size_t) { return math::sin(angle); },
        [](double angle, std::size_t) { return std::sin(angle); });
    compare_both_ways(
        bench, "cos, " + range, angles, [](double angle, std::size_t) { return math::cos(angle); },
        [](double angle, std::size_t) { return std::cos(angle); });
    compare_both_ways(
        bench, "sincos, " + range, angles,
        [](double angle, std::size_t) {
            const math::SinCos both = math::sincos(angle);
            return both.sin + both.cos;
        },
        [](double angle, std::size_t) {
            double sine = 0;
            double cosine = 0;
            ::sincos(angle, &sine, &cosine);
            return sine + cosine;
        });
}

void compare_points(Bench& bench, const std::string& where, const Values& ys, const Values& xs) {
    compare_both_ways(
        bench, "atan2, " + where, ys, [&xs](double y, std::size_t i) { return math::atan2(y, xs[i]); },
        [&xs](double y, std::size_t i) { return std::atan2(y, xs[i]); });
}

void compare_spans(Bench& bench, const Values& angles, const Values& ys, const Values& xs) {
    Values first(count);
    Values second(count);
    bench.compare({.name = "sincos over a span of 4096, a turn",
                   .operations = count,
                   .reference = {"libm",
                                 [&] {
                                     for (std::size_t i = 0; i < count; ++i) {
                                         ::sincos(angles[i], &first[i], &second[i]);
                                     }
                                     keep(first);
                                 }},
                   .alternatives = {{"instep",
                                     [&] {
                                         math::sincos(angles, first, second);
                                         keep(first);
                                     },
                                     span_target}}});
    bench.compare({.name = "atan2 over spans of 4096, all around",
                   .operations = count,
                   .reference = {"libm",
                                 [&] {
                                     for (std::size_t i = 0; i < count; ++i)
                                         first[i] = std::atan2(ys[i], xs[i]);
                                     keep(first);
                                 }},
                   .alternatives = {{"instep",
                                     [&] {
                                         math::atan2(ys, xs, first);
                                         keep(first);
                                     },
                                     span_target}}});
}

const Benchmark trigonometry{"trigonometry", [](Bench& bench) {
                                 const Values turn = uniform_values(-math::pi, math::pi, 1);
                                 const Values ys = uniform_values(-1, 1, 2);
                                 const Values xs = uniform_values(-1, 1, 3);
                                 compare_angles(bench, "a turn", turn);
                                 compare_angles(bench, "up to 0.7", uniform_values(-0.7, 0.7, 4));
                                 compare_angles(bench, "up to 1000", uniform_values(-1000, 1000, 5));
                                 compare_angles(bench, "1e9 to 1e300", uniform_values(1e9, 1e300, 6));
                                 compare_points(bench, "all around", ys, xs);
                                 compare_points(bench, "nearly level", uniform_values(-0.1, 0.1, 7),
                                                uniform_values(1, 2, 8));
                                 compare_spans(bench, turn, ys, xs);
                             }};
}  // namespace
}  // namespace instep::bench
