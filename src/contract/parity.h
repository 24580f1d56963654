// SPDX-License-Identifier: MIT
// A run of an original program, recorded number by number, and our run beside it. A world that reproduces a
// document has a function `parity` that replays a recording's inputs and answers with rows of the same
// columns.
#pragma once

#include <string>
#include <vector>

namespace instep::contract {

struct Recording {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
};

}  // namespace instep::contract
