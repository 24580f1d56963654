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
                  field("crates", &Rules::crates, {.low = 0, .high = 64}),
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

using Player = contract::BasicPlayer<Input>;  // name, input, score, slot, and `own`: a handle of its body

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

enum class Kind : std::uint8_t { joined, left, tagged };
inline constexpr auto kinds = contract::event_table<Kind>({
    {Kind::joined, "joined", "$slot joined"},
    {Kind::left, "left", "$slot left"},
    {Kind::tagged, "tagged", "[$by tagged ]$slot[, who is it]", contract::Mood::hurt},
});

struct Event {
    Vec2 position;
    Kind kind = Kind::joined;
    Slot slot = no_player, by = no_player;
    state::Reserved<5> unused;
};
constexpr auto fields_of(state::Type<Event>) {
    return fields("Event", field("position", &Event::position, {.low = 0, .high = 100, .precision = 0.1}),
                  field("kind", &Event::kind, {.labels = kinds.labels}), field("slot", &Event::slot),
                  field("by", &Event::by), field("unused", &Event::unused));
}

struct World : contract::WorldTypes<Setup, Input, State, Event> {
    static constexpr std::string_view name = "@NAME@";
    static constexpr std::string_view summary = "tag in a yard of crates; do not be it";
    static constexpr std::span<const contract::EventText> event_texts = kinds.texts;
};
using Events = contract::Events<Event>;

Vec2 somewhere(State& state) {
    const double x = state.head->random.uniform(10, 90);  // two statements: in one, compilers differ in the order
    const double y = state.head->random.uniform(10, 90);
    return {x, y};
}

void start(State& state, const Setup& setup) {
    for (std::uint32_t i = 0; i < setup.rules.crates; ++i) state.bodies.add({.position = somewhere(state), .radius = 4});
}

void join(State& state, const Setup& setup, Player& player, Events& events) {
    const Vec2 position = somewhere(state);
    if (const Body* body = state.bodies.add({.position = position, .radius = setup.rules.radius, .owner = player.slot}))
        player.own = state.bodies.handle_of(*body);
    if (state.head->it == no_player) state.head->it = player.slot;
    events.add({.position = position, .kind = Kind::joined, .slot = player.slot});
}

void leave(State& state, const Setup&, const Player& player, Events& events) {
    state.bodies.remove_if([&](const Body& body) { return body.owner == player.slot; });
    events.add({.kind = Kind::left, .slot = player.slot});
    for (const Player& other : state.players)  // another one is it
        if (state.head->it == player.slot && other.slot != player.slot) state.head->it = other.slot;
    if (state.head->it == player.slot) state.head->it = no_player;
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
    const double reach = a.radius + b.radius;
    const double apart = distance(a.position, b.position);
    if (apart >= reach) return;
    const Vec2 normal = apart > 0 ? (b.position - a.position) / apart : Vec2{1, 0};
    const double share = (a.owner == no_player) == (b.owner == no_player) ? 0.5 : b.owner == no_player ? 0.2 : 0.8;
    a.position -= normal * ((reach - apart) * share);
    b.position += normal * ((reach - apart) * (1 - share));
    const double approach = dot(a.velocity - b.velocity, normal);
    a.velocity -= normal * (std::max(approach, 0.0) * share);
    b.velocity += normal * (std::max(approach, 0.0) * (1 - share));
    tag(state, setup, a, b, events);
    tag(state, setup, b, a, events);
}

void step(State& state, const Setup& setup, Events& events) {
    const Rules& rules = setup.rules;
    const double dt = 1.0 / rules.tick_rate;
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

// Runs from the one who is it, who runs after one of the others.
Input bot(const State& state, const Setup&, Slot slot) {
    const auto body_of = [&](auto is_meant) {
        const Body* found = nullptr;
        for (const Body& body : state.bodies)
            if (body.owner != no_player && is_meant(body)) found = &body;
        return found;
    };
    const bool is_it = slot == state.head->it;
    const Body* own = body_of([&](const Body& body) { return body.owner == slot; });
    const Body* other = body_of([&](const Body& body) { return is_it ? body.owner != slot : body.owner == state.head->it; });
    if (!own || !other) return {};
    const Vec2 towards = normalized_or_zero(other->position - own->position);
    const Vec2 home = (Vec2{50, 50} - own->position) / 60;  // not into a corner
    return {is_it ? towards : normalized_or_zero(home - towards)};
}

}  // namespace @NAME@

INSTEP_WORLD(@NAME@::World)
