// SPDX-License-Identifier: MIT
// The drawn state: the own player moves without jumps, and the others by the server's ticks, whenever their
// snapshots arrived.
#include <instep/net/own_player.h>
#include <instep/present/own_entities.h>
#include <instep/present/position.h>

#include <tests/net/peers.h>

#include <arena/state.h>
#include <instep/state/raw_pool.h>

#include <cmath>
#include <map>

using namespace instep;
using namespace instep::net;
using math::Vec2;
using test::Peer;
using test::Room;

namespace {

struct Shown {
    Vec2 drawn;
    Vec2 predicted;
    std::uint64_t tick = 0;
};

// A ship that is alone in its corner of the arena: nothing there depends on where it is.
class Flight {
public:
    Flight()
        : room_(test::level("arena", "belt"), ReplicationMode::snapshots, LinkKind::ordered),
          peer_(room_.add()) {
        peer_.keys = [this](std::byte* input) {
            const std::uint64_t tick = peer_.client.predicted_tick();
            const worlds::arena::Input keys{.thrust = tick > 60 && tick < 80,
                                            .left = tick > 96 && tick < 110};
            std::memcpy(input, &keys, sizeof keys);
        };
    }
    ClientStats stats() const { return peer_.client.stats(); }

    void fly(double seconds) { room_.run(seconds); }
    // Draws after every so many steps of a quarter of a tick.
    void fly_drawn(double seconds, std::uint32_t every, std::vector<Shown>& frames) {
        state::Block picture(room_.setup->layout);
        std::uint32_t steps = 0;
        room_.run(seconds, [&] {
            if (++steps % every != 0) return;
            REQUIRE(peer_.client.draw(room_.time + 1000, picture.data()));
            frames.push_back(
                {*present::own_position(room_.setup->layout, picture.data(), peer_.slot),
                 *present::own_position(room_.setup->layout, peer_.client.predicted(), peer_.slot),
                 peer_.client.predicted_tick()});
        });
    }
    // On the server, so that the client cannot predict it.
    void push(Vec2 by) {
        auto* block = const_cast<std::byte*>(room_.host.match().state());
        auto* ship = state::RawPool(room_.setup->layout, 0, block).element(0);
        reinterpret_cast<worlds::arena::Player*>(ship)->ship.position += by;
    }

private:
    Room room_;
    Peer& peer_;
};

// Two snapshots, and how far between them a time is.
struct Between {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double part = 0;
};

// Of the received ones, the two around a time; after the last one, the last two, extrapolated by half at
// most.
Between around(const std::vector<std::uint32_t>& received, double snapshots) {
    std::size_t to = 1;
    while (to + 1 < received.size() && received[to] < snapshots) ++to;
    const double part = (snapshots - received[to - 1]) / (received[to] - received[to - 1]);
    return {received[to - 1], received[to], std::clamp(part, 0.0, 1.5)};
}

// A room of bots that keeps the server's state of every snapshot, and compares with it what the first player
// draws of the others.
class Watched {
public:
    Watched(const match::SharedSetup& setup, ReplicationMode kind, LinkKind link, const LinkConditions& line)
        : room_(setup, kind, link), picture_(setup->layout), place_(setup->layout.pools[0]) {
        for (std::uint32_t i = 0; i < 4; ++i) room_.add(line);
        interval_ = static_cast<double>(setup->facts.snapshot_every) / setup->facts.tick_rate;
        // In relay mode replicated states are exact; otherwise they are off by at most one and a half grid
        // steps.
        tolerance_ = kind == ReplicationMode::relay ? 1e-9 : 1.5 * place_.x->rules.precision;
    }
    template <class Check>
    void run(double seconds, Check check) {
        room_.run(seconds, [&] {
            const std::uint64_t tick = room_.host.match().tick();
            const auto number = static_cast<std::uint32_t>(tick / room_.setup->facts.snapshot_every);
            if (tick % room_.setup->facts.snapshot_every == 0 && !truth_.contains(number)) {
                const std::byte* state = room_.host.match().state();
                truth_[number] = codec::Bytes(state, state + room_.setup->layout.size);
            }
            draw(check);
        });
    }
    std::uint64_t compared() const { return compared_; }
    std::uint64_t moving() const { return moving_; }
    double delay() const { return delay_; }

private:
    template <class Check>
    void draw(Check check) {
        const Peer& peer = room_.peers.front();
        Client& client = room_.peers.front().client;
        const double now = room_.time + 1000;
        present::InterpolationDelay delay = client.interpolation_delay();
        delay_ = delay.advance(now - last_draw_);
        last_draw_ = now;
        if (!client.draw(now, picture_.data()) || peer.acknowledged.size() < 2 || room_.time < 2) return;
        CHECK(std::abs(client.clock().room_time(now) - room_.time) < 0.03);
        const Between between =
            around(peer.acknowledged, (client.clock().room_time(now) - delay_) / interval_);
        check(between);
        compare(between);
    }
    void compare(const Between& between) {
        const state::Layout& layout = room_.setup->layout;
        const auto from = state::RawPool::looking_at(layout, 0, truth_.at(between.from).data());
        const auto to = state::RawPool::looking_at(layout, 0, truth_.at(between.to).data());
        const auto drawn = state::RawPool::looking_at(layout, 0, picture_.data());
        REQUIRE(drawn.size() == to.size());
        const state::Field* owner = layout.pools[0].element->find(layout.pools[0].kind.owner);
        const double tolerance = tolerance_ * (between.part + std::abs(1 - between.part));
        for (std::uint32_t index = 0; index < to.size(); ++index) {
            if (number_at(*owner, to.element(index)) == room_.peers.front().slot) continue;
            const Vec2 there = *place_.of(to.element(index));
            const std::byte* before = from.find(to.handle_at(index));
            const Vec2 here = before ? *place_.of(before) : there;
            const bool jumped = distance(here, there) > room_.setup->facts.teleport_distance;
            const Vec2 expected = jumped ? there : here + (there - here) * between.part;
            const Vec2 shown = *place_.of(drawn.find(to.handle_at(index)));
            REQUIRE(std::abs(shown.x - expected.x) <= tolerance);
            REQUIRE(std::abs(shown.y - expected.y) <= tolerance);
            ++compared_;
            if (distance(here, there) > 4 * tolerance_) ++moving_;
        }
    }

    Room room_;
    state::Block picture_;
    present::PositionFields place_;
    std::map<std::uint32_t, codec::Bytes> truth_;
    double interval_ = 0;
    double tolerance_ = 0;
    double last_draw_ = 0;
    double delay_ = 0;
    std::uint64_t compared_ = 0;
    std::uint64_t moving_ = 0;
};

}  // namespace

TEST_CASE("drawing: a correction is predicted at once and fades into the picture") {
    for (const std::uint32_t every : {1u, 4u}) {  // 240 and 60 frames a second
        CAPTURE(every);
        const double frame = every / 240.0;
        const Vec2 push{1.8, -2.4};
        std::vector<Shown> calm;
        std::vector<Shown> pushed;
        Flight undisturbed;
        Flight disturbed;
        for (const auto& [flight, frames] : {std::pair{&undisturbed, &calm}, {&disturbed, &pushed}}) {
            flight->fly(1.4);
            flight->fly_drawn(0.1, every, *frames);
            if (flight == &disturbed) flight->push(push);
            flight->fly_drawn(1, every, *frames);
        }
        REQUIRE(calm.size() == pushed.size());
        CHECK(distance(calm.front().drawn, calm.back().drawn) > 3);
        CHECK(undisturbed.stats().corrections == 0);
        CHECK(disturbed.stats().corrections == 1);
        CHECK(disturbed.stats().largest_correction == doctest::Approx(3));

        // The part of the push that is not drawn yet.
        const auto missing = [&](std::size_t i) { return push - (pushed[i].drawn - calm[i].drawn); };
        std::size_t corrected = 0;
        while (pushed[corrected].predicted == calm[corrected].predicted) {
            REQUIRE(pushed[corrected].drawn == calm[corrected].drawn);
            REQUIRE(++corrected < pushed.size());
        }
        REQUIRE(corrected > 0);
        for (std::size_t i = corrected; i < pushed.size(); ++i) {
            REQUIRE(pushed[i].tick == calm[i].tick);
            REQUIRE(distance(pushed[i].predicted, calm[i].predicted + push) < 1e-9);
            const double more = distance(missing(i - 1), missing(i));
            REQUIRE(length(missing(i)) < length(missing(i - 1)));
            REQUIRE(more <= length(missing(i - 1)) * frame / ClientConfig{}.smoothing);
            const double since = static_cast<double>(i - corrected) * frame;
            if (since >= 0.5) REQUIRE(length(missing(i)) < 0.05 * 3);
        }
        CHECK(length(missing(corrected)) > 0.8 * 3);
    }
}

TEST_CASE("drawing: a shot appears in the frame in which it is fired, at its ship") {
    Room room(test::level("arena", "belt"), ReplicationMode::snapshots, LinkKind::ordered);
    Peer& shooter = room.add(0.025);
    for (int others = 0; others < 3; ++others) room.add(0.025);
    shooter.keys = [&](std::byte* input) {
        const std::uint64_t tick = shooter.client.predicted_tick();
        const worlds::arena::Input keys{.thrust = tick > 60 && tick < 80,
                                        .fire = tick >= 100 && tick % 29 < 19};
        std::memcpy(input, &keys, sizeof keys);
    };
    const state::Layout& layout = room.setup->layout;
    constexpr std::size_t shots_pool = 2;
    REQUIRE(layout.pools[shots_pool].name == "shots");
    const auto own_shots = [&](const std::byte* block) {
        const auto pool = state::RawPool::looking_at(layout, shots_pool, block);
        std::vector<const worlds::arena::Shot*> own;
        for (std::uint32_t index = 0; index < pool.size(); ++index) {
            const auto* shot = reinterpret_cast<const worlds::arena::Shot*>(pool.element(index));
            if (shot->owner == shooter.slot) own.push_back(shot);
        }
        return own;
    };
    state::Block picture(layout);
    bool has_fired = false;
    bool is_true = false;  // on the server too
    room.run(5, [&] {
        is_true |= !own_shots(room.host.match().state()).empty();
        if (!shooter.client.draw(room.time + 1000, picture.data())) return;
        const auto drawn = own_shots(picture.data());
        REQUIRE(drawn.size() == own_shots(shooter.client.predicted())
                                    .size());  // no shot of the next tick, which an input may still prevent
        if (shooter.client.predicted_tick() <= 100) {
            REQUIRE(drawn.empty());
        } else if (!has_fired) {
            has_fired = true;
            REQUIRE(drawn.size() == 1);
            const Vec2 ship = *present::own_position(layout, picture.data(), shooter.slot);
            CHECK(distance(drawn.front()->flight.position, ship) < 2);
        }
    });
    CHECK(has_fired);
    CHECK(is_true);
}

TEST_CASE("drawing: others are where the server had them a delay ago, however unevenly snapshots arrive") {
    for (const auto& [world, level] : {std::pair{"orbit", "belt"}, {"foothold", "town"}})
        for (const ReplicationMode kind : {ReplicationMode::snapshots, ReplicationMode::relay})
            for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
                CAPTURE(std::string(world));
                CAPTURE(name_of(kind));
                CAPTURE(name_of(link));
                Watched watched(test::level(world, level), kind, link, {.latency = 0.01, .jitter = 0.025});
                watched.run(6, [](const Between& between) {
                    REQUIRE(between.to == between.from + 1);
                    REQUIRE(between.part <= 1);
                });
                CHECK(watched.compared() > 1000);
                CHECK(watched.moving() > watched.compared() / 2);
                CHECK(watched.delay() < 0.14);
            }
}

TEST_CASE(
    "drawing: where snapshots are lost, others are drawn between the ones that came, with a longer delay") {
    for (const LinkKind link : {LinkKind::ordered, LinkKind::datagram}) {
        CAPTURE(name_of(link));
        Watched watched(test::level("orbit", "belt"), ReplicationMode::snapshots, link,
                        {.latency = 0.02, .jitter = 0.02, .loss = 0.15});
        std::uint64_t over_gaps = 0;
        std::uint64_t ahead = 0;
        watched.run(10, [&](const Between& between) {
            if (between.to > between.from + 1) ++over_gaps;
            if (between.part > 1) ++ahead;
        });
        CHECK(watched.compared() > 1000);
        CHECK(watched.moving() > watched.compared() / 2);
        CHECK((over_gaps > 0) == (link == LinkKind::datagram));
        CHECK(ahead > 0);
        CHECK(watched.delay() > 0.14);
        CHECK(watched.delay() <= 0.27);  // four intervals of a fifteenth of a second
    }
}
