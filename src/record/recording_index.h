// SPDX-License-Identifier: MIT
// What is in a recording, read from its blocks' heads: a file of any size costs a few bytes a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <instep/record/recording.h>

namespace instep::record {

// Fills what it can from that offset of a file, and returns how many bytes; fewer: the file ends there.
using ReadAt = std::function<std::size_t(std::uint64_t offset, std::span<std::byte> into)>;

// As summarise(), for a file of `size` bytes that is not in memory.
state::Result<RecordingSummary> summarise(const ReadAt& read, std::uint64_t size);

}  // namespace instep::record
