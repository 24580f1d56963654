// SPDX-License-Identifier: MIT
// A temporary folder for a test, and the output of a command.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace instep::cli {

struct ScratchFolder {
    std::filesystem::path path;

    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "instep-test-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~ScratchFolder() { std::filesystem::remove_all(path); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return (path / name).string(); }
    std::string file(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return file(name);
    }
};

struct CommandResult {
    int code = 0;
    std::string out;
    std::string err;
};

// Captures stdout and stderr.
template <class Command>
CommandResult run_captured(Command command) {
    const ScratchFolder folder;
    const auto redirect = [](std::FILE* stream, const std::string& file) {
        std::fflush(stream);
        const int before = ::dup(::fileno(stream));
        std::FILE* into = std::fopen(file.c_str(), "wb");
        ::dup2(::fileno(into), ::fileno(stream));
        std::fclose(into);
        return before;
    };
    const auto restore = [](std::FILE* stream, int before) {
        std::fflush(stream);
        ::dup2(before, ::fileno(stream));
        ::close(before);
    };
    const auto contents = [](const std::string& file) {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    };
    const int out = redirect(stdout, folder.file("out"));
    const int err = redirect(stderr, folder.file("err"));
    CommandResult result;
    result.code = command();
    restore(stdout, out);
    restore(stderr, err);
    result.out = contents(folder.file("out"));
    result.err = contents(folder.file("err"));
    return result;
}

}  // namespace instep::cli
