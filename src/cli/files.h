// SPDX-License-Identifier: MIT
// Files from outside, read whole but never without a bound, and files to be written, where a full disk or a
// closed pipe is noticed.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <instep/cli/failure.h>
#include <instep/state/json.h>

namespace instep::cli {

inline constexpr std::size_t most_json_bytes = state::JsonLimits{}.bytes;

Outcome<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes = most_json_bytes);

class Output {
public:
    // An empty path or "-" is stdout.
    static Outcome<Output> open(const std::string& path);

    // Returns false once writing is of no more use; finish() then says why.
    bool write(std::string_view text);

    // Everything is written, or why it is not. A reader of a pipe that has seen enough is no failure.
    Outcome<void> finish();

    bool reader_has_left() const { return error_ == EPIPE; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string name_;
    std::unique_ptr<std::FILE, Close> owned_;  // null for stdout
    std::FILE* file_ = nullptr;
    int error_ = 0;  // the first errno
};

// Whether a file could be written there; what is in it stays.
Outcome<void> can_write(const std::string& path);
Outcome<void> write_file(const std::string& path, std::string_view text);

}  // namespace instep::cli
