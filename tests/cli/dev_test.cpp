// SPDX-License-Identifier: MIT
// The parts of `dev`: watching, starting programs, and reading what a build says. tests/scripts/game.sh tries
// the whole.
#include <csignal>

#include <poll.h>
#include <sys/wait.h>

#include <doctest/doctest.h>

#include <instep/cli/build_log.h>
#include <instep/cli/child_process.h>
#include <instep/cli/source_watch.h>
#include <tests/cli/scratch.h>

using namespace instep::cli;

namespace {

bool waits_for(int descriptor) {
    pollfd source{descriptor, POLLIN, 0};
    return poll(&source, 1, 10'000) == 1;
}

int end_of(ChildProcess& child) {
    while (!child.status()) usleep(1000);
    return *child.status();
}

}  // namespace

TEST_CASE("source watch: what editors leave beside a file is no source") {
    for (const char* name : {"game.cpp", "yard.json", "look.ts", "CMakeLists.txt", "level1"})
        CHECK(is_source_name(name));
    for (const char* name : {"", ".game.cpp.swp", ".git", "game.cpp~", "#game.cpp#", "4913", "x.tmp"})
        CHECK_FALSE(is_source_name(name));
}

TEST_CASE("source watch: a file that is written, renamed or removed is a change, one of the build is not") {
    const ScratchFolder folder;
    folder.file("game.cpp", "1");
    folder.file("levels/yard.json", "{}");
    folder.file("build/object", "");
    auto watch = SourceWatch::open(folder.path, folder.path / "build");
    REQUIRE(watch);
    CHECK_FALSE(watch->take_changes());

    const auto has_changed = [&](auto change) {
        change();
        return waits_for(watch->descriptor()) && watch->take_changes();
    };
    CHECK(has_changed([&] { folder.file("game.cpp", "2"); }));
    CHECK(has_changed([&] { folder.file("levels/yard.json", "{ }"); }));
    CHECK(has_changed([&] { folder.file("parts/more.h", "1"); }));
    CHECK(has_changed([&] { folder.file("parts/more.h", "2"); }));
    // As editors save: to a new file that takes the place of the old one.
    CHECK(has_changed([&] {
        folder.file(".game.cpp.new", "3");
        std::filesystem::rename(folder.path / ".game.cpp.new", folder.path / "game.cpp");
    }));
    CHECK(has_changed([&] { std::filesystem::remove(folder.path / "levels/yard.json"); }));
    folder.file("build/object", "2");
    folder.file("game.cpp~", "3");
    CHECK_FALSE(watch->take_changes());

    CHECK_FALSE(SourceWatch::open(folder.path / "nowhere", folder.path / "build"));
}

TEST_CASE("child process: its output and its end are read") {
    auto child = ChildProcess::start({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
    REQUIRE(child);
    const int status = end_of(*child);
    child->read();
    CHECK(child->output() == "out\nerr\n");
    CHECK(child->descriptor() == -1);
    CHECK(describe_status(status) == "exit code 3");
    auto none = ChildProcess::start({"/no/such/program"});
    REQUIRE(none);
    CHECK(describe_status(end_of(*none)) == "exit code 127");
}

TEST_CASE("child process: signals reach those that it started, and it ends with this object") {
    auto child = ChildProcess::start({"/bin/sh", "-c", "sleep 60 & sleep 60"});
    REQUIRE(child);
    child->signal(SIGTERM);
    CHECK(describe_status(end_of(*child)).starts_with("signal 15"));
    CHECK(waits_for(child->descriptor()));
    child->read();
    CHECK(child->descriptor() == -1);  // the other sleep has closed it too
    const auto started = ChildProcess::start({"/bin/sleep", "60"});
    CHECK(started);
}

TEST_CASE("child process: it inherits sockets from descriptor 3 on") {
    const ScratchFolder folder;
    folder.file("a", "first");
    folder.file("b", "second");
    std::FILE* a = std::fopen(folder.file("a").c_str(), "re");
    std::FILE* b = std::fopen(folder.file("b").c_str(), "re");
    auto child = ChildProcess::start({"/bin/sh", "-c", "cat <&3; cat <&4"}, {fileno(b), fileno(a)});
    REQUIRE(child);
    end_of(*child);
    child->read();
    CHECK(child->output() == "secondfirst");
    std::fclose(a);
    std::fclose(b);
}

TEST_CASE("build log: what the compilers said is left, and once") {
    const std::string native = "/game/tag.cpp:16:20: error: cannot convert\n   16 |  double speed = \"a\";\n";
    const std::string output =
        "[0/2] Re-checking globbed directories...\n[0/4] Building the page of tag\n"
        "FAILED: CMakeFiles/tag_worlds.dir/tag.cpp.obj \n/usr/bin/clang++-19 -c tag.cpp\n"
        "/game/tag.cpp:16:20: error: cannot initialize\n1 error generated.\nninja: build stopped: subcommand "
        "failed.\n"
        "CMake Error at /x/build_wasm.cmake:8 (execute_process):\n  execute_process failed\n\n    1: \"Child "
        "return code: 1\"\n\n"
        "[1/4] Building CXX object CMakeFiles/tag_worlds.dir/tag.cpp.o\n"
        "FAILED: CMakeFiles/tag_worlds.dir/tag.cpp.o \n/usr/bin/c++ -c tag.cpp\n" +
        native +
        "FAILED: CMakeFiles/tag_page \ncd /game && cmake\nninja: build stopped: subcommand failed.\n";
    CHECK(clean_build_log(output) == native.substr(0, native.size() - 1));
    CHECK(clean_build_log("[1/2] Building\n[2/2] Linking\n").empty());
    CHECK(clean_build_log("ninja: no work to do.\n").empty());
    CHECK(clean_build_log("").empty());
    CHECK(clean_build_log("[1/2] Building CXX object x.o\nx.cpp:1: warning: odd\n[2/2] Linking\n") ==
          "x.cpp:1: warning: odd");
    // Only WebAssembly's compiler refuses it.
    CHECK(clean_build_log("FAILED: a.cpp.obj \nclang++\na.cpp:1: error: no threads\n") ==
          "a.cpp:1: error: no threads");
}
