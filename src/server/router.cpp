// SPDX-License-Identifier: MIT
#include <instep/server/router.h>

#include <algorithm>

namespace instep::server {

std::optional<PathArguments> match_path(std::string_view pattern, std::string_view path) {
    PathArguments arguments;
    for (;;) {
        const std::size_t literal = std::min(pattern.find('{'), pattern.size());
        if (!path.starts_with(pattern.substr(0, literal))) return {};
        path.remove_prefix(literal);
        pattern.remove_prefix(literal);
        if (pattern.empty()) break;
        pattern.remove_prefix(pattern.find('}') + 1);
        const std::size_t end = pattern.empty() ? path.size() : std::min(path.find('/'), path.size());
        arguments.emplace_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    if (!path.empty()) return {};
    return arguments;
}

}  // namespace instep::server
