// SPDX-License-Identifier: MIT
#include <instep/cli/build_log.h>

#include <algorithm>
#include <vector>

namespace instep::cli {
namespace {

// What was said of one object file, or, if the name is empty, of none.
struct Part {
    std::string object = {};
    std::string text = {};
};

// "[3/7] Building CXX object ..."
bool is_progress(std::string_view line) {
    const std::size_t end = line.find("] ");
    return line.starts_with('[') && end != std::string_view::npos &&
           line.substr(1, end - 1).find_first_not_of("0123456789/") == std::string_view::npos;
}

// "CMakeFiles/tag_worlds.dir/tag.cpp" of "FAILED: CMakeFiles/tag_worlds.dir/tag.cpp.o "; WebAssembly's ends
// in ".obj".
std::string failed_object(std::string_view line) {
    line.remove_prefix(line.find(' ') + 1);
    line = line.substr(0, line.find(' '));
    for (const std::string_view end : {".obj", ".o"})
        if (line.ends_with(end)) return std::string(line.substr(0, line.size() - end.size()));
    return {};
}

}  // namespace

std::string clean_build_log(std::string_view output) {
    std::vector<Part> parts(1);
    bool is_command = false;      // the line after FAILED
    bool is_of_the_page = false;  // CMake says that the build for WebAssembly failed, in several lines
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        const bool is_failure = line.starts_with("FAILED: ");
        if (is_failure || is_progress(line) || line.starts_with("ninja: ")) {
            is_of_the_page = false;
            is_command = is_failure;
            parts.push_back({.object = is_failure ? failed_object(line) : ""});
            continue;
        }
        if (line.starts_with("CMake Error at ") && line.find("build_wasm.cmake") != std::string_view::npos)
            is_of_the_page = true;
        if (!is_command && !is_of_the_page) parts.back().text += std::string(line) + "\n";
        is_command = false;
    }
    std::string all;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const bool is_said_again = std::any_of(part + 1, parts.end(), [&](const Part& later) {
            return !part->object.empty() && later.object == part->object && !later.text.empty();
        });
        if (!is_said_again) all += part->text;
    }
    all.erase(all.find_last_not_of('\n') + 1);
    return all;
}

}  // namespace instep::cli
