// SPDX-License-Identifier: MIT
// Messages and files are plain bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace instep::codec {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

}  // namespace instep::codec
