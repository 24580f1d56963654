// SPDX-License-Identifier: MIT
// The three stages as a page uses them: frames of any length, and everything else at any time.
#include <cmath>
#include <deque>
#include <limits>

#include <instep/browser/describe.h>
#include <instep/browser/local_stage.h>
#include <instep/browser/recorded_stage.h>
#include <instep/browser/remote_stage.h>
#include <instep/match/registry.h>
#include <instep/net/host.h>
#include <instep/present/own_entities.h>
#include <instep/present/position.h>
#include <instep/state/raw_pool.h>
#include <tests/browser/level_text.h>
#include <tests/net/rooms.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::browser;
using math::Vec2;

// --- A match of the page's own -----------------------------------------------------------------------------

TEST_CASE("a page of its own plays every level with bots, and has something to draw") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LocalStage stage(setup, 7, 3);
        for (int frame = 0; frame <= 60; ++frame) stage.advance(frame / 60.0);
        const double ticks = static_cast<double>(stage.match().tick());
        CHECK(std::abs(ticks - setup->facts.tick_rate) <= 2);
        contract::DrawList list;
        stage.draw(list);
        CHECK(!list.shapes.empty());
        CHECK(describe_players(*setup, stage.shown()).array()->size() ==
              std::min(4u, setup->facts.most_players));
    });
}

TEST_CASE("the same pads at the same ticks come to the same hash, however long the frames were") {
    const auto play = [](double frame_seconds) {
        LocalStage stage(test::level("arena", "belt"), 3, 5);
        stage.set_pad({.stick = {0.5, 0.8}, .held = first_button});
        double now = 0;
        stage.advance(now);
        while (stage.match().tick() < 200) stage.advance(now += frame_seconds);
        stage.set_speed(0);
        return std::pair(stage.match().tick(), stage.match().hash());
    };
    CHECK(play(1.0 / 60) == play(1.0 / 144));
}

TEST_CASE("a hidden page does not play all that it missed") {
    LocalStage stage(test::level("bounce", "box"), 1, 2);
    stage.advance(0);
    stage.advance(3600);
    CHECK(stage.match().tick() <= 1 + 0.25 * 60 + 1);
}

TEST_CASE("standing still is standing still, and a step is a step") {
    LocalStage stage(test::level("flail", "pit"), 1, 2);
    stage.set_speed(0);
    const std::uint64_t tick = stage.match().tick();
    for (int frame = 0; frame < 100; ++frame) stage.advance(frame / 60.0);
    CHECK(stage.match().tick() == tick);
    stage.step(3);
    CHECK(stage.match().tick() == tick + 3);
}

TEST_CASE("what is rewound comes again, to the same hash") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LocalStage stage(setup, 11, 3);
        stage.set_speed(0);
        stage.step(2 * setup->facts.tick_rate);
        const std::uint64_t tick = stage.match().tick();
        const std::uint64_t hash = stage.match().hash();
        stage.rewind(1);
        CHECK(stage.match().tick() == tick - setup->facts.tick_rate);
        stage.step(setup->facts.tick_rate);
        CHECK(stage.match().hash() == hash);
    });
}

TEST_CASE("rules are exchanged while the match runs, and what cannot be is refused") {
    LocalStage stage(test::level("orbit", "belt"), 1, 2);
    stage.set_speed(0);
    stage.step(10);
    const std::uint64_t hash = stage.match().hash();
    state::Json::Object level;
    const auto text = state::parse_json(test::level_text("orbit", "belt"), "belt");
    for (const auto& [key, value] : *text->object())
        level.emplace_back(key, key == "rules" ? state::Json("faithful") : value);
    const auto faithful = match::load_setup(state::write_json(level), "belt");
    REQUIRE(faithful.has_value());
    const auto retuned = stage.retune(*faithful);
    CHECK_MESSAGE(retuned.has_value(), (retuned ? "" : retuned.error().text()));
    CHECK(stage.match().hash() == hash);
    CHECK(stage.setup()->fingerprint == (*faithful)->fingerprint);
    stage.step(10);
    const auto other = stage.retune(test::level("flail", "pit"));
    REQUIRE(!other.has_value());
    CHECK(other.error().text().find("start it anew") != std::string::npos);
}

TEST_CASE("a match whose rate is changed goes on at the other rate, and is rewound by it") {
    const auto with_rate = [](int rate) {
        const auto setup =
            match::load_setup(R"({"world": "flail", "name": "a", "rules": {"base": "game", "tick_rate": )" +
                                  std::to_string(rate) + "}}",
                              "level");
        REQUIRE(setup);
        return *setup;
    };
    LocalStage stage(with_rate(40), 1, 2);
    const auto ticks_in = [&](double from, double to) {
        const std::uint64_t before = stage.match().tick();
        for (double now = from; now < to; now += 0.125) stage.advance(now);
        return stage.match().tick() - before;
    };
    ticks_in(0, 0.125);
    CHECK(ticks_in(0.125, 2.125) == 80);
    REQUIRE(stage.retune(with_rate(80)));
    CHECK(ticks_in(2.125, 4.125) == 160);
    const std::uint64_t now = stage.match().tick();
    stage.rewind(1);
    CHECK(now - stage.match().tick() == 80);
}

TEST_CASE("in every level with bodies something moves, and what stands still has no energy") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LocalStage stage(setup, 5, 3);
        stage.set_speed(0);
        double most = 0;
        for (int i = 0; i < 60; ++i) {
            stage.step(2);
            most = std::max(most, stage.totals().kinetic_energy);
        }
        CHECK(most > 0);
        CHECK(stage.totals().entities > 0);
    });
    LocalStage stage(test::level("flail", "pit"), 1, 0);
    stage.set_speed(0);
    stage.step(2000);  // whoever does nothing comes to rest
    CHECK(stage.totals().kinetic_energy < 1);
}

TEST_CASE("every world tells of each kind of its events") {
    for (const match::WorldTable& world : match::worlds()) {
        CAPTURE(world.name);
        const state::Field* kind = world.event->find("kind");
        REQUIRE(kind);
        CHECK(world.event_texts.size() == kind->rules.labels.size());
    }
}

// --- Looking back ------------------------------------------------------------------------------------------

TEST_CASE("a page can look back while play goes on, and come back to now") {
    LocalStage stage(test::level("orbit", "belt"), 1, 4);
    const auto shown_tick = [&] { return stage.setup()->world->tick(stage.setup()->layout, stage.shown()); };
    double now = 0;
    for (; now < 4; now += 1.0 / 60) stage.advance(now);
    const std::uint64_t before = shown_tick();
    stage.look_back(2, now);
    for (int frame = 0; frame < 60; ++frame) stage.advance(now += 1.0 / 60);
    CHECK(shown_tick() <= before - 2 * 30 + 2);
    CHECK(shown_tick() >= before - 2 * 30 - 2);
    CHECK(stage.match().tick() > before);
    stage.look_back(0, now);
    stage.advance(now += 1.0 / 60);
    CHECK(shown_tick() > before);
}

TEST_CASE("an album forgets what is older than ten seconds or more than it may hold") {
    const auto setup = test::level("flail", "pit");
    const match::Match match(setup, 1);
    Album album(setup->layout);
    for (int i = 0; i < 2000; ++i) album.add(i / 60.0, match.state());
    CHECK(album.newest() - album.oldest() <= Album::most_seconds);
    CHECK(album.newest() - album.oldest() > 9);
    CHECK(album.bytes() <= Album::most_bytes);
}

TEST_CASE("an album of a large world keeps fewer seconds and no more bytes than it may") {
    const auto setup = match::load_setup(
        R"({"world": "bounce", "name": "many", "rules": "game", "box": {"width": 90000, "loose_balls": 1000}})",
        "level");
    REQUIRE(setup);
    const match::Match match(*setup, 1);
    REQUIRE(match.image_size() > 40'000);
    Album album((*setup)->layout);
    double time = 0;
    for (int i = 0; i < 1500; ++i) album.add(time += 0.001, match.state());  // more than 60 MB of pictures
    CHECK(album.bytes() <= Album::most_bytes);
    CHECK(album.bytes() > Album::most_bytes - 2 * match.image_size());
    CHECK(album.newest() == time);
    CHECK(album.oldest() > 0.3);
}

// --- A room on a server ------------------------------------------------------------------------------------

namespace {

constexpr double frame = 1.0 / 60;

// A page and its room, moved on frame by frame.
struct PlayedRoom {
    net::Host host;
    RemoteStage stage;
    contract::Slot slot = 0;
    double now = 0;
    double due = 0;
    codec::Bytes message;

    explicit PlayedRoom(const match::SharedSetup& setup)
        : host(setup, 1, net::default_replication(setup->facts)), stage(setup) {
        stage.write_hello("Ann", message);
        const auto joined = host.join(net::read_hello(message)->name.view(), net::LinkKind::ordered);
        REQUIRE(joined.has_value());
        slot = *joined;
    }
    void play(double seconds) {
        for (const double end = now + seconds; now < end; now += frame) play_frame();
    }
    void play_frame() {
        for (; due <= now; due += 1.0 / stage.setup()->facts.tick_rate) {
            host.step();
            message.clear();
            if (host.write_message(slot, true, now, message)) stage.receive(message, now);
        }
        stage.advance(now);
        while (stage.speak(now, message)) host.receive(slot, message, now);
    }
    std::vector<Vec2> drawn() const {
        contract::DrawList list;
        stage.draw(list);
        return list.points;
    }
};

}  // namespace

TEST_CASE("a page joins a room and plays in it") {
    test::for_each_level([](const match::SharedSetup& setup) {
        PlayedRoom room(setup);
        room.stage.set_pad({.stick = {0.7, 0.7}, .held = first_button});
        room.play(3);
        CHECK(room.stage.is_there());
        CHECK(room.stage.own_slot() == room.slot);
        CHECK(room.stage.client().stats().desyncs == 0);
        CHECK(room.stage.client().stats().messages_malformed == 0);
        contract::DrawList list;
        room.stage.draw_ghost(list);
        CHECK(!list.shapes.empty());
    });
}

// Two pages in two rooms that are the same until one of them moves its hands. The server is 300 ms away, so
// that nothing that it says can be what is seen.
TEST_CASE("what hands do is drawn with the next tick, however far the server is") {
    test::for_each_level([](const match::SharedSetup& setup) {
        const Pad pads[] = {{.stick = {1, 0}}, {.stick = {-1, 0}}, {.stick = {0, 1}}, {.held = first_button}};
        bool is_seen = false;
        for (const Pad& pad : pads) {
            PlayedRoom still(setup);
            PlayedRoom moved(setup);
            for (PlayedRoom* room : {&still, &moved}) {
                room->stage.set_link(0.3, 0, 0);
                room->play(4);
            }
            REQUIRE(still.drawn() == moved.drawn());
            moved.stage.set_pad(pad);
            // The tick that is due, and the frame that shows it.
            const double wait = 1.0 / setup->facts.tick_rate + frame;
            still.play(wait);
            moved.play(wait);
            is_seen = is_seen || still.drawn() != moved.drawn();
        }
        CHECK(is_seen);
    });
}

namespace {

struct Flown {
    std::uint64_t frames = 0;     // in which nobody touched the own ship within a second
    std::uint64_t corrected = 0;  // of those
};

// One page in the arena, and what it has seen.
struct Flier {
    RemoteStage stage;
    contract::Slot slot;
    Pad pad{};
    std::uint64_t corrections = 0;
    std::vector<double> corrected_at{};
    std::vector<double> touched_at{};

    Flier(const match::SharedSetup& setup, contract::Slot own) : stage(setup), slot(own) {}
    void fly_frame(double now) {
        stage.set_pad(pad);
        stage.advance(now);
        const std::uint64_t count = stage.client().stats().corrections;
        if (count != corrections) corrected_at.push_back(now);
        corrections = count;
        present::EventNotice notice;
        while (stage.next_event(notice)) {
            const state::Json event =
                state::struct_to_json(*stage.setup()->world->event, notice.event.data());
            const std::string& kind = *event.find("kind")->string();
            const bool is_mine = event.find("slot")->number() == slot || event.find("by")->number() == slot;
            const bool is_touch =
                kind == "hit" || kind == "collision" || kind == "explosion" || kind == "respawned";
            if (is_mine && is_touch) touched_at.push_back(now);
        }
    }
    bool is_free(double at) const {
        constexpr double joining = 5;  // s until the clock has settled
        return at > joining &&
               std::ranges::none_of(touched_at, [&](double touch) { return std::abs(at - touch) < 1; });
    }
};

// Two pages in one arena for a minute over 100 ms and 20 ms of jitter, as the page's own sliders make it:
// over a WebSocket, where what is lost is sent again and holds back all behind it.
Flown fly_two(double loss, std::uint64_t seed) {
    const match::SharedSetup setup = test::level("arena", "belt");
    net::Host host(setup, seed, net::ReplicationMode::snapshots);
    math::Random random = math::Random::from_seed(seed);
    codec::Bytes message;
    std::deque<Flier> fliers;
    for (const char* name : {"Ann", "Bob"}) {
        fliers.emplace_back(setup, *host.join(name, net::LinkKind::ordered));
        fliers.back().stage.set_link(0.1, 0.02, loss);
    }
    std::vector<double> frames;
    double due = 1.0 / setup->facts.tick_rate;  // of tick 1
    for (double now = 0; now < 60; now += frame) {
        frames.push_back(now);
        for (; due <= now; due += 1.0 / setup->facts.tick_rate) {
            host.step();
            for (Flier& flier : fliers) {
                message.clear();
                if (host.write_message(flier.slot, true, now, message)) flier.stage.receive(message, now);
            }
        }
        for (Flier& flier : fliers) {
            if (frames.size() % 6 == 0)
                flier.pad = {.stick = {random.uniform(-1, 1), random.uniform(0, 1)},
                             .held = random.below(4) == 0 ? 1u : 0u};
            flier.fly_frame(now);
            while (flier.stage.speak(now, message)) host.receive(flier.slot, message, now);
        }
    }
    Flown flown;
    for (const Flier& flier : fliers) {
        CHECK(flier.stage.client().stats().desyncs == 0);
        CHECK(flier.stage.client().stats().messages_malformed == 0);
        for (const double at : frames) flown.frames += flier.is_free(at) ? 1u : 0u;
        for (const double at : flier.corrected_at) flown.corrected += flier.is_free(at) ? 1u : 0u;
    }
    return flown;
}

}  // namespace

// Frames near a contact are left out: nobody foresees what another does to one's own ship.
TEST_CASE(
    "two pages in one arena over a bad line stay one world and fly their own ships almost uncorrected") {
    CHECK(fly_two(0, 1).corrected == 0);
    Flown lossy;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Flown one = fly_two(0.02, seed);
        lossy.frames += one.frames;
        lossy.corrected += one.corrected;
    }
    REQUIRE(lossy.frames > 10'000);
    CHECK(lossy.corrected * 1000 < lossy.frames);
}

// --- A recorded match --------------------------------------------------------------------------------------

TEST_CASE("what is no recording is refused, and a page goes on") {
    CHECK(!RecordedStage::open({}));
    test::for_each_seed(50, [](math::Random& random) {
        codec::Bytes bytes(random.below(400));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
        CHECK(!RecordedStage::open(bytes));
    });
}
