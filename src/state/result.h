// SPDX-License-Identifier: MIT
// The result of reading anything from outside: a value, or an error that says where it is (a file and a path
// in it) and what was expected. The core has no exceptions.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace instep::state {

struct Error {
    std::string where;  // "worlds/bounce/levels/box.json: rules.drag"; may be empty
    std::string what;   // "expected a number from 0 to 1, got \"slow\""

    std::string text() const { return where.empty() ? what : where + ": " + what; }
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> refuse(std::string where, std::string what) {
    return std::unexpected(Error{std::move(where), std::move(what)});
}

// The same error with a file or parent path in front of its location.
inline std::unexpected<Error> within(const std::string& outer, Error inner) {
    inner.where = inner.where.empty() ? outer : outer + ": " + inner.where;
    return std::unexpected(std::move(inner));
}

}  // namespace instep::state
