// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <chrono>
#include <ctime>

namespace instep::server {
namespace {

namespace fs = std::filesystem;

// 20260131T235959.123Z, so that names are in the order of time.
std::string time_text() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto part =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char date[32];
    std::strftime(date, sizeof date, "%Y%m%dT%H%M%S", &parts);
    char text[48];
    std::snprintf(text, sizeof text, "%s.%03dZ", date, static_cast<int>(part));
    return text;
}

}  // namespace

state::Result<std::shared_ptr<Recordings>> Recordings::open(const fs::path& folder,
                                                            std::uint64_t most_bytes) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return state::refuse(folder.string(), "cannot be made: " + error.message());
    auto recordings = std::make_shared<Recordings>();
    recordings->folder_ = folder;
    recordings->most_bytes_ = most_bytes;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != extension) continue;
        const std::uint64_t size = at->file_size(error);
        if (error) break;
        recordings->kept_[at->path().filename().string()] = {size, false};
        recordings->bytes_ += size;
    }
    if (error) return state::refuse(folder.string(), "cannot be read: " + error.message());
    return recordings;
}

std::shared_ptr<RecordingFile> Recordings::begin(const std::string& room) {
    std::string name;
    {
        const std::lock_guard lock(mutex_);
        // Two that begin in the same millisecond have an order too.
        name = time_text() + "-" + std::to_string(1'000'000 + ++begun_ % 1'000'000).substr(1) + "-" + room +
               extension;
        if (!kept_.try_emplace(name, Kept{0, true}).second) return nullptr;
    }
    std::FILE* file = std::fopen((folder_ / name).c_str(), "wb");
    if (file) return std::make_shared<RecordingFile>(shared_from_this(), name, file);
    const std::lock_guard lock(mutex_);
    kept_.erase(name);
    return nullptr;
}

std::uint64_t Recordings::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

bool Recordings::make_room(const std::string& name, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    for (auto at = kept_.begin(); at != kept_.end() && bytes_ + bytes > most_bytes_;) {
        if (at->second.is_open) {
            ++at;
            continue;
        }
        std::error_code ignored;  // whoever took it away was quicker
        fs::remove(folder_ / at->first, ignored);
        bytes_ -= at->second.bytes;
        at = kept_.erase(at);
    }
    if (bytes_ + bytes > most_bytes_) return false;
    bytes_ += bytes;
    kept_[name].bytes += bytes;
    return true;
}

void Recordings::close(const std::string& name) {
    const std::lock_guard lock(mutex_);
    kept_[name].is_open = false;
}

bool RecordingFile::write(net::ByteView bytes) {
    if (!file_) return false;
    const bool fits = folder_->make_room(name_, bytes.size());
    if (fits && std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() && std::fflush(file_) == 0)
        return true;
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
