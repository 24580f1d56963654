// SPDX-License-Identifier: MIT
// The XML of map editors: nested <imgdir name="..."> with <int>, <short>, <float>, <string> and <vector>
// leaves. Read in one pass: a record (a foothold, a ladder, ...) is begun when its folder opens and kept when
// it closes; folders that mean nothing to us go by unread.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <foothold/import_draft.h>
#include <foothold/import_xml.h>
#include <instep/state/decimal.h>

namespace instep::worlds::foothold {
namespace {

using state::Result;

constexpr double nowhere_map = 999999999;      // tm of a portal without a target
constexpr double most_number = 2'000'000'000;  // of an id, as a level has it

bool is_digits(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text)
        if (c < '0' || c > '9') return false;
    return true;
}

// 0 if it is no number of a foothold.
std::int64_t id_of(std::string_view digits) {
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    return error == std::errc{} && end == digits.data() + digits.size() ? id : 0;
}

// A number as such files have it: 12, -3, 0.5, and 0,5 of editors that ran on other desks.
std::optional<double> number_of(std::string_view written, bool& has_comma) {
    std::string json;
    for (const char c : written) {
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
        if (c == '+' && json.empty()) continue;
        has_comma = has_comma || c == ',';
        json += c == ',' ? '.' : c;
        if (json.size() > 40) return std::nullopt;
    }
    const auto parsed = state::parse_json(json, "");
    if (parsed && parsed->is_number()) return parsed->number();
    // Zeros before the digits are no JSON; ids of seven digits have them.
    const bool negative = json.starts_with('-');
    std::size_t first = json.find_first_not_of('0', negative ? 1 : 0);
    if (first == std::string::npos)
        return json.size() > (negative ? 1u : 0u) ? std::optional(0.0) : std::nullopt;
    if (first > 0 && json[first] == '.') --first;
    const auto trimmed = state::parse_json((negative ? "-" : "") + json.substr(first), "");
    if (trimmed && trimmed->is_number()) return trimmed->number();
    return std::nullopt;
}

// The leaves of one folder.
class Record {
public:
    static constexpr std::size_t most_leaves = 64;

    void clear() { leaves_.clear(); }
    bool is_empty() const { return leaves_.empty(); }
    // False if there are too many.
    bool set(std::string_view name, std::string_view value) {
        if (leaves_.size() == most_leaves) return false;
        leaves_.emplace_back(name, value);
        return true;
    }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::string text(std::string_view name) const {
        const std::string_view* value = find(name);
        return value ? unescape(*value) : std::string();
    }
    const std::string_view* find(std::string_view name) const {
        for (const auto& [known, value] : leaves_)
            if (known == name) return &value;
        return nullptr;
    }

private:
    std::vector<std::pair<std::string_view, std::string_view>> leaves_;
};

class MapReader {
public:
    MapReader(std::string_view text, const std::string& where, const Catalog& catalog)
        : xml_(text, where), where_(where), draft_(catalog) {}

    Result<Imported> read(std::string_view level_name) {
        XmlReader::Item item;
        for (;;) {
            if (auto read = xml_.next(item); !read) return std::unexpected(read.error());
            if (item.kind == XmlReader::Kind::end) break;
            if (item.kind == XmlReader::Kind::open)
                open(item);
            else
                close();
        }
        if (!has_sections_)
            return state::refuse(where_,
                                 "is XML, but no map: expected folders (<imgdir name=\"...\">) such as info, "
                                 "foothold, life or portal in the first one");
        draft_.name = level_name;
        draft_.look_over();
        return Imported{draft_.to_json(), std::move(draft_.report)};
    }

private:
    // What a folder begins when it opens.
    enum class What { nothing, info, foothold, ladder, life, portal, object };

    std::string_view name_at(std::size_t depth) const { return depth < path_.size() ? path_[depth] : ""; }

    static bool is_section(std::string_view name) {
        return name == "info" || name == "foothold" || name == "ladderRope" || name == "life" ||
               name == "portal" || is_digits(name);
    }

    // path_[0] is the file, path_[1] the section.
    What meaning() const {
        const std::string_view section = name_at(1);
        const std::size_t depth = path_.size();
        if (section == "info" && depth == 2) return What::info;
        if (section == "foothold" && depth == 5) return What::foothold;
        if (section == "ladderRope" && depth == 3) return What::ladder;
        if (section == "life" && (depth == 3 || depth == 4)) return What::life;
        if (section == "portal" && depth == 3) return What::portal;
        if (is_digits(section) && depth == 4 && name_at(2) == "obj") return What::object;
        return What::nothing;
    }

    void open(const XmlReader::Item& item) {
        const std::string_view tag = item.tag;
        const std::string_view name = item.find("name");
        const bool is_folder = tag == "imgdir" || path_.empty();
        path_.push_back(name);
        if (is_folder) {
            if (path_.size() == 2 && is_section(name)) has_sections_ = true;
            if (path_.size() == 1) draft_.source = unescape(name.substr(0, 200));
            const bool is_within_record = record_depth_ != 0 && !record_.is_empty();
            if (meaning() != What::nothing && !is_within_record) {
                record_.clear();
                record_depth_ = path_.size();
            }
            return;
        }
        if (record_depth_ == 0 && name_at(1) == "foothold" && name == "x1")
            note("footholds that are not in a group of a layer, left out");
        if (record_depth_ == 0 || path_.size() != record_depth_ + 1) return;
        if (tag == "int" || tag == "short" || tag == "long" || tag == "float" || tag == "double" ||
            tag == "string") {
            if (!record_.set(name, item.find("value")))
                note("folders with more than " + std::to_string(Record::most_leaves) +
                     " values, the others left out");
        } else if (tag != "vector" && tag != "canvas" && tag != "null" && tag != "sound")
            note("elements <" + std::string(tag.substr(0, 40)) + "> of no known kind, passed over");
    }

    void close() {
        const bool ends_record = record_depth_ != 0 && path_.size() == record_depth_;
        if (ends_record) {
            take_record(meaning());
            record_depth_ = 0;
        }
        path_.pop_back();
    }

    std::string origin() const {
        std::string text;
        for (std::size_t i = 1; i < path_.size(); ++i)
            text += (i == 1 ? "" : "/") + std::string(path_[i].substr(0, 40));
        return text;
    }

    void note(std::string_view what) { draft_.report.add(what, origin()); }
    void note(std::string_view what, std::string_view leaf) {
        draft_.report.add(what, origin() + "/" + std::string(leaf));
    }

    double number(std::string_view name, double otherwise = 0) {
        const std::string_view* written = record_.find(name);
        if (!written) return otherwise;
        bool has_comma = false;
        const auto value = number_of(*written, has_comma);
        if (has_comma) note("decimals with commas", name);
        if (!value) {
            note("values that are no numbers, taken as " + std::to_string(static_cast<int>(otherwise)), name);
            return otherwise;
        }
        return *value;
    }

    std::int32_t whole(std::string_view name, std::int32_t otherwise = 0) {
        const double value = number(name, otherwise);
        const double rounded = std::round(value);
        if (rounded != value) note("fractions of a pixel, rounded", name);
        return cut(rounded, -most_number, most_number, name);
    }

    // A number within bounds, cut to them if it must be.
    std::int32_t cut(double value, double low, double high, std::string_view name) {
        if (value < low || value > high) note("numbers beyond all bounds, cut", name);
        return static_cast<std::int32_t>(std::clamp(value, low, high));
    }

    Vec2 take_position(std::string_view y) {
        for (const std::string_view name : {std::string_view("x"), y})
            if (!record_.has(name)) note("places without an x or a y, which is taken as 0", name);
        return {number("x"), number(y)};
    }

    // The id of a foothold; 0 if there is no foothold.
    std::int32_t link(std::string_view name) {
        const std::int32_t id = whole(name);
        if (id < 0) note("links below 0, taken as none", name);
        return std::max(0, id);
    }

    // The number that a folder of footholds has for a name: a layer, a group, an id.
    std::int32_t folder_number(std::size_t depth, std::int32_t low, std::int32_t high,
                               std::string_view what) {
        const std::string_view name = name_at(depth);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error != std::errc{} || end != name.data() + name.size()) {
            note(std::string(what) + " without a number for a name, taken as " +
                 std::to_string(low < 0 ? 0 : low));
            return low < 0 ? 0 : low;
        }
        if (number < low || number > high)
            note(std::string(what) + " with a number below " + std::to_string(low) + " or above " +
                 std::to_string(high) + ", cut");
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(number, low, high));
    }

    void take_record(What what) {
        switch (what) {
            case What::info: return take_info();
            case What::foothold: return take_foothold();
            case What::ladder: return take_ladder();
            case What::life: return take_life();
            case What::portal: return take_portal();
            case What::object: return take_object();
            case What::nothing: return;
        }
    }

    void take_info() {
        draft_.map.swim = number("swim") != 0;
        if (number("fly") != 0) draft_.report.add("the map lets everyone fly, which no level does");
        if (record_.has("fs")) {
            const double friction = number("fs", 1);
            if (friction >= 0.01 && friction <= 10)
                draft_.map.friction = friction;
            else
                draft_.report.add("friction (fs) beyond all grounds, left out");
        }
        for (const std::string_view side : {"VRLeft", "VRTop", "VRRight", "VRBottom"})
            if (record_.has(side)) note("sides of the map's view, left out: its ground bounds a level", side);
        if (record_.has("link"))
            draft_.report.add("the map is a stub that uses another map's parts (link)", record_.text("link"));
    }

    void take_foothold() {
        for (const std::string_view name : {"x1", "y1", "x2", "y2"})
            if (!record_.has(name))
                return draft_.report.add("footholds without all of their ends, left out", origin());
        constexpr auto most = static_cast<std::int32_t>(most_number);
        const std::int64_t id = id_of(name_at(4));
        if (id < 1 || id > most)
            return note("footholds without a number from 1 to " + std::to_string(most) +
                        " for a name, left out");
        FootholdPart part;
        part.layer = folder_number(2, 0, 255, "layers");
        part.group = folder_number(3, -most, most, "groups");
        part.id = static_cast<std::int32_t>(id);
        part.x1 = whole("x1"), part.y1 = whole("y1"), part.x2 = whole("x2"), part.y2 = whole("y2");
        part.prev = link("prev");
        part.next = link("next");
        part.no_drop = number("forbidFallDown") != 0;
        draft_.add_foothold(part, origin());
    }

    void take_ladder() {
        for (const std::string_view name : {"x", "y1", "y2"})
            if (!record_.has(name)) return note("ladders without all of x, y1 and y2, left out");
        Ladder ladder;
        ladder.x = whole("x"), ladder.top = whole("y1"), ladder.bottom = whole("y2");
        ladder.is_rope = number("l") == 0;
        draft_.add_ladder(ladder, origin());
    }

    void take_life() {
        if (!record_.has("type") && !record_.has("id")) return;  // a folder of folders
        const std::string type = record_.text("type");
        const std::string id = record_.text("id");
        const Vec2 position = take_position(record_.has("cy") ? "cy" : "y");
        if (type == "m") {
            MobSpawn spawn;
            spawn.position = position;
            spawn.foothold = link("fh");
            spawn.left = cut(whole("rx0"), -widest, widest, "rx0");
            spawn.right = cut(whole("rx1"), -widest, widest, "rx1");
            const double pause = number("mobTime");  // s; 0 is the usual one, -1 is never
            if (pause > 0) spawn.respawn = static_cast<std::uint32_t>(cut(pause * 1000, 0, 1e8, "mobTime"));
            if (pause < 0) {
                spawn.respawn = 100'000'000;
                draft_.report.add("mobs that never come back: they do after a day", origin());
            }
            spawn.facing_right = number("f") != 0;
            draft_.add_mob(id, spawn, origin());
        } else if (type == "n") {
            draft_.add_npc(
                id, Npc{.position = position, .foothold = link("fh"), .facing_right = number("f") != 0},
                origin());
        } else {
            draft_.report.add("life of a type that is neither m nor n, left out", origin());
        }
    }

    void take_portal() {
        const std::string name = record_.text("pn");
        const double type = number("pt");
        const double target = number("tm", nowhere_map);
        const Vec2 position = take_position("y");
        if (type == 0 || name == "sp") return draft_.add_spawn(position, origin());
        LevelDraft::PortalDraft portal{.name = name, .position = position, .on_touch = type == 3};
        if (target != nowhere_map && is_this_map(target))
            portal.to = record_.text("tn");
        else if (target != nowhere_map)
            draft_.report.add("portals to other maps: they lead nowhere", origin());
        draft_.add_portal(portal, origin());
    }

    // "000000042.img" is map 42.
    bool is_this_map(double id) const {
        bool ignored = false;
        const std::string_view source = draft_.source;
        const auto own = number_of(source.substr(0, source.find('.')), ignored);
        return own && *own == id;
    }

    void take_object() {
        std::string path;
        for (const std::string_view part : {"oS", "l0", "l1", "l2"}) {
            if (!record_.has(part)) return note("objects without all of oS, l0, l1 and l2, left out");
            path += (path.empty() ? "" : "/") + record_.text(part);
        }
        draft_.add_object(path, TrapPart{.position = take_position("y"), .flip = number("f") != 0}, origin());
    }

    XmlReader xml_;
    std::string where_;
    LevelDraft draft_;
    bool has_sections_ = false;           // one that a map has, in the first folder
    std::vector<std::string_view> path_;  // names of the folders that are open
    Record record_;
    std::size_t record_depth_ = 0;  // of the folder whose leaves are being collected; 0: no folder
};

}  // namespace

Result<Imported> import_map_xml(std::string_view text, const std::string& where, const Catalog& catalog,
                                std::string_view level_name) {
    return MapReader(text, where, catalog).read(level_name);
}

}  // namespace instep::worlds::foothold
