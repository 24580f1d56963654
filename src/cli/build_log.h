// SPDX-License-Identifier: MIT
// What a person wants to read of a build's output: what the compilers said.
#pragma once

#include <string>
#include <string_view>

namespace instep::cli {

// Without ninja's progress, the commands that failed, and what a second compiler says again. Empty if nothing
// is left.
std::string clean_build_log(std::string_view output);

}  // namespace instep::cli
