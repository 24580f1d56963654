// SPDX-License-Identifier: MIT
#include <instep/cli/source_watch.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/inotify.h>
#include <unistd.h>

namespace instep::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t events =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR;

}  // namespace

bool is_source_name(std::string_view name) {
    const bool is_number =
        !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    return !name.empty() && !name.starts_with('.') && !name.starts_with('#') && !name.ends_with('~') &&
           !name.ends_with(".tmp") && !name.ends_with(".swp") && !is_number;
}

Outcome<SourceWatch> SourceWatch::open(const fs::path& folder, const fs::path& skipped) {
    const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (descriptor < 0)
        return fail(file_error, std::string("inotify is not to be had: ") + std::strerror(errno));
    SourceWatch watch(descriptor, skipped.lexically_normal());
    if (const auto added = watch.add(folder); !added) return std::unexpected(added.error());
    return watch;
}

SourceWatch::~SourceWatch() {
    if (descriptor_ >= 0) close(descriptor_);
}

SourceWatch::SourceWatch(SourceWatch&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      skipped_(std::move(other.skipped_)),
      folders_(std::move(other.folders_)) {}

Outcome<void> SourceWatch::add(const fs::path& folder) {
    if (folder.lexically_normal() == skipped_) return {};
    const int watch =
        folders_.size() < most_folders ? inotify_add_watch(descriptor_, folder.c_str(), events) : -1;
    if (watch < 0)
        return fail(file_error, folder.string() + ": cannot be watched: " +
                                    (folders_.size() < most_folders ? std::strerror(errno)
                                                                    : "the game has too many folders"));
    folders_[watch] = folder;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->is_directory(error) && !entry->is_symlink(error) &&
            is_source_name(entry->path().filename().string()) && entry->path().filename() != "node_modules")
            if (auto added = add(entry->path()); !added) return added;
    return {};
}

bool SourceWatch::take_changes() {
    bool has_changed = false;
    alignas(inotify_event) char bytes[16 * 1024];
    for (;;) {
        const ssize_t size = read(descriptor_, bytes, sizeof bytes);
        if (size <= 0) return has_changed;
        for (const char* at = bytes; at < bytes + size;) {
            const auto& event = *reinterpret_cast<const inotify_event*>(at);
            at += sizeof event + event.len;
            if (event.mask & IN_IGNORED) folders_.erase(event.wd);
            if (event.mask & IN_Q_OVERFLOW) has_changed = true;  // something was left out
            const std::string_view name = event.len > 0 ? event.name : "";
            const auto folder = folders_.find(event.wd);
            if (folder == folders_.end() || !is_source_name(name)) continue;
            const fs::path path = folder->second / name;
            if (path.lexically_normal() == skipped_) continue;
            const bool is_new_folder = (event.mask & IN_ISDIR) && (event.mask & (IN_CREATE | IN_MOVED_TO));
            if (is_new_folder && !add(path)) continue;
            // A file that was created is written next, and its folder's files count with it.
            if (is_new_folder || !(event.mask & IN_CREATE)) has_changed = true;
        }
    }
}

}  // namespace instep::cli
