// SPDX-License-Identifier: MIT
// The WebAssembly side of bench/trig_wasm.mjs: each export processes the buffer of arguments once.
#include <instep/math/trig.h>

#include <cmath>
#include <span>

namespace {
constexpr int count = 4096;
double arguments[2 * count];  // angles, or ys and then xs
double results[2 * count];

template <typename Function>
void for_each_angle(Function function) {
    for (int i = 0; i < count; ++i) results[i] = function(arguments[i]);
}
}  // namespace

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

EXPORT(argument_buffer) double* argument_buffer() { return arguments; }
EXPORT(argument_count) int argument_count() { return count; }

EXPORT(instep_sin) void instep_sin() {
    for_each_angle([](double a) { return instep::math::sin(a); });
}
EXPORT(libc_sin) void libc_sin() {
    for_each_angle([](double a) { return std::sin(a); });
}
EXPORT(instep_cos) void instep_cos() {
    for_each_angle([](double a) { return instep::math::cos(a); });
}
EXPORT(libc_cos) void libc_cos() {
    for_each_angle([](double a) { return std::cos(a); });
}

EXPORT(instep_sincos) void instep_sincos() {
    instep::math::sincos(std::span(arguments).first(count), std::span(results).first(count),
                         std::span(results).last(count));
}
EXPORT(libc_sincos) void libc_sincos() {
    for (int i = 0; i < count; ++i) {
        results[i] = std::sin(arguments[i]);
        results[count + i] = std::cos(arguments[i]);
    }
}

EXPORT(instep_atan2) void instep_atan2() {
    for (int i = 0; i < count; ++i) results[i] = instep::math::atan2(arguments[i], arguments[count + i]);
}
EXPORT(instep_atan2_spans) void instep_atan2_spans() {
    instep::math::atan2(std::span(arguments).first(count), std::span(arguments).last(count),
                        std::span(results).first(count));
}
EXPORT(libc_atan2) void libc_atan2() {
    for (int i = 0; i < count; ++i) results[i] = std::atan2(arguments[i], arguments[count + i]);
}
