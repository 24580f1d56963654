// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <instep/state/result.h>

namespace instep::server {

// The names that the first certificate of a PEM file is for: its subject alternative names, or the common
// name of one that has none.
state::Result<std::vector<std::string>> certificate_names(const std::string& file);

}  // namespace instep::server
