// SPDX-License-Identifier: MIT
// Checks the XML of an SVG without comments and declarations: every tag is closed in order, attributes are
// quoted and unique, there is no stray < or &, and no control character or invalid UTF-8.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <instep/state/utf8.h>

namespace instep::test {

class XmlCheck {
public:
    // The first error, or empty.
    static std::string error_in(std::string_view text) { return XmlCheck{text}.check(); }

private:
    explicit XmlCheck(std::string_view text) : rest_(text) {}

    std::string check() {
        for (std::string_view text = rest_; !text.empty();) {
            const std::size_t length = state::utf8_length(text);
            if (length == 0) return "is not UTF-8";
            if (state::is_control(text[0]) && text[0] != '\n') return "has a control character";
            text.remove_prefix(length);
        }
        while (!rest_.empty()) {
            const std::size_t open = std::min(rest_.find('<'), rest_.size());
            const std::string_view between = rest_.substr(0, open);
            if (open_.empty() && between.find_first_not_of(" \n") != std::string_view::npos)
                return "has text outside of its root";
            if (const std::string bad = bad_entity(between); !bad.empty()) return bad;
            rest_.remove_prefix(open);
            if (rest_.empty()) break;
            if (const std::string bad = take_tag(); !bad.empty()) return bad;
        }
        if (!open_.empty()) return "<" + open_.back() + "> is never closed";
        return roots_ == 1 ? "" : "has " + std::to_string(roots_) + " roots";
    }

    std::string take_tag() {
        rest_.remove_prefix(1);
        if (rest_.starts_with('/')) {
            rest_.remove_prefix(1);
            const std::string name = take_name();
            if (open_.empty() || open_.back() != name) return "</" + name + "> closes nothing";
            open_.pop_back();
            return take(">") ? "" : "</" + name + " has no end";
        }
        const std::string name = take_name();
        if (name.empty()) return "a < begins no tag";
        if (open_.empty()) ++roots_;
        std::set<std::string> attributes;
        for (;;) {
            const bool space = skip_space();
            if (take("/>")) return "";
            if (take(">")) {
                open_.push_back(name);
                return "";
            }
            const std::string attribute = take_name();
            if (attribute.empty() || !space) return "<" + name + "> is malformed after its attributes";
            if (!attributes.insert(attribute).second) return "<" + name + "> has " + attribute + " twice";
            if (!take("=\"")) return "<" + name + "> has " + attribute + " without a value";
            const std::size_t end = rest_.find('"');
            if (end == std::string_view::npos) return "<" + name + "> has a value without an end";
            const std::string_view value = rest_.substr(0, end);
            if (value.find('<') != std::string_view::npos) return attribute + " has a < in it";
            if (const std::string bad = bad_entity(value); !bad.empty()) return bad;
            rest_.remove_prefix(end + 1);
        }
    }

    static std::string bad_entity(std::string_view text) {
        for (std::size_t at = 0; (at = text.find('&', at)) != std::string_view::npos; ++at) {
            bool known = false;
            for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
                known = known || text.substr(at).starts_with(entity);
            if (!known) return "has a stray &";
        }
        return "";
    }

    bool take(std::string_view token) {
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    bool skip_space() {
        const std::size_t end = std::min(rest_.find_first_not_of(" \n"), rest_.size());
        rest_.remove_prefix(end);
        return end > 0;
    }
    std::string take_name() {
        constexpr std::string_view letters =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:";
        const std::size_t end = std::min(rest_.find_first_not_of(letters), rest_.size());
        const std::string name(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return name;
    }

    std::string_view rest_;
    std::vector<std::string> open_;
    int roots_ = 0;
};

}  // namespace instep::test
