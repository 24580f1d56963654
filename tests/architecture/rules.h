// SPDX-License-Identifier: MIT
// The house rules, checked on the text of the sources: which room may include which, and what may not be used
// where the same bits must come out everywhere. Text and not a compiler, so that the check takes milliseconds
// and its messages can say what a room is for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace instep::architecture {

struct Finding {
    std::string file;
    int line = 0;
    std::string message;
};

// `path` is relative to src/, as in "motion/spring.h" or "worlds/bounce/step.cpp".
std::vector<Finding> check_source(std::string_view path, std::string_view text);

}  // namespace instep::architecture
