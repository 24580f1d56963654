// SPDX-License-Identifier: MIT
// The canonical form of an input row: legal, and on the grid of the wire. The client makes it before it
// predicts and sends, the server on arrival; everything after that stores, steps and encodes the same bytes.
#pragma once

#include <cstddef>

#include <instep/codec/bytes.h>
#include <instep/match/match.h>

namespace instep::codec {

// Turns any bytes into a canonical row. A canonical row is unchanged by make_canonical, by the world's
// sanitize() and by encoding. Returns false if sanitize() refused the bytes: the row is then the canonical
// form of all zeros.
bool make_canonical(const match::Setup& setup, std::byte* row);

// The canonical form of all zeros: the input of a player that has sent none.
Bytes idle_input(const match::Setup& setup);

// Whether a row from outside is in that form, so that it can be stepped as it is.
bool is_canonical(const match::Setup& setup, const std::byte* row);

}  // namespace instep::codec
