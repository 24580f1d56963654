// SPDX-License-Identifier: MIT
// Friends that ask different servers of a cluster meet in one room.
#include <tests/cluster/cluster_member.h>
#include <tests/net/logged_match.h>

namespace instep::cluster {
namespace {

using namespace cluster_test;
using test::eventually;

headless::HeadlessPlan plan(const Member& member, std::uint32_t size, std::uint64_t seed) {
    return {.url = member.server.url(),
            .setup = test::level("bounce", "box"),
            .party = "our-party-0123456789",
            .party_size = size,
            .seed = seed};
}

}  // namespace

TEST_CASE("party: members that ask different servers at once meet in one room, and seats are held there") {
    Store store;
    const Member a(store);
    const Member b(store);
    REQUIRE(
        eventually([&] { return a.cluster->other_processes() == 1 && b.cluster->other_processes() == 1; }));
    server::Loop loop(1);
    std::vector<std::unique_ptr<headless::HeadlessClients>> members;
    for (std::uint64_t i = 0; i < 4; ++i)
        members.push_back(std::make_unique<headless::HeadlessClients>(loop, plan(i % 2 == 0 ? a : b, 5, i)));
    CHECK(eventually([&] {
        return std::all_of(members.begin(), members.end(),
                           [](const auto& m) { return m->stats().playing == 1; });
    }));
    const auto& at_a = a.server.server->metrics();
    const auto& at_b = b.server.server->metrics();
    CHECK(at_a.rooms + at_b.rooms == 1);
    CHECK(at_a.players + at_b.players == 4);
    // The directory says so to all servers.
    const Member& owner = at_a.rooms == 1 ? a : b;
    const Member& other = at_a.rooms == 1 ? b : a;
    CHECK(owner.cluster->rooms()->empty());
    CHECK(eventually([&] {
        const auto rooms = other.cluster->rooms();
        return rooms->size() == 1 && rooms->front()->players == 4 && rooms->front()->held <= 1;
    }));
}

TEST_CASE("party: without Redis no server knows where it plays, and another server's words are checked") {
    Store store;
    const Member member(store);
    const std::string target = "/play?world=bounce&level=box&party=our-party-0123456789&size=2";
    const auto ask = [&] {
        test::RawSocket socket(member.server.server->port());
        socket.send(test::upgrade_request(target));
        return test::find_close(socket.receive("\x88")).reason;
    };
    for (const char* forged : {"", "nothing", "http://x ours", "ws://x:1 ", "ws://x:1 our room"}) {
        store({"SET", "instep:party:our-party-0123456789", forged});
        CHECK(ask().find("it is not known where your party plays") != std::string::npos);
    }
    store.process.kill_now();
    CHECK(ask().find("it is not known where your party plays") != std::string::npos);
}

}  // namespace instep::cluster
