// SPDX-License-Identifier: MIT
// A trap follows from the time alone, so a client must draw it at the time of the own player that it can
// hurt.
#include <foothold/foothold.h>
#include <foothold/trap.h>

#include <doctest/doctest.h>

#include <tests/net/peers.h>

#include <algorithm>
#include <cmath>

using namespace instep;
using namespace instep::worlds::foothold;

namespace {

constexpr std::size_t swinging = 0;  // town's traps: the spike ball, then the circling ball
constexpr std::size_t circling = 1;

Vec2 middle_of(const Box& box) { return {(box.left + box.right) / 2, (box.top + box.bottom) / 2}; }

// The position of a trap in the step that makes this tick.
Vec2 colliding_at(std::size_t trap, const Setup& setup, double tick) {
    return middle_of(box_of(setup.traps[trap], setup, tick * 1000 / setup.rules.tick_rate));
}

// The middle of the n-th star in the picture: moving traps are drawn as stars of 16 points.
Vec2 drawn_star(const contract::DrawList& list, std::size_t n) {
    for (const contract::Shape& shape : list.shapes) {
        if (shape.kind != contract::ShapeKind::polygon || shape.point_count != 16 || n-- > 0) continue;
        Vec2 sum;
        for (const Vec2 point : list.points_of(shape)) sum += point;
        return sum / 16;
    }
    FAIL("there is no such star");
    return {};
}

struct Offsets {
    double largest = 0;           // px, of drawn traps from colliding ones
    std::vector<double> by_past;  // px, if traps were drawn by the time of the other players
};

Offsets measure(double latency) {
    const match::SharedSetup shared = test::level("foothold", "town");
    const Setup& setup = *static_cast<const Setup*>(shared->value.get());
    test::Room room(shared, net::ReplicationMode::snapshots, net::LinkKind::ordered);
    test::Peer& peer = room.add(latency);
    room.run(3);
    Offsets offsets;
    state::Block picture(shared->layout);
    room.run(3, [&] {
        const auto times = peer.client.draw(room.time + 1000, picture.data());
        if (!times) return;
        REQUIRE(times->own == peer.slot);
        contract::DrawList list;
        shared->world->view(shared->value.get(), shared->layout, picture.data(), *times, list);
        // The own player is drawn between the last predicted tick and the next.
        const auto tick = static_cast<double>(peer.client.predicted_tick());
        const double part = std::clamp(peer.client.clock().time() * setup.rules.tick_rate - tick, 0.0, 1.0);
        for (const std::size_t trap : {swinging, circling}) {
            const Vec2 from = colliding_at(trap, setup, tick);
            const Vec2 hurts = from + (colliding_at(trap, setup, tick + 1) - from) * part;
            offsets.largest = std::max(offsets.largest, distance(drawn_star(list, trap), hurts));
        }
        contract::DrawList past;
        shared->world->view(shared->value.get(), shared->layout, picture.data(), {times->past, times->past},
                            past);
        offsets.by_past.push_back(distance(drawn_star(past, circling), colliding_at(circling, setup, tick)));
    });
    REQUIRE(offsets.by_past.size() > 1000);
    return offsets;
}

}  // namespace

TEST_CASE("draw times: a moving trap is drawn within 2 px of where it hurts the own player") {
    for (const double latency : {0.0, 0.05, 0.1}) {  // s, one way
        CAPTURE(latency);
        Offsets offsets = measure(latency);
        CHECK(offsets.largest < 2);
        // The check can fail: by the time of the other players the trap would stand far from there.
        std::nth_element(offsets.by_past.begin(), offsets.by_past.begin() + std::ssize(offsets.by_past) / 2,
                         offsets.by_past.end());
        CHECK(offsets.by_past[offsets.by_past.size() / 2] > 10);
    }
}
