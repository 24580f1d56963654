// SPDX-License-Identifier: MIT
// Any bytes are imported as a map or refused with a position and a reason. An imported map loads as a level,
// and a match of it can be stepped. The first byte chooses between the XML of editors and Tiled's JSON.
#include <foothold/foothold.h>
#include <foothold/import.h>

#include <tests/fuzz/require.h>

#include <array>

using namespace instep;
using namespace instep::worlds;

namespace {

const foothold::Catalog& catalog() {
    static const foothold::Catalog made = [] {
        auto read = foothold::Catalog::read(
            R"({"mobs": {"0000001": {"name": "snail"}, "bat": {"motion": "flies"}}, "npcs": {"1": "someone"},
                "objects": {"trap/spike/ball/0": {"damage": 3, "move_type": 3, "move_width": 40,
                            "frames": [{"box": {"left": -9, "top": -9, "right": 9, "bottom": 9}}]}, "a/b/c/d": null}})",
            "catalog");
        REQUIRE(read);
        return *read;
    }();
    return made;
}

void play(const foothold::Setup& setup) {
    const state::Layout layout = state::make_layout<foothold::State>(setup);
    state::Block block(layout);
    foothold::State state = state::bind<foothold::State>(layout, block.data());
    *state.head = {};
    worlds::foothold::start(state, setup);
    const contract::Join join{.slot = 0};
    std::array<foothold::Event, 64> buffer;
    std::array<foothold::Input, 64> inputs{};
    for (int tick = 0; tick < 20; ++tick) {
        contract::Events<foothold::Event> events(buffer);
        worlds::foothold::step(state, setup, {{}, {&join, tick == 0 ? 1u : 0u}, inputs}, events);
        inputs[0] = worlds::foothold::bot(state, setup, 0);
        REQUIRE(worlds::foothold::validate(state, setup));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto imported = data[0] % 2 == 0 ? foothold::import_map_xml(text, "fuzz", catalog(), "fuzz")
                                           : foothold::import_tiled(text, "fuzz", catalog(), "fuzz");
    if (!imported) {
        REQUIRE(imported.error().where.starts_with("fuzz") && !imported.error().what.empty());
        return 0;
    }
    const auto again = state::parse_json(foothold::level_text(imported->level), "level");
    REQUIRE(again);
    const auto setup = foothold::load({}, *again, "level");
    // A Tiled file brings its own rules, which may be invalid.
    if (!setup) {
        REQUIRE(data[0] % 2 == 1 && !setup.error().what.empty());
        return 0;
    }
    play(*setup);
    return 0;
}
