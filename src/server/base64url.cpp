// SPDX-License-Identifier: MIT
#include <instep/server/base64url.h>

#include <cstdint>

namespace instep::server {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string encode_base64url(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t bits = 0;
    unsigned count = 0;  // of bits that are not written yet
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) text += alphabet[bits >> (count - 6) & 63];
    }
    if (count > 0) text += alphabet[bits << (6 - count) & 63];
    return text;
}

std::optional<std::string> decode_base64url(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char letter : text) {
        const std::size_t value = alphabet.find(letter);
        if (value == std::string_view::npos) return {};
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    const bool has_rest = count >= 6 || (bits & ((1u << count) - 1)) != 0;  // a letter or bits too many
    if (has_rest) return {};
    return bytes;
}

}  // namespace instep::server
