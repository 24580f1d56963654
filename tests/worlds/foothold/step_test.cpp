// SPDX-License-Identifier: MIT
// Players, mobs, drops, traps and portals, one behaviour at a time.
#include <instep/worlds/foothold/combat.h>
#include <instep/worlds/foothold/drop.h>
#include <instep/worlds/foothold/foothold.h>
#include <instep/worlds/foothold/mob.h>
#include <instep/worlds/foothold/trap.h>

#include <doctest/doctest.h>

#include <tests/support/property.h>
#include <tests/worlds/foothold/support.h>

#include <algorithm>
#include <cmath>

using namespace instep;
using namespace instep::worlds::foothold;
using test::FootholdMatch;

namespace {

Setup plain_setup(const Rules& rules = game) { return test::foothold_setup(rules, test::two_storeys()); }

// A player who stands on the upper platform.
Player& settle(FootholdMatch& match, Vec2 at = {0, -5}) {
    Player& player = match.join(0);
    place(player, at, match.setup);
    match.run(60);
    REQUIRE(player.body.on_ground);
    return player;
}

MobHome home_at(Setup& setup, const MobKind& kind, Vec2 position, std::int32_t foothold) {
    setup.mob_kinds.push_back(kind);
    MobHome home{.kind = static_cast<std::uint32_t>(setup.mob_kinds.size() - 1), .position = position};
    home.spawn.position = position;
    home.spawn.foothold = foothold;
    if (foothold != 0) find_footing(setup.ground, foothold, home.position, home.foothold, home.on_ground);
    setup.mobs.push_back(home);
    return home;
}

void add_trap(Setup& setup, Vec2 position, std::int32_t damage, const Box& box = {-20, -20, 20, 20}) {
    setup.trap_kinds.push_back({.damage = damage});
    TrapAnimation animation;
    animation.frames.push_back({.box = box});
    animation.length = 100;
    setup.trap_animations.push_back(animation);
    setup.traps.push_back({position, static_cast<std::uint32_t>(setup.trap_kinds.size() - 1), false});
}

}  // namespace

TEST_CASE("a player walks while a key is held and stops when it is not") {
    for (const Rules& rules : {faithful, faithful_web, game}) {
        FootholdMatch match(plain_setup(rules));
        Player& player = settle(match);
        match.inputs[0].right = true;
        match.run(100);
        CHECK(player.body.position.x > 50);
        CHECK(player.facing_right);
        CHECK(player.stance == Stance::walk);
        match.inputs[0].right = false;
        match.run(60);
        CHECK(player.body.velocity.x == 0);
        CHECK(player.stance == Stance::stand);
    }
}

TEST_CASE("a jump takes a player off the ground and brings it back, once a press in the reference") {
    for (const Rules& rules : {faithful, game}) {
        FootholdMatch match(plain_setup(rules));
        Player& player = settle(match);
        match.inputs[0].jump = true;
        double highest = 0;
        int jumps = 0;
        for (int i = 0; i < 300; ++i) {
            match.step();
            jumps += match.count(EventKind::jumped);
            highest = std::min(highest, player.body.position.y);
        }
        CHECK(highest < -60);
        CHECK(player.body.on_ground);
        CHECK(jumps == 1);
    }
}

TEST_CASE("down and jump drops through a platform, and not through ground that forbids it") {
    for (const bool forbidden : {false, true}) {
        auto segments = test::two_storeys();
        for (auto& segment : segments) segment.no_drop = forbidden;
        FootholdMatch match(test::foothold_setup(game, segments));
        Player& player = settle(match);
        match.inputs[0].down = true;
        match.run(20);
        CHECK(player.stance == Stance::prone);
        match.inputs[0].jump = true;
        match.run(200);
        CHECK(player.body.position.y == (forbidden ? 0 : 300));
    }
}

TEST_CASE("a ladder is climbed up and down, and a jump leads off it") {
    for (const Rules& rules : {faithful, game}) {
        Setup setup = plain_setup(rules);
        setup.ladders.push_back({0, 2, 295, false, {}});
        FootholdMatch match(setup);
        Player& player = settle(match, {4, 290});
        match.inputs[0].up = true;
        match.run(600);
        CHECK(player.body.position.y == 0);
        CHECK(player.body.position.x == 0);
        match.inputs[0] = {.down = true};
        match.run(100);
        CHECK(player.stance == Stance::ladder);
        CHECK(player.body.position.y > 50);
        match.inputs[0] = {.right = true, .jump = true};
        match.run(2);
        CHECK(player.stance == Stance::fall);
        CHECK(player.body.velocity.x > 0);
        match.inputs[0] = {.up = true};
        match.run(20);
        CHECK(!player.climbing());  // not again for a second
    }
}

TEST_CASE("in water one swims, and comes out of it at the surface") {
    Setup setup = plain_setup();
    setup.water.push_back({-600, 100, 600, 400});
    FootholdMatch match(setup);
    Player& player = match.join(0);
    place(player, {400, 90}, match.setup);
    match.run(60);
    CHECK(player.stance == Stance::swim);
    CHECK(player.body.velocity.y < 1);
    match.inputs[0].up = true;
    double highest = 1000;
    for (int i = 0; i < 400; ++i) {
        match.step();
        highest = std::min(highest, player.body.position.y);
    }
    CHECK(highest < 100);
    CHECK(highest > 40);
}

TEST_CASE("a long fall hurts, by a tenth for each 500 px, and kills nobody") {
    std::vector<motion::FootholdSegment> cliff{{1, 1, 0, -300, -1300, 0, -1300, 0, 0, false},
                                               {2, 1, 0, -600, 0, 600, 0, 0, 0, false}};
    FootholdMatch match(test::foothold_setup(game, cliff));
    Player& player = match.join(0);
    place(player, {-40, -1310}, match.setup);
    player.health = 15;
    match.run(60);
    match.inputs[0].right = true;
    bool was_hurt = false;
    for (int i = 0; i < 500; ++i) {
        match.step();
        was_hurt = was_hurt || match.count(EventKind::hurt) > 0;
    }
    CHECK(was_hurt);
    CHECK(player.health == 1);
    CHECK(player.alive());
}

TEST_CASE("who falls out of the map starts again") {
    std::vector<motion::FootholdSegment> island{{1, 1, 0, -100, 0, 100, 0, 0, 0, false},
                                                {2, 1, 0, 900, 0, 1000, 0, 0, 0, false}};
    FootholdMatch match(test::foothold_setup(game, island));
    Player& player = settle(match);
    match.inputs[0].right = true;
    bool fell = false;
    for (int i = 0; i < 600 && !fell; ++i) {
        match.step();
        fell = match.count(EventKind::fell_out) > 0;
    }
    CHECK(fell);
    CHECK(player.body.position.y < 0);
    CHECK(player.health < match.setup.rules.most_health);
}

TEST_CASE("the touch box is lower and wider for one who lies or sits") {
    Player player;
    player.stance = Stance::stand;
    CHECK(touch_box(player, {0, 0}).top == -50);
    CHECK(touch_box(player, {0, 0}).right == 12);
    player.stance = Stance::prone;
    CHECK(touch_box(player, {0, 0}).top == -28);
    CHECK(touch_box(player, {0, 0}).left == -18);
}

TEST_CASE("a fast player cannot pass through a trap between two ticks") {
    Setup setup = plain_setup();
    add_trap(setup, {0, -100}, 5, {-2, -2, 2, 2});
    FootholdMatch match(setup);
    Player& player = match.join(0);
    place(player, {0, -180}, match.setup);
    player.body.velocity = {0, 200};  // from above it to below it in one tick
    player.hurt_at = 0;
    match.step();
    CHECK(player.health == match.setup.rules.most_health - 5);
}

TEST_CASE("damage respects invincibility, whatever the order of traps and mobs") {
    test::for_each_seed(60, [](math::Random& random) {
        Setup setup = plain_setup();
        const int traps = 1 + static_cast<int>(random.below(4));
        for (int i = 0; i < traps; ++i)
            add_trap(setup, {random.uniform(-30, 30), -20}, 1 + static_cast<std::int32_t>(random.below(9)));
        for (std::uint32_t i = 0; i < random.below(4); ++i)
            home_at(setup, {.touch_attack = 1 + static_cast<std::int32_t>(random.below(9))},
                    {random.uniform(-30, 30), 0}, 2);
        FootholdMatch match(setup, random.next());
        Player& player = match.join(0);
        place(player, {0, -1}, match.setup);
        int hits = 0;
        int last = -1000;
        for (int tick = 0; tick < 1500; ++tick) {
            match.inputs[0].left = random.below(2) == 0;
            match.inputs[0].right = random.below(2) == 0;
            match.step();
            const int now = match.count(EventKind::hurt);
            REQUIRE(now <= 1);
            if (now == 1) {
                REQUIRE(tick - last >= 250);  // 2000 ms
                last = tick;
                ++hits;
            }
            if (player.body.on_ground) place(player, {0, -1}, match.setup);
        }
        CHECK(hits > 0);
    });
}

TEST_CASE("a hit throws a player away from what hit it, and off its feet") {
    for (const double side : {-10.0, 10.0}) {
        FootholdMatch match(plain_setup());
        Player& player = settle(match);
        contract::Events<Event> events(match.room);
        const Moment moment{match.setup, Clock::of(match.state, match.setup), events};
        CHECK(hurt(player, 7, player.body.position.x + side, moment));
        CHECK(player.health == match.setup.rules.most_health - 7);
        CHECK(player.body.velocity == Vec2{side > 0 ? -1.5 : 1.5, -3.5});
        CHECK(!player.body.on_ground);
        CHECK(!hurt(player, 7, 0, moment));
        CHECK(player.health == match.setup.rules.most_health - 7);
    }
}

TEST_CASE("after a hit no ladder can be taken for 600 ms") {
    Setup setup = plain_setup();
    setup.ladders.push_back({0, -200, 295, false, {}});
    FootholdMatch match(setup);
    Player& player = settle(match);
    player.hurt_at = static_cast<std::uint32_t>(match.state.head->tick);
    match.inputs[0].up = true;
    match.run(70);
    CHECK(!player.climbing());
    match.run(10);
    CHECK(player.climbing());
}

TEST_CASE("the dead come back after a while with all of their health") {
    Setup setup = plain_setup();
    setup.rules.death_cost = 3;
    FootholdMatch match(setup);
    Player& player = settle(match);
    contract::Events<Event> events(match.room);
    hurt(player, 100'000, 0, {match.setup, Clock::of(match.state, match.setup), events});
    CHECK(!player.alive());
    CHECK(player.score == -3);
    match.run(380);
    CHECK(player.alive());
    CHECK(player.health == match.setup.rules.most_health);
}

TEST_CASE(
    "an attack hits the nearest mob in reach, which staggers, chases, dies, drops something and returns") {
    Setup setup = plain_setup();
    setup.rules.mobs_wander = false;
    home_at(setup, {.health = 20, .score = 4, .drop_value = 3, .touch_hurts = false}, {90, 0}, 2);
    home_at(setup, {.health = 20, .touch_hurts = false}, {-60, 0}, 2);
    FootholdMatch match(setup);
    Player& player = settle(match);
    player.facing_right = true;
    match.inputs[0].attack = true;
    match.step();
    Mob& mob = match.state.mobs[0];
    CHECK(mob.stance == MobStance::hit);
    CHECK(mob.health < 20);
    CHECK(match.state.mobs[1].health == 20);  // nearer, but behind
    match.inputs[0] = {};
    const double before = mob.body.position.x;
    match.run(31);
    CHECK(mob.body.position.x - before == doctest::Approx(27).epsilon(0.05));
    match.run(200);
    CHECK(mob.prey == 0);
    CHECK(mob.body.position.x < before + 27);
    match.inputs[0].attack = true;
    for (int i = 0; i < 600 && mob.alive(); ++i) {
        player.facing_right = mob.body.position.x > player.body.position.x;
        match.step();
    }
    CHECK(!mob.alive());
    CHECK(player.score == 4);
    CHECK(match.state.drops.size() == 1);
    match.inputs[0] = {};
    match.run(1200);
    CHECK(mob.alive());
    CHECK(mob.health == 20);
}

TEST_CASE("a drop comes to rest, bobs, and is picked up by who asks for it") {
    FootholdMatch match(plain_setup());
    Player& player = settle(match);
    contract::Events<Event> events(match.room);
    const Moment moment{match.setup, Clock::of(match.state, match.setup), events};
    leave_drop(match.state, {0, 0}, 5, moment);
    REQUIRE(match.state.drops.size() == 1);
    match.run(150);
    CHECK(match.state.drops[0].stance == DropStance::floating);
    CHECK(std::abs(match.state.drops[0].body.position.y) < 6);
    match.inputs[0].pick_up = true;
    match.run(2);
    CHECK(player.score == 5);
    CHECK(match.state.drops[0].stance == DropStance::picked_up);
    match.run(60);
    CHECK(match.state.drops.empty());
}

TEST_CASE("where there is no room for another drop, the oldest goes") {
    Setup setup = plain_setup();
    setup.map.most_drops = 3;
    FootholdMatch match(setup);
    for (std::int32_t value = 1; value <= 5; ++value) {
        contract::Events<Event> events(match.room);
        leave_drop(match.state, {0, 0}, value, {match.setup, Clock::of(match.state, match.setup), events});
        match.step();
    }
    std::int32_t least = 100;
    for (const Drop& drop : match.state.drops) least = std::min(least, drop.value);
    CHECK(match.state.drops.size() == 3);
    CHECK(least == 3);
}

TEST_CASE("mobs turn at edges and keep to their patrol, flyers and swimmers stay where they belong") {
    Setup setup = plain_setup();
    home_at(setup, {.name = Name::of("walker")}, {0, 0}, 2);
    const MobHome patroller = home_at(setup, {.name = Name::of("patroller"), .can_jump = true}, {200, 0}, 3);
    setup.mobs[1].spawn.left = 150;
    setup.mobs[1].spawn.right = 250;
    home_at(setup, {.name = Name::of("flyer"), .fly_speed = -50, .motion = MobMotion::flies}, {0, -150}, 0);
    home_at(setup, {.name = Name::of("post"), .motion = MobMotion::stands}, {-250, 0}, 1);
    FootholdMatch match(setup);
    bool flew = false;
    for (int tick = 0; tick < 20'000; ++tick) {
        match.step();
        REQUIRE(std::abs(match.state.mobs[0].body.position.x) <= 301);
        REQUIRE(match.state.mobs[0].body.position.y <= 0);
        REQUIRE(match.state.mobs[1].body.position.x > 100);
        REQUIRE(std::abs(match.state.mobs[2].body.position.y + 150) < 250);
        flew = flew || match.state.mobs[2].body.position.x != 0;
        REQUIRE(match.state.mobs[3].body.position == Vec2{-250, 0});
    }
    CHECK(flew);
    (void)patroller;
}

TEST_CASE("a portal leads to its other end on the press of up, and not again at once") {
    Setup setup = plain_setup();
    setup.portals = {{.name = Name::of("a"), .to = Name::of("b"), .position = {0, 0}},
                     {.name = Name::of("b"), .to = Name::of("a"), .position = {200, 300}}};
    setup.portal_ends = {1, 0};
    FootholdMatch match(setup);
    Player& player = settle(match);
    match.inputs[0].up = true;
    match.step();
    CHECK(player.body.position == Vec2{200, 300});
    match.run(200);  // still held
    CHECK(player.body.position.x == 200);
}

TEST_CASE("the developer's flight works where it is allowed and nowhere else") {
    for (const bool allowed : {true, false}) {
        Setup setup = plain_setup();
        setup.rules.fly_allowed = allowed;
        FootholdMatch match(setup);
        Player& player = settle(match);
        Input input{.pointer_x = 123, .pointer_y = -77, .fly = true};
        CHECK(worlds::Foothold::sanitize(input, match.setup));
        CHECK(input.fly == allowed);
        match.inputs[0] = input;
        match.step();
        CHECK((player.body.position == Vec2{123, -77}) == allowed);
    }
}

TEST_CASE("one sits until it wants to go") {
    FootholdMatch match(plain_setup());
    Player& player = settle(match);
    match.inputs[0].sit = true;
    match.run(10);
    CHECK(player.stance == Stance::sit);
    CHECK(touch_box(player, {0, 0}).top == -28);
    match.inputs[0] = {.right = true};
    match.run(10);
    CHECK(player.stance == Stance::walk);
}

TEST_CASE("a slippery map is ice in the game: as fast, but slower to start and to stop") {
    const auto run = [](double friction) {
        Setup setup = plain_setup();
        setup.map.friction = friction;
        complete(setup);
        FootholdMatch match(setup);
        Player& player = settle(match, {-250, -5});
        match.inputs[0].right = true;
        match.run(30);
        const double soon = player.body.velocity.x;
        match.run(400);
        const double fast = player.body.velocity.x;
        match.inputs[0] = {};
        match.run(20);
        return std::array{soon, fast, player.body.velocity.x};
    };
    const auto ground = run(1);
    const auto ice = run(0.2);
    CHECK(ice[0] < 0.8 * ground[0]);
    CHECK(ice[1] == doctest::Approx(ground[1]).epsilon(0.05));
    CHECK(ice[2] > 2 * ground[2]);
}

TEST_CASE("a trap's box is mirrored by flip, falls back to its sprite, and is harmless when faint or tiny") {
    const TrapFrame boxed{.box = {-10, -20, 30, 0}, .sprite = {50, 50}};
    CHECK(box_of(boxed, false).left == -10);
    CHECK(box_of(boxed, true).left == -30);
    CHECK(box_of(boxed, true).right == 10);
    const TrapFrame sprite{.sprite = {40, 30}, .origin = {10, 30}};
    CHECK(box_of(sprite, false).right == 30);
    CHECK(box_of(sprite, true).left == -30);
    CHECK(box_of(TrapFrame{.sprite = {4, 30}}, false).is_empty());
    CHECK(box_of(TrapFrame{.box = {0, 0, 9, 9}, .opacity = 25}, false).is_empty());
    CHECK(!box_of(TrapFrame{.box = {0, 0, 9, 9}, .opacity = 26}, false).is_empty());
}

TEST_CASE("between two ticks things are drawn between their two places, and at either end in one of them") {
    FootholdMatch match(plain_setup());
    Player& player = settle(match);
    match.inputs[0].right = true;
    match.run(50);
    state::Block before_block(match.layout);
    std::vector<std::byte> image(state::image_size(match.layout, match.block.data()));
    state::save(match.layout, match.block.data(), image);
    state::restore(match.layout, image, before_block.data());
    const State before = state::bind<State>(match.layout, before_block.data());
    const double from = player.body.position.x;
    match.step();
    const double to = player.body.position.x;
    REQUIRE(to > from);
    const auto head_at = [&](double fraction) {
        contract::DrawList list;
        worlds::Foothold::view_between(before, match.state, fraction, match.setup, list);
        for (const contract::Shape& shape : list.shapes)
            if (shape.kind == contract::ShapeKind::disc && shape.size == 11)
                return list.points_of(shape)[0].x;
        return -1e9;
    };
    CHECK(head_at(0) == doctest::Approx(from));
    CHECK(head_at(0.5) == doctest::Approx((from + to) / 2));
    CHECK(head_at(1) == doctest::Approx(to));
}

TEST_CASE("a state rounded to its precision steps on with the same feet on the same ground") {
    test::for_each_seed(20, [](math::Random& random) {
        FootholdMatch match(plain_setup());
        std::vector<motion::FootholdSegment> slopes{{1, 1, 0, -300, 0, -100, -70, 0, 2, false},
                                                    {2, 1, 0, -100, -70, 100, 37, 1, 3, false},
                                                    {3, 1, 0, 100, 37, 300, 0, 2, 0, false}};
        match.setup.ground = motion::FootholdSet(slopes);
        Player& player = match.join(0);
        place(player, {random.uniform(-250, 250), -80}, match.setup);
        match.run(100);
        for (int i = 0; i < 300; ++i) {
            match.inputs[0].right = random.below(50) < 25;
            match.inputs[0].left = !match.inputs[0].right;
            const auto round_to = [](double& value, double step) { value = std::round(value / step) * step; };
            round_to(player.body.position.x, 0.0625);
            round_to(player.body.position.y, 0.0625);
            round_to(player.body.velocity.x, 0.001);
            const bool stood = player.body.on_ground && std::abs(player.body.position.x) < 290;
            match.step();
            if (stood) REQUIRE(player.body.on_ground);
        }
    });
}
