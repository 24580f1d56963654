// SPDX-License-Identifier: MIT
// A match at one tick as a value: its level, its state to the bit, and the fields of the state. Another
// process of the same build goes on to the same hashes; another build carries over what it can.
#pragma once

#include <cstdint>
#include <string>

#include <instep/codec/range_coder.h>
#include <instep/match/match.h>
#include <instep/record/level_reference.h>
#include <instep/state/layout_description.h>

namespace instep::record {

struct MatchImage {
    LevelReference level;
    std::uint64_t fingerprint = 0;  // match::Setup's
    std::uint64_t seed = 0;
    std::uint64_t tick = 0;
    std::uint64_t hash = 0;
    state::LayoutDescription layout;
    codec::Bytes state;

    friend bool operator==(const MatchImage&, const MatchImage&) = default;
};

MatchImage save_match(const match::Match& match, std::uint64_t seed);

// For `codec::Writer` and `codec::Reader`. The reader takes any bytes.
template <class Stream>
void code(Stream& stream, MatchImage& image);

// Makes the match go on from the image; the match then has the tick of the image. With the same fingerprint
// the state is the same to the bit. Otherwise fields are carried over, and those that could not be are
// returned. On error the match keeps its state.
state::Result<state::NotCarried> load_match(const MatchImage& image, match::Match& match);

// --- Bytes from outside

// Images begin with eight letters that say what they are and their version, and end with a hash of all bytes
// before it, which finds truncated and damaged ones. It does not find forged ones.
void begin_image(std::string_view magic, codec::Bytes& out);
void end_image(codec::Bytes& out);
// The bytes between magic and hash.
state::Result<codec::ByteView> open_image(std::string_view magic, codec::ByteView image);

template <class Stream>
void code_text(Stream& stream, std::string& text, std::size_t most);

}  // namespace instep::record
