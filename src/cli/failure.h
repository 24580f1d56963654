// SPDX-License-Identifier: MIT
// How a command fails: an exit code for scripts, and one sentence on stderr that says what to do.
#pragma once

#include <cstdio>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include <instep/state/result.h>

namespace instep::cli {

enum ExitCode : int {
    success = 0,
    check_failed = 1,  // a check found a difference
    bad_input = 2,     // wrong usage, or invalid contents of a file
    file_error = 3,    // a file could not be read or written
};

struct Failure {
    ExitCode code = bad_input;
    std::string message;

    Failure(ExitCode failure_code, std::string text) : code(failure_code), message(std::move(text)) {}
    Failure(const state::Error& error) : message(error.text()) {}
};

template <class T>
using Outcome = std::expected<T, Failure>;

inline std::unexpected<Failure> fail(ExitCode code, std::string message) {
    return std::unexpected(Failure(code, std::move(message)));
}
inline std::unexpected<Failure> fail(const state::Error& error) { return std::unexpected(Failure(error)); }

// Replaces control characters: messages quote names and files, which could hold terminal escape codes.
std::string printable(std::string_view text);

// Prints the message to stderr and returns the exit code.
int report(const Failure& failure);

}  // namespace instep::cli
