// SPDX-License-Identifier: MIT
#include <instep/server/connection_limits.h>

#include <vector>

#include <doctest/doctest.h>

using namespace instep::server;
using Exceeded = ConnectionLimits::Exceeded;

TEST_CASE("connection limits: permits count for their address and in all while they are held") {
    Count gauge{0};
    ConnectionLimits limits(3, 2, &gauge);
    CHECK(limits.empty());
    std::vector<ConnectionLimits::Permit> held;
    for (const char* address : {"a", "a", "b"}) held.push_back(limits.acquire(address).value());
    CHECK(gauge == 3);
    CHECK(limits.acquire("c").error() == Exceeded::total);
    held.pop_back();
    CHECK(limits.acquire("a").error() == Exceeded::per_address);
    CHECK(limits.acquire("b").has_value());
    held.clear();
    CHECK(gauge == 0);
    CHECK(limits.empty());
    CHECK(limits.acquire("a").has_value());
}

TEST_CASE("connection limits: a permit may outlive them") {
    ConnectionLimits::Permit permit;
    {
        ConnectionLimits limits(1, 1);
        permit = limits.acquire("a").value();
    }
    permit.reset();  // a sanitizer would report if the counts were gone
    CHECK(!permit);
}
