// SPDX-License-Identifier: MIT
#include <instep/server/loop.h>

#include <doctest/doctest.h>

using namespace instep::server;

TEST_CASE("whoever comes is given the thread for sockets that the fewest hold") {
    Loop loop(3);
    const auto a = loop.take_sockets();
    auto b = loop.take_sockets();
    const auto c = loop.take_sockets();
    CHECK(&a.context != &b.context);
    CHECK(&b.context != &c.context);
    CHECK(&c.context != &a.context);
    const auto fourth = loop.take_sockets();  // all were even
    const auto fifth = loop.take_sockets();
    const auto sixth = loop.take_sockets();
    auto* left = &b.context;
    b.held.reset();
    CHECK(&loop.take_sockets().context == left);
    CHECK(&loop.take_sockets().context == left);  // it was let go of at once
}

TEST_CASE("a hold on a thread for sockets may outlive its loop") {
    std::shared_ptr<void> held;
    {
        Loop loop(1);
        held = loop.take_sockets().held;
    }
    REQUIRE(held.use_count() == 1);
    held.reset();  // one less on a thread that is gone: a sanitizer would tell if its count were, too
    CHECK(held.use_count() == 0);
}
