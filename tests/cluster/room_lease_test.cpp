// SPDX-License-Identifier: MIT
// Leases and journals against a real Redis: who may write, what is committed, and what a successor finds.
#include <atomic>

#include <doctest/doctest.h>

#include <instep/cluster/room_lease.h>

#include <tests/cluster/redis_process.h>

namespace instep::cluster {
namespace {

using namespace cluster_test;

codec::Bytes bytes(std::string_view text) {
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}

struct Machine {
    explicit Machine(const RedisProcess& process)
        : redis(std::make_shared<RedisRooms>(loop, process.url(), RedisLogin{}, RedisClient::Events{})) {
        // Connected, and the scripts are loaded: a script that Redis does not know yet is answered with an
        // error.
        REQUIRE(wait_until([&] { return redis->is_connected() && !run(Script::look, {}).is_error(); }));
    }
    std::shared_ptr<RoomLease> open(const char* holder) {
        return std::make_shared<RoomLease>(redis, loop, "ours", config, holder);
    }
    Reply run(Script script, Command arguments) {
        auto answer = std::make_shared<std::promise<Reply>>();
        redis->run(script, "ours", std::move(arguments),
                   [answer](const Reply& reply) { answer->set_value(reply); });
        return answer->get_future().get();
    }
    Reply take(const char* holder) { return run(Script::take, {holder, "1500", "ws://b:1"}); }

    server::Loop loop{1};
    std::shared_ptr<RedisRooms> redis;
    LeaseConfig config{.length = 300ms, .address = "ws://a:1"};
};

void claim(RoomLease& lease) {
    lease.checkpoint(0, [] { return bytes("zero"); });
    REQUIRE(wait_until([&] { return lease.status().leased_until > server::Time::min(); }));
}

}  // namespace

TEST_CASE("lease: entries are committed in order, and a successor finds checkpoint and entries") {
    RedisProcess process;
    Machine machine(process);
    const auto lease = machine.open("a");
    CHECK(lease->status().needs_checkpoint);
    claim(*lease);
    for (std::uint64_t i = 0; i < 10; ++i) lease->append(3 * i + 1, 3 * i + 3, bytes("entry"));
    CHECK(wait_until([&] { return lease->status().committed == 30; }));
    CHECK(machine.take("b").error_code() == "HELD");
    lease->checkpoint(30, [] { return bytes("thirty"); });
    lease->append(31, 33, bytes("last"));
    CHECK(wait_until([&] { return lease->status().committed == 33; }));
    Reply taken;
    REQUIRE(wait_until([&] { return !(taken = machine.take("b")).is_error(); }));
    REQUIRE(taken.items.size() == 3);
    CHECK(taken.items[0].integer == 2);
    CHECK(taken.items[1].text == "thirty");
    REQUIRE(taken.items[2].items.size() == 1);
    CHECK(taken.items[2].items[0].items[0].text == "33-0");
    CHECK(taken.items[2].items[0].items[1].items[1].text == "last");
}

TEST_CASE("lease: an owner that was replaced is fenced for good, and learns the new one") {
    RedisProcess process;
    Machine machine(process);
    const auto zombie = machine.open("a");
    claim(*zombie);
    REQUIRE(wait_until([&] { return !machine.take("b").is_error(); }));
    zombie->append(1, 3, bytes("of a zombie"));
    CHECK(wait_until([&] { return zombie->status().is_fenced; }));
    CHECK(zombie->status().owner == "ws://b:1");
    CHECK(zombie->status().committed == 0);
    for (const Script script :
         {Script::append, Script::checkpoint, Script::renew, Script::release, Script::close}) {
        CAPTURE(static_cast<int>(script));
        CHECK(machine.run(script, {"1", "a", "300", "1", "3", "x"}).error_code() == "FENCED");
        CHECK(machine.run(script, {"2", "a", "300", "1", "3", "x"}).error_code() == "FENCED");
    }
    zombie->close();
    CHECK(machine.take("c").error_code() == "HELD");
}

TEST_CASE("lease: a name that is taken is refused, and one that was closed is free again") {
    RedisProcess process;
    Machine machine(process);
    const auto first = machine.open("a");
    claim(*first);
    const auto second = machine.open("b");
    second->checkpoint(0, [] { return bytes("zero"); });
    CHECK(wait_until([&] { return second->status().is_fenced; }));
    first->close();
    CHECK(wait_until([&] { return machine.take("c").error_code() == "GONE"; }));
    claim(*machine.open("d"));
}

TEST_CASE("lease: an entry that does not follow is refused, and a checkpoint heals it") {
    RedisProcess process;
    Machine machine(process);
    const auto lease = machine.open("a");
    claim(*lease);
    lease->append(4, 6, bytes("after a gap"));
    CHECK(wait_until([&] { return lease->status().needs_checkpoint; }));
    CHECK(lease->status().committed == 0);
    lease->checkpoint(6, [] { return bytes("six"); });
    lease->append(7, 9, bytes("entry"));
    CHECK(wait_until([&] { return lease->status().committed == 9; }));
}

TEST_CASE("lease: a Redis that was killed and came back has the room, and the owner goes on") {
    RedisProcess process;
    Machine machine(process);
    machine.config.length = 60s;
    const auto lease = machine.open("a");
    claim(*lease);
    lease->append(1, 3, bytes("entry"));
    REQUIRE(wait_until([&] { return lease->status().committed == 3; }));
    process.kill_now();
    lease->append(4, 6, bytes("lost"));
    process.start();
    REQUIRE(wait_until([&] { return lease->status().needs_checkpoint; }));
    CHECK(lease->status().committed == 3);
    lease->checkpoint(7, [] { return bytes("seven"); });
    lease->append(8, 9, bytes("entry"));
    CHECK(wait_until([&] { return lease->status().committed == 9; }));
}

TEST_CASE("lease: while Redis refuses writes, attempts to attach become rare, and one succeeds afterwards") {
    RedisProcess process;
    Machine machine(process);
    machine.config.length = 60s;
    const auto lease = machine.open("a");
    claim(*lease);
    RedisClient client(machine.loop, process.url(), {}, {});
    REQUIRE(wait_until([&] { return client.is_connected(); }));
    REQUIRE(ask(client, {"CONFIG", "SET", "maxmemory", "1"}).text == "OK");
    lease->append(1, 3, bytes("refused"));
    std::atomic<int> attempts{0};
    const auto attach = [&](std::uint64_t tick) {  // as a room does, with every tick
        if (lease->status().needs_checkpoint)
            lease->checkpoint(tick, [&] {
                ++attempts;
                return bytes("image");
            });
    };
    const auto began = server::Clock::now();
    REQUIRE(wait_until([&] {
        attach(3);
        return attempts >= 4;
    }));
    CHECK(server::Clock::now() - began >= 350ms);  // at once, and after pauses of 50, 100 and 200 ms
    REQUIRE(ask(client, {"CONFIG", "SET", "maxmemory", "0"}).text == "OK");
    CHECK(wait_until([&] {
        attach(6);
        return lease->status().committed == 6;
    }));
}

TEST_CASE("lease: a room that is released is taken at once") {
    RedisProcess process;
    Machine machine(process);
    machine.config.length = 60s;
    const auto lease = machine.open("a");
    claim(*lease);
    lease->release(5, [] { return bytes("five"); });
    Reply taken;
    REQUIRE(wait_until([&] { return !(taken = machine.take("b")).is_error(); }));
    CHECK(taken.items.at(1).text == "five");
    CHECK(wait_until([&] { return lease->status().is_fenced; }));
    CHECK(lease->status().owner == "ws://b:1");
}

}  // namespace instep::cluster
