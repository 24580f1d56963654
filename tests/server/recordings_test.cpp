// SPDX-License-Identifier: MIT
#include <instep/server/recordings.h>

#include <cstring>
#include <deque>
#include <fstream>
#include <future>

#include <instep/record/recording.h>
#include <instep/server/room.h>
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

// Of this process, also of sockets and of files in memory.
std::uint64_t bytes_read() {
    std::ifstream file("/proc/self/io");
    std::string name;
    std::uint64_t value = 0;
    file >> name >> value;
    REQUIRE(name == "rchar:");
    return value;
}

class DeafConnection final : public Connection {
public:
    const std::string& address() const override { return address_; }
    void send(codec::ByteView) override {}
    std::size_t bytes_waiting() const override { return 0; }
    void refuse(Refusal) override {}
    void close() override {}
    void cut() override {}

private:
    std::string address_ = "127.0.0.1";
};

// A folder without a server.
struct Folder {
    Folder(const fs::path& path, std::uint64_t most_bytes) {
        const auto opened = Recordings::open(path, most_bytes, metrics, test::silent_log());
        REQUIRE(opened);
        recordings = *opened;
    }
    Folder(const fs::path& path, std::uint64_t most_bytes, DiskQueue::Bounds bounds)
        : recordings(std::make_shared<Recordings>(path, most_bytes, metrics, test::silent_log(), bounds)) {}
    Recordings* operator->() { return recordings.get(); }
    // Until everything that was queued is written.
    void wait_for_disk() {
        std::promise<void> done;
        recordings->writes().post_regardless([&] { done.set_value(); });
        done.get_future().wait();
    }

    Metrics metrics;
    std::shared_ptr<Recordings> recordings;
};

}  // namespace

TEST_CASE("recordings: the oldest are deleted for new ones, but none that is open") {
    const ScratchFolder scratch;
    Folder folder(scratch.path, 1000);
    const codec::Bytes block(300);
    const auto open = folder->begin("open", "bounce", "box");
    CHECK(open->write(block, 1));
    for (const char* room : {"a", "b", "c", "d"}) {
        CHECK(folder->begin(room, "bounce", "box")->write(block, 1));
        folder.wait_for_disk();
        CHECK(folder->bytes() <= 1000);
    }
    CHECK(scratch.files().size() == 3);
    CHECK(scratch.files()[0].string().ends_with("-open.instep"));
    CHECK(scratch.files()[2].string().ends_with("-d.instep"));
    CHECK(open->write(codec::Bytes(700), 1));  // the others are deleted
    CHECK(open->write(codec::Bytes(1), 1));    // and then the folder is full
    folder.wait_for_disk();
    CHECK(!open->write(codec::Bytes(1), 1));
    CHECK(folder.metrics.recordings_failed == 1);
    CHECK(scratch.files().size() == 1);

    Folder again(scratch.path, 1000);  // existing files count
    again.wait_for_disk();
    CHECK(again->bytes() == 1000);
}

TEST_CASE("recordings: a disk that hangs ends recordings when the queue is full, and keeps what waits") {
    const ScratchFolder scratch;
    Folder folder(scratch.path, 1 << 20, {.tasks = 100, .bytes = 1000});
    const codec::Bytes block(300);
    const auto first = folder->begin("first", "bounce", "box");
    const auto second = folder->begin("second", "bounce", "box");
    std::promise<void> disk;
    folder->writes().post([stuck = disk.get_future().share()] { stuck.wait(); });
    CHECK(first->write(block, 128));
    CHECK(second->write(block, 128));
    CHECK(first->write(block, 256));
    CHECK(folder.metrics.recording_bytes_waiting == 900);
    CHECK(!second->write(block, 256));  // full, and the caller did not wait
    CHECK(!second->write(codec::Bytes(1), 256));
    CHECK(folder.metrics.recordings_failed == 1);
    CHECK(folder->list().size() == 2);  // the list does not wait either
    disk.set_value();
    folder.wait_for_disk();
    CHECK(first->write(block, 384));
    folder.wait_for_disk();
    for (const RecordingInfo& info : folder->list()) {
        const bool is_first = info.name == first->name();
        CHECK(info.ticks == (is_first ? 384 : 128));
        CHECK(info.bytes == (is_first ? 900 : 300));
        CHECK(fs::file_size(scratch.path / info.name) == info.bytes);
    }
}

TEST_CASE("recordings: one that ended for want of space may begin again when there is space") {
    const ScratchFolder scratch;
    Folder folder(scratch.path, 1000, {.tasks = 100, .bytes = 1000});
    const auto hung = folder->begin("hung", "bounce", "box");
    std::promise<void> disk;
    folder->writes().post([stuck = disk.get_future().share()] { stuck.wait(); });
    CHECK(hung->write(codec::Bytes(600), 128));
    CHECK(hung->begin_again() == nullptr);  // it has not ended
    CHECK(!hung->write(codec::Bytes(600), 256));
    CHECK(hung->begin_again() == nullptr);  // 600 bytes wait
    disk.set_value();
    folder.wait_for_disk();
    const auto next = hung->begin_again();
    REQUIRE(next);
    CHECK(next->name() != hung->name());
    CHECK(next->name().ends_with("-hung.instep"));

    // The folder has 1000 bytes, of which an open recording takes 990: none is left to delete.
    CHECK(next->write(codec::Bytes(990), 128));
    folder.wait_for_disk();
    const auto second = folder->begin("second", "bounce", "box");
    CHECK(second->write(codec::Bytes(100), 128));
    folder.wait_for_disk();
    CHECK(!second->write(codec::Bytes(100), 256));
    folder.wait_for_disk();
    CHECK(second->begin_again() == nullptr);
    CHECK(
        !next->write(codec::Bytes(2000), 256));  // does not fit into the queue; what it wrote may be deleted
    const auto third = second->begin_again();
    REQUIRE(third);
    CHECK(third->write(codec::Bytes(500), 128));
    folder.wait_for_disk();
    REQUIRE(scratch.files().size() == 1);
    CHECK(scratch.files()[0].filename() == third->name());
}

TEST_CASE("recordings: a room's match goes on in another file after the disk had no space") {
    const ScratchFolder scratch;
    Folder folder(scratch.path, 1 << 20, {.tasks = 100, .bytes = 1 << 20});
    const auto setup = match::load_builtin_setup("foothold", "");
    REQUIRE(setup);
    const Limits limits;
    std::atomic<bool> has_ended = false;
    Loop loop(1);
    RoomConfig config{.name = "ours", .setup = *setup};
    config.bots = 2;
    config.recording = folder->begin("ours", "foothold", (*setup)->level);
    const auto room =
        std::make_shared<Room>(loop, std::move(config), limits, folder.metrics, test::silent_log());
    const auto connection = std::make_shared<DeafConnection>();
    const auto watcher = room->inbox().reserve_watcher();  // an empty room would sleep
    REQUIRE(watcher);
    room->inbox().enter(*watcher, connection, {}, "");
    room->open([&](const std::string&) { has_ended = true; });
    REQUIRE(eventually([&] { return folder->list()[0].ticks >= 128; }));
    std::promise<void> disk;
    folder->writes().post([stuck = disk.get_future().share()] { stuck.wait(); }, 1 << 20);
    REQUIRE(eventually([&] { return folder.metrics.recordings_failed == 1; }));
    const std::uint64_t failed_at = room->tick();
    disk.set_value();
    REQUIRE(eventually([&] { return folder->list().size() == 2 && folder->list()[0].ticks >= 128; }));
    room->end({RefusalReason::stopping, "now"});
    REQUIRE(eventually([&] { return has_ended.load(); }));
    folder.wait_for_disk();

    REQUIRE(scratch.files().size() == 2);
    std::uint64_t last_tick = 0;
    for (const fs::path& path : scratch.files()) {
        const codec::Bytes file = read(path);
        auto replay = record::Replay::open(file, [](const std::string& world, const std::string& level) {
            return match::load_builtin_setup(world, level);
        });
        REQUIRE_MESSAGE(replay.has_value(), (replay ? "" : replay.error().text()));
        CHECK((last_tick == 0 || replay->match().tick() >= failed_at));
        for (;;) {
            const auto played = replay->next();
            REQUIRE_MESSAGE(played.has_value(), (played ? "" : played.error().text()));
            if (!*played) break;
        }
        CHECK(replay->match().tick() > last_tick + 127);
        last_tick = replay->match().tick();
    }
    CHECK(last_tick == room->tick());
}

TEST_CASE("recordings: one that cannot be written fails alone, and is counted") {
    const ScratchFolder scratch;
    Folder folder(scratch.path, 1 << 20);
    auto file = folder->begin("room", "bounce", "box");
    CHECK(folder->download(file->name(), "here").error().reason == RefusalReason::not_found);
    fs::create_directory(scratch.path / file->name());  // in its place
    CHECK(file->write(codec::Bytes(10), 1));            // not known yet
    folder.wait_for_disk();
    CHECK(!file->write(codec::Bytes(10), 1));
    CHECK(file->begin_again() == nullptr);
    CHECK(folder.metrics.recordings_failed == 1);
    const auto other = folder->begin("other", "bounce", "box");
    CHECK(other->write(codec::Bytes(10), 1));
    folder.wait_for_disk();
    CHECK(other->write(codec::Bytes(10), 1));
    file.reset();
    folder.wait_for_disk();
    REQUIRE(folder->list().size() == 1);
    CHECK(folder->list()[0].name == other->name());
}

TEST_CASE("recordings: a start reads a few bytes of each, also of those over 16 MB") {
    const ScratchFolder scratch;
    const auto setup = match::load_builtin_setup("bounce", "box");
    REQUIRE(setup);
    codec::Bytes content;
    record::Recorder recorder(*setup, 1, content);
    // A level of 17 MB before the ticks, as if it were not built in.
    constexpr std::uint32_t level_bytes = 17 << 20;
    const std::byte level_head[] = {std::byte{4}, std::byte{0}, std::byte{0},
                                    std::byte{(level_bytes >> 16) & 0xFF}, std::byte{level_bytes >> 24}};
    content.insert(content.end(), std::begin(level_head), std::end(level_head));
    content.resize(content.size() + level_bytes);
    match::Match match(*setup, 1);
    match::TickBuilder tick(**setup);
    codec::TickRecord record = codec::make_tick_record(**setup);
    for (record.tick = 1; record.tick <= 300; ++record.tick) {
        fill_tick(record, tick);
        match.step(tick.bytes());
        recorder.add(record, match, content);
    }
    recorder.finish(match, content);
    constexpr int count = 20;
    for (int i = 0; i < count; ++i) {
        std::ofstream file(scratch.path / ("20260101T00000" + std::to_string(i / 10) + ".000Z-00000" +
                                           std::to_string(i % 10) + "-room.instep"),
                           std::ios::binary);
        file.write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
    }
    const std::uint64_t read_before = bytes_read();
    ServerSettings settings = test::loopback();
    settings.recordings = scratch.path.string();
    const TestServer fixture(settings);
    const auto listed = [&] {
        const auto json =
            state::parse_json(ask(fixture.server->port(), "GET", "/api/recordings").body, "recordings");
        return json ? *json->array() : state::Json::Array();
    };
    CHECK(eventually([&] { return listed().size() == count; }));
    for (const state::Json& each : listed()) {
        CHECK(*each.find("world")->string() == "bounce");
        CHECK(each.find("ticks")->number() == 300);
        CHECK(each.find("bytes")->number() == static_cast<double>(content.size()));
    }
    CHECK(bytes_read() - read_before < 16 << 20);  // all of them have 340 MB
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
        if (json->array()->size() != 1) return state::Json();
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
        CHECK(summary->last_tick >= 128);
        for (const char* wrong : {"/recordings/", "/recordings/none.instep", "/recordings/../token_test.cpp",
                                  "/recordings/%2e%2e%2fx.instep"}) {
            CAPTURE(wrong);
            CHECK(ask(port, "GET", wrong).status == 404);
        }
        fixture.server->stop();
    }
    const codec::Bytes file = read(scratch.files()[0]);
    const TestServer later(settings);
    REQUIRE(eventually([&] { return listed(later).object(); }));  // headers are read in the background
    const state::Json kept = listed(later);
    CHECK(*kept.find("name")->string() == name);
    CHECK(*kept.find("world")->string() == "bounce");
    CHECK(kept.find("ticks")->number() >= 128);
    CHECK(kept.find("bytes")->number() == static_cast<double>(file.size()));
    CHECK(ask(later.server->port(), "GET", "/recordings/" + name).body.size() == file.size());
    settings.keys = {random_key()};
    const TestServer guarded(settings);
    CHECK(ask(guarded.server->port(), "GET", "/api/recordings").body == "[]\n");
    CHECK(ask(guarded.server->port(), "GET", "/recordings/" + name).status == 404);
    const TestServer without;
    CHECK(ask(without.server->port(), "GET", "/api/recordings").body == "[]\n");
    CHECK(ask(without.server->port(), "GET", "/recordings/" + name).status == 404);
}

TEST_CASE("recordings: a large one arrives complete, and an address has few at a time") {
    const ScratchFolder scratch;
    const std::size_t size = (17u << 20) + 5;  // not a multiple of the piece size
    codec::Bytes content(size);
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<std::byte>(i * 31 >> 7);
    std::string name;
    {
        Folder folder(scratch.path, 200 << 20);
        const auto file = folder->begin("room", "bounce", "box");
        // In blocks, since the queue takes 16 MB at a time.
        for (std::size_t at = 0; at < size; at += 1 << 20) {
            REQUIRE(file->write(
                codec::ByteView(content).subspan(at, std::min<std::size_t>(1 << 20, size - at)), 1));
            folder.wait_for_disk();
        }
        name = file->name();
    }
    ServerSettings settings = test::loopback();
    settings.recordings = scratch.path.string();
    const TestServer fixture(settings);
    const std::uint16_t port = fixture.server->port();
    REQUIRE(eventually([&] { return ask(port, "HEAD", "/recordings/" + name).status == 200; }));
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
    Folder folder(scratch.path, 1 << 20);
    const auto file = folder->begin("room", "bounce", "box");
    REQUIRE(file->write(codec::Bytes(100), 1));
    folder.wait_for_disk();
    std::vector<FileBody> held;
    const auto download = [&](std::uint32_t address) {
        return folder->download(file->name(), std::to_string(address));
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
