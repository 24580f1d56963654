// SPDX-License-Identifier: MIT
// A folder that is there for the length of a test, and what a command says while it runs.
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

// Runs a command with stdout and stderr caught.
struct Said {
    int code = 0;
    std::string out;
    std::string err;
};

template <class Command>
Said run_quietly(Command command) {
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
    Said said;
    said.code = command();
    restore(stdout, out);
    restore(stderr, err);
    said.out = contents(folder.file("out"));
    said.err = contents(folder.file("err"));
    return said;
}

}  // namespace instep::cli
