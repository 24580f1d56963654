// SPDX-License-Identifier: MIT
// How anything that reads the outside world answers: with a value, or with an error that says where the
// trouble is (a file and a path in it) and what was expected there. The core has no exceptions.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace instep::state {

struct Error {
    std::string where;  // "levels/bounce/box.json: rules.drag"; empty if the message says it all
    std::string what;   // "expected a number from 0 to 1, got \"slow\""

    std::string text() const { return where.empty() ? what : where + ": " + what; }
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> refuse(std::string where, std::string what) {
    return std::unexpected(Error{std::move(where), std::move(what)});
}

// The same error seen from one level further out: `file` or a parent path is put in front of where it is.
inline std::unexpected<Error> within(const std::string& outer, Error inner) {
    inner.where = inner.where.empty() ? outer : outer + ": " + inner.where;
    return std::unexpected(std::move(inner));
}

}  // namespace instep::state
