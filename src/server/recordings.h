// SPDX-License-Identifier: MIT
// The folder in which rooms record their matches. When it is full the oldest recordings are deleted, but none
// that is being written. Recordings can be listed, and downloaded by name: only names in the list are opened.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <instep/codec/bytes.h>
#include <instep/server/connection_limits.h>
#include <instep/server/http.h>
#include <instep/server/mutex.h>
#include <instep/state/result.h>

namespace instep::server {

class RecordingFile;

struct RecordingInfo {
    std::string name;
    std::string world;
    std::string level;
    std::uint64_t ticks = 0;
    std::uint64_t bytes = 0;
    bool is_open = false;  // being written
};

class Recordings : public std::enable_shared_from_this<Recordings> {
public:
    static constexpr const char* extension = ".instep";
    static constexpr std::size_t most_listed = 200;
    static constexpr std::uint32_t most_downloads = 32;  // at a time
    static constexpr std::uint32_t most_downloads_per_address = 4;
    static constexpr std::uint64_t most_scanned = 16 << 20;  // bytes of a recording from an earlier run

    Recordings(std::filesystem::path folder, std::uint64_t most_bytes)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}
    // Creates the folder if it does not exist; recordings in it count towards the limit.
    static state::Result<std::shared_ptr<Recordings>> open(const std::filesystem::path& folder,
                                                           std::uint64_t most_bytes);

    // A new file, named after the time and the room; null: it cannot be created.
    std::shared_ptr<RecordingFile> begin(const std::string& room, const std::string& world,
                                         const std::string& level);
    // Newest first.
    std::vector<RecordingInfo> list() const;
    // A file to send. Of a recording that is being written, its complete blocks.
    std::expected<FileBody, Refusal> download(const std::string& name, const std::string& address) const;
    std::uint64_t bytes() const;

private:
    friend class RecordingFile;
    void scan_newest();
    // Deletes old recordings until so many more bytes fit. False: they do not fit.
    bool reserve_bytes(std::uint64_t bytes);
    void count(const std::string& name, std::uint64_t bytes, std::uint64_t ticks);
    void close(const std::string& name);

    std::filesystem::path folder_;
    std::uint64_t most_bytes_;
    mutable Mutex mutex_;
    std::map<std::string, RecordingInfo> kept_ GUARDED_BY(mutex_);  // by name, and so by age
    std::uint64_t bytes_ GUARDED_BY(mutex_) = 0;
    std::uint64_t begun_ GUARDED_BY(mutex_) = 0;
    mutable ConnectionLimits downloads_{most_downloads, most_downloads_per_address};
};

class RecordingFile {
public:
    RecordingFile(std::shared_ptr<Recordings> folder, std::string name, std::FILE* file)
        : folder_(std::move(folder)), name_(std::move(name)), file_(file) {}
    ~RecordingFile() { close(); }
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    // Appends blocks up to tick `ticks`. False: the disk or the folder is full, and the file is closed.
    bool write(codec::ByteView bytes, std::uint64_t ticks);
    const std::string& name() const { return name_; }

private:
    void close();

    std::shared_ptr<Recordings> folder_;
    std::string name_;
    std::FILE* file_;
};

}  // namespace instep::server
