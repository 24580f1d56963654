// SPDX-License-Identifier: MIT
// A table of functions and fields, of the same type for every world. The server, the browser, the netcode and
// the command line know worlds only through it. make_table<World>() makes it from a world's types and
// functions, with the engine's defaults for those that it has not; inside a step nothing is virtual. A world
// need not be C++ types: any code can fill in a table, with what it needs to know in `context`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <instep/contract/defaults.h>
#include <instep/contract/original_protocol.h>
#include <instep/contract/owned.h>
#include <instep/contract/players.h>
#include <instep/contract/world.h>
#include <instep/match/random_input.h>
#include <instep/state/hash.h>

namespace instep::match {

// contract::Tick for a world whose Input type is not known here: rows of the input's size, by slot.
struct TickBytes {
    std::span<const contract::Slot> leaves;
    std::span<const contract::Join> joins;
    std::span<const std::byte> inputs;
};

// The memory for a tick's events, and afterwards the events in it.
struct EventBytes {
    std::span<std::byte> memory;
    std::uint32_t count = 0;
    std::uint32_t lost = 0;  // events that did not fit
};

// contract::HasOriginalProtocol for a world whose types are not known here. A session is made by make() and
// passed to the others.
struct OriginalProtocol {
    std::string_view level;  // empty: the world has none
    std::shared_ptr<void> (*make)(const void* setup);
    // Writes the input that the message brought, if any, to the row.
    struct Request {
        std::optional<std::string> enter_as;
        bool has_input = false;
    };
    state::Result<Request> (*receive)(void* session, std::span<const std::byte> message,
                                      std::span<std::byte> input, contract::OriginalMessages& out);
    void (*update)(void* session, const void* setup, const state::Layout&, const std::byte* block,
                   contract::Slot own, contract::OriginalMessages& out);
};

struct WorldTable {
    std::string_view name;
    std::string_view summary;
    const state::StructInfo* input;
    const state::StructInfo* event;
    const state::StructInfo* player;
    const state::StructInfo* rules;  // the values that a level may override

    // Handed to the functions that get no setup: for tables that are not made from a world's types.
    const void* context = nullptr;

    // `setup` below is always the result of load() of the same table.
    state::Result<std::shared_ptr<const void>> (*load)(const void* context, const state::Json& level,
                                                       const std::string& where);
    contract::Facts (*facts)(const void* setup);
    const std::byte* (*rules_of)(const void* setup);  // resolved
    state::Layout (*layout)(const void* setup);
    void (*start)(const void* setup, const state::Layout&, std::byte* block, std::uint64_t seed);
    bool (*sanitize)(const void* setup, std::byte* input);
    void (*step)(const void* setup, const state::Layout&, std::byte* block, const TickBytes&, EventBytes&);
    state::Result<void> (*validate)(const void* setup, const state::Layout&, const std::byte* block);
    void (*view)(const void* setup, const state::Layout&, const std::byte* block, const contract::DrawTimes&,
                 contract::DrawList&);
    void (*bot)(const void* setup, const state::Layout&, const std::byte* block, contract::Slot,
                std::byte* input);
    std::uint64_t (*tick)(const state::Layout&, const std::byte* block);
    contract::SlotSet (*live_slots)(const state::Layout&, const std::byte* block);
    // Copies each live player's last input to the row of its slot: what is applied until a newer one arrives.
    void (*held_inputs)(const state::Layout&, const std::byte* block, std::byte* rows);
    std::span<const contract::EventText> event_texts;  // by kind of event

    // These may be null.
    std::vector<std::string> (*bodies)(const void* context, const state::Json& level) = nullptr;
    state::Result<state::Json> (*with_body)(const void* context, const state::Json& level,
                                            std::string_view body, math::Vec2 position) = nullptr;
    state::Result<contract::Recording> (*parity)(const void* context, const state::Json& file,
                                                 const std::string& where) = nullptr;
    state::Result<contract::ImportedLevel> (*import_level)(const void* context,
                                                           const contract::ImportedMap& map) = nullptr;
    OriginalProtocol original = {};  // with null functions for a world that speaks none
};

// --- Making one --------------------------------------------------------------------------------------------

// The functions of a world, for callers that do not know its types. Their names differ from the world's own,
// which are found by argument-dependent lookup.
template <class W>
struct Erased {
    using Setup = typename W::Setup;
    using Input = typename W::Input;
    using State = typename W::State;
    using Event = typename W::Event;
    static_assert(contract::check_world<W>());
    using Rules = decltype(Setup::rules);

    using Player = typename decltype(State::players)::Element;

    static const Setup& of(const void* setup) { return *static_cast<const Setup*>(setup); }

    static state::Result<Setup> read_level(const state::Json& level, const std::string& where) {
        if constexpr (requires { load(state::Type<Setup>{}, level, where); })
            return load(state::Type<Setup>{}, level, where);
        else
            return contract::default_load<Setup>(level, where);
    }
    static state::Result<std::shared_ptr<const void>> load_level(const void*, const state::Json& level,
                                                                 const std::string& where) {
        auto setup = read_level(level, where);
        if (!setup) return std::unexpected(setup.error());
        if constexpr (requires { check(*setup); })
            if (const state::Result<void> checked = check(std::as_const(*setup)); !checked)
                return state::within(where, checked.error());
        return std::make_shared<const Setup>(std::move(*setup));
    }
    // The numbers of a setup that may count bodies: all of a described one, or those of its rules.
    static const state::StructInfo& counts() {
        if constexpr (state::Described<Setup>)
            return state::describe<Setup>();
        else
            return state::describe<Rules>();
    }
    static state::Result<state::Json> with_counted_body(const state::Json& level, std::string_view body) {
        const auto setup = read_level(level, "level");
        if (!setup) return std::unexpected(setup.error());
        if constexpr (state::Described<Setup>)
            return contract::default_with_body(level, body, counts(),
                                               reinterpret_cast<const std::byte*>(&*setup), "");
        else
            return contract::default_with_body(level, body, counts(),
                                               reinterpret_cast<const std::byte*>(&setup->rules), "rules.");
    }
    static contract::Facts facts_of(const void* setup) {
        if constexpr (requires { facts(of(setup)); })
            return facts(of(setup));
        else if constexpr (requires { bounds(of(setup)); }) {
            const motion::Box box = bounds(of(setup));
            return contract::default_facts(layout_of(setup), state::describe<Rules>(), rules_of(setup), &box);
        } else
            return contract::default_facts(layout_of(setup), state::describe<Rules>(), rules_of(setup),
                                           nullptr);
    }
    static const std::byte* rules_of(const void* setup) {
        return reinterpret_cast<const std::byte*>(&of(setup).rules);
    }
    static state::Layout layout_of(const void* setup) { return state::make_layout<State>(of(setup)); }
    static void start_block(const void* setup, const state::Layout& layout, std::byte* block,
                            std::uint64_t seed) {
        std::memset(block, 0, layout.size);
        State state = state::bind<State>(layout, block);
        *state.head = {};
        state.head->random = math::Random::from_seed(seed);
        if constexpr (requires { start(state, of(setup)); }) start(state, of(setup));
    }
    static bool sanitize_row(const void* setup, std::byte* bytes) {
        Input input;
        std::memcpy(&input, bytes, sizeof input);
        const bool legal =
            state::fields_are_legal(state::describe<Input>(), bytes) && made_legal(setup, input);
        if (!legal) input = {};
        std::memcpy(bytes, &input, sizeof input);
        return legal;
    }
    static bool made_legal([[maybe_unused]] const void* setup, Input& input) {
        if constexpr (requires { sanitize(input, of(setup)); })
            return sanitize(input, of(setup));
        else
            return contract::default_sanitize(state::describe<Input>(), reinterpret_cast<std::byte*>(&input));
    }
    static void step_block(const void* setup, const state::Layout& layout, std::byte* block,
                           const TickBytes& tick, EventBytes& bytes) {
        State state = state::bind<State>(layout, block);
        contract::Events<Event> events(
            {reinterpret_cast<Event*>(bytes.memory.data()), bytes.memory.size() / sizeof(Event)});
        const contract::Tick<Input> typed{
            tick.leaves,
            tick.joins,
            {reinterpret_cast<const Input*>(tick.inputs.data()), tick.inputs.size() / sizeof(Input)}};
        if constexpr (requires { step(state, of(setup), typed, events); })
            step(state, of(setup), typed, events);
        else
            step_with_players(state, of(setup), typed, events);
        bytes.count = static_cast<std::uint32_t>(events.all().size());
        bytes.lost = events.lost();
    }
    // Joins, leaves and inputs as most worlds take them. A leaving player takes along what belongs to it.
    static void step_with_players(State& state, const Setup& setup, const contract::Tick<Input>& tick,
                                  contract::Events<Event>& events) {
        const auto gone = [&](const Player& player) {
            if constexpr (requires {
                              contract::event_table_of<typename Event::Kind>;
                              Event::Kind::left;
                          })
                add_event(state, Event::Kind::left, player, events);
            if constexpr (requires { leave(state, setup, player, events); })
                leave(state, setup, player, events);
            else
                contract::remove_owned(state, player.slot);
        };
        const auto come = [&](Player& player, const contract::Join&) {
            if constexpr (requires { join(state, setup, player, events); })
                join(state, setup, player, events);
            if constexpr (requires {
                              contract::event_table_of<typename Event::Kind>;
                              Event::Kind::joined;
                          })
                add_event(state, Event::Kind::joined, player, events);
        };
        contract::take_leaves_and_joins(state.players, tick, gone, come);
        for (Player& player : state.players) player.input = tick.inputs[player.slot];
        step(state, setup, events);
        ++state.head->tick;
    }
    template <class Kind>
    static void add_event(const State& state, Kind kind, const Player& player,
                          contract::Events<Event>& events) {
        Event event{.kind = kind, .slot = player.slot};
        if constexpr (requires { event.position; })
            event.position = contract::position_of(state, player.slot);
        events.add(event);
    }
    static state::Result<void> validate_block(const void* setup, const state::Layout& layout,
                                              const std::byte* block) {
        const State state = state::bind<State>(layout, block);
        if constexpr (requires { validate(state, of(setup)); }) {
            return validate(state, of(setup));
        } else {
            if (auto common = contract::validate_common(state, facts_of(setup).most_players); !common)
                return common;
            for (const Player& player : state.players) {
                Input input = player.input;
                // Each byte of it is described, and sanitize changes no byte of a legal input.
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
                if (!made_legal(setup, input) || std::memcmp(&input, &player.input, sizeof input) != 0)
                    return state::refuse("players", "one has an input that sanitize would change");
            }
            return contract::default_validate(layout, block, live_slots(layout, block));
        }
    }
    static void view_block(const void* setup, const state::Layout& layout, const std::byte* block,
                           [[maybe_unused]] const contract::DrawTimes& times, contract::DrawList& list) {
        const State state = state::bind<State>(layout, block);
        if constexpr (requires { view(state, of(setup), times, list); })
            view(state, of(setup), times, list);
        else if constexpr (requires { view(state, of(setup), list); })
            view(state, of(setup), list);
        else
            contract::default_view(layout, block, facts_of(setup), state::describe<Rules>(), rules_of(setup),
                                   list);
    }
    static void bot_row(const void* setup, const state::Layout& layout, const std::byte* block,
                        contract::Slot slot, std::byte* bytes) {
        Input input{};
        const State state = state::bind<State>(layout, block);
        if constexpr (requires { bot(state, of(setup), slot); }) {
            input = bot(state, of(setup), slot);
        } else {
            // Another input about twice a second, the same whenever the same state is asked.
            const std::uint64_t period = state.head->tick / std::max(facts_of(setup).tick_rate / 2, 1u);
            math::Random random = math::Random::from_seed(period * contract::most_slots + slot);
            random_input(state::describe<Input>(), random, reinterpret_cast<std::byte*>(&input));
            if (!made_legal(setup, input)) input = {};
        }
        std::memcpy(bytes, &input, sizeof input);
    }
    static std::uint64_t tick_of(const state::Layout& layout, const std::byte* block) {
        return state::bind<State>(layout, block).head->tick;
    }
    static contract::SlotSet live_slots(const state::Layout& layout, const std::byte* block) {
        contract::SlotSet slots = 0;
        for (const auto& player : state::bind<State>(layout, block).players)
            slots |= contract::only(player.slot);
        return slots;
    }
    static void held_inputs(const state::Layout& layout, const std::byte* block, std::byte* rows) {
        for (const auto& player : state::bind<State>(layout, block).players)
            std::memcpy(rows + player.slot * sizeof(Input), &player.input, sizeof(Input));
    }
};

template <class W>
std::span<const contract::EventText> event_texts() {
    if constexpr (requires { W::event_texts; })
        return W::event_texts;
    else
        return contract::event_table_of<typename W::Event::Kind>.texts;
}

template <class W>
OriginalProtocol make_original_protocol() {
    using Session = typename W::OriginalSession;
    using E = Erased<W>;
    return {
        .level = Session::level,
        .make = [](const void* setup) -> std::shared_ptr<void> {
            return std::make_shared<Session>(E::of(setup));
        },
        .receive = [](void* session, std::span<const std::byte> message, std::span<std::byte> input,
                      contract::OriginalMessages& out) -> state::Result<OriginalProtocol::Request> {
            auto request = static_cast<Session*>(session)->receive(message, out);
            if (!request) return std::unexpected(request.error());
            if (request->input) std::memcpy(input.data(), &*request->input, sizeof *request->input);
            return OriginalProtocol::Request{std::move(request->enter_as), request->input.has_value()};
        },
        .update =
            [](void* session, const void* setup, const state::Layout& layout, const std::byte* block,
               contract::Slot own, contract::OriginalMessages& out) {
                static_cast<Session*>(session)->update(state::bind<typename W::State>(layout, block),
                                                       E::of(setup), own, out);
            },
    };
}

template <class W>
WorldTable make_table() {
    using E = Erased<W>;
    using Type = state::Type<typename W::Setup>;
    using Player = typename decltype(W::State::players)::Element;
    WorldTable table{
        .name = W::name,
        .summary = W::summary,
        .input = &state::describe<typename W::Input>(),
        .event = &state::describe<typename W::Event>(),
        .player = &state::describe<Player>(),
        .rules = &state::describe<typename E::Rules>(),
        .load = E::load_level,
        .facts = E::facts_of,
        .rules_of = E::rules_of,
        .layout = E::layout_of,
        .start = E::start_block,
        .sanitize = E::sanitize_row,
        .step = E::step_block,
        .validate = E::validate_block,
        .view = E::view_block,
        .bot = E::bot_row,
        .tick = E::tick_of,
        .live_slots = E::live_slots,
        .held_inputs = E::held_inputs,
        .event_texts = event_texts<W>(),
    };
    if constexpr (contract::HasBodies<W>) {
        table.bodies = [](const void*, const state::Json& level) { return bodies(Type{}, level); };
        table.with_body = [](const void*, const state::Json& level, std::string_view body,
                             math::Vec2 position) { return with_body(Type{}, level, body, position); };
    } else if (!contract::default_bodies(E::counts()).empty()) {
        table.bodies = [](const void*, const state::Json&) { return contract::default_bodies(E::counts()); };
        table.with_body = [](const void*, const state::Json& level, std::string_view body, math::Vec2) {
            return E::with_counted_body(level, body);
        };
    }
#ifndef __wasm__  // a page compares no recordings, imports no maps and is no server; its module is downloaded
    if constexpr (contract::HasParity<W>)
        table.parity = [](const void*, const state::Json& file, const std::string& where) {
            return parity(Type{}, file, where);
        };
    if constexpr (contract::HasImport<W>)
        table.import_level = [](const void*, const contract::ImportedMap& map) {
            return import_level(Type{}, map);
        };
    if constexpr (contract::HasOriginalProtocol<W>) table.original = make_original_protocol<W>();
#endif
    return table;
}

}  // namespace instep::match
