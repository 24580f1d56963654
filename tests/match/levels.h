// SPDX-License-Identifier: MIT
// A law that holds on every built-in level.
#pragma once

#include <doctest/doctest.h>

#include <instep/match/builtin_levels.h>
#include <instep/match/match.h>

namespace instep::test {

template <class Law>
void for_each_level(Law law) {
    for (const match::BuiltinLevel& level : match::builtin_levels()) {
        CAPTURE(level.world);
        CAPTURE(level.name);
        const auto setup = match::load_builtin_setup(level.world, level.name);
        REQUIRE_MESSAGE(setup, setup.error().text());
        law(*setup);
    }
}

}  // namespace instep::test
