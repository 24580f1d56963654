// SPDX-License-Identifier: MIT
// Floating-point numbers from and to decimal text, exactly: reading gives the nearest number (ties to even),
// writing gives the fewest digits that read back to the same bits, nearest to the value among those. Integer
// arithmetic alone, so that every platform, library and locale agrees; docs/decisions/json.md says why not
// the standard library's.
#pragma once

#include <string>
#include <string_view>

namespace instep::state {

// `number` is written as JSON allows: -12.5e+3. Infinity if no double is that large.
double read_decimal(std::string_view number);

// The text that JavaScript would write: 0.1, 100, 1.5e-7, 1e+21; but -0 keeps its sign. The value is finite.
void append_decimal(std::string& out, double value);
void append_decimal(std::string& out, float value);

}  // namespace instep::state
