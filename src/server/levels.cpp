// SPDX-License-Identifier: MIT
#include <instep/server/levels.h>

#include <instep/match/builtin_levels.h>
#include <instep/match/registry.h>

namespace instep::server {

state::Result<void> Levels::add(const std::string& text, const std::string& where) {
    auto setup = match::load_setup(text, where);
    if (!setup) return std::unexpected(setup.error());
    const std::string world((*setup)->world->name);
    const std::string& level = (*setup)->level;
    if (!this->text(world, level).empty())
        return state::refuse(
            where, "world \"" + world + "\" has another level named \"" + level + "\"; choose another name");
    add(*setup, text);
    return {};
}

void Levels::add(match::SharedSetup setup, std::string text) {
    std::pair key(std::string(setup->world->name), setup->level);
    added_.insert_or_assign(std::move(key), AddedLevel{std::move(text), std::move(setup)});
}

state::Result<match::SharedSetup> Levels::find(const std::string& world, const std::string& level) const {
    const auto found = added_.find({world, level});
    if (found != added_.end()) return found->second.setup;
    return match::load_builtin_setup(world, level);
}

std::vector<std::string_view> Levels::names(std::string_view world) const {
    std::vector<std::string_view> names;
    for (const match::BuiltinLevel& level : match::builtin_levels())
        if (level.world == world) names.push_back(level.name);
    for (const auto& [key, level] : added_)
        if (key.first == world) names.push_back(key.second);
    return names;
}

std::string_view Levels::text(const std::string& world, const std::string& level) const {
    const auto found = added_.find({world, level});
    if (found != added_.end()) return found->second.text;
    for (const match::BuiltinLevel& builtin : match::builtin_levels())
        if (builtin.world == world && builtin.name == level) return builtin.json;
    return {};
}

}  // namespace instep::server
