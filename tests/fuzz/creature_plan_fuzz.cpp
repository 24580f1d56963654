// SPDX-License-Identifier: MIT
// Any JSON loads as a scene of creatures or as a level of them, or is refused with a position and a reason. A
// loaded level can be played: its state is legal from the first tick on, and it can be drawn.
#include <creature/creature.h>

#include <tests/fuzz/require.h>

#include <array>

using namespace instep;
using namespace instep::worlds::creature;

namespace {

constexpr std::uint32_t most_nodes_played = 64 * most_nodes;  // a room's; bounds the time per input

void play(const Setup& setup) {
    if (setup.most_circles() > most_nodes_played) return;
    const state::Layout layout = state::make_layout<State>(setup);
    state::Block block(layout);
    State state = state::bind<State>(layout, block.data());
    *state.head = {};
    state.head->random = math::Random::from_seed(1);
    worlds::creature::start(state, setup);
    REQUIRE(worlds::creature::validate(state, setup));

    const contract::Join join{.seed = 3, .slot = 0};
    std::array<Input, contract::most_slots> inputs{};
    std::array<Event, 64> buffer;
    for (int tick = 0; tick < 20; ++tick) {
        inputs[0].pointer = {tick % 3 * 400.0, tick % 5 * -300.0};
        REQUIRE(worlds::creature::sanitize(inputs[0], setup));
        contract::Events<Event> events(buffer);
        worlds::creature::step(state, setup, {{}, {&join, tick == 1 ? 1u : 0u}, inputs}, events);
        REQUIRE(worlds::creature::validate(state, setup));
    }
    contract::DrawList list;
    worlds::creature::view(state, setup, {}, list);
}

void check(const state::Json& level) {
    const auto setup = worlds::creature::load({}, level, "fuzz");
    if (setup)
        play(*setup);
    else
        REQUIRE(setup.error().where.starts_with("fuzz") && !setup.error().what.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = state::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (!json) return 0;  // json_fuzz checks the refusal
    check(*json);
    state::Json::Object level;
    level.emplace_back("rules", "faithful");
    level.emplace_back("playground", state::Json::Object{{"most_creatures", 64}});
    level.emplace_back("scene", *json);
    check(state::Json(std::move(level)));
    return 0;
}
