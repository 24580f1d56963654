// SPDX-License-Identifier: MIT
// The XML of map editors: nested <imgdir name="..."> with <int>, <short>, <float>, <string> and <vector>
// leaves. Read in one pass: a record (a foothold, a ladder, ...) is begun when its folder opens and kept when
// it closes; folders that mean nothing to us go by unread.
#include <charconv>
#include <cmath>
#include <optional>

#include <instep/state/decimal.h>
#include <instep/worlds/foothold/import_draft.h>
#include <instep/worlds/foothold/import_xml.h>

namespace instep::worlds::foothold {
namespace {

using state::Result;

constexpr double nowhere_map = 999999999;  // tm of a portal that leads nowhere

bool is_digits(std::string_view text) {
    if (text.empty()) return false;
    for (const char c : text)
        if (c < '0' || c > '9') return false;
    return true;
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
    void clear() { leaves_.clear(); }
    bool is_empty() const { return leaves_.empty(); }
    void set(std::string_view name, std::string_view value) {
        constexpr std::size_t most_leaves = 64;
        if (leaves_.size() < most_leaves) leaves_.emplace_back(name, value);
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
        : xml_(text, where), draft_(catalog) {}

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
        draft_.name = level_name;
        draft_.look_over();
        return Imported{draft_.to_json(), std::move(draft_.report)};
    }

private:
    // What a folder begins when it opens.
    enum class What { nothing, info, foothold, ladder, life, portal, object };

    struct Folder {
        std::string_view name;
        bool is_leaf = false;
    };

    std::string_view name_at(std::size_t depth) const {
        return depth < path_.size() ? path_[depth].name : "";
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
        path_.push_back({name, !is_folder});
        if (is_folder) {
            if (path_.size() == 1) draft_.source = unescape(name.substr(0, 200));
            const bool is_within_record = record_depth_ != 0 && !record_.is_empty();
            if (meaning() != What::nothing && !is_within_record) {
                record_.clear();
                record_depth_ = path_.size();
            }
            return;
        }
        if (record_depth_ == 0 || path_.size() != record_depth_ + 1) return;
        if (tag == "int" || tag == "short" || tag == "long" || tag == "float" || tag == "double" ||
            tag == "string")
            record_.set(name, item.find("value"));
        else if (tag != "vector" && tag != "canvas" && tag != "null" && tag != "sound")
            draft_.report.add(
                "elements <" + std::string(tag.substr(0, 40)) + "> of no known kind, passed over", place());
    }

    void close() {
        const bool ends_record = record_depth_ != 0 && path_.size() == record_depth_;
        if (ends_record) {
            take_record(meaning());
            record_depth_ = 0;
        }
        path_.pop_back();
    }

    std::string place() const {
        std::string text;
        for (std::size_t i = 1; i < path_.size(); ++i)
            text += (i == 1 ? "" : "/") + std::string(path_[i].name.substr(0, 40));
        return text;
    }

    double number(std::string_view name, double otherwise = 0) {
        const std::string_view* written = record_.find(name);
        if (!written) return otherwise;
        bool has_comma = false;
        const auto value = number_of(*written, has_comma);
        if (has_comma) draft_.report.add("decimals with commas", place() + "/" + std::string(name));
        if (!value) {
            draft_.report.add(
                "values that are no numbers, taken as " + std::to_string(static_cast<int>(otherwise)),
                place() + "/" + std::string(name));
            return otherwise;
        }
        return *value;
    }

    std::int32_t whole(std::string_view name, std::int32_t otherwise = 0) {
        const double value = number(name, otherwise);
        const double rounded = std::round(value);
        if (rounded != value)
            draft_.report.add("fractions of a pixel, rounded", place() + "/" + std::string(name));
        constexpr double most = 2'000'000'000;
        return static_cast<std::int32_t>(rounded < -most ? -most : rounded > most ? most : rounded);
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
        if (record_.has("link"))
            draft_.report.add("the map is a stub that uses another map's parts (link)", record_.text("link"));
    }

    void take_foothold() {
        for (const std::string_view name : {"x1", "y1", "x2", "y2"})
            if (!record_.has(name))
                return draft_.report.add("footholds without all of their ends, left out", place());
        FootholdPart part;
        const auto id_of = [](std::string_view digits) {
            std::int32_t id = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
            return error == std::errc{} && end == digits.data() + digits.size() ? id : 0;
        };
        part.layer = std::min(255, std::max(0, id_of(name_at(2))));
        part.group = id_of(name_at(3));
        part.id = id_of(name_at(4));
        if (part.id < 1) return draft_.report.add("footholds without a number for a name, left out", place());
        part.x1 = whole("x1"), part.y1 = whole("y1"), part.x2 = whole("x2"), part.y2 = whole("y2");
        part.prev = std::max(0, whole("prev"));
        part.next = std::max(0, whole("next"));
        part.no_drop = number("forbidFallDown") != 0;
        draft_.add_foothold(part, place());
    }

    void take_ladder() {
        Ladder ladder;
        ladder.x = whole("x"), ladder.top = whole("y1"), ladder.bottom = whole("y2");
        ladder.is_rope = number("l") == 0;
        draft_.add_ladder(ladder, place());
    }

    void take_life() {
        if (!record_.has("type") && !record_.has("id")) return;  // a folder of folders
        const std::string type = record_.text("type");
        const std::string id = record_.text("id");
        const Vec2 position{number("x"), number("cy", number("y"))};
        if (type == "m") {
            MobSpawn spawn;
            spawn.position = position;
            spawn.foothold = std::max(0, whole("fh"));
            spawn.left = whole("rx0"), spawn.right = whole("rx1");
            const double pause = number("mobTime");  // s; 0 is the usual one, -1 is never
            if (pause > 0) spawn.respawn = static_cast<std::uint32_t>(std::min(pause * 1000, 1e8));
            if (pause < 0) {
                spawn.respawn = 100'000'000;
                draft_.report.add("mobs that never come back: they do after a day", place());
            }
            spawn.facing_right = number("f") != 0;
            draft_.add_mob(id, spawn, place());
        } else if (type == "n") {
            draft_.add_npc(id,
                           Npc{.position = position,
                               .foothold = std::max(0, whole("fh")),
                               .facing_right = number("f") != 0},
                           place());
        } else {
            draft_.report.add("life of a type that is neither m nor n, left out", place());
        }
    }

    void take_portal() {
        const std::string name = record_.text("pn");
        const double type = number("pt");
        const double target = number("tm", nowhere_map);
        const Vec2 position{number("x"), number("y")};
        if (type == 0 || name == "sp") {
            if (std::abs(position.x) <= widest && std::abs(position.y) <= widest)
                draft_.spawns.push_back(position);
            else
                draft_.report.add("places to begin outside of any map, left out", place());
            return;
        }
        Portal portal{.name = Name::of(name), .position = position, .on_touch = type == 3};
        if (target != nowhere_map && is_this_map(target))
            portal.to = Name::of(record_.text("tn"));
        else if (target != nowhere_map)
            draft_.report.add("portals to other maps: they lead nowhere", place());
        draft_.add_portal(portal, place());
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
            if (!record_.has(part)) return;  // a folder of something else
            path += (path.empty() ? "" : "/") + record_.text(part);
        }
        draft_.add_object(path, TrapPart{.position = {number("x"), number("y")}, .flip = number("f") != 0},
                          place());
    }

    XmlReader xml_;
    LevelDraft draft_;
    std::vector<Folder> path_;
    Record record_;
    std::size_t record_depth_ = 0;  // of the folder whose leaves are being collected; 0: none
};

}  // namespace

Result<Imported> import_map_xml(std::string_view text, const std::string& where, const Catalog& catalog,
                                std::string_view level_name) {
    return MapReader(text, where, catalog).read(level_name);
}

}  // namespace instep::worlds::foothold
