// SPDX-License-Identifier: MIT
// What a world is: a namespace with a few types, a struct `World` that names them, and pure functions that
// are found by their arguments. Only `step` must be there; every other function has a default (defaults.h)
// that knows the fields from their lists. `check_world<World>()` is the contract itself: what is missing or
// wrong is one sentence in the compiler's output.
//
// clang-format off
//   struct World : WorldTypes<Setup, Input, State, Event> {        Event may be left out: players come and go
//       static constexpr std::string_view name, summary;
//       static constexpr std::span<const EventText> event_texts;   with an Event that is no EventOf<Kind, reach>
//   };
//   Setup   immutable, made from a level; its `rules` are described
//   Input   what one player asks for in one tick; described
//   State   windows onto the block: `head` (with tick and random), `players`, pools; see state/layout.h
//   Event   what a viewer wants to know; described, with a labelled `kind`, and `slot` and `by` for its players;
//           EventOf<Kind, reach> with `events_of(Type<Kind>)`, the event_table of its kinds, is one
//
//   void          step(State&, const Setup&, Events<Event>&)       pure, no allocation, cannot fail
//   void          join(State&, const Setup&, Player&, Events<Event>&)           before the step: a player is new
//   void          leave(State&, const Setup&, const Player&, Events<Event>&)    before the step: a player goes;
//                                                               without it, what belongs to the player goes as well
// or, for a world that takes joins, leaves and inputs in its own way, and counts the ticks itself:
//   void          step(State&, const Setup&, const Tick<Input>&, Events<Event>&)
//
// With a default:
//   Result<Setup> load(Type<Setup>, const Json& level, const std::string& where)   reads rules and described members
//   Result<void>  check(const Setup&)                           what the ranges of the fields cannot say
//   Facts         facts(const Setup&)                           from tick_rate, the players' pool and the bounds
//   motion::Box   bounds(const Setup&)                          what is played on, and shown: the range of the first position
//   void          start(State&, const Setup&)                   a fresh state; its bytes are zero, head->random is seeded
//   bool          sanitize(Input&, const Setup&)                makes any bits legal, or refuses them with false
//   Result<void>  validate(const State&, const Setup&)          tells a legal state from any other
//   void          view(const State&, const Setup&, const DrawTimes&, DrawList&)   or without the DrawTimes
//   Input         bot(const State&, const Setup&, Slot)         plays passably; a pure function of the state
//
// Only for worlds whose levels list bodies (rocks, mobs), so that a sandbox can add one; where a number of the setup
// counts them, {.body = "crate"} in its field says the same:
//   std::vector<std::string> bodies(Type<Setup>, const Json& level)
//   Result<Json>  with_body(Type<Setup>, const Json& level, std::string_view body, Vec2 position)
// Only for worlds that follow a document:
//   Result<Recording> parity(Type<Setup>, const Json& file, const std::string& where)
// Only for worlds that read the maps of another program:
//   Result<ImportedLevel> import_level(Type<Setup>, const ImportedMap&)
// clang-format on
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <instep/contract/basic_event.h>
#include <instep/contract/draw_list.h>
#include <instep/contract/draw_times.h>
#include <instep/contract/event_table.h>
#include <instep/contract/events.h>
#include <instep/contract/facts.h>
#include <instep/contract/imported_map.h>
#include <instep/contract/recording.h>
#include <instep/contract/tick.h>
#include <instep/motion/box.h>
#include <instep/state/json.h>
#include <instep/state/layout.h>

namespace instep::contract {

template <class SetupType, class InputType, class StateType, class EventType = BasicEvent>
struct WorldTypes {
    using Setup = SetupType;
    using Input = InputType;
    using State = StateType;
    using Event = EventType;
};

// The Setup of a world whose levels have rules and nothing else.
template <class RulesType>
struct RulesOnly {
    RulesType rules;
};

namespace detail {
struct AnyArgument {
    template <class T>
    operator T&() const;
};
}  // namespace detail

// Whether the world has a function of that name at all, with whatever arguments after the first.
#define INSTEP_HAS(function, first)                                                      \
    (                                                                                    \
        requires { function(first, any); } || requires { function(first, any, any); } || \
        requires { function(first, any, any, any); } || requires { function(first); } || \
        requires { function(first, any, any, any, any); })

// clang-format off
template <class W>
consteval bool check_world() {
    static_assert(requires { { W::name } -> std::convertible_to<std::string_view>; },
        "a World has `static constexpr std::string_view name`, the word by which it is chosen");
    static_assert(requires { { W::summary } -> std::convertible_to<std::string_view>; },
        "a World has `static constexpr std::string_view summary`, one line that says what players do in it");
    static_assert(requires { typename W::Setup; typename W::Input; typename W::State; typename W::Event; },
        "a World has the types Setup, Input, State and Event: it derives from WorldTypes");
    using Setup = typename W::Setup;
    using Input = typename W::Input;
    using State = typename W::State;
    using Event = typename W::Event;
    static_assert(requires { event_table_of<typename Event::Kind>; } || requires { { W::event_texts } -> std::convertible_to<std::span<const EventText>>; },
        "a World with an Event of its own has `static constexpr std::span<const EventText> event_texts`, the texts of its event_table, "
        "or its Event is an EventOf<Kind, reach> with `constexpr auto events_of(Type<Kind>)`, the event_table");

    static_assert(requires(const Setup& setup) { requires state::Described<std::remove_cvref_t<decltype(setup.rules)>>; },
        "a world's Setup has `rules`, a struct with fields_of(Type<Rules>): sides that differ in one of them must not play together");
    static_assert(state::Described<Input>,
        "a world's Input is trivially copyable and has fields_of(Type<Input>), each field with the range a player may ask for");
    static_assert(state::Described<Event> && requires(Event event) { event.kind; },
        "a world's Event is trivially copyable, has fields_of(Type<Event>) and a `kind` with labels");
    static_assert(requires { parts_of(state::Type<State>{}); },
        "a world's State has parts_of(Type<State>) that lists its head and its pools");
    static_assert(requires(State state) { { state.head->tick } -> std::same_as<std::uint64_t&>; { state.head->random } -> std::same_as<math::Random&>; },
        "a State has `Single<Head> head` whose Head has `std::uint64_t tick` and `math::Random random`");
    static_assert(requires(State state) { { state.players[0].slot } -> std::same_as<Slot&>; { state.players[0].name } -> std::same_as<PlayerName&>;
                                          { state.players[0].input } -> std::same_as<Input&>; { state.players[0].score } -> std::same_as<std::int32_t&>; },
        "a State has `Pool<Player> players` whose Player has `Slot slot`, `PlayerName name`, `Input input` (the last one applied) "
        "and `std::int32_t score`");
    using Player = typename decltype(State::players)::Element;

    static_assert(requires(State& state, const Setup& setup, Events<Event>& events) { { step(state, setup, events) } -> std::same_as<void>; } ||
                  requires(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) { { step(state, setup, tick, events) } -> std::same_as<void>; },
        "a world's namespace has `void step(State&, const Setup&, Events<Event>&)`, "
        "or `void step(State&, const Setup&, const Tick<Input>&, Events<Event>&)`");

    // A function that is there must be the one that the engine calls: with other arguments it would silently be left out.
    constexpr detail::AnyArgument any;
    static_assert(requires(const state::Json& json, const std::string& where) { { load(state::Type<Setup>{}, json, where) } -> std::same_as<state::Result<Setup>>; } ||
                  !INSTEP_HAS(load, state::Type<Setup>{}),
        "a world's `load` is `Result<Setup> load(Type<Setup>, const Json& level, const std::string& where)`");
    static_assert(requires(const Setup& setup) { { facts(setup) } -> std::same_as<Facts>; } || !INSTEP_HAS(facts, std::declval<const Setup&>()),
        "a world's `facts` is `Facts facts(const Setup&)`");
    static_assert(requires(const Setup& setup) { { bounds(setup) } -> std::same_as<motion::Box>; } || !INSTEP_HAS(bounds, std::declval<const Setup&>()),
        "a world's `bounds` is `motion::Box bounds(const Setup&)`");
    static_assert(requires(State& state, const Setup& setup) { { start(state, setup) } -> std::same_as<void>; } || !INSTEP_HAS(start, std::declval<State&>()),
        "a world's `start` is `void start(State&, const Setup&)`");
    static_assert(requires(State& state, const Setup& setup, Player& player, Events<Event>& events) { { join(state, setup, player, events) } -> std::same_as<void>; } ||
                  !INSTEP_HAS(join, std::declval<State&>()),
        "a world's `join` is `void join(State&, const Setup&, Player&, Events<Event>&)`");
    static_assert(requires(State& state, const Setup& setup, const Player& player, Events<Event>& events) { { leave(state, setup, player, events) } -> std::same_as<void>; } ||
                  !INSTEP_HAS(leave, std::declval<State&>()),
        "a world's `leave` is `void leave(State&, const Setup&, const Player&, Events<Event>&)`");
    static_assert(requires(Input& input, const Setup& setup) { { sanitize(input, setup) } -> std::same_as<bool>; } || !INSTEP_HAS(sanitize, std::declval<Input&>()),
        "a world's `sanitize` is `bool sanitize(Input&, const Setup&)`");
    static_assert(requires(const State& state, const Setup& setup) { { validate(state, setup) } -> std::same_as<state::Result<void>>; } ||
                  !INSTEP_HAS(validate, std::declval<const State&>()),
        "a world's `validate` is `Result<void> validate(const State&, const Setup&)`");
    static_assert(requires(const State& state, const Setup& setup, const DrawTimes& times, DrawList& list) { { view(state, setup, times, list) } -> std::same_as<void>; } ||
                  requires(const State& state, const Setup& setup, DrawList& list) { { view(state, setup, list) } -> std::same_as<void>; } ||
                  !INSTEP_HAS(view, std::declval<const State&>()),
        "a world's `view` is `void view(const State&, const Setup&, const DrawTimes&, DrawList&)` or `void view(const State&, const Setup&, DrawList&)`");
    static_assert(requires(const State& state, const Setup& setup) { { bot(state, setup, Slot{}) } -> std::same_as<Input>; } ||
                  !INSTEP_HAS(bot, std::declval<const State&>()),
        "a world's `bot` is `Input bot(const State&, const Setup&, Slot)`");
    return true;
}
// clang-format on
#undef INSTEP_HAS

// Worlds whose levels list bodies (rocks, mobs) name the kinds of them, and make a level with one more.
// `level` is one that load() accepts; it need not accept the result.
template <class W>
concept HasBodies = requires(state::Type<typename W::Setup> type, const state::Json& level,
                             std::string_view body, math::Vec2 position) {
    { bodies(type, level) } -> std::same_as<std::vector<std::string>>;
    { with_body(type, level, body, position) } -> std::same_as<state::Result<state::Json>>;
};

// Worlds that follow a document can be compared with recordings of the original.
template <class W>
concept HasParity =
    requires(state::Type<typename W::Setup> type, const state::Json& json, const std::string& where) {
        { parity(type, json, where) } -> std::same_as<state::Result<Recording>>;
    };

// Worlds that make levels from maps of other programs.
template <class W>
concept HasImport = requires(state::Type<typename W::Setup> type, const ImportedMap& map) {
    { import_level(type, map) } -> std::same_as<state::Result<ImportedLevel>>;
};

}  // namespace instep::contract
