// SPDX-License-Identifier: MIT
#include <instep/server/disk_queue.h>
#include <instep/server/files.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <doctest/doctest.h>

using namespace instep::server;

namespace {

constexpr std::chrono::minutes long_enough{10};

// A task that holds a thread of the queue until it is let go.
struct Stuck {
    explicit Stuck(DiskQueue& queue) {
        queue.post([this] {
            started.set_value();
            gate.wait();
        });
        started.get_future().wait();
    }
    void release() { go.set_value(); }

    std::promise<void> started;
    std::promise<void> go;
    std::shared_future<void> gate = go.get_future().share();
};

}  // namespace

TEST_CASE("disk queue: one thread runs tasks in order") {
    std::vector<int> seen;
    {
        DiskQueue queue(1, {});
        for (int i = 0; i < 1000; ++i) CHECK(queue.post([&seen, i] { seen.push_back(i); }));
        CHECK(queue.stop(long_enough) == 0);
    }
    REQUIRE(seen.size() == 1000);
    for (int i = 0; i < 1000; ++i) CHECK(seen[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("disk queue: tasks beyond its bounds are refused at once, and accepted again later") {
    DiskQueue queue(1, {.tasks = 4, .bytes = 100});
    Stuck stuck(queue);
    CHECK(queue.post([] {}, 60));
    CHECK(!queue.post([] {}, 41));
    CHECK(queue.post([] {}, 40));
    CHECK(!queue.post([] {}, 1));
    CHECK(queue.bytes_waiting() == 100);
    CHECK(queue.post([] {}));
    CHECK(!queue.post([] {}));  // four tasks, with the one that is stuck
    std::promise<void> done;
    queue.post_regardless([&] { done.set_value(); });
    stuck.release();
    done.get_future().wait();
    CHECK(queue.stop(long_enough) == 0);
    CHECK(queue.bytes_waiting() == 0);
    CHECK(!queue.post([] {}));  // it has stopped
}

TEST_CASE("disk queue: stopping drops what the disk is too slow for, and says how much") {
    DiskQueue queue(1, {});
    Stuck stuck(queue);
    std::atomic<int> ran{0};
    for (int i = 0; i < 5; ++i) queue.post([&] { ++ran; }, 10);
    std::size_t dropped = 0;
    std::thread stopping([&] { dropped = queue.stop(std::chrono::milliseconds(1)); });
    while (queue.bytes_waiting() > 0) std::this_thread::yield();
    stuck.release();
    stopping.join();
    CHECK(dropped == 5);
    CHECK(ran == 0);
}

TEST_CASE("disk queue: a pause ends when the queue stops") {
    DiskQueue queue(1, {});
    std::promise<void> started;
    std::promise<bool> answer;
    queue.post([&] {
        started.set_value();
        answer.set_value(queue.pause(long_enough));
    });
    started.get_future().wait();  // a task that has not begun would be dropped
    queue.stop(std::chrono::milliseconds(1));
    CHECK(!answer.get_future().get());
}

TEST_CASE("disk guard: calls on a thread that may not touch the disk are counted") {
    std::string folder = (std::filesystem::temp_directory_path() / "instep-files-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()));
    const std::filesystem::path path = std::filesystem::path(folder) / "file";
    const auto use_disk = [&] {
        {
            const auto made = File::create(path);
            REQUIRE(made);
            CHECK(made->append(instep::codec::Bytes(10)).bytes == 10);
        }
        {
            const auto found = File::open(path);
            REQUIRE(found);
            instep::codec::Bytes into(20);
            CHECK(found->read_at(4, into).value_or(0) == 6);
        }
        remove_file(path);
        CHECK(File::open(path).error() == ENOENT);
    };
    const std::uint64_t before = forbidden_disk_calls();
    std::thread(use_disk).join();
    CHECK(forbidden_disk_calls() == before);
    std::thread([&] {
        forbid_disk_on_this_thread();
        use_disk();
    }).join();
    CHECK(forbidden_disk_calls() == before + 8);
    std::filesystem::remove_all(folder);
}
