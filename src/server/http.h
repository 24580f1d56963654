// SPDX-License-Identifier: MIT
// An HTTP request and its response, as the rest of the server sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <instep/server/refusal.h>

namespace instep::server {

struct Request {
    std::string method;
    std::string path;  // without the query, decoded
    std::vector<std::pair<std::string, std::string>> query;
    std::string host;    // the headers of these names
    std::string origin;  // empty: no such header
    std::string accept_encoding;
    std::string if_none_match;
    std::string authorization;
    std::string body;
    std::string address;  // of the client

    const std::string* find(std::string_view key) const;  // in the query; null: not there
    std::string value(std::string_view key) const;        // empty: not there
};
// Reads the target of a request line, "/play?world=flail&name=Ann%20B". False: it is malformed.
bool parse_target(std::string_view target, Request& into);

// A file that threads of the disk read, piece by piece.
class FileSource {
public:
    // `error` is a value of errno. Fewer bytes than asked for: the file ends there.
    using Done = std::function<void(int error, std::vector<std::byte> piece)>;

    virtual ~FileSource() = default;
    // Returns at once; `done` is called later, on another thread. One read at a time.
    virtual void read(std::uint64_t offset, std::size_t size, Done done) = 0;
};

// A file that is sent in pieces, so that it is never whole in memory.
struct FileBody {
    std::shared_ptr<FileSource> source;
    std::uint64_t size = 0;        // bytes to send, from the beginning of the file
    std::shared_ptr<void> permit;  // released when the file has been sent
};

struct Response {
    unsigned status = 200;
    std::string type = "application/json";
    std::string body;
    std::shared_ptr<const std::string> shared_body;  // instead of body: shared by many responses
    std::optional<FileBody> file;                    // instead of body
    std::string cache = "no-cache";
    std::vector<std::pair<std::string, std::string>> headers;  // additional ones

    // Instead of all of the above: called once with a function that takes the response when it is known, from
    // any thread. So a handler can ask a room, which runs on another thread, and nothing waits.
    std::function<void(std::function<void(Response)> reply)> later;

    std::string_view content() const { return shared_body ? *shared_body : body; }
};
Response response_to(const Refusal& refusal);

}  // namespace instep::server
