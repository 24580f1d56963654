// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <fstream>
#include <span>

#include <instep/record/recording.h>
#include <instep/server/time_text.h>

namespace instep::server {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& path, std::uint64_t size) {
    std::ifstream file(path, std::ios::binary);
    std::string content(static_cast<std::size_t>(size), '\0');
    if (!file.read(content.data(), static_cast<std::streamsize>(size))) return std::nullopt;
    return content;
}

}  // namespace

state::Result<std::shared_ptr<Recordings>> Recordings::open(const fs::path& folder,
                                                            std::uint64_t most_bytes) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return state::refuse(folder.string(), "cannot be created: " + error.message());
    auto recordings = std::make_shared<Recordings>(folder, most_bytes);
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != extension) continue;
        const std::uint64_t size = at->file_size(error);
        if (error) break;
        const std::string name = at->path().filename().string();
        const LockGuard lock(recordings->mutex_);
        recordings->kept_[name] = {.name = name, .bytes = size};
        recordings->bytes_ += size;
    }
    if (error) return state::refuse(folder.string(), "cannot be read: " + error.message());
    recordings->scan_newest();
    return recordings;
}

// Reads files once, at the start, so that list() reads none.
void Recordings::scan_newest() {
    const LockGuard lock(mutex_);
    std::size_t seen = 0;
    for (auto at = kept_.rbegin(); at != kept_.rend() && seen < most_listed; ++at, ++seen) {
        RecordingInfo& info = at->second;
        if (info.bytes > most_scanned) continue;
        const auto content = read_file(folder_ / info.name, info.bytes);
        if (!content) continue;
        const auto summary = record::summarise(std::as_bytes(std::span(*content)));
        if (!summary) continue;
        info.world = summary->header.world;
        info.level = summary->header.level;
        info.ticks = summary->ticks;
    }
}

std::vector<RecordingInfo> Recordings::list() const {
    const LockGuard lock(mutex_);
    std::vector<RecordingInfo> all;
    for (auto at = kept_.rbegin(); at != kept_.rend() && all.size() < most_listed; ++at)
        if (!at->second.world.empty()) all.push_back(at->second);
    return all;
}

std::expected<FileBody, Refusal> Recordings::download(const std::string& name,
                                                      const std::string& address) const {
    const LockGuard lock(mutex_);
    const auto found = kept_.find(name);
    if (found == kept_.end())
        return refuse(RefusalReason::not_found,
                      "there is no recording \"" + name + "\"; /api/recordings lists them");
    auto permit = downloads_.acquire(address);
    if (!permit && permit.error() == ConnectionLimits::Exceeded::per_address)
        return refuse(RefusalReason::too_many_from_address, "your address downloads " +
                                                                std::to_string(most_downloads_per_address) +
                                                                " recordings at a time, which is the limit");
    if (!permit)
        return refuse(RefusalReason::too_many_connections,
                      "others download as many recordings as the server allows; try again in a moment");
    return FileBody{.path = folder_ / name, .size = found->second.bytes, .permit = std::move(*permit)};
}

std::shared_ptr<RecordingFile> Recordings::begin(const std::string& room, const std::string& world,
                                                 const std::string& level) {
    std::string name;
    {
        const LockGuard lock(mutex_);
        // Names sort by time; the number orders those of the same millisecond.
        name = time_text("%Y%m%dT%H%M%S") + "-" + std::to_string(1'000'000 + ++begun_ % 1'000'000).substr(1) +
               "-" + room + extension;
        const auto [at, is_new] = kept_.try_emplace(name);
        if (!is_new) return nullptr;
        at->second = {.name = name, .world = world, .level = level, .is_open = true};
    }
    std::FILE* file = std::fopen((folder_ / name).c_str(), "wb");
    if (file) return std::make_shared<RecordingFile>(shared_from_this(), name, file);
    const LockGuard lock(mutex_);
    kept_.erase(name);
    return nullptr;
}

std::uint64_t Recordings::bytes() const {
    const LockGuard lock(mutex_);
    return bytes_;
}

bool Recordings::reserve_bytes(std::uint64_t bytes) {
    std::vector<std::string> gone;
    bool fits = false;
    {
        const LockGuard lock(mutex_);
        for (auto at = kept_.begin(); at != kept_.end() && bytes_ + bytes > most_bytes_;) {
            if (at->second.is_open) {
                ++at;
                continue;
            }
            bytes_ -= at->second.bytes;
            gone.push_back(at->first);
            at = kept_.erase(at);
        }
        fits = bytes_ + bytes <= most_bytes_;
        if (fits) bytes_ += bytes;
    }
    std::error_code ignored;  // another program may have deleted it first
    for (const std::string& name : gone) fs::remove(folder_ / name, ignored);
    return fits;
}

void Recordings::count(const std::string& name, std::uint64_t bytes, std::uint64_t ticks) {
    const LockGuard lock(mutex_);
    kept_[name].bytes += bytes;
    kept_[name].ticks = ticks;
}

void Recordings::close(const std::string& name) {
    const LockGuard lock(mutex_);
    kept_[name].is_open = false;
}

bool RecordingFile::write(codec::ByteView bytes, std::uint64_t ticks) {
    if (!file_) return false;
    const bool fits = folder_->reserve_bytes(bytes.size());
    if (fits && std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() &&
        std::fflush(file_) == 0) {
        folder_->count(name_, bytes.size(), ticks);  // only now can the bytes be downloaded
        return true;
    }
    close();
    return false;
}

void RecordingFile::close() {
    if (!file_) return;
    std::fclose(file_);
    file_ = nullptr;
    folder_->close(name_);
}

}  // namespace instep::server
