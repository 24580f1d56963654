// A game to begin with: everyone runs about and collects coins. Change anything; `./run` shows it.
// The engine calls `join` and `step`; contract/world.h lists what else a world may define, all with defaults.
#include <instep/game.h>

namespace @NAME@ {
using namespace instep;
using contract::Slot;
using math::Vec2;
using state::field;
using state::fields;

// Numbers that a level may set, each with the range that it allows. They are sliders in the sandbox.
struct Rules {
    double speed = 40;   // of a runner, units/s
    double radius = 2;   // of everything that is drawn
    double coins = 12;   // on the ground
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("speed", &Rules::speed, {.low = 0, .high = 500, .unit = "u/s"}),
                  field("radius", &Rules::radius, {.low = 0.5, .high = 20, .unit = "u"}),
                  field("coins", &Rules::coins, {.low = 1, .high = 100}));
}
using Setup = contract::RulesOnly<Rules>;

// What a player asks for in one tick. `stick` is the arrow keys, the left stick of a pad or a thumb.
struct Input {
    Vec2 move;
};
constexpr auto fields_of(state::Type<Input>) {
    return fields("Input", field("move", &Input::move,
                                 {.low = -1, .high = 1, .precision = 0.001, .control = state::Control::stick}));
}

// The range of a position is the field that is played on, and what a screen shows.
constexpr motion::Box ground{{0, 0}, {100, 100}};
constexpr state::Rules on_the_field{.low = 0, .high = 100, .precision = 0.01, .blend = state::Blend::linear};

struct Player {  // name, input, score and slot belong to every player; a list names every byte
    contract::PlayerName name;
    Input input;
    Vec2 position;
    std::int32_t score = 0;
    Slot slot = 0;
    state::Reserved<3> unused;
};
constexpr auto fields_of(state::Type<Player>) {
    return fields("Player", field("name", &Player::name), field("input", &Player::input),
                  field("position", &Player::position, on_the_field), field("score", &Player::score),
                  field("slot", &Player::slot), field("unused", &Player::unused));
}

struct Coin {
    Vec2 position;
};
constexpr auto fields_of(state::Type<Coin>) {
    return fields("Coin", field("position", &Coin::position, on_the_field));
}

struct State {
    state::Single<contract::Head> head;
    state::Pool<Player> players;
    state::Pool<Coin> coins;
};
inline auto parts_of(state::Type<State>) {  // an owner makes a thing its player's: predicted, without delay
    return state::parts(
        state::head(&State::head),
        state::pool("players", &State::players, [](const Setup&) { return 16u; },
                    {.position = &Player::position, .owner = &Player::slot}),
        state::pool("coins", &State::coins, [](const Setup&) { return 100u; }, {.position = &Coin::position}));
}

struct World : contract::WorldTypes<Setup, Input, State> {
    static constexpr std::string_view name = "@NAME@";
    static constexpr std::string_view summary = "run about and collect the coins";
};
using Events = contract::Events<World::Event>;

Vec2 somewhere(State& state) { return ground.shrunk(5).random_point(state.head->random); }

void join(State& state, const Setup&, Player& player, Events&) { player.position = somewhere(state); }

void step(State& state, const Setup& setup, Events&) {
    while (state.coins.size() < setup.rules.coins) state.coins.add({.position = somewhere(state)});
    for (Player& player : state.players) {
        player.position = ground.clamp(player.position + player.input.move * (setup.rules.speed / 60));
        for (Coin& coin : state.coins) {
            if (distance(coin.position, player.position) > 2 * setup.rules.radius) continue;
            coin.position = somewhere(state);
            contract::add_score(player.score, 1);
        }
    }
}

}  // namespace @NAME@

INSTEP_WORLD(@NAME@::World)
