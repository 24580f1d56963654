// SPDX-License-Identifier: MIT
// The folder into which rooms record their matches. It never holds more than it may: the oldest recordings
// go first, and one that is still being written never. What is in it can be listed and fetched by name: only
// a name that the folder knows is ever opened.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <instep/codec/bytes.h>
#include <instep/server/wire.h>
#include <instep/state/result.h>

namespace instep::server {

class RecordingFile;

struct RecordingFacts {
    std::string name;
    std::string world;
    std::string level;
    std::uint64_t ticks = 0;
    std::uint64_t bytes = 0;
    bool is_open = false;  // still being written
};

class Recordings : public std::enable_shared_from_this<Recordings> {
public:
    static constexpr const char* extension = ".instep";
    static constexpr std::size_t most_listed = 200;
    static constexpr std::uint32_t most_fetches = 32;  // at a time
    static constexpr std::uint32_t most_fetches_per_address = 4;
    static constexpr std::uint64_t most_looked_into = 16 << 20;  // bytes of one that was here before

    // Makes the folder if it is not there; recordings that are in it count.
    static state::Result<std::shared_ptr<Recordings>> open(const std::filesystem::path& folder,
                                                           std::uint64_t most_bytes);

    // A new file, named after the time and the room; null if it cannot be made.
    std::shared_ptr<RecordingFile> begin(const std::string& room, const std::string& world,
                                         const std::string& level);
    // The newest first.
    std::vector<RecordingFacts> list() const;
    // One to be sent; of one that is being written, what is whole of it.
    std::expected<FileBody, Refusal> fetch(const std::string& name, const std::string& address) const;
    std::uint64_t bytes() const;

private:
    friend class RecordingFile;
    void look_into_newest();
    // Whether there is room for so many more bytes, now that older recordings have gone.
    bool make_room(std::uint64_t bytes);
    void count(const std::string& name, std::uint64_t bytes, std::uint64_t ticks);
    void close(const std::string& name);

    std::filesystem::path folder_;
    std::uint64_t most_bytes_ = 0;
    mutable std::mutex mutex_;
    std::map<std::string, RecordingFacts> kept_;  // by name, and so by age
    std::uint64_t bytes_ = 0;
    std::uint64_t begun_ = 0;
    struct Fetches {  // under way; whoever is sent one may outlive the folder
        std::mutex mutex;
        std::uint32_t all = 0;
        std::map<std::string, std::uint32_t> by_address;
    };
    std::shared_ptr<Fetches> fetches_ = std::make_shared<Fetches>();
};

class RecordingFile {
public:
    RecordingFile(std::shared_ptr<Recordings> folder, std::string name, std::FILE* file)
        : folder_(std::move(folder)), name_(std::move(name)), file_(file) {}
    ~RecordingFile() { close(); }
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    // What brings it to so many ticks. False once no more can be written: the disk, or the folder, is full.
    bool write(codec::ByteView bytes, std::uint64_t ticks);
    const std::string& name() const { return name_; }

private:
    void close();

    std::shared_ptr<Recordings> folder_;
    std::string name_;
    std::FILE* file_;
};

}  // namespace instep::server
