// SPDX-License-Identifier: MIT
// A running room allocates nothing: the cost of a tick does not grow while a server runs.
#include <filesystem>
#include <fstream>
#include <set>

#include <instep/headless/thin_client.h>
#include <instep/net/host.h>
#include <instep/record/recording.h>

#include <tests/server/test_server.h>
#include <tests/support/allocations.h>

using namespace instep;
using test::eventually;

namespace {

constexpr std::uint32_t players = 16;

match::SharedSetup arena() {
    const auto setup = match::load_builtin_setup("arena", "");
    REQUIRE(setup);
    return *setup;
}

std::set<int> threads_now() {
    std::set<int> ids;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
        ids.insert(std::stoi(task.path().filename()));
    return ids;
}

}  // namespace

TEST_CASE("allocations: a host with sixteen players and a recorder make none in ten s") {
    const match::SharedSetup setup = arena();
    auto kind = net::ReplicationMode::snapshots;
    SUBCASE("snapshots") {}
    SUBCASE("relay") { kind = net::ReplicationMode::relay; }
    net::Host host(setup, 1, kind);
    codec::Bytes recorded;
    record::Recorder recorder(setup, 1, recorded);
    std::vector<headless::ThinClient> clients;
    for (std::uint32_t i = 0; i < players; ++i) {
        REQUIRE(host.join("player", net::LinkKind::ordered));
        clients.emplace_back(setup, i);
    }
    codec::Bytes message;
    std::uint64_t allocated = 0;
    const auto play = [&](std::uint32_t ticks) {
        for (const std::uint64_t end = host.match().tick() + ticks; host.match().tick() < end;) {
            const double now = static_cast<double>(host.match().tick() + 1) / setup->facts.tick_rate;
            for (std::uint32_t i = 0; i < players; ++i) {
                message.clear();
                const bool has_spoken = clients[i].write_message(now - 0.004, message);
                const test::AllocationCount count;
                if (has_spoken) host.receive(static_cast<contract::Slot>(i), message, now - 0.002);
                allocated += count.so_far();
            }
            const test::AllocationCount count;
            host.step();
            recorder.add(*host.ticks().find(host.match().tick()), host.match(), recorded);
            allocated += count.so_far();
            for (std::uint32_t i = 0; i < players; ++i) {
                message.clear();
                const test::AllocationCount writing;
                const bool is_told = host.write_message(static_cast<contract::Slot>(i), true, now, message);
                allocated += writing.so_far();
                if (is_told) clients[i].receive(message, now);
            }
            recorded.clear();
        }
    };
    play(40 * setup->facts.tick_rate);  // a recording's checkpoint included
    const std::uint64_t taken = host.stats().inputs_accepted;
    allocated = 0;
    play(10 * setup->facts.tick_rate);
    CHECK(host.stats().inputs_accepted > taken + 9 * setup->facts.tick_rate * players);
    CHECK(allocated == 0);
}

TEST_CASE("allocations: a server whose players stay makes fewer than one in four ticks") {
    const std::set<int> before = threads_now();
    const test::TestServer fixture;
    std::set<int> threads = threads_now();
    for (const int id : before) threads.erase(id);
    const auto allocated = [&] {
        std::uint64_t sum = 0;
        for (const int id : threads) sum += test::allocations_in_thread(id);
        return sum;
    };
    server::Loop loop(1);
    headless::HeadlessPlan plan;
    plan.url = fixture.url();
    plan.setup = arena();
    plan.count = players;
    plan.thin = true;
    const headless::HeadlessClients clients(loop, plan);
    const server::Metrics& metrics = fixture.server->metrics();
    REQUIRE(eventually([&] { return metrics.inputs_accepted > 300 * players; }));
    const std::uint64_t allocated_before = allocated();
    const std::uint64_t ticks_before = metrics.ticks;
    REQUIRE(eventually([&] { return metrics.ticks >= ticks_before + 300; }));
    const auto ticks = static_cast<double>(metrics.ticks - ticks_before);
    CHECK(metrics.players == players);
    // Those that remain come from the check of the state, once a second, and from the sweep of connections.
    CHECK(static_cast<double>(allocated() - allocated_before) < 0.25 * ticks);
}

// Under a sanitizer its shadow memory is resident as well.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTEP_HAS_SHADOW_MEMORY
#endif
#endif
#ifndef INSTEP_HAS_SHADOW_MEMORY
TEST_CASE("memory: an empty room holds the states that are, not the largest that could be") {
    // The level with the largest states: 33 of them take 19 MB if each is as large as it can be.
    const auto setup = match::load_builtin_setup("creature", "garden");
    REQUIRE(setup);
    const auto resident = [] {
        std::ifstream file("/proc/self/statm");
        std::uint64_t all = 0;
        std::uint64_t pages = 0;
        file >> all >> pages;
        return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    };
    net::Host warm_up(*setup, 1, net::ReplicationMode::snapshots);  // what rooms of a setup share
    for (int i = 0; i < 120; ++i) warm_up.step();
    const std::uint64_t before = resident();
    net::Host host(*setup, 1, net::ReplicationMode::snapshots);
    for (int i = 0; i < 120; ++i) host.step();
    CHECK(resident() - std::min(before, resident()) < 8 << 20);
}
#endif
