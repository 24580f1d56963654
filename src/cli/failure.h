// SPDX-License-Identifier: MIT
// How a command ends: with a code that a script can act on, and one sentence on stderr that says what to do.
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
    check_failed = 1,  // what was checked differs
    bad_input = 2,     // wrong usage, or a file with something wrong in it
    file_trouble = 3,  // a file could not be read or written
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

// Names and files are quoted in messages, and whoever wrote them must not steer the reader's terminal.
std::string printable(std::string_view text);

// Says it on stderr, and gives the code to end with.
inline int report(const Failure& failure) {
    std::fflush(stdout);  // what was said before stands before it, wherever both go
    std::fprintf(stderr, "instep: %s\n", printable(failure.message).c_str());
    return failure.code;
}

}  // namespace instep::cli
