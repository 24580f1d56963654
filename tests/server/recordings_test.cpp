// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <cstring>
#include <deque>
#include <fstream>

#include <instep/record/recording.h>
#include <tests/server/test_server.h>

using namespace instep;
using namespace instep::headless;
using namespace instep::server;
using test::ask;
using test::eventually;
using test::TestServer;

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

codec::Bytes read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

}  // namespace

TEST_CASE("recordings: the oldest are deleted for new ones, but none that is open") {
    const ScratchFolder scratch;
    const auto folder = Recordings::open(scratch.path, 1000);
    REQUIRE(folder);
    const codec::Bytes block(300);
    const auto open = (*folder)->begin("open", "bounce", "box");
    REQUIRE(open);
    CHECK(open->write(block, 1));
    for (const char* room : {"a", "b", "c", "d"}) {
        const auto file = (*folder)->begin(room, "bounce", "box");
        REQUIRE(file);
        CHECK(file->write(block, 1));
        CHECK((*folder)->bytes() <= 1000);
    }
    CHECK(scratch.files().size() == 3);
    CHECK(scratch.files()[0].string().ends_with("-open.instep"));
    CHECK(scratch.files()[2].string().ends_with("-d.instep"));
    CHECK(open->write(codec::Bytes(700), 1));  // the others are deleted
    CHECK(!open->write(codec::Bytes(1), 1));   // and then the folder is full
    CHECK(scratch.files().size() == 1);

    const auto again = Recordings::open(scratch.path, 1000);  // existing files count
    REQUIRE(again);
    CHECK((*again)->bytes() == 1000);
}

TEST_CASE("recordings: a recorded match of bots replays to the bit") {
    const ScratchFolder scratch;
    ServerSettings settings = test::loopback();
    settings.recordings = scratch.path.string();
    {
        const TestServer fixture(settings);
        Loop loop(1);
        HeadlessPlan plan;
        plan.url = fixture.url();
        plan.setup = *match::load_builtin_setup("bounce", "box");
        plan.count = 3;
        const HeadlessClients clients(loop, plan);
        REQUIRE(eventually([&] { return clients.stats().snapshots > 100; }));
        fixture.server->stop();
    }
    REQUIRE(scratch.files().size() == 1);
    const codec::Bytes file = read(scratch.files()[0]);
    auto replay = record::Replay::open(file, [](const std::string& world, const std::string& level) {
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

TEST_CASE("recordings: listed and downloaded by name, also live and after a restart") {
    const ScratchFolder scratch;
    ServerSettings settings = test::loopback();
    settings.recordings = scratch.path.string();
    const auto listed = [](const TestServer& fixture) {
        auto json =
            state::parse_json(ask(fixture.server->port(), "GET", "/api/recordings").body, "recordings");
        REQUIRE(json);
        REQUIRE(json->array()->size() == 1);
        return (*json->array())[0];
    };
    std::string name;
    {
        const TestServer fixture(settings);
        const std::uint16_t port = fixture.server->port();
        CHECK(ask(port, "GET", "/api/recordings").body == "[]\n");
        Loop loop(1);
        HeadlessPlan plan;
        plan.url = fixture.url();
        plan.setup = *match::load_builtin_setup("bounce", "box");
        plan.room = "ours";
        const HeadlessClients clients(loop, plan);
        REQUIRE(eventually([&] { return fixture.server->metrics().players == 1; }));
        REQUIRE(eventually([&] { return listed(fixture).find("ticks")->number() >= 128; }));
        const state::Json live = listed(fixture);
        name = *live.find("name")->string();
        CHECK(name.ends_with("-ours.instep"));
        CHECK(*live.find("world")->string() == "bounce");
        CHECK(*live.find("level")->string() == "box");
        const std::string when = *live.find("when")->string();
        CHECK(when.size() == 24);
        CHECK(when.substr(10, 1) + when.substr(13, 1) + when.substr(23) == "T:Z");
        const std::string body = ask(port, "GET", "/recordings/" + name).body;
        const auto* bytes = reinterpret_cast<const std::byte*>(body.data());
        const auto summary = record::summarise({bytes, body.size()});
        REQUIRE(summary.has_value());
        CHECK(summary->ticks >= 128);
        for (const char* wrong : {"/recordings/", "/recordings/none.instep", "/recordings/../token_test.cpp",
                                  "/recordings/%2e%2e%2fx.instep"}) {
            CAPTURE(wrong);
            CHECK(ask(port, "GET", wrong).status == 404);
        }
        fixture.server->stop();
    }
    const codec::Bytes file = read(scratch.files()[0]);
    const TestServer later(settings);
    const state::Json kept = listed(later);
    CHECK(*kept.find("name")->string() == name);
    CHECK(*kept.find("world")->string() == "bounce");
    CHECK(kept.find("ticks")->number() >= 128);
    CHECK(kept.find("bytes")->number() == static_cast<double>(file.size()));
    CHECK(ask(later.server->port(), "GET", "/recordings/" + name).body.size() == file.size());
    settings.keys = {random_key()};
    const TestServer guarded(settings);
    CHECK(ask(guarded.server->port(), "GET", "/api/recordings").status == 404);
    CHECK(ask(guarded.server->port(), "GET", "/recordings/" + name).status == 404);
    const TestServer without;
    CHECK(ask(without.server->port(), "GET", "/api/recordings").status == 404);
}

TEST_CASE("recordings: a large one arrives complete, and an address has few at a time") {
    const ScratchFolder scratch;
    const std::size_t size = (17u << 20) + 5;  // not a multiple of the piece size
    codec::Bytes content(size);
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<std::byte>(i * 31 >> 7);
    std::string name;
    {
        const auto folder = Recordings::open(scratch.path, 200 << 20);
        REQUIRE(folder);
        const auto file = (*folder)->begin("room", "bounce", "box");
        REQUIRE(file);
        REQUIRE(file->write(content, 1));
        name = file->name();
    }
    ServerSettings settings = test::loopback();
    settings.recordings = scratch.path.string();
    const TestServer fixture(settings);
    const std::uint16_t port = fixture.server->port();
    const auto reply = ask(port, "GET", "/recordings/" + name);
    CHECK(reply.status == 200);
    REQUIRE(reply.body.size() == size);
    CHECK(std::memcmp(reply.body.data(), content.data(), size) == 0);
    {
        std::deque<test::RawSocket> silent;
        for (std::uint32_t i = 0; i < Recordings::most_downloads_per_address; ++i) {
            silent.emplace_back(port).send("GET /recordings/" + name + " HTTP/1.1\r\nHost: here\r\n\r\n");
            CHECK(silent.back().receive("\r\n\r\n").starts_with("HTTP/1.1 200"));
        }
        CHECK(ask(port, "GET", "/recordings/" + name).status == 429);
        CHECK(ask(port, "GET", "/api/recordings").status == 200);
    }
    CHECK(eventually([&] { return ask(port, "GET", "/recordings/" + name).status == 200; }));
    fs::remove(scratch.path / name);
    CHECK(ask(port, "GET", "/recordings/" + name).status == 404);
}

TEST_CASE("recordings: downloads are limited while they are under way") {
    const ScratchFolder scratch;
    const auto folder = Recordings::open(scratch.path, 1 << 20);
    REQUIRE(folder);
    const auto file = (*folder)->begin("room", "bounce", "box");
    REQUIRE(file);
    REQUIRE(file->write(codec::Bytes(100), 1));
    std::vector<FileBody> held;
    const auto download = [&](std::uint32_t address) {
        return (*folder)->download(file->name(), std::to_string(address));
    };
    for (std::uint32_t i = 0; i < Recordings::most_downloads; ++i) {
        const auto body = download(i / Recordings::most_downloads_per_address);
        REQUIRE(body);
        CHECK(body->size == 100);
        held.push_back(*body);
    }
    const auto refused = download(1000);
    REQUIRE(!refused);
    CHECK(refused.error().reason == RefusalReason::too_many_connections);
    held.pop_back();
    const auto refused_again = download(0);  // the total has room, this address has none
    REQUIRE(!refused_again);
    CHECK(refused_again.error().reason == RefusalReason::too_many_from_address);
    CHECK(download(1000).has_value());
    held.clear();
    CHECK(download(0).has_value());
}
