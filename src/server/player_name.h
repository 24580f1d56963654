// SPDX-License-Identifier: MIT
// Which names players may have. A name is shown to strangers, so it must look like what it is: nothing
// invisible, nothing that reorders the text around it, no pile of marks, and no letters of two alphabets that
// look alike. docs/server.md has the rule.
#pragma once

#include <string_view>

namespace instep::server {

// What is wrong with it, in a sentence for the player; empty: nothing.
std::string_view objection_to_name(std::string_view name);

}  // namespace instep::server
