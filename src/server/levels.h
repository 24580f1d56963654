// SPDX-License-Identifier: MIT
// The levels of a server: the built-in ones, and others that were added as text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <instep/match/match.h>

namespace instep::server {

class Levels {
public:
    // `where` is what errors call the text.
    state::Result<void> add(const std::string& text, const std::string& where);
    void add(match::SharedSetup setup, std::string text = {});

    // An empty level means the world's default level.
    state::Result<match::SharedSetup> find(const std::string& world, const std::string& level) const;
    std::vector<std::string_view> names(std::string_view world) const;
    // JSON; empty: there is no such level. Pages download levels that are not built into them.
    std::string_view text(const std::string& world, const std::string& level) const;

private:
    struct AddedLevel {
        std::string text;
        match::SharedSetup setup;
    };
    std::map<std::pair<std::string, std::string>, AddedLevel> added_;  // by world and level
};

}  // namespace instep::server
