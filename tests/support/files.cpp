// SPDX-License-Identifier: MIT
// The only file that contains the path of the clone, so that ccache can share all others between clones.
#include <tests/support/files.h>

namespace instep::test {

std::filesystem::path source_dir() { return INSTEP_SOURCE_DIR; }

}  // namespace instep::test
