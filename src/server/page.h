// SPDX-License-Identifier: MIT
// The files of a built web page, all read when the server starts: whatever path is asked for, it is only
// looked up in memory, so none leads out of the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <instep/server/wire.h>
#include <instep/state/result.h>

namespace instep::server {

class Page {
public:
    struct Bounds {
        std::size_t files = 1000;
        std::uint64_t bytes = 64 << 20;  // of all of them
    };

    // Names that begin with a dot are left out. `X.gz` is X for those who take gzip.
    static state::Result<Page> load(const std::filesystem::path& folder, const Bounds& bounds);
    static state::Result<Page> load(const std::filesystem::path& folder) { return load(folder, Bounds()); }

    // Nothing if it has no such file. "/" is index.html.
    std::optional<Reply> find(const Request& request) const;
    std::size_t files() const { return files_.size(); }

private:
    using Content = std::shared_ptr<const std::string>;
    struct File {
        std::string type;
        bool is_immutable = false;  // its name changes whenever it does
        Content content;
        std::string tag;
        Content zipped;  // null: there is none
        std::string zipped_tag;
    };

    std::map<std::string, File, std::less<>> files_;  // by path: "/index.html"
};

}  // namespace instep::server
