// SPDX-License-Identifier: MIT
// A cluster for a test: a real Redis, and servers of it in this process.
#pragma once

#include <instep/cluster/cluster.h>

#include <tests/cluster/redis_process.h>
#include <tests/server/log_file.h>
#include <tests/server/test_server.h>

namespace instep::cluster_test {

// A Redis, and what an operator with redis-cli sees and does.
struct Store {
    Store() : client(loop, process.url(), {}, {}) {
        REQUIRE(test::eventually([&] { return client.is_connected(); }));
    }
    cluster::Reply operator()(cluster::Command command) { return ask(client, std::move(command)); }
    std::string field(const std::string& room, const char* name) {
        return (*this)({"HGET", "instep:{" + room + "}:lease", name}).text;
    }
    std::uint64_t number(const std::string& room, const char* name) {
        const std::string text = field(room, name);
        return text.empty() ? 0 : std::stoull(text);
    }
    // A room of another server; `until`: 0 for one that died.
    void put(const std::string& room, const std::string& checkpoint, const std::string& fingerprint,
             std::uint64_t until = 0, const char* holder = "dead") {
        const std::string key = "instep:{" + room + "}:";
        (*this)({"HSET", key + "lease", "epoch", "1", "holder", holder, "until", std::to_string(until),
                 "tick", "0", "address", "ws://127.0.0.1:1", "info",
                 R"({"world":"bounce","level":"box","replication":"snapshots","players":1,"most_players":8,)"
                 R"("fingerprint":")" +
                     fingerprint + "\"}"});
        (*this)({"SET", key + "checkpoint", checkpoint});
        (*this)({"SADD", "instep:rooms", room});
    }

    RedisProcess process;
    server::Loop loop{1};
    cluster::RedisClient client;
};

struct Member {
    struct Plan {
        std::uint32_t most_rooms = 100;
        server::KeyList keys = {};
        // By default leases do not expire however busy the machine is.
        std::chrono::milliseconds lease = 60s;
        server::OnJournalLoss on_loss = server::OnJournalLoss::pause;
    };
    explicit Member(Store& store, const Plan& plan)
        : redis(store.process), server(settings(store, plan), {}, log.log()) {}
    explicit Member(Store& store) : Member(store, Plan{}) {}

    server::ServerSettings settings(const Store& store, const Plan& plan) {
        server::ServerSettings settings = test::loopback();
        settings.limits.most_rooms = settings.limits.most_rooms_per_address = plan.most_rooms;
        settings.limits.empty_room_ms = 600'000;
        settings.keys = plan.keys;
        settings.cluster_secret = std::string(64, 's');
        const cluster::ClusterSettings in_cluster{
            .url = store.process.url(), .login = {}, .on_loss = plan.on_loss, .lease = plan.lease};
        settings.make_directory = [this, in_cluster](server::Loop& loop, server::Lobby& lobby,
                                                     server::Metrics& metrics, server::Log& to) {
            cluster = std::make_shared<cluster::Cluster>(loop, lobby, metrics, to, in_cluster);
            return cluster;
        };
        return settings;
    }
    // The last of a cluster: without Redis it does not wait for another server to take its rooms.
    ~Member() {
        redis.kill_now();
        cluster.reset();
    }
    test::HttpAnswer post(const std::string& target, const std::string& body) const {
        return test::ask(server.server->port(), "POST", target, body);
    }
    std::uint64_t taken() const { return server.server->metrics().rooms_taken_over; }
    std::uint64_t failed() const { return server.server->metrics().take_overs_failed; }

    RedisProcess& redis;
    test::LogFile log;
    std::shared_ptr<cluster::Cluster> cluster;
    test::TestServer server;
};

}  // namespace instep::cluster_test
