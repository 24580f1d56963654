// SPDX-License-Identifier: MIT
// The levels that a server has: those that are built in, and others that it was given as text.
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
    // `where` is what an error calls the text.
    state::Result<void> add(const std::string& text, const std::string& where);
    void add(match::SharedSetup setup, std::string text = {});

    // An empty level is the world's usual one.
    state::Result<match::SharedSetup> find(const std::string& world, const std::string& level) const;
    std::vector<std::string_view> names(std::string_view world) const;
    // As JSON; empty if there is no such level. Pages that did not bring it ask for it.
    std::string_view text(const std::string& world, const std::string& level) const;

private:
    struct Given {
        std::string text;
        match::SharedSetup setup;
    };
    std::map<std::pair<std::string, std::string>, Given> given_;  // by world and level
};

}  // namespace instep::server
