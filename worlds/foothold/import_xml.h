// SPDX-License-Identifier: MIT
// A reader for the little of XML that map files use: elements and attributes, one after the other, nothing
// kept. It refuses files that are too large or too deep, expands no entities but the five of the standard and
// character codes, and allocates only for text that has an escape in it. docs/decisions/map-import.md says
// why it is our own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <instep/state/result.h>

namespace instep::worlds::foothold {

struct XmlLimits {
    std::size_t bytes = 64u << 20;
    std::size_t elements = 4'000'000;
    std::size_t depth = 32;
    std::size_t attributes = 32;  // of one element
};

struct XmlAttribute {
    std::string_view name;
    std::string_view value;  // as written: see unescape()
};

class XmlReader {
public:
    enum class Kind { open, close, end };
    struct Item {
        Kind kind = Kind::end;
        std::string_view tag;  // of an element that opens
        std::vector<XmlAttribute> attributes;

        std::string_view find(std::string_view name) const {  // empty if there is no such attribute
            for (const XmlAttribute& attribute : attributes)
                if (attribute.name == name) return attribute.value;
            return {};
        }
    };

    XmlReader(std::string_view text, std::string name, const XmlLimits& limits = {});

    // The next element that opens or closes, in `item`; an empty element does both. An error ends the
    // reading.
    state::Result<void> next(Item& item);

private:
    state::Result<void> read_open(Item& item);
    state::Result<void> read_close(Item& item);
    state::Result<void> read_attribute(Item& item);
    state::Result<void> skip_to(std::string_view end, std::string_view what);
    std::string_view read_name();
    void skip_space();
    std::unexpected<state::Error> fail(std::string what) const;

    std::string_view text_;
    std::string name_;
    XmlLimits limits_;
    std::size_t at_ = 0;
    std::size_t elements_ = 0;
    std::vector<std::string_view> open_;
    bool closes_next_ = false;  // the element that was opened last is empty
};

// The text that an attribute's value stands for.
std::string unescape(std::string_view value);

}  // namespace instep::worlds::foothold
