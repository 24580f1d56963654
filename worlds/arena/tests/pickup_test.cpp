// SPDX-License-Identifier: MIT
#include <arena/pickup.h>
#include <arena/weapon.h>

#include <doctest/doctest.h>

#include <arena/tests/support.h>

using namespace instep;
using namespace instep::worlds::arena;
using test::arena::Room;

namespace {

Setup with_pickups(const Rules& rules = game) {
    auto setup = make_setup(
        rules, {}, {}, {}, {{{-20, 0}, 0}, {{20, 0}, 0}},
        {{.position = {0, 0}, .weapon = Weapon::scatter}, {.position = {0, 20}, .weapon = Weapon::lance}});
    REQUIRE_MESSAGE(setup, setup.error().text());
    return *setup;
}

void check_legal(const Room& room) {
    const auto legal = validate(room.state, room.setup);
    REQUIRE_MESSAGE(legal, legal.error().text());
}

}  // namespace

TEST_CASE("arena pickups: a ship that touches a weapon has it, and it lies there again after its pause") {
    Room room(with_pickups());
    room.join_at(0, {0, 1});
    room.step();
    CHECK(room.count(EventKind::picked_up) == 1);
    CHECK(room.player(0).weapon == Weapon::scatter);
    CHECK(room.player(0).ammunition == room.setup.rules.most_ammunition);
    room.player(0).ship.position = {-30, 0};
    CHECK(!nearest_pickup(room.state, {0, 0}, 5));
    room.step(static_cast<int>(room.setup.rules.pickup_pause));
    CHECK(nearest_pickup(room.state, {0, 0}, 5));
    check_legal(room);
}

TEST_CASE("arena pickups: the dead take nothing, and a new ship has its cannon") {
    Room room(with_pickups());
    room.join_at(0, {0, 20});
    room.step();
    CHECK(room.player(0).weapon == Weapon::lance);
    room.player(0).respawn_pause = 2;
    room.player(0).health = 0;
    room.step();
    CHECK(room.count(EventKind::picked_up) == 0);
    room.step();
    CHECK(room.player(0).weapon == Weapon::cannon);
    CHECK(room.player(0).ammunition == 0);
    check_legal(room);
}

TEST_CASE(
    "arena weapons: a salvo costs its heat, pause and ammunition, and the last one gives the cannon back") {
    for (const Weapon weapon : {Weapon::scatter, Weapon::lance}) {
        Room room(with_pickups());
        Player& player = room.join_at(0, {-40, 0});
        player.weapon = weapon;
        player.ammunition = 2;
        const Salvo salvo = salvo_of(weapon, room.setup.rules);
        room.inputs[0].fire = true;
        room.step();
        CHECK(room.state.shots.size() == salvo.shots);
        CHECK(player.ammunition == 1);
        CHECK(player.fire_pause == salvo.pause);
        CHECK(player.heat == doctest::Approx(salvo.heat - room.setup.rules.cooling / 60));
        for (const Shot& shot : room.state.shots) {
            CHECK(shot.weapon == weapon);
            CHECK(length(shot.flight.velocity) == doctest::Approx(salvo.speed).epsilon(0.01));
        }
        player.heat = 0;
        room.step(static_cast<int>(salvo.pause));
        CHECK(player.weapon == Weapon::cannon);
        check_legal(room);
    }
}

TEST_CASE("arena weapons: none gets more damage out of heat than the cannon by more than a fifth") {
    const auto damage_for_heat = [](Weapon weapon) {
        const Salvo salvo = salvo_of(weapon, game);
        return static_cast<double>(salvo.shots) * salvo.damage / salvo.heat;
    };
    const double cannon = damage_for_heat(Weapon::cannon);
    for (const Weapon weapon : {Weapon::scatter, Weapon::lance}) {
        CHECK(damage_for_heat(weapon) < 1.2 * cannon);
        CHECK(salvo_of(weapon, game).heat <= game.shot_heat * most_salvo_heat);
        CHECK(salvo_of(weapon, game).pause <= game.fire_pause * longest_salvo_pause);
    }
}

TEST_CASE("arena weapons: each takes the health of its own damage") {
    for (const Weapon weapon : {Weapon::cannon, Weapon::lance}) {
        Room room(with_pickups());
        Player& player = room.join_at(0, {-40, -10});
        room.join_at(1, {-40, 0});
        if (weapon != Weapon::cannon) {
            player.weapon = weapon;
            player.ammunition = 1;
        }
        room.inputs[0].fire = true;
        room.step();
        room.inputs[0].fire = false;
        room.step(60);
        CHECK(room.player(1).health == game.most_health - salvo_of(weapon, game).damage);
    }
}

TEST_CASE("arena pickups: a level cannot offer the cannon, nor one inside a wall") {
    const auto error_of = [](std::string_view pickups) {
        const auto json = state::parse_json(
            R"({"rules": "game", "walls": [{"position": [5, 5], "half_size": [2, 2]}],
                "starts": [{"position": [-20, 0]}], "pickups": )" +
                std::string(pickups) + "}",
            "test.json");
        REQUIRE(json);
        const auto setup = load({}, *json, "test.json");
        return setup ? std::string() : setup.error().text();
    };
    CHECK(error_of(R"([{"position": [0, 0], "weapon": "lance"}])").empty());
    CHECK(error_of(R"([{"position": [0, 0], "weapon": "cannon"}])").find("every ship has a cannon") !=
          std::string::npos);
    CHECK(error_of(R"([{"position": [5, 5], "weapon": "lance"}])").find("lies in a wall") !=
          std::string::npos);
    CHECK(!error_of(R"([{"position": [0, 0], "weapon": "laser"}])").empty());
}
