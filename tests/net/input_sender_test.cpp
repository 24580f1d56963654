// SPDX-License-Identifier: MIT
#include <instep/net/input_sender.h>

#include <tests/net/logged_match.h>

using namespace instep;
using namespace instep::net;

namespace {

struct Sender : InputSender {
    explicit Sender(LinkKind link, const ClientConfig& config = {})
        : InputSender(*test::level("arena", "belt"), link, config) {}

    void add_ticks(std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t tick = first; tick <= last; ++tick) {
            const std::byte keys[4] = {static_cast<std::byte>(tick % 2)};
            add(tick, keys);
        }
    }
    InputMessage send(double now = 0) {
        InputMessage message;
        write(message, now);
        return message;
    }
};

}  // namespace

TEST_CASE("input sender: an ordered link sends each input once, in ticks that follow one another") {
    Sender sender(LinkKind::ordered);
    CHECK(!sender.has_unsent());
    sender.add_ticks(7, 9);
    CHECK(sender.has_unsent());
    InputMessage message = sender.send();
    CHECK(message.first_tick == 7);
    CHECK(message.first_sequence == 1);
    CHECK(message.count == 3);
    CHECK(message.inputs.size() == 12);
    CHECK(message.inputs[0] == std::byte{1});
    CHECK(message.inputs[4] == std::byte{0});
    CHECK(!sender.has_unsent());
    CHECK(sender.send().count == 0);
    sender.add_ticks(10, 10);
    message = sender.send();
    CHECK(message.first_tick == 10);
    CHECK(message.first_sequence == 4);
    CHECK(message.count == 1);
    sender.add_ticks(11, 11);
    sender.add_ticks(20, 21);  // after ticks that were skipped
    message = sender.send();
    CHECK(message.first_tick == 20);
    CHECK(message.count == 2);
}

TEST_CASE("input sender: over datagrams a message repeats what is not acknowledged") {
    Sender sender(LinkKind::datagram);
    sender.add_ticks(1, 4);
    CHECK(sender.send().count == 4);
    sender.add_ticks(5, 5);
    CHECK(sender.send().count == 5);
    sender.acknowledge(3);
    sender.add_ticks(6, 6);
    const InputMessage message = sender.send();
    CHECK(message.first_sequence == 4);
    CHECK(message.count == 3);
    sender.acknowledge(200);  // of an input that was never sent
    sender.add_ticks(7, 7);
    CHECK(sender.send().count == 4);
    sender.add_ticks(8, 300);
    CHECK(sender.send().count == max_repeated_inputs);
    sender.acknowledge(static_cast<std::uint8_t>(299));  // the low bits
    sender.add_ticks(301, 301);
    CHECK(sender.send().count == 2);
}

TEST_CASE("input sender: it keeps a bounded number of unacknowledged inputs") {
    Sender sender(LinkKind::datagram, {.max_unacknowledged = 5});
    sender.add_ticks(1, 100);
    const InputMessage message = sender.send();
    CHECK(message.count == 5);
    CHECK(message.first_tick == 96);
    CHECK(message.first_sequence == 96);
}

TEST_CASE("input sender: a predicted hash goes with the inputs that end in its snapshot, once") {
    Sender sender(LinkKind::ordered);
    REQUIRE(test::level("arena", "belt")->facts.snapshot_every == 3);
    sender.add_ticks(5, 6);
    sender.set_predicted_hash({2, 77});
    CHECK(sender.send().predicted_hash == 77);
    sender.add_ticks(7, 7);
    CHECK(!sender.send().predicted_hash);
    sender.add_ticks(8, 9);
    sender.set_predicted_hash({3, 78});
    sender.add_ticks(10, 12);
    CHECK(!sender.send().predicted_hash);
}

TEST_CASE("input sender: without inputs it asks for a message ten times a second") {
    Sender sender(LinkKind::ordered);
    CHECK(sender.wants_keep_alive(0));
    sender.send(3);
    CHECK(!sender.wants_keep_alive(3.05));
    CHECK(sender.wants_keep_alive(3.11));
}
