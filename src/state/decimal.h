// SPDX-License-Identifier: MIT
// Exact conversion of floating-point numbers from and to decimal text. Reading gives the nearest number (ties
// to even); writing gives the fewest digits that read back to the same bits, and among those the nearest to
// the value. Uses integer arithmetic only, so every platform, library and locale agrees;
// docs/decisions/json.md says why not the standard library.
#pragma once

#include <string>
#include <string_view>

namespace instep::state {

// `number` follows the JSON grammar: -12.5e+3. Infinity if it is beyond the range of doubles.
double read_decimal(std::string_view number);

// Appends the text that JavaScript would write: 0.1, 100, 1.5e-7, 1e+21; but -0 keeps its sign. The value
// must be finite.
void append_decimal(std::string& out, double value);
void append_decimal(std::string& out, float value);

}  // namespace instep::state
