// SPDX-License-Identifier: MIT
#include <instep/headless/thin_client.h>

#include <instep/net/host.h>

#include <tests/net/logged_match.h>

using namespace instep;

namespace {

// A host and a thin client without a delay between them.
struct ThinRoom {
    match::SharedSetup setup = test::level("orbit", "belt");
    net::Host host{setup, 1, net::ReplicationMode::snapshots};
    contract::Slot slot = host.join("thin", net::LinkKind::ordered).value();
    headless::ThinClient client{setup, 1};
    double time = 0;
    double offset = 0;  // of room time

    void run(double seconds, bool host_runs = true) {
        const double step = 1.0 / setup->facts.tick_rate;
        codec::Bytes message;
        for (const double end = time + seconds; time < end; time += step) {
            message.clear();
            while (client.write_message(time, message)) {
                waiting.push_back(std::move(message));
                message.clear();
            }
            if (!host_runs) continue;
            for (const codec::Bytes& sent : waiting) host.receive(slot, sent, time - offset);
            waiting.clear();
            host.step();
            while (host.write_message(slot, true, time - offset, message)) {
                client.receive(message, time);
                message.clear();
            }
        }
    }
    std::vector<codec::Bytes> waiting;
};

}  // namespace

TEST_CASE("thin client: after a pause of the server it makes its inputs again") {
    ThinRoom room;
    room.run(4);
    REQUIRE(room.host.last_played(room.slot) == room.host.match().tick());
    room.run(3, false);
    room.offset = 3;
    room.host.step_back_time();
    room.run(0.3);
    CHECK(room.host.last_played(room.slot) == room.host.match().tick());
}
