// SPDX-License-Identifier: MIT
// Where tests find levels, sources and recorded files, independent of the working directory.
#pragma once

#include <filesystem>

namespace instep::test {

// The root of the repository that this test was built from.
std::filesystem::path source_dir();

}  // namespace instep::test
