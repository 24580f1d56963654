// SPDX-License-Identifier: MIT
#include <instep/server/page.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <instep/state/hash.h>
#include <instep/state/plain_name.h>

namespace instep::server {
namespace {

namespace fs = std::filesystem;

struct TypeOf {
    std::string_view extension;
    std::string_view type;
};
constexpr std::array types{
    TypeOf{".html", "text/html; charset=utf-8"},
    TypeOf{".js", "text/javascript; charset=utf-8"},
    TypeOf{".css", "text/css; charset=utf-8"},
    TypeOf{".wasm", "application/wasm"},
    TypeOf{".svg", "image/svg+xml"},
    TypeOf{".png", "image/png"},
    TypeOf{".ico", "image/x-icon"},
    TypeOf{".json", "application/json"},
    TypeOf{".map", "application/json"},
    TypeOf{".txt", "text/plain; charset=utf-8"},
};

// Only the page's own files, and no frames. 'self' covers a WebSocket to the same host too (CSP 3, 6.7.2.8);
// 'wasm-unsafe-eval' allows WebAssembly, but not eval.
std::string content_policy(const std::vector<std::string>& peers) {
    std::string connects = "connect-src 'self'";
    for (const std::string& peer : peers) connects += " " + peer;
    return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: "
           "data:; " +
           connects +
           "; font-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; "
           "form-action 'none'; frame-ancestors 'none'";
}

std::string type_of(const fs::path& path) {
    const std::string extension = path.extension().string();
    for (const TypeOf& known : types)
        if (known.extension == extension) return std::string(known.type);
    return "application/octet-stream";
}

// assets/main-BxWq3_aZ.js: bundlers append eight characters of a hash to the name.
bool has_hash(const fs::path& path) {
    constexpr std::size_t letters = 8;
    const std::string stem = path.stem().string();
    if (path.parent_path().filename() != "assets" || stem.size() < letters + 2) return false;
    const std::string_view hash = std::string_view(stem).substr(stem.size() - letters);
    return stem[stem.size() - letters - 1] == '-' && state::is_plain_name(hash);
}

std::string tag_of(const std::string& content, std::string_view kind) {
    state::Hasher hasher;
    hasher.add(content);
    hasher.add(kind);
    char text[20];
    std::snprintf(text, sizeof text, "\"%016llx\"", static_cast<unsigned long long>(hasher.finish()));
    return text;
}

// Whether a list like "br, gzip;q=0.8" has gzip, but not gzip;q=0.
bool accepts_gzip(std::string_view accepted) {
    while (!accepted.empty()) {
        const std::size_t end = std::min(accepted.find(','), accepted.size());
        std::string coding(accepted.substr(0, end));
        accepted.remove_prefix(std::min(end + 1, accepted.size()));
        std::erase(coding, ' ');
        if (coding == "gzip") return true;
        if (coding.starts_with("gzip;q=")) return coding.find_first_of("123456789") != std::string::npos;
    }
    return false;
}

bool has_tag(std::string_view list, const std::string& tag) {
    return list == "*" || list.find(tag) != std::string_view::npos;
}

std::optional<std::string> read_whole(const fs::path& path, std::uint64_t size) {
    std::ifstream file(path, std::ios::binary);
    std::string content(static_cast<std::size_t>(size), '\0');
    if (!file.read(content.data(), static_cast<std::streamsize>(size))) return std::nullopt;
    return content;
}

}  // namespace

state::Result<Page> Page::load(const fs::path& folder, const Bounds& bounds,
                               const std::vector<std::string>& peers) {
    Page page;
    page.content_policy_ = content_policy(peers);
    std::map<std::string, Content> zipped;
    std::uint64_t bytes = 0;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
        const fs::path& path = at->path();
        if (path.filename().string().starts_with('.')) {
            if (at->is_directory(error)) at.disable_recursion_pending();
            continue;
        }
        if (!at->is_regular_file(error)) continue;
        const std::uint64_t size = at->file_size(error);
        if (error) break;
        bytes += size;
        if (bytes > bounds.bytes)
            return state::refuse(folder.string(), "has more than " + std::to_string(bounds.bytes >> 20) +
                                                      " MB of files; is this the folder of a built page?");
        if (page.files_.size() + zipped.size() >= bounds.files)
            return state::refuse(folder.string(), "has more than " + std::to_string(bounds.files) +
                                                      " files; is this the folder of a built page?");
        auto content = read_whole(path, size);
        if (!content) return state::refuse(path.string(), "cannot be read");
        const std::string name = "/" + path.lexically_relative(folder).generic_string();
        auto shared = std::make_shared<const std::string>(std::move(*content));
        if (path.extension() == ".gz") {
            zipped[name.substr(0, name.size() - 3)] = std::move(shared);
            continue;
        }
        page.files_[name] = {.type = type_of(path),
                             .is_immutable = has_hash(path.lexically_relative(folder)),
                             .content = shared,
                             .tag = tag_of(*shared, ""),
                             .zipped = nullptr,
                             .zipped_tag = ""};
    }
    if (error) return state::refuse(folder.string(), "cannot be read: " + error.message());
    if (!page.files_.contains("/index.html"))
        return state::refuse(folder.string(), "has no index.html; is this the folder of a built page?");
    for (auto& [name, content] : zipped) {
        const auto found = page.files_.find(name);
        if (found == page.files_.end()) continue;
        found->second.zipped = content;
        found->second.zipped_tag = tag_of(*found->second.content, "gzip");
    }
    return page;
}

std::optional<Response> Page::find(const Request& request) const {
    const auto found = files_.find(request.path == "/" ? "/index.html" : request.path);
    if (found == files_.end()) return std::nullopt;
    const File& file = found->second;
    const bool is_zipped = file.zipped && accepts_gzip(request.accept_encoding);
    const std::string& tag = is_zipped ? file.zipped_tag : file.tag;

    Response response;
    response.type = file.type;
    response.cache = file.is_immutable ? "public, max-age=31536000, immutable" : "no-cache";
    response.headers = {{"ETag", tag},
                        {"Content-Security-Policy", content_policy_},
                        {"Referrer-Policy", "no-referrer"},
                        {"Cross-Origin-Opener-Policy", "same-origin"},
                        {"Cross-Origin-Resource-Policy", "same-origin"}};
    if (file.zipped) response.headers.emplace_back("Vary", "Accept-Encoding");
    if (has_tag(request.if_none_match, tag)) {
        response.status = 304;
        return response;
    }
    if (is_zipped) response.headers.emplace_back("Content-Encoding", "gzip");
    response.shared_body = is_zipped ? file.zipped : file.content;
    return response;
}

}  // namespace instep::server
