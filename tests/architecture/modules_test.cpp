// SPDX-License-Identifier: MIT
// Checks every source of the project against the architecture rules, and the rules against samples that break
// them.
#include <tests/architecture/rules.h>
#include <tests/support/files.h>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using instep::architecture::check_source;
using instep::architecture::Finding;

namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(file);
    return text.str();
}

// The message of the only finding in a one-line source, or "".
std::string finding(std::string_view path, std::string_view line) {
    const std::vector<Finding> findings = check_source(path, line);
    REQUIRE(findings.size() <= 1);
    return findings.empty() ? std::string() : findings.front().message;
}

bool refused(std::string_view path, std::string_view line) { return !finding(path, line).empty(); }

}  // namespace

TEST_CASE("architecture: every source keeps the rules") {
    const std::filesystem::path root = instep::test::source_dir();
    int sources = 0;
    for (const char* folder : {"src", "worlds"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            std::string path = std::filesystem::relative(entry.path(), root).generic_string();
            if (path.starts_with("src/")) path.erase(0, 4);
            if (path.starts_with("worlds/") && path.find("/tests/") != std::string::npos) continue;
            ++sources;
            for (const Finding& found : check_source(path, read(entry.path())))
                FAIL_CHECK(found.file << ":" << found.line << ": " << found.message);
        }
    CHECK(sources > 5);  // without any source the test would pass
}

TEST_CASE("architecture: no engine file names a world") {
    const std::filesystem::path root = instep::test::source_dir();
    std::vector<std::string> worlds;
    for (const auto& entry : std::filesystem::directory_iterator(root / "worlds"))
        if (entry.is_directory()) worlds.push_back(entry.path().filename().string());
    CHECK(worlds.size() >= 6);
    int sources = 0;
    for (const char* folder : {"src", "cmake", "web/src", "web/packages/instep/src"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            if (!entry.is_regular_file()) continue;
            ++sources;
            const std::string path = std::filesystem::relative(entry.path(), root).generic_string();
            for (const Finding& found : instep::architecture::find_names(path, read(entry.path()), worlds))
                FAIL_CHECK(found.file << ":" << found.line << ": " << found.message);
        }
    CHECK(sources > 100);
    CHECK(!instep::architecture::find_names("a.cpp", "if (world == \"bounce\") {}", worlds).empty());
    CHECK(!instep::architecture::find_names("a.cpp", "#include <bounce/bounce.h>", worlds).empty());
    CHECK(instep::architecture::find_names("a.cpp", "// a bounce keeps its speed", worlds).empty());
}

TEST_CASE("includes: a module may include itself and the modules below it") {
    CHECK(!refused("math/trig.cpp", "#include <instep/math/trig.h>"));
    CHECK(!refused("motion/spring.h", "#include <instep/math/vec2.h>"));
    CHECK(!refused("worlds/bounce/step.cpp", "#include <bounce/state.h>"));
    CHECK(!refused("worlds/bounce/step.cpp", "#include <instep/contract/world.h>"));
    CHECK(!refused("server/room.cpp", "#include <instep/net/snapshot.h>"));
    CHECK(!refused("cli/main.cpp", "#include <instep/server/room.h>"));
}

TEST_CASE("includes: a module may not include a module below or beside it") {
    CHECK(refused("math/vec2.h", "#include <instep/state/pool.h>"));
    CHECK(refused("motion/spring.h", "  #  include <instep/rigid/shape.h>"));
    CHECK(refused("worlds/bounce/step.cpp", "#include <instep/match/match.h>"));
    CHECK(refused("worlds/bounce/step.cpp", "#include <orbit/state.h>"));
    CHECK(refused("net/predict.cpp", "#include <instep/server/room.h>"));
    CHECK(refused("server/room.cpp", "#include <instep/browser/face.h>"));
    CHECK(refused("browser/face.cpp", "#include <instep/server/room.h>"));
    CHECK(refused("server/room.cpp", "#include <instep/cli/commands.h>"));
    CHECK(refused("math/vec2.h", "#include <instep/missing/name.h>"));
    CHECK(refused("shed/tools.h", "int x;"));
}

TEST_CASE("includes: an error names the file, the line, the include and what the module is for") {
    const std::vector<Finding> findings =
        check_source("motion/spring.h", "#pragma once\n\n#include <instep/match/match.h>\n");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].file == "src/motion/spring.h");
    CHECK(findings[0].line == 3);
    const std::string& message = findings[0].message;
    CHECK(message.find("#include instep/match/match.h") != std::string::npos);
    CHECK(message.find("match is not below motion") != std::string::npos);
    CHECK(message.find("src/motion is for integrators") != std::string::npos);
    CHECK(message.find("must not know players or rules") != std::string::npos);
}

TEST_CASE("includes: are absolute, and third-party headers stay in their modules") {
    CHECK(refused("cli/main.cpp", "#include \"commands.h\""));
    CHECK(refused("math/trig.cpp", "#include <instep/math/../state/pool.h>"));
    CHECK(refused("match/match.cpp", "#include <nlohmann/json.hpp>"));
    CHECK(refused("match/match.cpp", "#include <CLI/CLI.hpp>"));
    CHECK(!refused("cli/main.cpp", "#include <CLI/CLI.hpp>"));
    CHECK(refused("cli/main.cpp", "#include <doctest/doctest.h>"));
}

TEST_CASE("determinism: the core uses no clock, thread, file or hash order") {
    for (const char* header : {"random", "unordered_map", "chrono", "thread", "fstream", "iostream"}) {
        const std::string include = std::string("#include <") + header + ">";
        CHECK(refused("motion/spring.h", include));
        CHECK(!refused("server/room.cpp", include));
    }
    CHECK(refused("state/pool.h", "std::unordered_map<int, int> indices;"));
    CHECK(refused("worlds/bounce/step.cpp", "std::uniform_real_distribution<double> d;"));
    CHECK(refused("worlds/bounce/step.cpp", "std::mt19937 engine;"));
    CHECK(refused("worlds/bounce/step.cpp", "int die = rand() % 6;"));
    CHECK(refused("net/clock.cpp", "long t = 0;"));
}

TEST_CASE("determinism: the core uses no function whose last bit depends on the platform") {
    CHECK(refused("motion/spring.h", "return std::sin(angle);"));
    CHECK(refused("motion/spring.h", "return ::sin(angle);"));
    CHECK(refused("motion/spring.h", "return sin(angle);"));
    CHECK(refused("motion/spring.h", "using std::cos;"));
    CHECK(refused("motion/spring.h", "x = std::fma(a, b, c) + 1;"));
    CHECK(refused("motion/spring.h", "x = std::fmin(a, b);"));
    CHECK(refused("math/trig.cpp", "return std::atan2(y, x);"));
    CHECK(refused("math/trig.cpp", "return exp(x);"));

    CHECK(!refused("math/trig.cpp", "return sin(x);"));
    CHECK(!refused("motion/spring.h", "return math::sin(angle);"));
    CHECK(
        !refused("motion/spring.h", "return std::sqrt(x) + std::floor(y) + std::fmod(x, y) + std::abs(z);"));
    CHECK(!refused("motion/spring.h", "const double x = turn.cos * turn.sin;"));
    CHECK(!refused("cli/plot.cpp", "return std::sin(angle);"));
}

TEST_CASE("determinism: a sort in the core is stable or promises a total order") {
    CHECK(refused("state/pool.cpp", "std::sort(begin, end);"));
    CHECK(refused("state/pool.cpp", "std::ranges::sort(list);"));
    CHECK(refused("state/pool.cpp", "std::nth_element(begin, middle, end);"));
    CHECK(!refused("state/pool.cpp", "std::stable_sort(begin, end);"));
    CHECK(!refused("state/pool.cpp", "std::sort(begin, end);  // total order: ids are unique"));
    CHECK(!refused("state/pool.cpp", "// total order: ids are unique\nstd::sort(begin, end);"));
}

TEST_CASE("rules: comments and strings are not code") {
    CHECK(!refused("state/pool.cpp", "// std::sort would leave ties, rand() too"));
    CHECK(!refused("state/pool.cpp", "/* std::sort\n std::sin */"));
    CHECK(!refused("state/pool.cpp", "const char* help = \"say \\\" std::sort(\";"));
    CHECK(refused("state/pool.cpp", "/* a */ std::sort(begin, end);"));
    CHECK(refused("state/pool.cpp", "const int million = 1'000'000; std::sort(begin, end);"));
}
