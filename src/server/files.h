// SPDX-License-Identifier: MIT
// The one place where the running server touches the disk. A disk may take seconds for any call, so threads
// of ticks and sockets may make none: each call here checks that, and counts the calls that break the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <instep/codec/bytes.h>

namespace instep::server {

// For threads of ticks and sockets, when they start.
void forbid_disk_on_this_thread();
// Calls that such threads made since the process began. Tests expect none.
std::uint64_t forbidden_disk_calls();

// Errors are values of errno.
class File {
public:
    static std::expected<File, int> create(const std::filesystem::path& path);
    static std::expected<File, int> open(const std::filesystem::path& path);  // to read
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    ~File();

    struct Written {
        std::size_t bytes = 0;  // also of a write that failed after them
        int error = 0;
    };
    Written append(codec::ByteView bytes) const;
    // Fewer bytes than asked for: the file ends there.
    std::expected<std::size_t, int> read_at(std::uint64_t offset, std::span<std::byte> into) const;
    void truncate(std::uint64_t size) const;

private:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    void close();

    int descriptor_;
};

void remove_file(const std::filesystem::path& path);

struct FolderEntry {
    std::string name;
    std::uint64_t size = 0;
};
// The files with this extension. An error leaves out the rest.
std::vector<FolderEntry> list_folder(const std::filesystem::path& folder, const std::string& extension,
                                     std::error_code& error);

}  // namespace instep::server
