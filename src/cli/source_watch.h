// SPDX-License-Identifier: MIT
// Watches a folder, and those below it, for changes of files (inotify). Hidden files, what editors leave
// beside a file, and one folder, that of the build, do not count.
#pragma once

#include <filesystem>
#include <map>
#include <string_view>

#include <instep/cli/failure.h>

namespace instep::cli {

// Whether a change of a file of this name can change a game: not ".game.cpp.swp", "game.cpp~", "#game.cpp#"
// or vim's "4913".
bool is_source_name(std::string_view name);

class SourceWatch {
public:
    static constexpr std::size_t most_folders = 2000;

    static Outcome<SourceWatch> open(const std::filesystem::path& folder,
                                     const std::filesystem::path& skipped);
    ~SourceWatch();
    SourceWatch(SourceWatch&& other) noexcept;
    SourceWatch& operator=(SourceWatch&&) = delete;

    int descriptor() const { return descriptor_; }  // readable when something has happened
    // Reads all that has happened. True: a file was written, added, renamed or removed.
    bool take_changes();

private:
    SourceWatch(int descriptor, std::filesystem::path skipped)
        : descriptor_(descriptor), skipped_(std::move(skipped)) {}
    Outcome<void> add(const std::filesystem::path& folder);

    int descriptor_ = -1;
    std::filesystem::path skipped_;
    std::map<int, std::filesystem::path> folders_;  // by watch
};

}  // namespace instep::cli
