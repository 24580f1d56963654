// SPDX-License-Identifier: MIT
// Tiled's JSON (.tmj). Object layers are read, tiles are not. A polyline is a chain of linked footholds, a
// polygon one around its upper sides; the class of other objects says what they are: ladder, rope, water,
// spawn, portal, mob, npc, trap. README.md has the list of properties.
#include <algorithm>
#include <cmath>
#include <optional>

#include <foothold/import_draft.h>
#include <foothold/mob.h>

namespace instep::worlds::foothold {
namespace {

using state::Json;
using state::refuse;
using state::Result;

constexpr int deepest_group = 16;

struct Point {
    std::int32_t x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

double number(const Json& json, std::string_view key, double otherwise = 0) {
    const Json* value = json.find(key);
    return value && value->is_number() ? value->number() : otherwise;
}

std::string text(const Json& json, std::string_view key) {
    const Json* value = json.find(key);
    return value && value->string() ? *value->string() : std::string();
}

const Json::Array& list(const Json& json, std::string_view key) {
    static const Json::Array empty;
    const Json* value = json.find(key);
    return value && value->array() ? *value->array() : empty;
}

// A custom property: {"properties": [{"name": ..., "value": ...}]}.
const Json* property(const Json& owner, std::string_view name) {
    for (const Json& entry : list(owner, "properties"))
        if (text(entry, "name") == name) return entry.find("value");
    return nullptr;
}

bool flag_property(const Json& owner, std::string_view name) {
    const Json* value = property(owner, name);
    return value && value->boolean() && *value->boolean();
}

std::string text_property(const Json& owner, std::string_view name) {
    const Json* value = property(owner, name);
    return value && value->string() ? *value->string() : std::string();
}

std::int32_t bounded(double value, double low, double high) {
    return static_cast<std::int32_t>(std::round(std::clamp(value, low, high)));
}

class TiledReader {
public:
    explicit TiledReader(const Catalog& catalog) : draft_(catalog) {}

    Result<Imported> read(const Json& map, const std::string& where, std::string_view level_name) {
        if (!map.object() || !map.find("layers"))
            return refuse(where, "is no map of Tiled: expected an object with \"layers\"");
        draft_.name = level_name;
        if (auto read = read_properties(map, where); !read) return std::unexpected(read.error());
        read_layers(map, {}, 0);
        read_inhabitants();
        draft_.look_over();
        return Imported{draft_.to_json(), std::move(draft_.report)};
    }

private:
    Result<void> read_properties(const Json& map, const std::string& where) {
        if (const std::string rules = text_property(map, "rules"); !rules.empty()) {
            draft_.rules = rules;
            if (rules.starts_with('{')) {  // an object that overrides some of a rule set
                auto parsed = state::parse_json(rules, where + ": rules");
                if (!parsed) return std::unexpected(parsed.error());
                draft_.rules = std::move(*parsed);
            }
        }
        draft_.map.swim = flag_property(map, "swim");
        label_ = "map";
        draft_.map.friction = number_property(map, "friction", 1, 0.01, 10);
        draft_.map.most_players = static_cast<std::uint32_t>(whole_property(map, "most_players", 50, 1, 64));
        draft_.map.most_drops =
            static_cast<std::uint32_t>(whole_property(map, "most_drops", 200, 1, most_drops));
        return {};
    }

    // A number within bounds, cut to them if it must be.
    double number_property(const Json& owner, std::string_view name, double otherwise, double low,
                           double high) {
        const Json* value = property(owner, name);
        if (!value) return otherwise;
        if (!value->is_number()) {
            draft_.report.add("properties that should be numbers, left out",
                              label_ + "." + std::string(name));
            return otherwise;
        }
        if (value->number() < low || value->number() > high)
            draft_.report.add("numbers beyond all bounds, cut", label_ + "." + std::string(name));
        return std::clamp(value->number(), low, high);
    }

    std::int32_t whole_property(const Json& owner, std::string_view name, double otherwise, double low,
                                double high) {
        return rounded(number_property(owner, name, otherwise, low, high), "." + std::string(name));
    }

    // A whole number, of a pixel as a rule.
    std::int32_t rounded(double value, const std::string& what) {
        const std::int32_t whole = bounded(value, -2e9, 2e9);
        if (std::abs(value - whole) > 0.01) draft_.report.add("fractions, rounded", label_ + what);
        return whole;
    }

    void read_layers(const Json& owner, Vec2 offset, int depth) {
        if (depth == deepest_group) return draft_.report.add("groups within too many groups, left out");
        for (const Json& layer : list(owner, "layers")) {
            const Vec2 at = offset + Vec2{number(layer, "offsetx"), number(layer, "offsety")};
            const std::string type = text(layer, "type");
            label_ = "layer \"" + text(layer, "name").substr(0, 40) + "\"";
            if (type == "group") {
                read_layers(layer, at, depth + 1);
            } else if (type == "objectgroup") {
                layer_ = whole_property(layer, "layer", next_layer_, 0, 255);
                next_layer_ = std::min(next_layer_ + 1, 7);
                for (const Json& object : list(layer, "objects")) read_object(object, at);
            } else {
                draft_.report.add("layers of tiles or images, passed over", label_);
            }
        }
    }

    static std::string label_of(const Json& object) {
        return "object " + std::to_string(bounded(number(object, "id"), 0, 2e9));
    }

    void read_object(const Json& object, Vec2 offset) {
        label_ = label_of(object);
        if (object.find("template")) return draft_.report.add("objects from templates, left out", label_);
        if (number(object, "rotation") != 0)
            draft_.report.add("turned objects: their rotation is not looked at", label_);
        const Vec2 at = offset + Vec2{number(object, "x"), number(object, "y")};
        const Vec2 size{number(object, "width"), number(object, "height")};
        if (object.find("polyline")) return read_chain(object, at, list(object, "polyline"), false);
        if (object.find("polygon")) return read_chain(object, at, list(object, "polygon"), true);
        std::string what = text(object, "class");
        if (what.empty()) what = text(object, "type");
        read_thing(object, what, at, size);
    }

    void read_thing(const Json& object, std::string_view what, Vec2 at, Vec2 size) {
        const std::string name = text(object, "name");
        if (what == "ladder" || what == "rope") {
            draft_.add_ladder({rounded(at.x + size.x / 2, ".x"),
                               rounded(at.y, ".y"),
                               rounded(at.y + size.y, ".y"),
                               what == "rope",
                               {}},
                              label_);
        } else if (what == "water") {
            const Box box{at.x, at.y, at.x + size.x, at.y + size.y};
            if (draft_.water.size() < most_waters && is_inside(at) && is_inside(at + size))
                draft_.water.push_back(box);
            else
                draft_.report.add("waters that no level has room for, left out", label_);
        } else if (what == "spawn") {
            draft_.add_spawn(at, label_);
        } else if (what == "portal") {
            draft_.add_portal({.name = name,
                               .to = text_property(object, "to"),
                               .position = at,
                               .on_touch = flag_property(object, "on_touch")},
                              label_);
        } else if (what == "mob" || what == "npc") {
            inhabitants_.push_back({&object, at, what == "mob"});  // until all ground is known
        } else if (what == "trap") {
            draft_.add_object(name, {.position = at, .flip = flag_property(object, "flip")}, label_);
        } else {
            draft_.report.add(
                "objects of class \"" + std::string(what.substr(0, 40)) + "\", which means nothing here",
                label_);
        }
    }

    static bool is_inside(Vec2 at) { return std::abs(at.x) <= widest && std::abs(at.y) <= widest; }

    // Mobs that stand or walk, on the nearest ground, and mobs that fly or swim above it.
    void read_inhabitants() {
        const FootholdSet ground(draft_.segments());
        for (const Inhabitant& one : inhabitants_) {
            const Json& object = *one.object;
            label_ = label_of(object);
            const web::Ground under = is_inside(one.at)
                                          ? web::find_near(ground, one.at.x, one.at.y, nearest_ground)
                                          : web::Ground{};
            const std::int32_t foothold = under.foothold != 0 ? ground[under.foothold].id : 0;
            const bool facing_right = flag_property(object, "facing_right");
            const std::string name = text(object, "name");
            if (!one.is_mob) {
                draft_.add_npc(name, {.position = one.at, .foothold = foothold, .facing_right = facing_right},
                               label_);
                continue;
            }
            MobSpawn spawn{.position = one.at, .facing_right = facing_right};
            const MobKind* kind = draft_.catalog.mob(name);
            if (kind && !can_fly(*kind)) spawn.foothold = foothold;
            spawn.left = whole_property(object, "left", 0, -widest, widest);
            spawn.right = whole_property(object, "right", 0, -widest, widest);
            spawn.respawn = static_cast<std::uint32_t>(whole_property(object, "respawn", 8000, 0, 1e8));
            draft_.add_mob(name, spawn, label_);
        }
    }

    std::vector<Point> read_points(Vec2 at, const Json::Array& corners) {
        constexpr std::size_t most_corners = most_footholds;
        std::vector<Point> points;
        if (corners.size() > most_corners)
            draft_.report.add(
                "corners beyond the " + std::to_string(most_corners) + " that a line may have, left out",
                label_);
        for (std::size_t i = 0; i < std::min(corners.size(), most_corners); ++i) {
            const Vec2 corner = at + Vec2{number(corners[i], "x"), number(corners[i], "y")};
            const Point point{bounded(corner.x, -2e9, 2e9), bounded(corner.y, -2e9, 2e9)};
            if (std::abs(corner.x - point.x) > 0.01 || std::abs(corner.y - point.y) > 0.01)
                draft_.report.add("corners between pixels, rounded", label_);
            if (points.empty() || !(points.back() == point)) points.push_back(point);
        }
        return points;
    }

    void read_chain(const Json& object, Vec2 at, const Json::Array& corners, bool closed) {
        std::vector<Point> points = read_points(at, corners);
        if (closed && points.size() > 2) {
            turn_clockwise(points);
            points.push_back(points.front());
        } else if (!points.empty() && points.back().x < points.front().x) {
            std::reverse(points.begin(), points.end());  // links go from left to right
        }
        if (points.size() < 2) return draft_.report.add("lines of no length, left out", label_);
        ++group_;
        const bool no_drop = flag_property(object, "no_drop");
        std::int32_t last = 0;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const Point a = points[i - 1];
            const Point b = points[i];
            if (b.x < a.x) {  // an underside, or a line that turns back: not walkable
                draft_.report.add(closed ? "undersides of polygons, left out"
                                         : "lines that turn back to the left, cut there",
                                  label_);
                last = 0;
                continue;
            }
            const FootholdPart part{next_id_, layer_, group_, a.x, a.y, b.x, b.y, last, 0, no_drop, {}};
            if (!draft_.add_foothold(part, label_)) {
                last = 0;
                continue;
            }
            if (last != 0) draft_.footholds[draft_.footholds.size() - 2].next = next_id_;
            last = next_id_++;
        }
    }

    // So that upper sides run from left to right; begins at the leftmost corner, the lowest of them.
    static void turn_clockwise(std::vector<Point>& points) {
        double area = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Point a = points[i];
            const Point b = points[(i + 1) % points.size()];
            area += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
        }
        if (area < 0) std::reverse(points.begin(), points.end());  // y points down: clockwise is positive
        const auto first = std::min_element(points.begin(), points.end(), [](const Point& a, const Point& b) {
            return a.x != b.x ? a.x < b.x : a.y > b.y;
        });
        std::rotate(points.begin(), first, points.end());
    }

    struct Inhabitant {
        const Json* object;
        Vec2 at;
        bool is_mob;
    };

    LevelDraft draft_;
    std::vector<Inhabitant> inhabitants_;
    std::string label_;
    std::int32_t layer_ = 0;
    int next_layer_ = 0;
    std::int32_t group_ = 0;
    std::int32_t next_id_ = 1;
};

}  // namespace

Result<Imported> import_tiled(std::string_view text, const std::string& where, const Catalog& catalog,
                              std::string_view level_name) {
    const auto json = state::parse_json(text, where);
    if (!json) return std::unexpected(json.error());
    return TiledReader(catalog).read(*json, where, level_name);
}

}  // namespace instep::worlds::foothold
