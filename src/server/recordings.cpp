// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <span>

#include <instep/net/recording.h>

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

std::optional<std::string> read_file(const fs::path& path, std::uint64_t size) {
    std::ifstream file(path, std::ios::binary);
    std::string content(static_cast<std::size_t>(size), '\0');
    if (!file.read(content.data(), static_cast<std::streamsize>(size))) return std::nullopt;
    return content;
}

// What is being fetched, counted for as long as anybody holds it.
struct Held {
    Held(std::string content, std::shared_ptr<std::atomic<std::uint64_t>> count)
        : text(std::move(content)), under_way(std::move(count)) {
        *under_way += text.size();
    }
    ~Held() { *under_way -= text.size(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    std::string text;
    std::shared_ptr<std::atomic<std::uint64_t>> under_way;
};

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
        const std::string name = at->path().filename().string();
        recordings->kept_[name].facts = {.name = name, .bytes = size};
        recordings->bytes_ += size;
    }
    if (error) return state::refuse(folder.string(), "cannot be read: " + error.message());
    recordings->look_into_newest();
    return recordings;
}

// Once, before anything plays: a listing reads no files.
void Recordings::look_into_newest() {
    std::size_t seen = 0;
    for (auto at = kept_.rbegin(); at != kept_.rend() && seen < most_listed; ++at, ++seen) {
        RecordingFacts& facts = at->second.facts;
        if (facts.bytes > most_fetched) continue;
        const auto content = read_file(folder_ / facts.name, facts.bytes);
        if (!content) continue;
        const auto summary = net::summarise(std::as_bytes(std::span(*content)));
        if (!summary) continue;
        facts.world = summary->header.world;
        facts.level = summary->header.level;
        facts.ticks = summary->ticks;
    }
}

std::vector<RecordingFacts> Recordings::list() const {
    const std::lock_guard lock(mutex_);
    std::vector<RecordingFacts> all;
    for (auto at = kept_.rbegin(); at != kept_.rend() && all.size() < most_listed; ++at)
        if (!at->second.facts.world.empty()) all.push_back(at->second.facts);
    return all;
}

std::expected<std::shared_ptr<const std::string>, Refusal> Recordings::fetch(const std::string& name) {
    const auto refuse = [](Cause cause, std::string sentence) {
        return std::unexpected(Refusal{cause, std::move(sentence)});
    };
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(name);
    if (found == kept_.end())
        return refuse(Cause::not_found,
                      "there is no recording \"" + name + "\"; /api/recordings lists those there are");
    Kept& kept = found->second;
    if (auto content = kept.content.lock(); content && content->size() == kept.facts.bytes) return content;
    if (kept.facts.bytes > most_fetched)
        return refuse(Cause::too_large, "this recording has more than " + std::to_string(most_fetched >> 20) +
                                            " MB; take it from the server's folder");
    if (*under_way_ + kept.facts.bytes > most_under_way)
        return refuse(Cause::too_many_bytes, "others are fetching as much as may be; try again in a moment");
    auto content = read_file(folder_ / name, kept.facts.bytes);
    if (!content) return refuse(Cause::not_found, "the recording \"" + name + "\" cannot be read any more");
    auto held = std::make_shared<const Held>(std::move(*content), under_way_);
    std::shared_ptr<const std::string> text(held, &held->text);
    kept.content = text;
    return text;
}

std::shared_ptr<RecordingFile> Recordings::begin(const std::string& room, const std::string& world,
                                                 const std::string& level) {
    std::string name;
    {
        const std::lock_guard lock(mutex_);
        // Two that begin in the same millisecond have an order too.
        name = time_text() + "-" + std::to_string(1'000'000 + ++begun_ % 1'000'000).substr(1) + "-" + room +
               extension;
        const auto [at, is_new] = kept_.try_emplace(name);
        if (!is_new) return nullptr;
        at->second.facts = {.name = name, .world = world, .level = level, .is_open = true};
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

bool Recordings::make_room(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    for (auto at = kept_.begin(); at != kept_.end() && bytes_ + bytes > most_bytes_;) {
        if (at->second.facts.is_open) {
            ++at;
            continue;
        }
        std::error_code ignored;  // whoever took it away was quicker
        fs::remove(folder_ / at->first, ignored);
        bytes_ -= at->second.facts.bytes;
        at = kept_.erase(at);
    }
    if (bytes_ + bytes > most_bytes_) return false;
    bytes_ += bytes;
    return true;
}

void Recordings::count(const std::string& name, std::uint64_t bytes, std::uint64_t ticks) {
    const std::lock_guard lock(mutex_);
    kept_[name].facts.bytes += bytes;
    kept_[name].facts.ticks = ticks;
}

void Recordings::close(const std::string& name) {
    const std::lock_guard lock(mutex_);
    kept_[name].facts.is_open = false;
}

bool RecordingFile::write(net::ByteView bytes, std::uint64_t ticks) {
    if (!file_) return false;
    const bool fits = folder_->make_room(bytes.size());
    if (fits && std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() &&
        std::fflush(file_) == 0) {
        folder_->count(name_, bytes.size(), ticks);  // only now can they be fetched
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
