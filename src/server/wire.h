// SPDX-License-Identifier: MIT
// The server's one port, HTTP and WebSocket, and what the rest of the server sees of it. Sockets, TLS and
// Beast are behind this face; limits on connections, rates, sizes and times are kept there, so that whoever
// implements a Gate only ever sees whole, bounded messages.
//
//     Gate     the server: answers requests, and says who may come in
//     Visitor  one who came in: is told what the other end sends
//     Line     the way back to it
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <instep/codec/bytes.h>
#include <instep/server/figures.h>
#include <instep/server/log.h>
#include <instep/server/loop.h>
#include <instep/server/refusal.h>
#include <instep/server/settings.h>

namespace instep::server {

struct Request {
    std::string method;
    std::string path;  // without the query, decoded
    std::vector<std::pair<std::string, std::string>> query;
    std::string host;    // the headers of these names
    std::string origin;  // empty: none
    std::string accept_encoding;
    std::string if_none_match;
    std::string body;
    std::string address;  // who asks

    const std::string* find(std::string_view key) const;  // in the query
    std::string value(std::string_view key) const;        // or nothing
};
// Takes a target as it stands in a request: "/play?world=flail&name=Ann%20B". False if it is none.
bool read_target(std::string_view target, Request& into);

// What is sent piece by piece, and never whole in memory.
struct FileBody {
    std::filesystem::path path;
    std::uint64_t size = 0;      // bytes from its beginning
    std::shared_ptr<void> held;  // let go of when it has been sent
};

struct Reply {
    unsigned status = 200;
    std::string type = "application/json";
    std::string body;
    std::shared_ptr<const std::string> shared_body;  // instead of it: one that many are sent at a time
    std::optional<FileBody> file;                    // or of it
    std::string cache = "no-cache";
    std::vector<std::pair<std::string, std::string>> headers;  // further ones

    std::string_view content() const { return shared_body ? *shared_body : body; }
};
Reply reply_of(const Refusal& refusal);

// May be called from any thread.
class Line {
public:
    virtual ~Line() = default;
    virtual void send(codec::ByteView message) = 0;
    // Sent, and not yet taken by the other end.
    virtual std::size_t bytes_waiting() const = 0;
    virtual void refuse(Refusal refusal) = 0;
    virtual void close() = 0;  // as one does who leaves on purpose
    virtual void cut() = 0;    // without a word
};

// How a line ended.
struct Parting {
    std::uint16_t code = 1006;  // of WebSocket; 1006: it just broke
    std::string reason;
};

// Its functions are called one after the other, never two at a time. The line holds its visitor, so a visitor
// that wants to keep the line holds it weakly: it is there whenever it calls.
class Visitor {
public:
    virtual ~Visitor() = default;
    virtual void opened(std::shared_ptr<Line> line) = 0;
    virtual void heard(codec::ByteView message) = 0;
    virtual void closed(const Parting& parting) = 0;
};

// Called from any thread.
class Gate {
public:
    virtual ~Gate() = default;
    virtual Reply answer(const Request& request) = 0;
    // Whether a WebSocket may be opened at all; if not it is refused as HTTP.
    virtual std::expected<void, Refusal> may_upgrade(const Request& request) = 0;
    // Asked once it is open, so that a page can read why not.
    virtual std::expected<std::unique_ptr<Visitor>, Refusal> admit(const Request& request) = 0;
};

class Wire {
public:
    // Listens at once, or says why it cannot.
    static state::Result<std::unique_ptr<Wire>> open(Loop& loop, Gate& gate, const Settings& settings,
                                                     Figures& figures, Log& log);
    virtual ~Wire() = default;
    virtual std::uint16_t port() const = 0;
    // Takes no more connections, and tells those there are. True once all are gone.
    virtual void stop() = 0;
    virtual bool is_quiet() const = 0;
};

}  // namespace instep::server
