// SPDX-License-Identifier: MIT
// The folder in which rooms record their matches. When it or the disk is full the oldest recordings are
// deleted, but none that is being written. Recordings can be listed, and downloaded by name: only names in
// the list are opened.
//
//     room ── blocks ──► queue ── one thread ──► file         sockets ◄── pieces ── two threads ◄── file
//
// All functions but stop() may be called from any thread, and none waits for the disk. The index (which
// recordings there are) is in memory, under a mutex that is never held during a call of the disk.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <instep/codec/bytes.h>
#include <instep/server/connection_limits.h>
#include <instep/server/disk_queue.h>
#include <instep/server/files.h>
#include <instep/server/http.h>
#include <instep/server/log.h>
#include <instep/server/metrics.h>
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
    static constexpr std::chrono::milliseconds full_disk_pause{1000};  // before it is tried again
    static constexpr std::chrono::milliseconds most_flush_time{3000};

    // Creates the folder if it does not exist. The recordings in it count towards the limit and are listed as
    // soon as a thread of the disk has found them, which is before anything is written.
    static state::Result<std::shared_ptr<Recordings>> open(const std::filesystem::path& folder,
                                                           std::uint64_t most_bytes, Metrics& metrics,
                                                           Log& log);
    Recordings(std::filesystem::path folder, std::uint64_t most_bytes, Metrics& metrics, Log& log,
               DiskQueue::Bounds bounds = {});
    ~Recordings() { stop(); }
    Recordings(const Recordings&) = delete;
    Recordings& operator=(const Recordings&) = delete;

    // A new recording, named after the time and the room.
    std::shared_ptr<RecordingFile> begin(const std::string& room, const std::string& world,
                                         const std::string& level);
    // Newest first. Recordings of an earlier run appear as their headers are read, one after the other.
    std::vector<RecordingInfo> list() const;
    // A file to send. Of a recording that is being written, its complete blocks.
    std::expected<FileBody, Refusal> download(const std::string& name, const std::string& address);
    std::uint64_t bytes() const;

    // Writes what waits, for at most most_flush_time, and ends the threads of the disk. Nothing is recorded
    // or read afterwards.
    void stop();
    // For tests, which stop the disk by a task that waits.
    DiskQueue& writes() { return writes_; }

private:
    friend class RecordingFile;
    struct Sink;

    // On the writing thread.
    void find_earlier();
    void append(Sink& sink, codec::ByteView bytes, std::uint64_t ticks);
    std::expected<void, std::string> write_all(Sink& sink, codec::ByteView bytes);
    bool wait_for_space(const Sink& sink, int error);
    void close(Sink& sink);
    // Deletes old recordings until so many more bytes fit. False: they do not fit.
    bool reserve_bytes(std::uint64_t bytes);
    bool delete_oldest();
    void release_bytes(std::uint64_t bytes);

    // On a reading thread: the newest recordings whose headers have not been read.
    void read_headers(std::vector<FolderEntry> files);

    bool is_kept(const std::string& name) const;
    // Whether a recording that ended for want of space may begin again.
    bool has_space() const;
    void end(const std::shared_ptr<Sink>& sink);
    enum class Cause : std::uint8_t { space, fault };
    void fail(Sink& sink, Cause cause, const std::string& why);

    const std::filesystem::path folder_;
    const std::uint64_t most_bytes_;
    Metrics& metrics_;
    Log& log_;
    mutable Mutex mutex_;
    std::map<std::string, RecordingInfo> kept_ GUARDED_BY(mutex_);  // by name, and so by age
    std::uint64_t bytes_ GUARDED_BY(mutex_) = 0;
    std::uint64_t begun_ GUARDED_BY(mutex_) = 0;
    ConnectionLimits downloads_{most_downloads, most_downloads_per_address};
    std::atomic<bool> disk_is_full_{false};
    DiskQueue reads_;  // after everything that their tasks use
    DiskQueue writes_;
};

// What a room holds of its recording. Closes the file, behind what was written, when it has failed or is
// destroyed.
class RecordingFile {
public:
    RecordingFile(std::shared_ptr<Recordings> folder, std::shared_ptr<Recordings::Sink> sink);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    // Queues blocks up to tick `ticks`. False: the recording has failed (it is logged), and is over.
    bool write(codec::ByteView bytes, std::uint64_t ticks);
    // Of one that failed for want of space on the disk, in the folder or in the queue: another recording of
    // the same room, as soon as there is space again. Null: not yet, or never.
    std::shared_ptr<RecordingFile> begin_again();
    const std::string& name() const;

private:
    void end();

    std::shared_ptr<Recordings> folder_;
    std::shared_ptr<Recordings::Sink> sink_;
    bool has_ended_ = false;
};

}  // namespace instep::server
