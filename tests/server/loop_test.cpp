// SPDX-License-Identifier: MIT
#include <instep/server/loop.h>

#include <doctest/doctest.h>

using namespace instep::server;

TEST_CASE("loop: a socket is assigned to the thread with the fewest") {
    Loop loop(3);
    const auto a = loop.assign_io_thread();
    auto b = loop.assign_io_thread();
    const auto c = loop.assign_io_thread();
    CHECK(&a.context != &b.context);
    CHECK(&b.context != &c.context);
    CHECK(&c.context != &a.context);
    const auto fourth = loop.assign_io_thread();  // all have two leases
    const auto fifth = loop.assign_io_thread();
    const auto sixth = loop.assign_io_thread();
    auto* left = &b.context;
    b.lease.reset();
    CHECK(&loop.assign_io_thread().context == left);
    CHECK(&loop.assign_io_thread().context == left);  // the first lease ended at once
}

TEST_CASE("loop: a lease of an I/O thread may outlive the loop") {
    std::shared_ptr<void> held;
    {
        Loop loop(1);
        held = loop.assign_io_thread().lease;
    }
    REQUIRE(held.use_count() == 1);
    held.reset();  // a sanitizer would report if the count were gone with the thread
    CHECK(held.use_count() == 0);
}
