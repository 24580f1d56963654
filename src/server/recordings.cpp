// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <instep/record/recording_index.h>
#include <instep/server/time_text.h>

namespace instep::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t reading_threads = 2;

std::string error_text(int error) { return std::generic_category().message(error); }

// The file is opened by the first read and closed by a thread of the disk.
class RecordingSource final : public FileSource, public std::enable_shared_from_this<RecordingSource> {
public:
    RecordingSource(std::shared_ptr<Recordings> folder, DiskQueue& reads, fs::path path)
        : folder_(std::move(folder)), reads_(reads), opened_(std::make_shared<Opened>(std::move(path))) {}
    ~RecordingSource() override {  // NOLINT(bugprone-exception-escape): only if memory runs out
        reads_.post_regardless([opened = std::move(opened_)] {});
    }
    RecordingSource(const RecordingSource&) = delete;
    RecordingSource& operator=(const RecordingSource&) = delete;

    void read(std::uint64_t offset, std::size_t size, Done done) override {
        const auto shared_done = std::make_shared<Done>(std::move(done));
        const bool is_posted = reads_.post([opened = opened_, offset, size, shared_done] {
            codec::Bytes piece(size);
            const auto got = opened->read(offset, piece);
            if (got) piece.resize(*got);
            (*shared_done)(got ? 0 : got.error(), std::move(piece));
        });
        if (!is_posted) (*shared_done)(ECANCELED, {});
    }

private:
    struct Opened {  // used by one task at a time
        explicit Opened(fs::path the_path) : path(std::move(the_path)) {}
        std::expected<std::size_t, int> read(std::uint64_t offset, std::span<std::byte> into) {
            if (!file) {
                auto found = File::open(path);
                if (!found) return std::unexpected(found.error());
                file = std::move(*found);
            }
            return file->read_at(offset, into);
        }

        fs::path path;
        std::optional<File> file;
    };

    std::shared_ptr<Recordings> folder_;  // owns the queue
    DiskQueue& reads_;
    std::shared_ptr<Opened> opened_;
};

}  // namespace

// Shared by the room's handle and the tasks that write for it.
struct Recordings::Sink {
    Sink(std::string its_name, std::string its_room, std::string its_world, std::string its_level)
        : name(std::move(its_name)),
          room(std::move(its_room)),
          world(std::move(its_world)),
          level(std::move(its_level)) {}

    const std::string name;
    const std::string room;
    const std::string world;
    const std::string level;
    std::atomic<bool> has_failed{false};   // the room writes no more
    std::atomic<bool> lacks_space{false};  // that is why
    std::atomic<std::uint64_t> ticks{0};   // written
    // Of the writing thread.
    std::optional<File> file;
    std::uint64_t bytes = 0;  // in complete blocks
    bool is_broken = false;   // a block is missing, so that those behind it would be useless
};

Recordings::Recordings(fs::path folder, std::uint64_t most_bytes, Metrics& metrics, Log& log,
                       DiskQueue::Bounds bounds)
    : folder_(std::move(folder)),
      most_bytes_(most_bytes),
      metrics_(metrics),
      log_(log),
      reads_(reading_threads, bounds),
      writes_(1, bounds) {}

state::Result<std::shared_ptr<Recordings>> Recordings::open(const fs::path& folder, std::uint64_t most_bytes,
                                                            Metrics& metrics, Log& log) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return state::refuse(folder.string(), "cannot be created: " + error.message());
    const fs::directory_iterator readable(folder, error);
    if (error) return state::refuse(folder.string(), "cannot be read: " + error.message());
    auto recordings = std::make_shared<Recordings>(folder, most_bytes, metrics, log);
    recordings->writes_.post([folder = recordings.get()] { folder->find_earlier(); });
    return recordings;
}

void Recordings::stop() {
    reads_.stop(std::chrono::milliseconds(0));
    if (const std::size_t dropped = writes_.stop(most_flush_time))
        log_.error("recordings_cut", {{"blocks", dropped},
                                      {"message",
                                       "the disk was too slow to write the last blocks of the recordings "
                                       "before the server ended"}});
}

// --- The index

std::vector<RecordingInfo> Recordings::list() const {
    const LockGuard lock(mutex_);
    std::vector<RecordingInfo> all;
    for (auto at = kept_.rbegin(); at != kept_.rend() && all.size() < most_listed; ++at)
        if (!at->second.world.empty()) all.push_back(at->second);
    return all;
}

std::expected<FileBody, Refusal> Recordings::download(const std::string& name, const std::string& address) {
    const LockGuard lock(mutex_);
    const auto found = kept_.find(name);
    if (found == kept_.end())
        return refuse(RefusalReason::not_found,
                      "there is no recording \"" + name + "\"; /api/recordings lists them");
    if (found->second.bytes == 0)
        return refuse(RefusalReason::not_found,
                      "nothing of \"" + name + "\" has been written yet; try again in a few seconds");
    auto permit = downloads_.acquire(address);
    if (!permit && permit.error() == ConnectionLimits::Exceeded::per_address)
        return refuse(RefusalReason::too_many_from_address, "your address downloads " +
                                                                std::to_string(most_downloads_per_address) +
                                                                " recordings at a time, which is the limit");
    if (!permit)
        return refuse(RefusalReason::too_many_connections,
                      "others download as many recordings as the server allows; try again in a moment");
    return FileBody{.source = std::make_shared<RecordingSource>(shared_from_this(), reads_, folder_ / name),
                    .size = found->second.bytes,
                    .permit = std::move(*permit)};
}

std::shared_ptr<RecordingFile> Recordings::begin(const std::string& room, const std::string& world,
                                                 const std::string& level) {
    const LockGuard lock(mutex_);
    // Names sort by time; the number orders those of the same millisecond.
    std::string name = time_text("%Y%m%dT%H%M%S") + "-" +
                       std::to_string(1'000'000 + ++begun_ % 1'000'000).substr(1) + "-" + room + extension;
    kept_[name] = {.name = name, .world = world, .level = level, .is_open = true};
    return std::make_shared<RecordingFile>(shared_from_this(),
                                           std::make_shared<Sink>(std::move(name), room, world, level));
}

std::uint64_t Recordings::bytes() const {
    const LockGuard lock(mutex_);
    return bytes_;
}

bool Recordings::is_kept(const std::string& name) const {
    const LockGuard lock(mutex_);
    return kept_.contains(name);
}

// --- Recordings of an earlier run

// Names and sizes first, since they decide what is deleted.
void Recordings::find_earlier() {
    std::error_code error;
    std::vector<FolderEntry> found = list_folder(folder_, extension, error);
    if (error) log_.error("recordings_not_listed", {{"message", error.message()}});
    std::sort(found.begin(), found.end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    {
        const LockGuard lock(mutex_);
        for (const FolderEntry& entry : found) {
            kept_[entry.name] = {.name = entry.name, .bytes = entry.size};
            bytes_ += entry.size;
        }
    }
    if (found.size() > most_listed)
        found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(most_listed));
    reads_.post_regardless([this, newest = std::move(found)]() mutable { read_headers(std::move(newest)); });
}

// The newest first, and one a task, so that downloads get their turn.
void Recordings::read_headers(std::vector<FolderEntry> files) {
    if (files.empty()) return;
    const FolderEntry entry = std::move(files.back());
    files.pop_back();
    if (const auto file = File::open(folder_ / entry.name)) {
        const auto read = [&](std::uint64_t offset, std::span<std::byte> into) {
            return file->read_at(offset, into).value_or(0);
        };
        const auto summary = record::summarise(read, entry.size);
        const LockGuard lock(mutex_);
        if (const auto found = kept_.find(entry.name); summary && found != kept_.end()) {
            found->second.world = summary->header.world;
            found->second.level = summary->header.level;
            found->second.ticks = summary->last_tick - summary->first_tick;
        }
    }
    reads_.post_regardless([this, files = std::move(files)]() mutable { read_headers(std::move(files)); });
}

// --- Writing

void Recordings::append(Sink& sink, codec::ByteView bytes, std::uint64_t ticks) {
    metrics_.recording_bytes_waiting = writes_.bytes_waiting();
    if (sink.is_broken || !is_kept(sink.name)) return;
    if (!reserve_bytes(bytes.size())) {
        sink.is_broken = true;
        return fail(sink, Cause::space, "the folder is full, and its recordings are all being written");
    }
    if (const auto written = write_all(sink, bytes); !written) {
        sink.is_broken = true;
        if (sink.file) sink.file->truncate(sink.bytes);
        release_bytes(bytes.size());
        return fail(sink, Cause::fault, written.error());
    }
    sink.bytes += bytes.size();
    sink.ticks = ticks;
    const LockGuard lock(mutex_);
    if (const auto found = kept_.find(sink.name); found != kept_.end()) {
        found->second.bytes = sink.bytes;  // only now can the bytes be downloaded
        found->second.ticks = ticks;
    }
}

std::expected<void, std::string> Recordings::write_all(Sink& sink, codec::ByteView bytes) {
    for (;;) {
        int error = 0;
        if (!sink.file) {
            auto made = File::create(folder_ / sink.name);
            if (made)
                sink.file = std::move(*made);
            else
                error = made.error();
        }
        if (sink.file) {
            const File::Written written = sink.file->append(bytes);
            bytes = bytes.subspan(written.bytes);
            error = written.error;
        }
        if (error == 0) {
            disk_is_full_ = false;
            return {};
        }
        const bool is_full = error == ENOSPC || error == EDQUOT;
        if (!is_full) return std::unexpected("the file cannot be written: " + error_text(error));
        if (!wait_for_space(sink, error)) return std::unexpected(error_text(error));
    }
}

// Blocks wait in the queue meanwhile, so a recording goes on without a gap when there is space again. False:
// the server stops, or the recording itself was the oldest.
bool Recordings::wait_for_space(const Sink& sink, int error) {
    if (!disk_is_full_.exchange(true))
        log_.error("disk_full", {{"message", error_text(error) + "; the oldest recordings are deleted"}});
    if (!delete_oldest() && !writes_.pause(full_disk_pause)) return false;
    return is_kept(sink.name);
}

bool Recordings::delete_oldest() {
    std::string name;
    {
        const LockGuard lock(mutex_);
        auto at = kept_.begin();
        while (at != kept_.end() && at->second.is_open) ++at;
        if (at == kept_.end()) return false;
        name = at->first;
        bytes_ -= at->second.bytes;
        kept_.erase(at);
    }
    remove_file(folder_ / name);
    return true;
}

bool Recordings::reserve_bytes(std::uint64_t bytes) {
    for (;;) {
        {
            const LockGuard lock(mutex_);
            if (bytes_ + bytes <= most_bytes_) {
                bytes_ += bytes;
                return true;
            }
        }
        if (!delete_oldest()) return false;
    }
}

// A recording without a block is no file that anyone could play.
void Recordings::close(Sink& sink) {
    const bool has_file = sink.file.has_value();
    sink.file.reset();
    if (sink.bytes > 0) return;
    if (has_file) remove_file(folder_ / sink.name);
    const LockGuard lock(mutex_);
    kept_.erase(sink.name);
}

void Recordings::release_bytes(std::uint64_t bytes) {
    const LockGuard lock(mutex_);
    bytes_ -= bytes;
}

bool Recordings::has_space() const {
    if (writes_.bytes_waiting() > writes_.bounds().bytes / 4) return false;
    const LockGuard lock(mutex_);
    if (bytes_ < most_bytes_ - most_bytes_ / 16) return true;
    return std::any_of(kept_.begin(), kept_.end(), [](const auto& each) { return !each.second.is_open; });
}

void Recordings::end(const std::shared_ptr<Sink>& sink) {
    {
        const LockGuard lock(mutex_);
        if (const auto found = kept_.find(sink->name); found != kept_.end()) found->second.is_open = false;
    }
    writes_.post_regardless([this, sink] { close(*sink); });
}

void Recordings::fail(Sink& sink, Cause cause, const std::string& why) {
    if (sink.has_failed.exchange(true)) return;
    sink.lacks_space = cause == Cause::space;
    ++metrics_.recordings_failed;
    log_.error("recording_failed",
               {{"room", sink.room}, {"file", sink.name}, {"tick", sink.ticks.load()}, {"message", why}});
}

RecordingFile::RecordingFile(std::shared_ptr<Recordings> folder, std::shared_ptr<Recordings::Sink> sink)
    : folder_(std::move(folder)), sink_(std::move(sink)) {}

const std::string& RecordingFile::name() const { return sink_->name; }

bool RecordingFile::write(codec::ByteView bytes, std::uint64_t ticks) {
    if (has_ended_) return false;
    Recordings& folder = *folder_;  // outlives its queue
    const bool is_queued =
        !sink_->has_failed &&
        folder.writes_.post([&folder, sink = sink_, block = codec::Bytes(bytes.begin(), bytes.end()),
                             ticks] { folder.append(*sink, block, ticks); },
                            bytes.size());
    const std::size_t waiting = folder.writes_.bytes_waiting();
    folder.metrics_.recording_bytes_waiting = waiting;
    if (is_queued) return true;
    folder.fail(*sink_, Recordings::Cause::space,
                std::string(folder.disk_is_full_ ? "the disk is full" : "the disk is too slow") + ", and " +
                    std::to_string(waiting >> 10) + " kB wait to be written");
    end();
    return false;
}

std::shared_ptr<RecordingFile> RecordingFile::begin_again() {
    if (!has_ended_ || !sink_->lacks_space || !folder_->has_space()) return nullptr;
    return folder_->begin(sink_->room, sink_->world, sink_->level);
}

void RecordingFile::end() {
    if (!std::exchange(has_ended_, true)) folder_->end(sink_);
}

RecordingFile::~RecordingFile() { end(); }  // NOLINT(bugprone-exception-escape): only if memory runs out

}  // namespace instep::server
