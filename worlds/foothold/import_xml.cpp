// SPDX-License-Identifier: MIT
#include <foothold/import_xml.h>

#include <algorithm>
#include <cstdint>

#include <instep/state/plain_name.h>
#include <instep/state/utf8.h>

namespace instep::worlds::foothold {

using state::Result;

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name(char c) { return state::is_name_character(c) || c == '.' || c == ':'; }

// The character of "#60" or "#x3C"; false if it is no character.
bool append_code(std::string& out, std::string_view digits) {
    const bool hex = digits.starts_with('x');
    if (hex) digits.remove_prefix(1);
    std::uint32_t code = 0;
    for (const char c : digits) {
        const char lower = static_cast<char>(c | 0x20);
        const bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && !(hex && lower >= 'a' && lower <= 'f')) return false;
        code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(is_digit ? c - '0' : lower - 'a' + 10);
        if (code > 0x10FFFF) return false;
    }
    if (digits.empty() || code == 0 || (code >= 0xD800 && code < 0xE000)) return false;
    state::append_utf8(out, code);
    return true;
}

}  // namespace

XmlReader::XmlReader(std::string_view text, std::string name, const XmlLimits& limits)
    : text_(text), name_(std::move(name)), limits_(limits) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

std::unexpected<state::Error> XmlReader::fail(std::string what) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return state::refuse(name_ + ": line " + std::to_string(line), std::move(what));
}

Result<void> XmlReader::next(Item& item) {
    item.attributes.clear();
    if (closes_next_) {
        closes_next_ = false;
        open_.pop_back();
        item.kind = Kind::close;
        return {};
    }
    if (text_.size() > limits_.bytes)
        return fail("is larger than " + std::to_string(limits_.bytes >> 20) +
                    " MiB, which is as much as is read");
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
        return fail("is UTF-16: save it as UTF-8");
    for (;;) {
        const std::size_t found = text_.find('<', at_);
        if (found == std::string_view::npos) {
            at_ = text_.size();
            if (!open_.empty())
                return fail("ends within <" + std::string(open_.back()) + ">: the file is cut off");
            if (elements_ == 0) return fail("is no XML: there is not one element in it");
            item.kind = Kind::end;
            return {};
        }
        at_ = found + 1;
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with("!--")) {
            if (auto skipped = skip_to("-->", "a comment"); !skipped) return skipped;
        } else if (rest.starts_with("![CDATA[")) {
            if (auto skipped = skip_to("]]>", "a CDATA section"); !skipped) return skipped;
        } else if (rest.starts_with('?')) {
            if (auto skipped = skip_to("?>", "a processing instruction"); !skipped) return skipped;
        } else if (rest.starts_with('!')) {
            return fail("has a document type definition, which a map needs none of: remove it");
        } else if (rest.starts_with('/')) {
            return read_close(item);
        } else {
            return read_open(item);
        }
    }
}

Result<void> XmlReader::skip_to(std::string_view end, std::string_view what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
        return fail("ends within " + std::string(what) + ": the file is cut off");
    at_ = found + end.size();
    return {};
}

std::string_view XmlReader::read_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
}

void XmlReader::skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

Result<void> XmlReader::read_open(Item& item) {
    item.kind = Kind::open;
    item.tag = read_name();
    if (item.tag.empty()) return fail("expected the name of an element after '<'");
    if (++elements_ > limits_.elements)
        return fail("has more than " + std::to_string(limits_.elements) +
                    " elements, which is as many as are read");
    if (open_.size() == limits_.depth)
        return fail("has more than " + std::to_string(limits_.depth) + " elements within each other");
    open_.push_back(item.tag);
    for (;;) {
        skip_space();
        if (at_ == text_.size())
            return fail("ends within <" + std::string(item.tag) + ">: the file is cut off");
        if (text_[at_] == '>') return ++at_, Result<void>{};
        if (text_.substr(at_).starts_with("/>")) {
            at_ += 2;
            closes_next_ = true;
            return {};
        }
        if (auto read = read_attribute(item); !read) return read;
    }
}

Result<void> XmlReader::read_attribute(Item& item) {
    const std::string_view name = read_name();
    if (name.empty()) return fail("expected an attribute, '>' or '/>' in <" + std::string(item.tag) + ">");
    if (item.attributes.size() == limits_.attributes)
        return fail("<" + std::string(item.tag) + "> has more than " + std::to_string(limits_.attributes) +
                    " attributes");
    skip_space();
    if (at_ == text_.size() || text_[at_] != '=')
        return fail("expected '=' after " + std::string(name.substr(0, 40)));
    ++at_;
    skip_space();
    if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\''))
        return fail("expected the value of " + std::string(name.substr(0, 40)) + " in quotes");
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos)
        return fail("the value of " + std::string(name.substr(0, 40)) + " does not end: the file is cut off");
    item.attributes.push_back({name, text_.substr(at_, end - at_)});
    at_ = end + 1;
    return {};
}

Result<void> XmlReader::read_close(Item& item) {
    ++at_;
    item.kind = Kind::close;
    const std::string_view tag = read_name();
    skip_space();
    if (at_ == text_.size() || text_[at_] != '>')
        return fail("expected '>' after </" + std::string(tag.substr(0, 40)));
    ++at_;
    if (open_.empty() || open_.back() != tag)
        return fail("</" + std::string(tag.substr(0, 40)) + "> closes " +
                    (open_.empty() ? "nothing" : "<" + std::string(open_.back().substr(0, 40)) + ">"));
    open_.pop_back();
    return {};
}

std::string unescape(std::string_view value) {
    std::string out;
    while (!value.empty()) {
        const std::size_t amp = value.find('&');
        out += value.substr(0, amp);
        if (amp == std::string_view::npos) break;
        value.remove_prefix(amp);
        const std::size_t end = value.substr(0, 12).find(';');
        const std::string_view name =
            end == std::string_view::npos ? std::string_view{} : value.substr(1, end - 1);
        bool known = true;
        if (name == "lt")
            out += '<';
        else if (name == "gt")
            out += '>';
        else if (name == "amp")
            out += '&';
        else if (name == "quot")
            out += '"';
        else if (name == "apos")
            out += '\'';
        else
            known = name.starts_with('#') && append_code(out, name.substr(1));
        if (!known) out += '&';  // left as it is
        value.remove_prefix(known ? end + 1 : 1);
    }
    return out;
}

}  // namespace instep::worlds::foothold
