// SPDX-License-Identifier: MIT
#include <instep/server/files.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace instep::server {
namespace {

namespace fs = std::filesystem;

constexpr mode_t new_file_mode = 0644;

thread_local bool is_forbidden = false;
std::atomic<std::uint64_t> forbidden_calls{0};

void check_thread() {
    if (is_forbidden) ++forbidden_calls;
}

// Calls again what a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

}  // namespace

void forbid_disk_on_this_thread() { is_forbidden = true; }
std::uint64_t forbidden_disk_calls() { return forbidden_calls; }

std::expected<File, int> File::create(const fs::path& path) {
    check_thread();
    const int made = uninterrupted(
        [&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_file_mode); });
    if (made < 0) return std::unexpected(errno);
    return File(made);
}

std::expected<File, int> File::open(const fs::path& path) {
    check_thread();
    const int found = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (found < 0) return std::unexpected(errno);
    return File(found);
}

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
File& File::operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}
File::~File() { close(); }

void File::close() {
    if (descriptor_ < 0) return;
    check_thread();
    ::close(descriptor_);
    descriptor_ = -1;
}

File::Written File::append(codec::ByteView bytes) const {
    check_thread();
    Written written;
    while (written.bytes < bytes.size()) {
        const ssize_t more = uninterrupted(
            [&] { return ::write(descriptor_, bytes.data() + written.bytes, bytes.size() - written.bytes); });
        if (more <= 0) {
            written.error = more < 0 ? errno : EIO;
            break;
        }
        written.bytes += static_cast<std::size_t>(more);
    }
    return written;
}

std::expected<std::size_t, int> File::read_at(std::uint64_t offset, std::span<std::byte> into) const {
    check_thread();
    std::size_t got = 0;
    while (got < into.size()) {
        const ssize_t more = uninterrupted([&] {
            return ::pread(descriptor_, into.data() + got, into.size() - got,
                           static_cast<off_t>(offset + got));
        });
        if (more < 0) return std::unexpected(errno);
        if (more == 0) break;
        got += static_cast<std::size_t>(more);
    }
    return got;
}

void File::truncate(std::uint64_t size) const {
    check_thread();
    // If it fails the file ends within a block, which readers accept.
    [[maybe_unused]] const int failed = ::ftruncate(descriptor_, static_cast<off_t>(size));
}

void remove_file(const fs::path& path) {
    check_thread();
    ::unlink(path.c_str());  // another program may have deleted it first
}

std::vector<FolderEntry> list_folder(const fs::path& folder, const std::string& extension,
                                     std::error_code& error) {
    check_thread();
    std::vector<FolderEntry> all;
    fs::directory_iterator at(folder, error);
    for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != extension) continue;
        std::error_code gone;  // it may be deleted meanwhile
        const std::uint64_t size = at->file_size(gone);
        if (!gone) all.push_back({at->path().filename().string(), size});
    }
    return all;
}

}  // namespace instep::server
