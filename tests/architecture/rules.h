// SPDX-License-Identifier: MIT
// The architecture rules, checked on the text of the sources: which module may include which, and what the
// core must not use because results would differ between platforms. Works on text, not with a compiler, so it
// takes milliseconds and its messages can explain the modules.
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

// `path` is relative to src/, as in "motion/spring.h", or that of a world, as in "worlds/bounce/step.cpp".
std::vector<Finding> check_source(std::string_view path, std::string_view text);

// The places where a source has one of these names outside comments; `path` is only for the report.
std::vector<Finding> find_names(std::string_view path, std::string_view text,
                                const std::vector<std::string>& names);

}  // namespace instep::architecture
