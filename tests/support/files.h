// SPDX-License-Identifier: MIT
// Where tests find levels, sources and recorded files, from whatever folder they are started.
#pragma once

#include <filesystem>

namespace instep::test {

// The root of the repository that this test was built from.
std::filesystem::path source_dir();

}  // namespace instep::test
