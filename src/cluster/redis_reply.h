// SPDX-License-Identifier: MIT
// Redis's protocol (RESP 2): commands as bytes, and replies from bytes. hiredis parses; the objects are ours,
// so that memory grows with the bytes that came and not with what they announce.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <instep/state/result.h>

namespace instep::cluster {

struct Reply {
    enum class Kind : std::uint8_t { nil, integer, text, error, array } kind = Kind::nil;
    std::int64_t integer = 0;
    std::string text;  // of a text or an error; any bytes
    std::vector<Reply> items;

    bool is_error() const { return kind == Kind::error; }
    // "FENCED" of "FENCED another server owns the room".
    std::string_view error_code() const;
    static Reply make_error(std::string text) { return {Kind::error, 0, std::move(text), {}}; }
};

// A command as Redis reads it; the words may hold any bytes.
void write_command(std::span<const std::string> words, std::string& out);

class ReplyParser {
public:
    // Of one reply. More than the largest room image, and entries for minutes of ticks.
    static constexpr std::size_t max_reply_bytes = 128u << 20;
    static constexpr std::size_t max_reply_items = 1u << 20;

    ReplyParser();
    ~ReplyParser();
    ReplyParser(const ReplyParser&) = delete;
    ReplyParser& operator=(const ReplyParser&) = delete;

    // Takes any bytes.
    void feed(std::string_view bytes);
    // The next reply that is complete, into `reply`; false: more bytes are needed. After an error the parser
    // is of no more use.
    state::Result<bool> next(Reply& reply);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace instep::cluster
