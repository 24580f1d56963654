// Tag in a yard full of crates: the one who is it runs a little faster, and tags others by touching them. Everyone
// else scores a point a second. Crates can be pushed, and hidden behind.
#include <instep/game.h>

namespace @NAME@ {
using namespace instep;
using contract::no_player, contract::Slot, math::Vec2, state::field, state::fields;

// A level may set these; they are sliders in the sandbox.
struct Rules {
    double radius = 2;    // of a runner, units
    double speed = 45;    // of a runner, units/s
    double bonus = 1.15;  // the one who is it runs faster by this
    double grip = 6;      // how fast a runner changes its speed, and a crate comes to rest, 1/s
    double safe = 1.5;    // seconds after a tag in which no one can be tagged
    std::uint32_t crates = 12, tick_rate = 60;
};
constexpr auto fields_of(state::Type<Rules>) {
    return fields("Rules", field("radius", &Rules::radius, {.low = 0.5, .high = 10, .unit = "u"}),
                  field("speed", &Rules::speed, {.low = 1, .high = 500, .unit = "u/s"}),
                  field("bonus", &Rules::bonus, {.low = 1, .high = 3}),
                  field("grip", &Rules::grip, {.low = 0.1, .high = 60, .unit = "1/s"}),
                  field("safe", &Rules::safe, {.low = 0, .high = 60, .unit = "s"}),
                  field("crates", &Rules::crates, {.low = 0, .high = 64, .body = "crate"}),
                  field("tick_rate", &Rules::tick_rate, {.low = 10, .high = 240, .unit = "Hz"}));
}
using Setup = contract::RulesOnly<Rules>;
constexpr motion::Box yard{{0, 0}, {100, 100}};

struct Input {
    Vec2 run;  // arrow keys, a stick or a thumb
};
constexpr auto fields_of(state::Type<Input>) {
    return fields("Input", field("run", &Input::run,
                                 {.low = -1, .high = 1, .precision = 0.001, .control = state::Control::stick}));
}

using Player = contract::BasicPlayer<Input, "bodies">;  // name, input, score, slot, and `own`: a handle of its body

// A runner, or a crate if it belongs to no player.
struct Body {
    Vec2 position, velocity;
    double radius = 1;
    Slot owner = no_player;
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Body>) {
    using state::Blend;
    return fields("Body",
                  field("position", &Body::position, {.low = 0, .high = 100, .precision = 0.01, .blend = Blend::linear}),
                  field("velocity", &Body::velocity, {.low = -200, .high = 200, .precision = 0.01, .blend = Blend::linear}),
                  field("radius", &Body::radius, {.low = 0, .high = 20, .precision = 0.1}),
                  field("owner", &Body::owner), field("unused", &Body::unused));
}

struct Head {
    std::uint64_t tick = 0;
    math::Random random;
    std::uint64_t tagged_at = 0;  // tick of the last tag
    Slot it = no_player;
    state::Reserved<7> unused;
};
constexpr auto fields_of(state::Type<Head>) {
    return fields("Head", field("tick", &Head::tick), field("random", &Head::random),
                  field("tagged_at", &Head::tagged_at), field("it", &Head::it), field("unused", &Head::unused));
}

struct State {
    state::Single<Head> head;
    state::Pool<Player> players;
    state::Pool<Body> bodies;
};
inline auto parts_of(state::Type<State>) {
    return state::parts(state::head(&State::head),
                        state::pool("players", &State::players, [](const Setup&) { return 16u; },
                                    {.owner = &Player::slot}),
                        // The owner makes a body its player's: it answers a key at once. All are shown where they are now.
                        state::pool("bodies", &State::bodies, [](const Setup& setup) { return 16 + setup.rules.crates; },
                                    {.position = &Body::position, .owner = &Body::owner, .shown = state::Shown::present}));
}

// What happens at a moment: the page shows it and plays a sound. The engine tells who joined and left.
enum class Kind : std::uint8_t { joined, left, tagged };
constexpr auto events_of(state::Type<Kind>) {
    return contract::event_table<Kind>({
        {Kind::joined, "joined", "$slot joined"},
        {Kind::left, "left", "$slot left"},
        {Kind::tagged, "tagged", "[$by tagged ]$slot[, who is it]", contract::Mood::hurt},
    });
}
using Event = contract::EventOf<Kind, 100>;

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "@NAME@";
    static constexpr std::string_view summary = "tag in a yard of crates; do not be it";
};
using Events = contract::Events<Event>;

motion::Box bounds(const Setup&) { return yard; }

Body* add_body(State& state, double radius, Slot owner) {
    return state.bodies.add({.position = yard.shrunk(10).random_point(state.head->random), .radius = radius, .owner = owner});
}

void start(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < setup.rules.crates; ++i) add_body(state, 4, no_player);
}

void join(State& state, const Setup& setup, Player& player, Events&) {
    if (const Body* body = add_body(state, setup.rules.radius, player.slot)) player.own = state.bodies.handle_of(*body);
}

void tag(State& state, const Setup& setup, const Body& tagger, const Body& other, Events& events) {
    const double safe_ticks = setup.rules.safe * setup.rules.tick_rate;
    if (tagger.owner == no_player || tagger.owner != state.head->it || other.owner == no_player) return;
    if (static_cast<double>(state.head->tick - state.head->tagged_at) < safe_ticks) return;
    state.head->it = other.owner;
    state.head->tagged_at = state.head->tick;
    events.add({.position = other.position, .kind = Kind::tagged, .slot = other.owner, .by = tagger.owner});
}

// Two bodies that overlap are moved apart and lose the speed at which they approach. Crates are light.
void touch(State& state, const Setup& setup, Body& a, Body& b, Events& events) {
    const double share = (a.owner == no_player) == (b.owner == no_player) ? 0.5 : b.owner == no_player ? 0.2 : 0.8;
    if (!motion::collide_discs(a, b, a.radius + b.radius, {.share = share})) return;
    tag(state, setup, a, b, events);
    tag(state, setup, b, a, events);
}

void step(State& state, const Setup& setup, Events& events) {
    const Rules& rules = setup.rules;
    const double dt = 1.0 / rules.tick_rate;
    if (!contract::find_player(state.players, state.head->it))  // the first one begins, or the last one has left
        state.head->it = state.players.empty() ? no_player : state.players[0].slot;
    for (Player& player : state.players) {
        const bool is_it = player.slot == state.head->it;
        if (!is_it && state.head->tick % rules.tick_rate == 0) contract::add_score(player.score, 1);
        if (Body* body = state.bodies.find(player.own)) {
            const Vec2 wanted = player.input.run * (rules.speed * (is_it ? rules.bonus : 1));
            body->velocity += (wanted - body->velocity) * (dt * rules.grip / (1 + dt * rules.grip));
        }
    }
    for (Body& body : state.bodies) {
        if (body.owner == no_player) body.velocity *= 1 / (1 + dt * rules.grip / 3);
        body.position += body.velocity * dt;
    }
    for (std::uint32_t i = 0; i < state.bodies.size(); ++i)
        for (std::uint32_t j = i + 1; j < state.bodies.size(); ++j)
            touch(state, setup, state.bodies[i], state.bodies[j], events);
    for (Body& body : state.bodies) body.position = yard.clamp(body.position);
}

// Runs from the one who is it, who runs after the nearest of the others.
Input bot(const State& state, const Setup&, Slot slot) {
    const bool is_it = slot == state.head->it;
    const Player* player = contract::find_player(state.players, slot);
    const Body* own = player ? state.bodies.find(player->own) : nullptr;
    if (!own) return {};
    const Body* other = contract::nearest(state.bodies, own->position, [&](const Body& body) {
        return is_it ? body.owner != no_player && body.owner != slot : body.owner != no_player && body.owner == state.head->it;
    });
    if (!other) return {};
    const Vec2 towards = normalized_or_zero(other->position - own->position);
    const Vec2 home = (yard.center() - own->position) / 60;  // not into a corner
    return {is_it ? towards : normalized_or_zero(home - towards)};
}

}  // namespace @NAME@

INSTEP_WORLD(@NAME@::World)
