// SPDX-License-Identifier: MIT
// The three stages as a page uses them, with frames of any length.
#include <cmath>
#include <deque>
#include <limits>

#include <instep/browser/describe.h>
#include <instep/browser/local_stage.h>
#include <instep/browser/recorded_stage.h>
#include <instep/browser/remote_stage.h>
#include <instep/match/registry.h>
#include <instep/match/score_board.h>
#include <instep/net/host.h>
#include <instep/present/own_entities.h>
#include <instep/present/position.h>
#include <instep/state/raw_pool.h>
#include <tests/browser/level_text.h>
#include <tests/net/logged_match.h>
#include <tests/support/property.h>

using namespace instep;
using namespace instep::browser;
using math::Vec2;

// --- A match in the page -----------------------------------------------------------------------------------

TEST_CASE("local stage: every level plays with bots and draws shapes") {
    test::for_each_level([](const match::SharedSetup& setup) {
        LocalStage stage(setup, 7, 3);
        for (int frame = 0; frame <= 60; ++frame) stage.advance(frame / 60.0);
        const double ticks = static_cast<double>(stage.match().tick());
        CHECK(std::abs(ticks - setup->facts.tick_rate) <= 2);
        contract::DrawList list;
        stage.draw(list);
        CHECK(!list.shapes.empty());
        CHECK(match::score_board(*setup, stage.shown()).size() == std::min(4u, setup->facts.most_players));
    });
}

TEST_CASE("local stage: the frame rate does not change the hash") {
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

TEST_CASE("local stage: a hidden page catches up by 250 ms at most") {
    LocalStage stage(test::level("bounce", "box"), 1, 2);
    stage.advance(0);
    stage.advance(3600);
    CHECK(stage.match().tick() <= 1 + 0.25 * 60 + 1);
}

TEST_CASE("local stage: a paused match advances by single steps only") {
    LocalStage stage(test::level("flail", "pit"), 1, 2);
    stage.set_speed(0);
    const std::uint64_t tick = stage.match().tick();
    for (int frame = 0; frame < 100; ++frame) stage.advance(frame / 60.0);
    CHECK(stage.match().tick() == tick);
    stage.step(3);
    CHECK(stage.match().tick() == tick + 3);
}

TEST_CASE("local stage: ticks played again after a rewind reach the same hash") {
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

TEST_CASE("local stage: rules change while the match runs, another layout is refused") {
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
    const auto changed = stage.change_rules(*faithful);
    CHECK_MESSAGE(changed.has_value(), (changed ? "" : changed.error().text()));
    CHECK(stage.match().hash() == hash);
    CHECK(stage.setup()->fingerprint == (*faithful)->fingerprint);
    stage.step(10);
    const auto other = stage.change_rules(test::level("flail", "pit"));
    REQUIRE(!other.has_value());
    CHECK(other.error().text().find("restart the match") != std::string::npos);
}

TEST_CASE("local stage: a changed tick rate applies to playing and rewinding") {
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
    REQUIRE(stage.change_rules(with_rate(80)));
    CHECK(ticks_in(2.125, 4.125) == 160);
    const std::uint64_t now = stage.match().tick();
    stage.rewind(1);
    CHECK(now - stage.match().tick() == 80);
}

TEST_CASE("local stage: moving bodies have kinetic energy, bodies at rest have none") {
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
    stage.step(2000);  // a player without input comes to rest
    CHECK(stage.totals().kinetic_energy < 1);
}

TEST_CASE("events: every world has a text for each kind of event") {
    for (const match::WorldTable& world : match::worlds()) {
        CAPTURE(world.name);
        const state::Field* kind = world.event->find("kind");
        REQUIRE(kind);
        CHECK(world.event_texts.size() == kind->rules.labels.size());
    }
}

// --- Looking back ------------------------------------------------------------------------------------------

TEST_CASE("history: a page shows the past while the match goes on, then the present again") {
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

TEST_CASE("history: entries older than ten seconds are dropped") {
    const auto setup = test::level("flail", "pit");
    const match::Match match(setup, 1);
    StateHistory history(setup->layout);
    for (int i = 0; i < 2000; ++i) history.add(i / 60.0, match.state());
    CHECK(history.newest() - history.oldest() <= StateHistory::most_seconds);
    CHECK(history.newest() - history.oldest() > 9);
    CHECK(history.bytes() <= StateHistory::most_bytes);
}

TEST_CASE("history: a large world keeps fewer seconds, within the byte limit") {
    const auto setup = match::load_setup(
        R"({"world": "bounce", "name": "many", "rules": "game", "box": {"width": 90000, "loose_balls": 1000}})",
        "level");
    REQUIRE(setup);
    const match::Match match(*setup, 1);
    REQUIRE(match.image_size() > 40'000);
    StateHistory history((*setup)->layout);
    double time = 0;
    for (int i = 0; i < 1500; ++i) history.add(time += 0.001, match.state());  // more than 60 MB of images
    CHECK(history.bytes() <= StateHistory::most_bytes);
    CHECK(history.bytes() > StateHistory::most_bytes - 2 * match.image_size());
    CHECK(history.newest() == time);
    CHECK(history.oldest() > 0.3);
}

// --- A room on a server ------------------------------------------------------------------------------------

namespace {

constexpr double frame = 1.0 / 60;

// A page and its room, advanced frame by frame.
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

TEST_CASE("remote stage: a page joins a room of every level and plays") {
    test::for_each_level([](const match::SharedSetup& setup) {
        PlayedRoom room(setup);
        room.stage.set_pad({.stick = {0.7, 0.7}, .held = first_button});
        room.play(3);
        CHECK(room.stage.has_state());
        CHECK(room.stage.own_slot() == room.slot);
        CHECK(room.stage.client().stats().desyncs == 0);
        CHECK(room.stage.client().stats().messages_malformed == 0);
        contract::DrawList list;
        room.stage.draw_ghost(list);
        CHECK(!list.shapes.empty());
    });
}

TEST_CASE(
    "remote stage: while a page looks back, the ghost is the server's state of the time that it shows") {
    const match::SharedSetup setup = test::level("arena", "belt");
    PlayedRoom room(setup);
    room.stage.set_pad({.stick = {0.7, 0.7}});
    room.play(1);
    contract::DrawList ghost;
    room.stage.draw_ghost(ghost);
    const std::vector<Vec2> then = ghost.points;
    room.stage.set_pad({.stick = {-0.7, -0.2}});
    room.play(1);
    room.stage.draw_ghost(ghost);
    CHECK(ghost.points != then);
    // A second and the lead ago; a ghost is at most a snapshot older than what is drawn.
    bool is_found = false;
    for (double back = 1.2; back > 0.8; back -= 0.01) {
        room.stage.look_back(back, room.now);
        room.stage.advance(room.now);
        room.stage.draw_ghost(ghost);
        is_found |= ghost.points == then;
    }
    CHECK(is_found);
    room.stage.look_back(0, room.now);
}

TEST_CASE("remote stage: what a page says is sent, and what is said is taken once") {
    PlayedRoom room(test::level("bounce", "box"));
    CHECK(!room.stage.say("too early"));  // a page without a player says nothing
    room.play(1);
    CHECK(!room.stage.say(""));
    CHECK(room.stage.say("hello"));
    std::optional<net::Say> sent;
    codec::Bytes message;
    while (room.stage.speak(room.now, message))
        if (!sent) sent = net::read_say(message);
    REQUIRE(sent);
    CHECK(sent->text.view() == "hello");
    message.clear();
    net::write(net::Said{.slot = 3, .what = *sent}, message);
    room.stage.receive(message, room.now);
    net::Said said;
    REQUIRE(room.stage.next_said(said));
    CHECK(said == net::Said{.slot = 3, .what = *sent});
    CHECK(!room.stage.next_said(said));
    CHECK(room.stage.client().stats().messages_malformed == 0);
}

TEST_CASE("remote stage: a notice is shown until the next snapshot") {
    PlayedRoom room(test::level("bounce", "box"));
    room.play(1);
    codec::Bytes message;
    net::write(net::Notice{decltype(net::Notice::text)::of("the room stands still")}, message);
    room.stage.receive(message, room.now);
    CHECK(room.stage.client().notice() == "the room stands still");
    room.play(1);
    CHECK(room.stage.client().notice().empty());
    CHECK(room.stage.client().stats().messages_malformed == 0);
}

// The server is 10 ms away, and messages arrive between the frames of a slow page.
TEST_CASE("remote stage: at 20 frames a second the round trip is the link's") {
    const match::SharedSetup setup = test::level("arena", "belt");
    PlayedRoom room(setup);
    net::SimulatedLink up(net::LinkKind::ordered, {.latency = 0.01}, 1);
    net::SimulatedLink down(net::LinkKind::ordered, {.latency = 0.01}, 2);
    const double tick = 1.0 / setup->facts.tick_rate;
    double next_frame = 0.013;
    for (double now = 0; now < 10; now += 0.001) {
        while (const auto arrival = up.receive(now, room.message))
            room.host.receive(room.slot, room.message, *arrival);
        for (; room.due <= now; room.due += tick) {
            room.host.step();
            room.message.clear();
            if (room.host.write_message(room.slot, true, now, room.message)) down.send(room.message, now);
        }
        while (const auto arrival = down.receive(now, room.message))
            room.stage.receive(room.message, *arrival);
        if (now < next_frame) continue;
        next_frame += 0.05;
        room.stage.advance(now);
        const double sent = now + 0.004;  // a frame takes its time
        while (room.stage.speak(sent, room.message)) up.send(room.message, sent);
    }
    const net::Clock& clock = room.stage.client().clock();
    CHECK(clock.round_trip() == doctest::Approx(0.02).epsilon(0.1));
    CHECK(clock.jitter() < 0.003);
}

// Two pages in two equal rooms, until one of them gets input. The server is 300 ms away, so a difference that
// is drawn cannot come from it.
TEST_CASE("prediction: input is drawn with the next tick, however far the server is") {
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
    std::uint64_t frames = 0;     // without a contact of the own ship within a second
    std::uint64_t corrected = 0;  // of those
};

// One page in the arena, and when it was corrected and touched.
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
        constexpr double joining = 5;  // s until the clock has synchronised
        return at > joining &&
               std::ranges::none_of(touched_at, [&](double touch) { return std::abs(at - touch) < 1; });
    }
};

// Two pages in one arena for a minute, over the page's simulated link with 100 ms latency and 20 ms jitter.
// It is an ordered link, like a WebSocket: a lost message is sent again and holds back those behind it.
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

// Frames near a contact are left out: a client cannot predict what another player does to its ship.
TEST_CASE("prediction: over a bad link fewer than one free frame in a thousand is corrected") {
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

TEST_CASE("recorded stage: bytes that are not a recording are refused") {
    CHECK(!RecordedStage::open({}));
    test::for_each_seed(50, [](math::Random& random) {
        codec::Bytes bytes(random.below(400));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
        CHECK(!RecordedStage::open(bytes));
    });
}
