// SPDX-License-Identifier: MIT
// What a world is: one struct of types and pure functions, with no base class. `worlds/bounce/bounce.h` is
// the smallest example to copy. `check_world<W>()` is the contract itself: each thing that is missing is one
// sentence in the compiler's output.
//
// clang-format off
//   struct W {
//       static constexpr std::string_view name, summary;
//       using Setup;   immutable; what a level comes to; its `rules` are described
//       using Input;   what one player asks for in one tick; described
//       using State;   windows onto the block: `head` (with tick and random), `players`, pools; see state/layout.h
//       using Event;   what a watcher wants to know; described, with a labelled `kind`, and `slot` and `by` for whose it is
//
//       Result<Setup> load(const Json& level, const std::string& where)
//       Facts         facts(const Setup&)
//       void          start(State&, const Setup&)                  a fresh state; its bytes are zero, head->random is seeded
//       bool          sanitize(Input&, const Setup&)               makes any bits legal, or refuses them with false
//       void          step(State&, const Setup&, const Tick<Input>&, Events<Event>&)    pure, no allocation, cannot fail
//       Result<void>  validate(const State&, const Setup&)         tells a legal state from any other
//       void          view(const State&, const Setup&, DrawList&)
//       Input         bot(const State&, const Setup&, Slot)        plays passably; a pure function of the state
//       static constexpr std::span<const EventText> event_texts    by kind of event, from its event_table
//       std::vector<std::string> bodies(const Json& level)         only for worlds whose levels list bodies: what there can be more of
//       Result<Json>  with_body(const Json& level, std::string_view body, Vec2 place)    ... and the level with one more
//       Result<Recording> parity(const Json& file, const std::string& where)    only for worlds that follow a document
//   };
// clang-format on
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <instep/contract/draw_list.h>
#include <instep/contract/event_table.h>
#include <instep/contract/events.h>
#include <instep/contract/facts.h>
#include <instep/contract/recording.h>
#include <instep/contract/tick.h>
#include <instep/state/json.h>
#include <instep/state/layout.h>

namespace instep::contract {

// clang-format off
template <class W>
consteval bool check_world() {
    static_assert(requires { { W::name } -> std::convertible_to<std::string_view>; },
        "a world has `static constexpr std::string_view name`, the word by which it is chosen");
    static_assert(requires { { W::summary } -> std::convertible_to<std::string_view>; },
        "a world has `static constexpr std::string_view summary`, one line that says what one does in it");
    static_assert(requires { typename W::Setup; typename W::Input; typename W::State; typename W::Event; },
        "a world has the types Setup, Input, State and Event");
    using Setup = typename W::Setup;
    using Input = typename W::Input;
    using State = typename W::State;
    using Event = typename W::Event;

    static_assert(requires(const Setup& setup) { requires state::Described<std::remove_cvref_t<decltype(setup.rules)>>; },
        "a world's Setup has `rules`, a struct with fields_of(Type<Rules>): sides that differ in one of them must not play together");
    static_assert(state::Described<Input>,
        "a world's Input is trivially copyable and has fields_of(Type<Input>), each field with the range a player may ask for");
    static_assert(state::Described<Event> && requires(Event event) { event.kind; },
        "a world's Event is trivially copyable, has fields_of(Type<Event>) and a `kind` with labels");
    static_assert(requires { { W::event_texts } -> std::convertible_to<std::span<const EventText>>; },
        "a world has `static constexpr std::span<const EventText> event_texts`, the texts of its event_table");
    static_assert(requires { parts_of(state::Type<State>{}); },
        "a world's State has parts_of(Type<State>) that lists its head and its pools");
    static_assert(requires(State state) { { state.head->tick } -> std::same_as<std::uint64_t&>; { state.head->random } -> std::same_as<math::Random&>; },
        "a State has `Single<Head> head` whose Head has `std::uint64_t tick` and `math::Random random`");
    static_assert(requires(State state) { { state.players[0].slot } -> std::same_as<Slot&>; { state.players[0].name } -> std::same_as<PlayerName&>;
                                          { state.players[0].input } -> std::same_as<Input&>; { state.players[0].score } -> std::same_as<std::int32_t&>; },
        "a State has `Pool<Player> players` whose Player has `Slot slot`, `PlayerName name`, `Input input` (the last one applied) "
        "and `std::int32_t score`");

    static_assert(requires(const state::Json& json, const std::string& where) { { W::load(json, where) } -> std::same_as<state::Result<Setup>>; },
        "a world has `static Result<Setup> load(const Json& level, const std::string& where)`");
    static_assert(requires(const Setup& setup) { { W::facts(setup) } -> std::same_as<Facts>; },
        "a world has `static Facts facts(const Setup&)`");
    static_assert(requires(State& state, const Setup& setup) { { W::start(state, setup) } -> std::same_as<void>; },
        "a world has `static void start(State&, const Setup&)`");
    static_assert(requires(Input& input, const Setup& setup) { { W::sanitize(input, setup) } -> std::same_as<bool>; },
        "a world has `static bool sanitize(Input&, const Setup&)`");
    static_assert(requires(State& state, const Setup& setup, const Tick<Input>& tick, Events<Event>& events) { { W::step(state, setup, tick, events) } -> std::same_as<void>; },
        "a world has `static void step(State&, const Setup&, const Tick<Input>&, Events<Event>&)`");
    static_assert(requires(const State& state, const Setup& setup) { { W::validate(state, setup) } -> std::same_as<state::Result<void>>; },
        "a world has `static Result<void> validate(const State&, const Setup&)`");
    static_assert(requires(const State& state, const Setup& setup, DrawList& list) { { W::view(state, setup, list) } -> std::same_as<void>; },
        "a world has `static void view(const State&, const Setup&, DrawList&)`");
    static_assert(requires(const State& state, const Setup& setup) { { W::bot(state, setup, Slot{}) } -> std::same_as<Input>; },
        "a world has `static Input bot(const State&, const Setup&, Slot)`");
    return true;
}
// clang-format on

// Worlds that move slowly enough for their screens can be drawn between two ticks: `fraction` of the way from
// one state to the next one.
template <class W>
concept HasViewBetween =
    requires(const typename W::State& state, const typename W::Setup& setup, DrawList& list) {
        { W::view_between(state, state, 0.5, setup, list) } -> std::same_as<void>;
    };

// Worlds whose levels list bodies (rocks, mobs) can say which there are, and what a level with one more of
// them is. The level is one that load() takes; what comes of it need not be.
template <class W>
concept HasBodies = requires(const state::Json& level, std::string_view body, math::Vec2 place) {
    { W::bodies(level) } -> std::same_as<std::vector<std::string>>;
    { W::with_body(level, body, place) } -> std::same_as<state::Result<state::Json>>;
};

// Worlds that follow a document can be compared with recordings of the original.
template <class W>
concept HasParity = requires(const state::Json& json, const std::string& where) {
    { W::parity(json, where) } -> std::same_as<state::Result<Recording>>;
};

}  // namespace instep::contract
