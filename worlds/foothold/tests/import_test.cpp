// SPDX-License-Identifier: MIT
// Maps from elsewhere: whatever has the shape of one is taken, with all the oddities of real files, and what
// is odd is in the report; whatever has not is refused with a sentence.
#include <foothold/foothold.h>
#include <foothold/import.h>
#include <foothold/import_xml.h>

#include <doctest/doctest.h>

#include <foothold/tests/maps.h>
#include <foothold/tests/support.h>
#include <tests/support/property.h>

#include <chrono>

using namespace instep;
using namespace instep::worlds::foothold;

namespace {

std::string leaf(std::string_view tag, std::string_view name, const std::string& value) {
    return "<" + std::string(tag) + " name=\"" + std::string(name) + "\" value=\"" + value + "\"/>";
}

std::string folder(const std::string& name, const std::string& inside) {
    return "<imgdir name=\"" + name + "\">" + inside + "</imgdir>";
}

std::string foothold_xml(const worlds::foothold::FootholdSegment& s) {
    const auto number = [](std::string_view name, std::int32_t value) {
        return leaf("int", name, std::to_string(value));
    };
    return folder(std::to_string(s.layer),
                  folder(std::to_string(s.group),
                         folder(std::to_string(s.id), number("x1", s.x1) + number("y1", s.y1) +
                                                          number("x2", s.x2) + number("y2", s.y2) +
                                                          number("prev", s.prev) + number("next", s.next))));
}

std::string map_xml(const std::string& inside) {
    return "<?xml version=\"1.0\"?>" + folder("000000042.img", inside);
}

Catalog small_catalog() {
    auto catalog = Catalog::read(R"({"mobs": {"0000001": {"name": "snail", "health": 8}},
                                     "npcs": {"7": "the smith"},
                                     "objects": {"trap/spike/ball/0": {"damage": 9, "frames": [{"sprite": [30, 30]}]},
                                                 "house/a/b/0": null}})",
                                 "catalog.json");
    REQUIRE_MESSAGE(catalog, catalog.error().text());
    return *catalog;
}

Imported import_xml(const std::string& text) {
    auto imported = import_map_xml(text, "map.img.xml", small_catalog(), "made");
    REQUIRE_MESSAGE(imported, imported.error().text());
    return std::move(*imported);
}

Setup setup_of(const Imported& imported) {
    const auto again = state::parse_json(level_text(imported.level), "made.json");
    REQUIRE_MESSAGE(again, again.error().text());
    auto setup = load({}, *again, "made.json");
    REQUIRE_MESSAGE(setup, setup.error().text());
    return std::move(*setup);
}

std::string error_of(const std::string& text) {
    const auto imported = import_map_xml(text, "map.img.xml", {}, "made");
    return imported ? "" : imported.error().text();
}

}  // namespace

TEST_CASE("foothold import: the sample map is taken whole") {
    const std::string text = test::read_text(test::source_dir() / "worlds/foothold/tests/sample-map.img.xml");
    const Imported imported = import_xml(text);
    const Setup setup = setup_of(imported);
    CHECK(setup.ground.size() == 5);
    CHECK(setup.ground[setup.ground.find(4)].no_drop);
    CHECK(setup.ground[setup.ground.find(5)].layer == 7);
    CHECK(setup.ladders.size() == 1);
    CHECK(!setup.ladders[0].is_rope);
    CHECK(setup.map.friction == 0.2);
    CHECK(!setup.map.swim);
    CHECK(setup.spawns == std::vector<Vec2>{{-200, -30}});
    REQUIRE(setup.mobs.size() == 1);
    CHECK(setup.kind_of(setup.mobs[0]).name.view() == "snail");
    CHECK(setup.mobs[0].position == Vec2{-200, 0});
    REQUIRE(setup.traps.size() == 1);
    CHECK(setup.traps[0].flip);
    CHECK(setup.trap_kinds[0].damage == 9);
    CHECK(imported.report.count("decimals with commas") == 1);
    CHECK(imported.report.count("sides of the map's view, left out: its ground bounds a level") == 4);
    CHECK(imported.report.notes().size() == 2);
}

TEST_CASE("foothold import: footholds come out as they went in, whatever they are like") {
    test::for_each_seed(100, [](math::Random& random) {
        const auto segments = test::wild_map(random);
        std::string xml;
        for (const auto& segment : segments) xml += foothold_xml(segment);
        const Setup setup = setup_of(import_xml(map_xml(folder("foothold", xml))));
        const worlds::foothold::FootholdSet expected(segments);
        REQUIRE(setup.ground.size() == segments.size());
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const auto index = static_cast<worlds::foothold::FootholdIndex>(i + 1);
            const worlds::foothold::Foothold& ours = setup.ground[index];
            const worlds::foothold::Foothold& theirs = expected[index];
            REQUIRE(ours.id == theirs.id);
            REQUIRE(std::array{ours.x1, ours.y1, ours.x2, ours.y2} ==
                    std::array{theirs.x1, theirs.y1, theirs.x2, theirs.y2});
            REQUIRE(setup.ground[ours.prev].id == expected[theirs.prev].id);
            REQUIRE(setup.ground[ours.next].id == expected[theirs.next].id);
        }
    });
}

TEST_CASE("foothold import: every oddity that real files have is taken, and named in the report") {
    const auto fh = [](std::int32_t id, std::int32_t x1, std::int32_t y1, std::int32_t x2, std::int32_t y2,
                       std::int32_t prev, std::int32_t next, std::int32_t group = 0) {
        return foothold_xml({id, 0, group, x1, y1, x2, y2, prev, next, false});
    };
    const std::string ground = fh(1, 0, 0, 100, 0, 0, 2) + fh(2, 100, 0, 200, 0, 0, 3) +
                               fh(3, 200, 5, 300, 5, 2, 0, 1) + fh(4, 500, 0, 400, 0, 0, 77) +
                               fh(5, 0, 0, 100, 0, 0, 0) + fh(6, 600, 0, 601, 453, 0, 0) +
                               fh(7, 700, 0, 700, 0, 0, 0) + fh(7, 800, 0, 900, 0, 0, 0);
    const std::string mob = leaf("string", "type", "m") + leaf("string", "id", "0000001");
    const std::string text = map_xml(
        folder("info",
               leaf("string", "link", "000000007") + leaf("float", "fs", "0,2") + leaf("int", "fly", "1")) +
        folder("foothold", ground) +
        folder("ladderRope", folder("1", leaf("int", "l", "0") + leaf("int", "x", "50") +
                                             leaf("int", "y1", "90") + leaf("int", "y2", "10"))) +
        folder("life", folder("0", mob + leaf("int", "fh", "0") + leaf("int", "rx0", "50") +
                                       leaf("int", "rx1", "-50")) +
                           folder("1", mob + leaf("int", "fh", "99") + leaf("int", "mobTime", "-1")) +
                           folder("2", leaf("string", "type", "m") + leaf("string", "id", "0000002")) +
                           folder("3", leaf("string", "type", "n") + leaf("string", "id", "7") +
                                           leaf("int", "fh", "1")) +
                           folder("4", leaf("string", "type", "x") + leaf("string", "id", "1"))) +
        folder("portal", folder("0", leaf("string", "pn", "in") + leaf("int", "pt", "2") +
                                         leaf("int", "tm", "42") + leaf("string", "tn", "out")) +
                             folder("1", leaf("string", "pn", "out") + leaf("int", "pt", "3") +
                                             leaf("int", "tm", "100000000") + leaf("string", "tn", "x")) +
                             folder("2", leaf("string", "pn", "lost") + leaf("int", "pt", "2") +
                                             leaf("int", "tm", "42") + leaf("string", "tn", "nobody"))) +
        folder("3", folder("obj", folder("9", leaf("string", "oS", "house") + leaf("string", "l0", "a") +
                                                  leaf("string", "l1", "b") + leaf("string", "l2", "1") +
                                                  leaf("int", "x", "1,5")))));
    const Imported imported = import_xml(text);
    const Setup setup = setup_of(imported);
    const ImportReport& report = imported.report;
    CHECK(report.count("links that are not returned") == 1);
    CHECK(report.count("linked ends that do not meet") == 2);
    CHECK(report.count("links to another group or layer") == 2);
    CHECK(report.count("links to footholds that are not there") == 1);
    CHECK(report.count("footholds that coincide with another") == 1);
    CHECK(report.count("footholds drawn from right to left (x1 > x2)") == 1);
    CHECK(report.count("footholds steeper than 10") == 1);
    CHECK(report.count("footholds of no length") == 1);
    CHECK(report.count("footholds with an id that another has, left out") == 1);
    CHECK(report.count("ladders upside down (y1 below y2), turned round") == 1);
    CHECK(report.count("mobs with no foothold (fh 0): the nearest ground will do") == 1);
    CHECK(report.count("mobs whose patrol ends before it begins (rx0 > rx1), turned round") == 1);
    CHECK(report.count("mobs on footholds that are not there: the nearest ground will do") == 1);
    CHECK(report.count("mobs that never come back: they do after a day") == 1);
    CHECK(report.count("mobs \"0000002\" that the catalog does not have, left out") == 1);
    CHECK(report.count("life of a type that is neither m nor n, left out") == 1);
    CHECK(report.count("portals to other maps: they lead nowhere") == 1);
    CHECK(report.count("portals to a portal that this map does not have: they lead nowhere") == 1);
    CHECK(report.count("objects \"house/a/b/1\" that the catalog does not have, left out") == 1);
    CHECK(report.count("the map is a stub that uses another map's parts (link)") == 1);
    CHECK(report.count("the map lets everyone fly, which no level does") == 1);
    CHECK(report.count("decimals with commas") == 2);
    CHECK(report.count("no spawn point: players begin above the highest ground") == 1);
    CHECK(setup.ground.size() == 7);
    CHECK(setup.ladders[0].is_rope);
    CHECK(setup.ladders[0].top == 10);
    CHECK(setup.npcs[0].name.view() == "the smith");
    CHECK(setup.portals.size() == 3);
    CHECK(setup.portal_ends == std::vector<std::uint32_t>{1, 1, 2});
    CHECK(setup.portals[1].on_touch);
}

TEST_CASE("foothold import: numbers out of range are cut or left out, with a line each in the report") {
    const auto ends =
        leaf("int", "x1", "0") + leaf("int", "y1", "0") + leaf("int", "x2", "100") + leaf("int", "y2", "0");
    const std::string mob = leaf("string", "type", "m") + leaf("string", "id", "0000001");
    std::string many;
    for (int i = 0; i < 70; ++i) many += leaf("int", "leaf" + std::to_string(i), "1");
    const Imported imported = import_xml(map_xml(
        folder("foothold",
               folder("0", folder("0", folder("2147483647", ends) + folder("2000000001", ends) +
                                           folder("99999999999999999999", ends) + folder("7", ends) +
                                           folder("8", ends + leaf("int", "prev", "-3") +
                                                           leaf("int", "next", "-1")) +
                                           folder("9", many + ends)) +
                               folder("2147483647", folder("10", ends)) + folder("x", folder("11", ends))) +
                   folder("300", folder("0", folder("12", ends))) +
                   folder("-1", folder("0", folder("13", ends)))) +
        folder("life",
               folder("0", mob + leaf("int", "fh", "7") + leaf("int", "rx0", "-100001") +
                               leaf("int", "rx1", "2147483647") + leaf("int", "mobTime", "1000000")))));
    const Setup setup = setup_of(imported);
    const ImportReport& report = imported.report;
    CHECK(report.count("footholds without a number from 1 to 2000000000 for a name, left out") == 3);
    CHECK(report.count("links below 0, taken as none") == 2);
    CHECK(report.count("folders with more than 64 values, the others left out") == 10);
    CHECK(report.count("footholds without all of their ends, left out") == 1);
    CHECK(report.count("groups with a number below -2000000000 or above 2000000000, cut") == 1);
    CHECK(report.count("groups without a number for a name, taken as 0") == 1);
    CHECK(report.count("layers with a number below 0 or above 255, cut") == 2);
    CHECK(report.count("numbers beyond all bounds, cut") == 4);  // rx0, rx1 twice, mobTime
    CHECK(setup.ground.size() == 6);
    CHECK(setup.mobs[0].spawn.left == -100'000);
    CHECK(setup.mobs[0].spawn.right == 100'000);
    CHECK(setup.mobs[0].spawn.respawn == 100'000'000);
}

TEST_CASE("foothold import: entries that lack a necessary part are named in the report") {
    const auto ends =
        leaf("int", "x1", "0") + leaf("int", "y1", "0") + leaf("int", "x2", "100") + leaf("int", "y2", "0");
    const std::string mob = leaf("string", "type", "m") + leaf("string", "id", "0000001");
    const std::string object = leaf("string", "oS", "trap") + leaf("string", "l0", "spike");
    const Imported imported = import_xml(
        map_xml(folder("foothold",
                       folder("0", folder("0", folder("1", ends)) + folder("2", ends)) + folder("3", ends)) +
                folder("ladderRope", folder("0", leaf("int", "x", "5") + leaf("int", "y1", "5"))) +
                folder("life", folder("0", mob) + folder("1", mob + leaf("int", "x", "5"))) +
                folder("portal", folder("0", leaf("string", "pn", "sp"))) +
                folder("0", folder("obj", folder("0", object)))));
    const ImportReport& report = imported.report;
    const Setup setup = setup_of(imported);
    CHECK(setup.ground.size() == 1);
    CHECK(report.count("footholds that are not in a group of a layer, left out") == 2);
    CHECK(setup.ladders.empty());
    CHECK(report.count("ladders without all of x, y1 and y2, left out") == 1);
    CHECK(setup.mobs.size() == 2);
    CHECK(report.count("places without an x or a y, which is taken as 0") == 5);
    CHECK(report.count("objects without all of oS, l0, l1 and l2, left out") == 1);
}

TEST_CASE(
    "foothold import: portals whose names are too long keep apart, and those of one name are reported") {
    const std::string base(40, 'p');
    const auto portal = [](const std::string& number, const std::string& name, const std::string& to) {
        return folder(number, leaf("string", "pn", name) + leaf("int", "pt", "2") + leaf("int", "tm", "42") +
                                  leaf("string", "tn", to));
    };
    const Imported imported = import_xml(
        map_xml(folder("portal", portal("0", base + "1", base + "2") + portal("1", base + "2", base + "1") +
                                     portal("2", "twin", base + "1") + portal("3", "twin", "twin"))));
    const Setup setup = setup_of(imported);
    CHECK(setup.portal_ends == std::vector<std::uint32_t>{1, 0, 0, 2});
    CHECK(imported.report.count("names of portals that do not fit, shortened") == 2);
    CHECK(imported.report.count("portals with the name of another: they lead to the first of that name") ==
          1);
}

TEST_CASE("foothold import: kinds of one name that differ are reported") {
    const auto catalog = Catalog::read(
        R"({"mobs": {"1": {"name": "snail"}, "2": {"name": "snail", "health": 99}, "3": {"name": "snail"}}})",
        "catalog.json");
    REQUIRE(catalog);
    std::string life;
    for (const std::string id : {"1", "2", "3"})
        life += folder(id, leaf("string", "type", "m") + leaf("string", "id", id));
    const auto imported = import_map_xml(map_xml(folder("life", life)), "map.img.xml", *catalog, "made");
    REQUIRE(imported);
    CHECK(imported->report.count("kinds of mobs of one name that differ, all taken as the first (the catalog "
                                 "should name them apart)") == 1);
}

TEST_CASE("foothold import: a fault of the catalog is reported with the catalog's name") {
    for (const std::string broken :
         {R"({"objects": {"a/b/c/d": {"damage": 3}}})",
          R"({"objects": {"a/b/c/d": {"damage": 0, "frames": [{}]}}})",
          R"({"objects": {"a/b/c/d": {"frames": [{"delay": 0}]}}})",
          R"({"objects": {"a/b/c/d": {"name": 7, "frames": [{}]}}})",
          R"({"objects": {"a path that is far too long for a name": {"frames": [{}]}}})",
          R"({"mobs": {"an id that is far too long for a name": {}}})"}) {
        CAPTURE(broken);
        const auto refused = Catalog::read(broken, "catalog.json");
        REQUIRE(!refused);
        CHECK(refused.error().where.starts_with("catalog.json: "));
    }
}

TEST_CASE("foothold import: XML that has nothing of a map is refused") {
    for (const char* other : {"<html/>", "<html><body name=\"info\"/></html>", "<imgdir name=\"1.img\"/>",
                              "<imgdir name=\"1.img\"><imgdir name=\"miniMap\"/></imgdir>"})
        CHECK(error_of(other).find("no map") != std::string::npos);
}

TEST_CASE("foothold import: a stub without footholds is a level too, and does no harm") {
    const Imported imported = import_xml(map_xml(folder("info", leaf("string", "link", "1"))));
    test::FootholdMatch match(setup_of(imported));
    match.join(0);
    match.run(500);
    CHECK(imported.report.count("no footholds at all: there is nothing to stand on") == 1);
}

TEST_CASE("foothold import: numbers are read as such files have them") {
    const auto x1_of = [](const std::string& written) {
        const std::string inside = leaf("int", "x1", written) + leaf("int", "y1", "0") +
                                   leaf("int", "x2", "90000") + leaf("int", "y2", "0");
        const Setup setup =
            setup_of(import_xml(map_xml(folder("foothold", folder("0", folder("0", folder("1", inside)))))));
        return setup.ground.size() == 1 ? setup.ground[1].x1 : -1;
    };
    CHECK(x1_of("12") == 12);
    CHECK(x1_of(" +12 ") == 12);
    CHECK(x1_of("-0012") == -12);
    CHECK(x1_of("1,6") == 2);
    CHECK(x1_of("0.25") == 0);
    CHECK(x1_of("00,5") == 1);
    CHECK(x1_of("-") == 0);
    CHECK(x1_of("twelve") == 0);
    CHECK(x1_of("1e400") == 0);
    CHECK(x1_of("99999999999999999999") == -1);  // outside of any map
}

TEST_CASE("foothold import: a file that is not a map is refused with a position and a sentence") {
    CHECK(error_of("").find("no XML") != std::string::npos);
    CHECK(error_of("hello").find("no XML") != std::string::npos);
    CHECK(error_of("<a>").find("cut off") != std::string::npos);
    CHECK(error_of("<a></b>").find("</b> closes <a>") != std::string::npos);
    CHECK(error_of("\n\n<a b></a>").find("line 3") != std::string::npos);
    CHECK(error_of("<!DOCTYPE x [<!ENTITY a \"b\">]><a/>").find("document type") != std::string::npos);
    CHECK(error_of("\xFF\xFE<").find("UTF-16") != std::string::npos);
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<imgdir name=\"a\">";
    CHECK(error_of(deep).find("within each other") != std::string::npos);
    std::string crowded = "<imgdir";
    for (int i = 0; i < 1000; ++i) crowded += " a=\"b\"";
    CHECK(error_of(crowded + "/>").find("attributes") != std::string::npos);
}

TEST_CASE(
    "foothold import: a map cut off anywhere is refused, and one with any byte changed is taken or refused, "
    "never worse") {
    const std::string text = test::read_text(test::source_dir() / "worlds/foothold/tests/sample-map.img.xml");
    const std::size_t last = text.rfind('<');
    for (std::size_t length = 0; length < last; length += 7) CHECK(!error_of(text.substr(0, length)).empty());
    test::for_each_seed(500, [&](math::Random& random) {
        std::string broken = text;
        for (int i = 0; i < 3; ++i)
            broken[random.below(static_cast<std::uint32_t>(broken.size()))] =
                static_cast<char>(random.next());
        const auto imported = import_map_xml(broken, "map", small_catalog(), "made");
        if (imported) setup_of(*imported);
    });
}

TEST_CASE("foothold import: 1,833 footholds among ten times as many tiles are imported in a moment") {
    std::string tiles, ground;
    for (int i = 0; i < 18'000; ++i)
        tiles += folder(std::to_string(i),
                        leaf("int", "x", "12") + leaf("int", "y", "9") + leaf("string", "u", "bsc"));
    for (std::int32_t i = 1; i <= 1833; ++i)
        ground += foothold_xml(
            {i, 0, 0, i * 20, i % 50, i * 20 + 20, (i + 1) % 50, i - 1, i == 1833 ? 0 : i + 1, false});
    const std::string text = map_xml(folder("0", folder("tile", tiles)) + folder("foothold", ground));
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const Imported imported = import_xml(text);
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
    }
    MESSAGE("imported in " << best << " ms");
#ifdef NDEBUG           // builds with assertions and sanitizers are slower than anyone's import
    CHECK(best < 500);  // a tenth of it on a machine that does nothing else
#endif
}

TEST_CASE(
    "foothold import: a polyline of Tiled is a chain, drawn either way, and a polygon its upper sides") {
    const auto import = [](const std::string& objects) {
        auto imported = import_tiled(R"({"layers": [{"type": "objectgroup", "objects": [)" + objects + "]}]}",
                                     "map.tmj", small_catalog(), "made");
        REQUIRE_MESSAGE(imported, imported.error().text());
        return std::move(*imported);
    };
    for (
        const char* line :
        {R"({"id": 1, "x": 10, "y": 20, "polyline": [{"x": 0, "y": 0}, {"x": 50, "y": 0}, {"x": 50, "y": -30}, {"x": 90, "y": -30}]})",
         R"({"id": 1, "x": 100, "y": -10, "polyline": [{"x": 0, "y": 0}, {"x": -40, "y": 0}, {"x": -40, "y": 30}, {"x": -90, "y": 30}]})"}) {
        const Setup setup = setup_of(import(line));
        REQUIRE(setup.ground.size() == 3);
        CHECK(setup.ground[1].left == 10);
        CHECK(setup.ground[1].next == 2);
        CHECK(setup.ground[2].is_wall);
        CHECK(setup.ground[3].prev == 2);
        CHECK(setup.ground[3].right == 100);
        CHECK(setup.ground[1].next_meets);
    }
    const Imported polygon = import(
        R"({"id": 1, "x": 0, "y": 0, "polygon": [{"x": 0, "y": 0}, {"x": 0, "y": -50}, {"x": 80, "y": -50}, {"x": 80, "y": 0}]})");
    const Setup setup = setup_of(polygon);
    CHECK(setup.ground.size() == 3);  // up, across, down
    CHECK(polygon.report.count("undersides of polygons, left out") == 1);
}

TEST_CASE(
    "foothold import: what Tiled says that no level can have is cut or left out, with a line each in the "
    "report") {
    const auto imported = import_tiled(
        R"({"properties": [{"name": "friction", "value": 99}, {"name": "most_players", "value": 1000},
                           {"name": "most_drops", "value": "many"}],
            "layers": [{"type": "tilelayer", "name": "sky"},
                       {"type": "objectgroup", "name": "things", "objects": [
              {"id": 1, "class": "spawn", "x": 1e9, "y": 0},
              {"id": 2, "class": "mob", "name": "0000001", "x": 50, "y": 10,
               "properties": [{"name": "left", "value": -200000}, {"name": "right", "value": 200000},
                              {"name": "respawn", "value": 1e12}]},
              {"id": 3, "class": "ladder", "x": 10.3, "y": 0, "width": 0, "height": 50},
              {"id": 4, "x": 0, "y": 20, "polyline": [{"x": 0, "y": 0}, {"x": 100, "y": 0}]}]}]})",
        "map.tmj", small_catalog(), "made");
    REQUIRE_MESSAGE(imported, imported.error().text());
    const ImportReport& report = imported->report;
    CHECK(report.count("numbers beyond all bounds, cut") == 5);
    CHECK(report.count("properties that should be numbers, left out") == 1);
    CHECK(report.count("places to begin outside of any map, left out") == 1);
    CHECK(report.count("layers of tiles or images, passed over") == 1);
    CHECK(report.count("fractions, rounded") == 1);
    const Setup setup = setup_of(*imported);
    CHECK(setup.mobs[0].spawn.foothold == 1);  // though the ground was drawn after it
    CHECK(setup.mobs[0].position == Vec2{50, 20});
}

TEST_CASE("foothold import: a crowd on very much ground takes little longer than the ground alone") {
    std::string ground, crowd;
    for (int i = 0; i < 20'000; ++i) {
        const std::string x = std::to_string(i * 9 - 90'000);
        ground += R"({"id": 1, "x": )" + x + R"(, "y": )" + std::to_string(i % 700) +
                  R"(, "polyline": [{"x": 0, "y": 0}, {"x": 9, "y": 0}]},)";
        crowd += R"({"id": 2, "class": "mob", "name": "nobody", "x": )" + x + R"(, "y": 50},)";
    }
    const std::string last = R"({"id": 3, "class": "spawn", "x": 0, "y": 0})";
    const auto time_of = [](const std::string& objects, std::size_t mobs) {
        const std::string text = R"({"layers": [{"type": "objectgroup", "objects": [)" + objects + "]}]}";
        double best = 1e9;
        for (int i = 0; i < 3; ++i) {
            const auto start = std::chrono::steady_clock::now();
            const auto imported = import_tiled(text, "map.tmj", {}, "made");
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            REQUIRE_MESSAGE(imported, imported.error().text());
            CHECK(imported->report.count("mobs \"nobody\" that the catalog does not have, left out") == mobs);
            best = std::min(best, taken.count());
        }
        return best;
    };
    const double alone = time_of(ground + last, 0);
    const double crowded = time_of(ground + crowd + last, 20'000);
    MESSAGE("the crowd takes " << crowded / alone << " times as long");
    CHECK(crowded < 6 * alone);  // every mob with every foothold would be 400 million questions
}

TEST_CASE("foothold import: the project's levels equal their imported Tiled maps") {
    const auto folder_of_levels = test::source_dir() / "worlds/foothold/levels";
    const auto catalog =
        Catalog::read(test::read_text(folder_of_levels / "catalog/objects.json"), "objects.json");
    REQUIRE_MESSAGE(catalog, catalog.error().text());
    for (const std::string name : {"town", "lake"}) {
        const auto imported =
            import_tiled(test::read_text(folder_of_levels / (name + ".tmj")), name, *catalog, name);
        REQUIRE_MESSAGE(imported, imported.error().text());
        CHECK(level_text(imported->level) == test::read_text(folder_of_levels / (name + ".json")));
        CHECK(imported->report.notes().empty());
    }
}

TEST_CASE("foothold import: escapes in names are undone, and unknown ones left alone") {
    CHECK(unescape("a&amp;b&lt;&gt;&quot;&apos;") == "a&b<>\"'");
    CHECK(unescape("&#65;&#x42;&#x20AC;") == "AB\xE2\x82\xAC");
    CHECK(unescape("&nbsp;&;&#;&#xD800;&#1114112;&") == "&nbsp;&;&#;&#xD800;&#1114112;&");
}

TEST_CASE(
    "foothold import: a catalog may use the document's names for the motion and the direction of a trap") {
    const std::string frames = R"("frames": [{"sprite": [30, 30]}])";
    const auto read = [&](const std::string& members) {
        return Catalog::read(R"({"objects": {"trap/arm/a/0": {"damage": 9, )" + members + frames + "}}}",
                             "catalog.json");
    };
    const auto catalog =
        read(R"("moveType": 3, "moveW": 40, "moveH": 50, "moveP": 3000, "moveR": 1500, "dir": -1, )");
    REQUIRE_MESSAGE(catalog, catalog.error().text());
    const std::string object = leaf("string", "oS", "trap") + leaf("string", "l0", "arm") +
                               leaf("string", "l1", "a") + leaf("string", "l2", "0") + leaf("int", "x", "5") +
                               leaf("int", "y", "-9");
    const std::string ends =
        leaf("int", "x1", "0") + leaf("int", "y1", "0") + leaf("int", "x2", "100") + leaf("int", "y2", "0");
    const auto imported =
        import_map_xml(map_xml(folder("foothold", folder("0", folder("0", folder("1", ends)))) +
                               folder("0", folder("obj", folder("0", object)))),
                       "map.img.xml", *catalog, "made");
    REQUIRE_MESSAGE(imported, imported.error().text());
    const Setup setup = setup_of(*imported);
    REQUIRE(setup.traps.size() == 1);
    const TrapKind& kind = setup.trap_kinds[0];
    CHECK(kind.move_type == 3);
    CHECK(kind.move_width == 40);
    CHECK(kind.move_height == 50);
    CHECK(kind.move_period == 3000);
    CHECK(kind.turn_period == 1500);
    CHECK(kind.push == -1);
    const auto twice = read(R"("moveR": 1500, "turn_period": 2000, )");
    REQUIRE(!twice);
    CHECK(twice.error().text().find("moveR") != std::string::npos);
    CHECK(!read(R"("dir": 2, )"));
}

TEST_CASE("foothold import: an NPC without ground below it is left out, and one high above it is reported") {
    const std::string ends =
        leaf("int", "x1", "0") + leaf("int", "y1", "0") + leaf("int", "x2", "100") + leaf("int", "y2", "0");
    const auto npc = [](const std::string& x, const std::string& y) {
        return leaf("string", "type", "n") + leaf("string", "id", "7") + leaf("int", "x", x) +
               leaf("int", "cy", y);
    };
    const Imported imported =
        import_xml(map_xml(folder("foothold", folder("0", folder("0", folder("1", ends)))) +
                           folder("life", folder("0", npc("50", "-3")) + folder("1", npc("50", "-400")) +
                                              folder("2", npc("500", "0")))));
    CHECK(imported.report.count("npcs without ground below them, left out") == 1);
    CHECK(imported.report.count("npcs high above the ground: they stand on it") == 1);
    const Setup setup = setup_of(imported);
    REQUIRE(setup.npcs.size() == 2);
    for (const Npc& one : setup.npcs) CHECK(one.position.y == 0);
}
