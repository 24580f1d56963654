// SPDX-License-Identifier: MIT
// An input drawn at random from the ranges that its field list allows: for chronicles, property tests and
// fuzzing of any world, known or not.
#pragma once

#include <cstddef>

#include <instep/math/random.h>
#include <instep/state/field.h>

namespace instep::match {

void random_input(const state::StructInfo& info, math::Random& random, std::byte* input);

}  // namespace instep::match
