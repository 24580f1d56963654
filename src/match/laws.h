// SPDX-License-Identifier: MIT
// The laws that every world keeps: what rollback, prediction and images rely on. A game tries them on its own
// worlds with `check`; the engine's tests try them on every level of its worlds.
#pragma once

#include <span>
#include <string_view>

#include <instep/match/match.h>

namespace instep::match {

struct Law {
    std::string_view name;
    // One try with these random numbers; refuses with how the law was broken.
    state::Result<void> (*holds)(const SharedSetup& setup, math::Random& random);
};

std::span<const Law> laws();

}  // namespace instep::match
