// SPDX-License-Identifier: MIT
// The files of a built web page. All are read when the server starts, and requests are looked up in memory,
// so no path can lead out of the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <instep/server/http.h>
#include <instep/state/result.h>

namespace instep::server {

class Page {
public:
    struct Bounds {
        std::size_t files = 1000;
        std::uint64_t bytes = 64 << 20;  // of all files
    };

    // Skips names that begin with a dot. `X.gz` is sent for X to clients that accept gzip.
    // It may connect to its own server, and to `peers` (net::is_server_address).
    static state::Result<Page> load(const std::filesystem::path& folder, const Bounds& bounds,
                                    const std::vector<std::string>& peers = {});
    static state::Result<Page> load(const std::filesystem::path& folder,
                                    const std::vector<std::string>& peers = {}) {
        return load(folder, Bounds(), peers);
    }

    // Empty: there is no such file. "/" is index.html.
    std::optional<Response> find(const Request& request) const;
    std::size_t files() const { return files_.size(); }

private:
    using Content = std::shared_ptr<const std::string>;
    struct File {
        std::string type;
        bool is_immutable = false;  // its name has a hash of its content
        Content content;
        std::string tag;
        Content zipped;  // null: no X.gz
        std::string zipped_tag;
    };

    std::string content_policy_;
    std::map<std::string, File, std::less<>> files_;  // by path: "/index.html"
};

}  // namespace instep::server
