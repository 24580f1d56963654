// SPDX-License-Identifier: MIT
#include <instep/cli/files.h>

#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <tests/cli/scratch.h>

using namespace instep::cli;

TEST_CASE("files: reading returns the bytes written") {
    const ScratchFolder folder;
    const std::string bytes("\0\xFF\r\n{}", 6);
    REQUIRE(write_file(folder.file("a.bin"), bytes));
    CHECK(read_file(folder.file("a.bin")) == bytes);
    REQUIRE(write_file(folder.file("empty"), ""));
    CHECK(read_file(folder.file("empty")) == "");
}

TEST_CASE("files: a file above the size limit is refused") {
    const ScratchFolder folder;
    REQUIRE(write_file(folder.file("a"), std::string(1000, 'x')));
    CHECK(read_file(folder.file("a"), 1000)->size() == 1000);
    const auto refused = read_file(folder.file("a"), 999);
    REQUIRE(!refused);
    CHECK(refused.error().code == bad_input);
    CHECK(refused.error().message.find("is larger than") != std::string::npos);
    const auto endless = read_file("/dev/zero", 100'000);
    REQUIRE(!endless);
    CHECK(endless.error().code == bad_input);
}

TEST_CASE("files: a read error has the file and the reason") {
    const ScratchFolder folder;
    const auto missing = read_file(folder.file("nothing"));
    REQUIRE(!missing);
    CHECK(missing.error().code == file_error);
    CHECK(missing.error().message.find("nothing: No such file") != std::string::npos);
    const auto directory = read_file(folder.path);
    REQUIRE(!directory);
    CHECK(directory.error().code == file_error);
    CHECK(directory.error().message.find("is a directory") != std::string::npos);
}

TEST_CASE("files: a write error has the file and the reason") {
    const ScratchFolder folder;
    for (const std::string& path : {folder.file("no/such/folder"), folder.path.string()}) {
        const auto written = write_file(path, "text");
        REQUIRE(!written);
        CHECK(written.error().code == file_error);
        CHECK(written.error().message.starts_with(path + ": "));
    }
}

TEST_CASE("files: a full disk is reported, even for one byte") {
    for (const std::size_t size : {std::size_t{1}, std::size_t{1} << 20}) {
        const auto written = write_file("/dev/full", std::string(size, 'x'));
        REQUIRE(!written);
        CHECK(written.error().code == file_error);
        CHECK(written.error().message.find("No space left") != std::string::npos);
    }
}

TEST_CASE("files: a closed pipe is not an error") {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    ::close(ends[0]);
    auto output = Output::open("/dev/fd/" + std::to_string(ends[1]));
    REQUIRE(output);
    while (output->write(std::string(10'000, 'x')));
    CHECK(output->pipe_closed());
    CHECK(output->finish());
    ::close(ends[1]);
    std::signal(SIGPIPE, before);
}
