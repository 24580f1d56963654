// SPDX-License-Identifier: MIT
// The fields of a layout as values. They travel with a saved state, so that another build, whose structs
// differ, can carry the state over: fields by name and kind, elements with their handles. What is new in this
// build keeps what the block held before, which is the world's start, or the default of its struct.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <instep/state/layout.h>

namespace instep::state {

struct FieldDescription {
    std::string path;
    FieldKind kind = FieldKind::reserved;
    std::uint32_t size = 0;           // bytes
    std::vector<std::string> labels;  // of an enum

    friend bool operator==(const FieldDescription&, const FieldDescription&) = default;
};

// By offset and without gaps, so that offsets follow from the sizes.
using StructDescription = std::vector<FieldDescription>;

struct PoolDescription {
    std::string name;
    StructDescription element;

    friend bool operator==(const PoolDescription&, const PoolDescription&) = default;
};

struct LayoutDescription {
    StructDescription head;
    std::vector<PoolDescription> pools;

    friend bool operator==(const LayoutDescription&, const LayoutDescription&) = default;
};

LayoutDescription describe_layout(const Layout& layout);

// One line for each: "players.health: was u8, is f64".
using NotCarried = std::vector<std::string>;

// Loads an image of another layout into `block`, which holds a state of this layout. Takes any bytes and any
// description. The world's `validate` has the last word.
Result<NotCarried> carry_over(const LayoutDescription& from, std::span<const std::byte> image,
                              const Layout& layout, std::byte* block);

}  // namespace instep::state
