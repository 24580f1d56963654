// SPDX-License-Identifier: MIT
// Base64 with the alphabet for URLs and without padding (RFC 4648, 5), as JSON Web Tokens use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace instep::server {

std::string encode_base64url(std::string_view bytes);
// Empty for any text that the encoder does not write. So one sequence of bytes has one text, and a signature
// cannot be spelt in two ways.
std::optional<std::string> decode_base64url(std::string_view text);

}  // namespace instep::server
