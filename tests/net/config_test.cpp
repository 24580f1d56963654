// SPDX-License-Identifier: MIT
#include <instep/net/client.h>
#include <instep/net/host.h>

#include <tests/net/logged_match.h>

#include <cmath>
#include <limits>

using namespace instep;
using namespace instep::net;

TEST_CASE("config: the defaults can be used") { CHECK(check(Config{})); }

TEST_CASE("config: a value that cannot be used is refused by its name") {
    const auto refused = [](const Config& config, const std::string& name) {
        const auto checked = check(config);
        REQUIRE(!checked);
        CHECK(checked.error().where == name);
        CHECK(checked.error().what.starts_with("expected a number from "));
    };
    for (const double value : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e12}) {
        CAPTURE(value);
        refused({.host = {.input_window = value}}, "HostConfig.input_window");
        refused({.host = {.report_interval = value}}, "HostConfig.report_interval");
        refused({.client = {.max_rollback = value}}, "ClientConfig.max_rollback");
        refused({.client = {.smoothing = value}}, "ClientConfig.smoothing");
        refused({.clock = {.settling_time = value}}, "ClockConfig.settling_time");
    }
    refused({.host = {.delta_budget = 0}}, "HostConfig.delta_budget");
    refused({.host = {.cells_per_side = 0}}, "HostConfig.cells_per_side");
    refused({.host = {.margin_interval = 0}}, "HostConfig.margin_interval");
    refused({.host = {.hashes_per_second = 0}}, "HostConfig.hashes_per_second");
    refused({.client = {.max_unacknowledged = 0}}, "ClientConfig.max_unacknowledged");
    refused({.clock = {.kept_probes = 0}}, "ClockConfig.kept_probes");
    CHECK(check(HostConfig{.hashes_per_second = 0}).error().text() ==
          "HostConfig.hashes_per_second: expected a number from 1 to 1048576, got 0");
}

TEST_CASE("config: clients must not report more often than the server judges") {
    CHECK(!check(Config{.host = {.report_interval = 1.1}}));
    CHECK(!check(Config{.client = {.report_interval = 1.0}}));
    CHECK(check(Config{.host = {.report_interval = 0.9}, .client = {.report_interval = 1.0}}));
}

TEST_CASE("config: a host and a client refuse a config that they cannot use, and say why") {
    const match::SharedSetup setup = test::level("orbit", "belt");
    Host host(setup, 1, ReplicationMode::snapshots, {.margin_interval = 0, .hashes_per_second = 0});
    const auto slot = host.join("player", LinkKind::ordered);
    REQUIRE(!slot);
    CHECK(slot.error().text().starts_with("HostConfig.margin_interval: "));
    CHECK(!host.watch(LinkKind::ordered));
    for (int i = 0; i < 10; ++i) host.step();  // divides by neither

    Host other(setup, 1, ReplicationMode::snapshots);
    const auto joined = other.join("player", LinkKind::ordered);
    REQUIRE(joined);
    Client client(setup, LinkKind::ordered, {.client = {.smoothing = 0}});
    CHECK(client.refusal().starts_with("ClientConfig.smoothing: "));
    codec::Bytes message;
    while (message.empty()) {
        other.step();
        other.write_message(*joined, true, 0, message);
    }
    client.receive(message, 0);
    CHECK(client.decoder() == nullptr);
}
