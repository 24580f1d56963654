// SPDX-License-Identifier: MIT
// What a tick on footholds costs: objects that walk and objects that fall, on maps of 80 to 20,000 segments,
// against what is asked of them (25 and 15 million a second) and against each other; a full room against 100
// microseconds, and the import of a large map against 50 milliseconds.
#include <bench/harness.h>

#include <foothold/foothold.h>
#include <foothold/import.h>
#include <foothold/physics.h>
#include <instep/match/match.h>
#include <instep/match/tick_builder.h>
#include <instep/math/random.h>

#include <memory>
#include <string>
#include <vector>

namespace instep::bench {
namespace {

using worlds::foothold::FootholdSegment;
using worlds::foothold::FootholdSet;
using worlds::foothold::PhysicsObject;

constexpr std::size_t objects = 1000;
constexpr int ticks = 50;
constexpr double walking_nanoseconds = 1e9 / 25e6;
constexpr double falling_nanoseconds = 1e9 / 15e6;
constexpr double room_microseconds = 100;
constexpr double import_microseconds = 50e3;

// Storeys of platforms: chains of about ten links, slopes and flats, with gaps between.
std::vector<FootholdSegment> generated_map(std::int32_t count) {
    math::Random random = math::Random::from_seed(static_cast<std::uint64_t>(count));
    const std::int32_t storeys = count < 4000 ? 8 : 20;
    const std::int32_t links = count / storeys;
    std::vector<FootholdSegment> map;
    std::int32_t id = 1;
    for (std::int32_t storey = 0; storey < storeys; ++storey) {
        std::int32_t x = -45 * links;
        std::int32_t y = storey * 200;
        bool is_first = true;
        for (std::int32_t i = 0; i < links; ++i, ++id) {
            const bool is_last = i + 1 == links || random.below(10) == 0;
            const std::int32_t width = 60 + static_cast<std::int32_t>(random.below(50));
            const std::int32_t rise =
                random.below(2) == 0 ? 0 : static_cast<std::int32_t>(random.below(61)) - 30;
            map.push_back({id, 1, storey, x, y, x + width, y + rise, is_first ? 0 : id - 1,
                           is_last ? 0 : id + 1, false});
            x += width;
            y += rise;
            is_first = is_last;
            if (is_last) {
                x += 15;
                y = storey * 200;
            }
        }
    }
    return map;
}

struct Crowd {
    FootholdSet ground;
    std::vector<PhysicsObject> start;
    std::vector<PhysicsObject> moving;

    Crowd(std::int32_t footholds, bool falls) : ground(generated_map(footholds)) {
        math::Random random = math::Random::from_seed(7);
        for (std::size_t i = 0; i < objects; ++i) {
            const auto at = static_cast<worlds::foothold::FootholdIndex>(
                1 + random.below(static_cast<std::uint32_t>(ground.size())));
            const worlds::foothold::Foothold& foothold = ground[at];
            PhysicsObject object;
            object.position.x = random.uniform(foothold.left, foothold.right);
            object.position.y = foothold.ground_at(object.position.x) - (falls ? 180 : 0);
            object.foothold = falls ? worlds::foothold::FootholdIndex{0} : at;
            object.on_ground = !falls;
            object.velocity.x = falls ? random.uniform(-1, 1) : 0;
            object.set(worlds::foothold::MotionFlags::turn_at_edges);
            start.push_back(object);
        }
    }
    void run() {
        moving = start;
        for (int tick = 0; tick < ticks; ++tick)
            for (std::size_t i = 0; i < objects; ++i)
                worlds::foothold::move_object(moving[i], {i % 2 == 0 ? 0.16 : -0.16, 0}, ground,
                                              worlds::foothold::no_quirks);
        keep(moving);
    }
};

void compare_maps(Bench& bench, bool falls) {
    const std::string what = falls ? "falling" : "walking";
    const double allowed = falls ? falling_nanoseconds : walking_nanoseconds;
    constexpr double object_ticks = 1.0 * objects * ticks;
    Crowd small(80, falls);
    for (const std::int32_t footholds : {80, 340, 520, 1200, 20'000}) {
        const auto crowd = std::make_shared<Crowd>(footholds, falls);
        const std::string map = std::to_string(footholds) + " footholds";
        bench.compare(
            {.name = what + ", limit",
             .operations = object_ticks,
             .reference = {"what is asked", [=] { spend_microseconds(1e-3 * allowed * object_ticks); }},
             .alternatives = {{map, [=] { crowd->run(); }, 1}}});
        if (footholds == 20'000)
            bench.compare({.name = what + ", growth",
                           .operations = object_ticks,
                           .reference = {"80 footholds", [&] { small.run(); }},
                           .alternatives = {{map, [=] { crowd->run(); }, 1.5}}});
    }
}

// 50 bots, 200 mobs, 200 drops on a map of 1,200 footholds.
std::string full_room() {
    std::string level = R"({"world": "foothold", "name": "full", "rules": "game",
        "map": {"most_players": 50, "most_drops": 200}, "mob_kinds": [{"name": "mob", "speed": -30, "can_jump": true}],
        "footholds": [)";
    const std::vector<FootholdSegment> map = generated_map(1200);
    for (const FootholdSegment& s : map)
        level += (s.id == 1 ? "" : ",") + std::string("{\"id\":") + std::to_string(s.id) +
                 ",\"x1\":" + std::to_string(s.x1) + ",\"y1\":" + std::to_string(s.y1) +
                 ",\"x2\":" + std::to_string(s.x2) + ",\"y2\":" + std::to_string(s.y2) +
                 ",\"prev\":" + std::to_string(s.prev) + ",\"next\":" + std::to_string(s.next) + "}";
    std::string mobs, spawns;
    for (std::size_t i = 0; i < 200; ++i) {
        const FootholdSegment& s = map[i * 6];
        const std::string place =
            "[" + std::to_string((s.x1 + s.x2) / 2) + "," + std::to_string((s.y1 + s.y2) / 2) + "]";
        mobs += (i == 0 ? "" : ",") + std::string("{\"kind\":\"mob\",\"position\":") + place + "}";
        if (i % 4 == 0) spawns += (i == 0 ? "" : ",") + std::string("{\"position\":") + place + "}";
    }
    return level + R"(], "mobs": [)" + mobs + R"(], "spawns": [)" + spawns + "]}";
}

void compare_room(Bench& bench) {
    const auto setup = match::load_setup(full_room(), "full room");
    if (!setup) std::abort();
    match::Match room(*setup, 1);
    match::TickBuilder tick(**setup);
    for (std::uint32_t slot = 0; slot < 50; ++slot) tick.join({.slot = static_cast<contract::Slot>(slot)});
    const auto ask_bots = [&] {
        for (std::uint32_t slot = 0; slot < 50; ++slot)
            room.bot(static_cast<contract::Slot>(slot), tick.input(static_cast<contract::Slot>(slot)));
    };
    for (int i = 0; i < 2000; ++i) {  // until there is something of everything
        room.step(tick.bytes());
        tick.begin();
        ask_bots();
    }
    // As many drops as there may be, lying around.
    const state::Layout& layout = room.layout();
    std::vector<std::byte> image(layout.max_image_size);
    image.resize(room.save(image));
    state::Block block(layout);
    state::restore(layout, image, block.data());
    auto state = state::bind<worlds::foothold::State>(layout, block.data());
    while (!state.drops.full()) {
        worlds::foothold::Drop drop{.since = static_cast<std::uint32_t>(state.head->tick)};
        drop.stance = worlds::foothold::DropStance::floating;
        drop.body.type = worlds::foothold::MotionType::fixated;
        drop.body.foothold = 1;
        drop.target = drop.body.position = {static_cast<double>(state.drops.size()), 0};
        state.drops.add(drop);
    }
    image.resize(state::image_size(layout, block.data()));
    state::save(layout, block.data(), image);
    constexpr int room_ticks = 25;
    bench.compare(
        {.name = "a tick of 50 players, 200 mobs and 200 drops",
         .operations = room_ticks,
         .reference = {"100 microseconds", [] { spend_microseconds(room_microseconds * room_ticks); }},
         .alternatives = {{"a full room",
                           [&] {
                               room.restore(image);
                               for (int i = 0; i < room_ticks; ++i) room.step(tick.bytes());
                           },
                           1}}});
}

// A map editor's file with as many footholds as the largest real one, and ten times as many tiles.
std::string large_map_file() {
    const auto leaf = [](std::string_view name, std::int32_t value) {
        return "<int name=\"" + std::string(name) + "\" value=\"" + std::to_string(value) + "\"/>";
    };
    std::string text = "<imgdir name=\"1.img\"><imgdir name=\"0\"><imgdir name=\"tile\">";
    for (std::int32_t i = 0; i < 18'330; ++i)
        text += "<imgdir name=\"" + std::to_string(i) + "\">" + leaf("x", i) + leaf("y", -i) + "</imgdir>";
    text += "</imgdir></imgdir><imgdir name=\"foothold\"><imgdir name=\"0\"><imgdir name=\"0\">";
    for (std::int32_t i = 1; i <= 1833; ++i)
        text += "<imgdir name=\"" + std::to_string(i) + "\">" + leaf("x1", i * 20) + leaf("y1", i % 50) +
                leaf("x2", i * 20 + 20) + leaf("y2", (i + 1) % 50) + leaf("prev", i - 1) +
                leaf("next", i == 1833 ? 0 : i + 1) + "</imgdir>";
    return text + "</imgdir></imgdir></imgdir></imgdir>";
}

void compare_import(Bench& bench) {
    const std::string text = large_map_file();
    bench.compare({.name = "an import",
                   .operations = 1,
                   .reference = {"50 milliseconds", [] { spend_microseconds(import_microseconds); }},
                   .alternatives = {{"1,833 footholds",
                                     [&] {
                                         auto imported =
                                             worlds::foothold::import_map_xml(text, "large", {}, "large");
                                         if (!imported) std::abort();
                                         keep(*imported);
                                     },
                                     1}}});
}

const Benchmark foothold_benchmark{"foothold", [](Bench& bench) {
                                       compare_maps(bench, false);
                                       compare_maps(bench, true);
                                       compare_room(bench);
                                       compare_import(bench);
                                   }};

}  // namespace
}  // namespace instep::bench
