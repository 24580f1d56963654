// SPDX-License-Identifier: MIT
// The folder into which rooms record their matches. It never holds more than it may: the oldest recordings
// go first, and one that is still being written never.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <instep/net/told_chain.h>
#include <instep/state/result.h>

namespace instep::server {

class RecordingFile;

class Recordings : public std::enable_shared_from_this<Recordings> {
public:
    static constexpr const char* extension = ".instep";

    // Makes the folder if it is not there; recordings that are in it count.
    static state::Result<std::shared_ptr<Recordings>> open(const std::filesystem::path& folder,
                                                           std::uint64_t most_bytes);

    // A new file, named after the time and the room; null if it cannot be made.
    std::shared_ptr<RecordingFile> begin(const std::string& room);
    std::uint64_t bytes() const;

private:
    friend class RecordingFile;
    struct Kept {
        std::uint64_t bytes = 0;
        bool is_open = false;
    };

    // Whether there is room for so many more bytes of this file, now that older ones have gone.
    bool make_room(const std::string& name, std::uint64_t bytes);
    void close(const std::string& name);

    std::filesystem::path folder_;
    std::uint64_t most_bytes_ = 0;
    mutable std::mutex mutex_;
    std::map<std::string, Kept> kept_;  // by name, and so by age
    std::uint64_t bytes_ = 0;
    std::uint64_t begun_ = 0;
};

class RecordingFile {
public:
    RecordingFile(std::shared_ptr<Recordings> folder, std::string name, std::FILE* file)
        : folder_(std::move(folder)), name_(std::move(name)), file_(file) {}
    ~RecordingFile() { close(); }
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    // False once no more can be written: the disk, or the folder, is full.
    bool write(net::ByteView bytes);
    const std::string& name() const { return name_; }

private:
    void close();

    std::shared_ptr<Recordings> folder_;
    std::string name_;
    std::FILE* file_;
};

}  // namespace instep::server
