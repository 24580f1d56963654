// SPDX-License-Identifier: MIT
// `instep types`: a world's field lists as TypeScript declarations, for pages that read its entities.
#include <algorithm>
#include <cctype>
#include <vector>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/levels.h>

namespace instep::cli {
namespace {

using state::FieldKind;
using state::Member;
using state::StructInfo;

bool is_letter(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || c == '$';
}

// "my-game" is MyGame.
std::string type_name(std::string_view name) {
    std::string made;
    bool begins_word = true;
    for (const char c : name) {
        if (is_letter(c))
            made += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        begins_word = !is_letter(c);
    }
    const bool is_name = !made.empty() && std::isdigit(static_cast<unsigned char>(made[0])) == 0;
    return is_name ? made : "World" + made;
}

std::string quoted(std::string_view text) { return state::write_json(state::Json(text)); }

std::string property_name(std::string_view name) {
    const bool is_name = !name.empty() && std::ranges::all_of(name, is_letter) &&
                         std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    return is_name ? std::string(name) : quoted(name);
}

// The structs of a world, each once and under a name of its own.
class Declarations {
public:
    explicit Declarations(std::string world) : taken_{std::move(world), "EntityOf", "FixedArray"} {}

    const std::string& name_of(const StructInfo& info) {
        const auto known = std::ranges::find(found_, &info, &Named::info);
        if (known != found_.end()) return known->name;
        std::string name = type_name(info.name);
        for (int number = 2; std::ranges::find(taken_, name) != taken_.end(); ++number)
            name = type_name(info.name) + std::to_string(number);
        taken_.push_back(name);
        const std::size_t at = found_.size();
        found_.push_back({&info, std::move(name), {}});
        std::string text = declare(info);  // may find more structs, which moves found_
        found_[at].text = std::move(text);
        return found_[at].name;
    }
    std::string text() const {
        std::string all;
        for (const Named& each : found_)
            all += "\nexport interface " + each.name + " {\n" + each.text + "}\n";
        return all;
    }

private:
    struct Named {
        const StructInfo* info;
        std::string name;
        std::string text;
    };

    std::string declare(const StructInfo& info) {
        std::string text;
        for (const Member& member : info.members) {
            if (!member.structure && member.kind == FieldKind::reserved) continue;
            std::string type = type_of(member);
            if (member.is_array) type = "FixedArray<" + type + ">";
            text += comment(member) + "    readonly " + property_name(member.name) + ": " + type + ";\n";
        }
        return text;
    }
    std::string type_of(const Member& member) {
        if (member.structure) return name_of(*member.structure);
        if (!member.rules.labels.empty()) {
            std::string labels;
            for (const std::string_view label : member.rules.labels)
                labels += (labels.empty() ? "" : " | ") + quoted(label);
            return member.is_array ? "(" + labels + ")" : labels;
        }
        if (member.kind == FieldKind::boolean) return "boolean";
        return member.kind == FieldKind::text ? "string" : "number";
    }
    static std::string comment(const Member& member) {
        std::string text(member.rules.note);
        if (!member.rules.unit.empty()) text += (text.empty() ? "" : "; ") + std::string(member.rules.unit);
        for (std::size_t at = 0; (at = text.find("*/", at)) != text.npos;) text.replace(at, 2, "* /");
        return text.empty() ? "" : "    /** " + text + " */\n";
    }

    std::vector<std::string> taken_;
    std::vector<Named> found_;
};

std::string declarations_of(const match::Setup& setup) {
    const std::string world = type_name(setup.world->name);
    Declarations structs(world);
    std::string pools;
    const std::string head = structs.name_of(*setup.layout.head);
    for (const state::PoolLayout& pool : setup.layout.pools)
        pools +=
            "        " + property_name(pool.name) + ": EntityOf<" + structs.name_of(*pool.element) + ">;\n";
    const std::string event = structs.name_of(*setup.world->event);
    const std::string input = structs.name_of(*setup.world->input);
    const std::string body = structs.text();
    std::string imports = "EntityOf";
    if (body.find("FixedArray<") != body.npos) imports += ", FixedArray";
    return "// Made by `instep types " + std::string(setup.world->name) +
           "` from the world's field lists. To change it, run that again.\n\nimport type { " + imports +
           " } from 'instep';\n\n/** connect<" + world + ">(instep, { world: " + quoted(setup.world->name) +
           ", ... }) */\nexport interface " + world + " {\n    head: " + head + ";\n    pools: {\n" + pools +
           "    };\n    event: " + event + ";\n    input: " + input + ";\n}\n" + body;
}

}  // namespace

int run_types(const TypesOptions& options) {
    const auto setup = load_level(options.world, "");
    if (!setup) return report(setup.error());
    const auto written = write_file(options.out, declarations_of(**setup));
    return written ? success : report(written.error());
}

}  // namespace instep::cli
