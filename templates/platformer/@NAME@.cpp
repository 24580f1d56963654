// A platformer: jump from platform to platform and collect stars. Land on the head of another, and it loses one.
#include <instep/game.h>

namespace @NAME@ {
using namespace instep;
using contract::Slot;
using math::Vec2;
using state::field;
using state::fields;

constexpr motion::Box ground{{0, 0}, {160, 90}};  // y points down
constexpr double dt = 1.0 / 60;
constexpr double rounding = 0.02;  // a position that came over the wire may be off by a little

struct Rules {  // a level may set these; they are sliders in the sandbox
    double speed = 42;     // of a runner, units/s
    double jump = 62;      // its speed when it jumps, units/s
    double gravity = 120;  // units/s²
    double radius = 2;     // of runners and stars
    double stars = 5;
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("speed", &Rules::speed, {.low = 1, .high = 200, .unit = "u/s"}),
                  field("jump", &Rules::jump, {.low = 1, .high = 200, .unit = "u/s"}),
                  field("gravity", &Rules::gravity, {.low = 1, .high = 1000, .unit = "u/s2"}),
                  field("radius", &Rules::radius, {.low = 0.5, .high = 5, .unit = "u"}),
                  field("stars", &Rules::stars, {.low = 1, .high = 20}));
}

// What a level has besides its rules is read by the names of these fields.
struct Platform {
    Vec2 at;  // its left end
    double width = 0;
};
constexpr auto fields_of(state::Type<Platform>) {
    return fields("Platform", field("at", &Platform::at, {.low = 0, .high = 160}),
                  field("width", &Platform::width, {.low = 0, .high = 160}));
}
struct Setup {
    Rules rules;
    std::array<Platform, 8> platforms;
};
constexpr auto fields_of(state::Type<Setup>) {
    return fields("Setup", field("rules", &Setup::rules), field("platforms", &Setup::platforms));
}

struct Input {
    double left = 0;
    double right = 0;
    bool jump = false;
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Input>) {
    using state::Control;
    return fields("Input", field("left", &Input::left, {.low = 0, .high = 1, .precision = 0.01, .control = Control::left}),
                  field("right", &Input::right, {.low = 0, .high = 1, .precision = 0.01, .control = Control::right}),
                  field("jump", &Input::jump, {.control = Control::first}), field("unused", &Input::unused));
}

constexpr state::Rules on_the_field{.low = 0, .high = 160, .precision = 0.01, .blend = state::Blend::linear};

struct Player {
    contract::PlayerName name;
    Input input;
    Vec2 position;
    Vec2 velocity;
    std::int32_t score = 0;
    Slot slot = 0;
    bool stands = false;
    state::Reserved<2> unused;
};
constexpr auto fields_of(state::Type<Player>) {
    return fields("Player", field("name", &Player::name), field("input", &Player::input),
                  field("position", &Player::position, on_the_field),
                  field("velocity", &Player::velocity, {.low = -400, .high = 400, .precision = 0.01}),
                  field("score", &Player::score), field("slot", &Player::slot), field("stands", &Player::stands),
                  field("unused", &Player::unused));
}
struct Star {
    Vec2 position;
};
constexpr auto fields_of(state::Type<Star>) { return fields("Star", field("position", &Star::position, on_the_field)); }

struct State {
    state::Single<contract::Head> head;
    state::Pool<Player> players;
    state::Pool<Star> stars;
};
inline auto parts_of(state::Type<State>) {
    return state::parts(state::head(&State::head),
                        state::pool("players", &State::players, [](const Setup&) { return 16u; },
                                    {.position = &Player::position, .owner = &Player::slot}),
                        state::pool("stars", &State::stars, [](const Setup&) { return 20u; }, {.position = &Star::position}));
}

struct World : contract::WorldTypes<Setup, Input, State> {
    static constexpr std::string_view name = "@NAME@";
    static constexpr std::string_view summary = "jump about and collect the stars";
};
using Events = contract::Events<World::Event>;

motion::Box bounds(const Setup&) { return ground; }

void join(State& state, const Setup&, Player& player, Events&) { player.position = {state.head->random.uniform(10, 150), 5}; }

// Stars lie above platforms, where one can get at them.
Vec2 place_of_star(State& state, const Setup& setup) {
    const Platform& platform = setup.platforms[state.head->random.below(setup.platforms.size())];
    return {platform.at.x + platform.width * state.head->random.uniform(), platform.at.y - 8};
}

// Falling, one lands on what lies between the old and the new height of one's feet.
void fall(Player& player, const Setup& setup) {
    const double feet = player.position.y + setup.rules.radius;
    player.position += player.velocity * dt;
    player.stands = false;
    for (const Platform& platform : setup.platforms) {
        const bool is_above = player.position.x >= platform.at.x && player.position.x <= platform.at.x + platform.width;
        const bool crosses = feet <= platform.at.y + rounding && player.position.y + setup.rules.radius >= platform.at.y;
        if (!is_above || !crosses || player.velocity.y < 0) continue;
        player.position.y = platform.at.y - setup.rules.radius;
        player.velocity.y = 0;
        player.stands = true;
    }
    player.position = ground.clamp(player.position);
}

void stomp(State& state, const Setup& setup, Player& player) {
    for (Player& other : state.players) {
        const bool is_below = other.position.y > player.position.y + setup.rules.radius;
        if (player.velocity.y <= 0 || !is_below || distance(player.position, other.position) > 2 * setup.rules.radius) continue;
        player.velocity.y = -setup.rules.jump * 0.7;
        if (other.score > 0) contract::add_score(other.score, -1);
    }
}

void step(State& state, const Setup& setup, Events&) {
    while (state.stars.size() < setup.rules.stars) state.stars.add({.position = place_of_star(state, setup)});
    for (Player& player : state.players) {
        player.velocity.x = (player.input.right - player.input.left) * setup.rules.speed;
        player.velocity.y = std::min(player.velocity.y + setup.rules.gravity * dt, 300.0);
        if (player.stands && player.input.jump) player.velocity.y = -setup.rules.jump;
        fall(player, setup);
        stomp(state, setup, player);
        for (Star& star : state.stars) {
            if (distance(star.position, player.position) > 2 * setup.rules.radius) continue;
            star.position = place_of_star(state, setup);
            contract::add_score(player.score, 1);
        }
    }
}

void view(const State& state, const Setup& setup, contract::DrawList& list) {
    using namespace contract;
    for (const Platform& platform : setup.platforms) {
        const Vec2 path[] = {platform.at, platform.at + Vec2{platform.width, 0}};
        list.polyline(path, 1, palette::faint);
    }
    for (const Star& star : state.stars) {
        list.belongs_to(&star);
        list.disc(star.position, setup.rules.radius, palette::gold);
    }
    for (const Player& player : state.players) {
        list.belongs_to(&player);
        list.disc(player.position, setup.rules.radius, palette::player(player.slot));
        list.label(player.position - Vec2{0, 2 * setup.rules.radius}, 2.5, player.name.view(), palette::ink);
    }
}

// Runs below the nearest star and jumps when it is above.
Input bot(const State& state, const Setup&, Slot slot) {
    const Player* own = contract::find_player(state.players, slot);
    const Star* goal = own ? contract::nearest(state.stars, own->position, [](const Star&) { return true; }) : nullptr;
    if (!goal) return {};
    const double way = goal->position.x - own->position.x;
    return {.left = std::clamp(-way / 4, 0.0, 1.0), .right = std::clamp(way / 4, 0.0, 1.0), .jump = goal->position.y < own->position.y - 3};
}

}  // namespace @NAME@

INSTEP_WORLD(@NAME@::World)
