// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <fstream>

#include <instep/net/recording.h>
#include <tests/server/playground.h>

using namespace instep;
using namespace instep::server;
using test::eventually;
using test::Playground;

namespace {

namespace fs = std::filesystem;

struct ScratchFolder {
    ScratchFolder() {
        std::string name = (fs::temp_directory_path() / "instep-recordings-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        path = name;
    }
    ~ScratchFolder() { fs::remove_all(path); }

    std::vector<fs::path> files() const {
        std::vector<fs::path> all;
        for (const auto& entry : fs::directory_iterator(path)) all.push_back(entry.path());
        std::sort(all.begin(), all.end());
        return all;
    }

    fs::path path;
};

net::Bytes read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

}  // namespace

TEST_CASE("the oldest recordings make room for new ones, and what is being written stays") {
    const ScratchFolder scratch;
    const auto folder = Recordings::open(scratch.path, 1000);
    REQUIRE(folder);
    const net::Bytes block(300);
    const auto open = (*folder)->begin("open");
    REQUIRE(open);
    CHECK(open->write(block));
    for (const char* room : {"a", "b", "c", "d"}) {
        const auto file = (*folder)->begin(room);
        REQUIRE(file);
        CHECK(file->write(block));
        CHECK((*folder)->bytes() <= 1000);
    }
    CHECK(scratch.files().size() == 3);
    CHECK(scratch.files()[0].string().ends_with("-open.instep"));
    CHECK(scratch.files()[2].string().ends_with("-d.instep"));
    CHECK(open->write(net::Bytes(700)));  // all others go
    CHECK(!open->write(net::Bytes(1)));   // and then there is no more
    CHECK(scratch.files().size() == 1);

    const auto again = Recordings::open(scratch.path, 1000);  // what was there before counts
    REQUIRE(again);
    CHECK((*again)->bytes() == 1000);
}

TEST_CASE("what a room recorded while bots played plays again to the bit") {
    const ScratchFolder scratch;
    ServerSettings settings = test::loopback();
    settings.recordings = scratch.path.string();
    {
        const Playground playground(settings);
        Loop loop(1);
        SwarmPlan plan;
        plan.url = playground.url();
        plan.setup = *match::load_builtin_setup("bounce", "box");
        plan.count = 3;
        const Swarm swarm(loop, plan);
        REQUIRE(eventually([&] { return swarm.figures().snapshots > 100; }));
        playground.server->stop();
    }
    REQUIRE(scratch.files().size() == 1);
    const net::Bytes file = read(scratch.files()[0]);
    auto replay = net::Replay::open(file, [](const std::string& world, const std::string& level) {
        return match::load_builtin_setup(world, level);
    });
    REQUIRE(replay.has_value());
    CHECK(!replay->breaks_off());
    std::size_t joins = 0;
    for (;;) {
        const auto played = replay->next();
        REQUIRE_MESSAGE(played.has_value(), (played ? "" : played.error().text()));
        if (!*played) break;
        joins += replay->record().joins.size();
    }
    CHECK(joins == 3);
    CHECK(replay->match().tick() == replay->last_tick());
    CHECK(replay->last_tick() > 60);
}
