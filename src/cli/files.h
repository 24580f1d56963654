// SPDX-License-Identifier: MIT
// Reads whole files up to a size limit, and writes files, reporting a full disk and a closed pipe.
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

    // Returns false after the first error; finish() returns it.
    bool write(std::string_view text);

    // Flushes and closes. A pipe that its reader has closed is not an error.
    Outcome<void> finish();

    bool pipe_closed() const { return error_ == EPIPE; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string name_;
    std::unique_ptr<std::FILE, Close> owned_;  // null for stdout
    std::FILE* file_ = nullptr;
    int error_ = 0;  // the first errno
};

// Whether the file can be written; keeps its contents.
Outcome<void> can_write(const std::string& path);
Outcome<void> write_file(const std::string& path, std::string_view text);

}  // namespace instep::cli
