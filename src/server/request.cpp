// SPDX-License-Identifier: MIT
// The parts of wire.h and dial.h that are text: targets, addresses and replies.
#include <charconv>

#include <instep/server/dial.h>
#include <instep/server/wire.h>
#include <instep/state/utf8.h>

namespace instep::server {
namespace {

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// %20 becomes a space, and so does + in a query. What is no plain text afterwards is refused.
bool unescape(std::string_view text, bool plus_is_space, std::string& out) {
    out.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size() || digit_of(text[i + 1]) < 0 || digit_of(text[i + 2]) < 0) return false;
            out += static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
            i += 2;
        } else {
            out += plus_is_space && text[i] == '+' ? ' ' : text[i];
        }
    }
    return state::is_plain_text(out);
}

constexpr std::size_t most_parameters = 32;

}  // namespace

const std::string* Request::find(std::string_view key) const {
    for (const auto& [name, value] : query)
        if (name == key) return &value;
    return nullptr;
}

std::string Request::value(std::string_view key) const {
    const std::string* found = find(key);
    return found ? *found : "";
}

bool read_target(std::string_view target, Request& into) {
    into.query.clear();
    const std::size_t mark = target.find('?');
    const std::string_view path = target.substr(0, mark);
    if (path.empty() || path[0] != '/' || !unescape(path, false, into.path)) return false;
    std::string_view rest = mark == std::string_view::npos ? "" : target.substr(mark + 1);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (part.empty()) continue;
        const std::size_t equals = std::min(part.find('='), part.size());
        auto& [key, value] = into.query.emplace_back();
        if (into.query.size() > most_parameters || !unescape(part.substr(0, equals), true, key) ||
            !unescape(part.substr(std::min(equals + 1, part.size())), true, value))
            return false;
    }
    return true;
}

Reply reply_of(const Refusal& refusal) {
    const CauseInfo& info = info_of(refusal.cause);
    return {
        .status = info.status,
        .body = state::write_json(state::Json::Object{{"error", info.word}, {"message", refusal.sentence}}) +
                "\n"};
}

state::Result<Url> parse_url(std::string_view text) {
    const auto no = [text] {
        return state::refuse(
            "", "expected an address like ws://127.0.0.1:8080, got \"" + std::string(text) + "\"");
    };
    Url url;
    std::string_view rest = text;
    if (rest.starts_with("wss://") || rest.starts_with("https://"))
        url.tls = true;
    else if (!rest.starts_with("ws://") && !rest.starts_with("http://"))
        return no();
    rest.remove_prefix(rest.find("://") + 3);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    url.target = slash < rest.size() ? std::string(rest.substr(slash)) : "/";
    std::string_view authority = rest.substr(0, slash);
    url.port = url.tls ? 443 : 80;
    if (const std::size_t colon = authority.rfind(':');
        colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos) {
        const std::string_view port = authority.substr(colon + 1);
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
        if (error != std::errc() || end != port.data() + port.size() || url.port == 0) return no();
        authority = authority.substr(0, colon);
    }
    if (authority.starts_with('[') && authority.ends_with(']'))
        authority = authority.substr(1, authority.size() - 2);
    if (authority.empty()) return no();
    url.host = std::string(authority);
    return url;
}

std::string escape_query(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              c == '-' || c == '_' || c == '.' || c == '~';
        if (is_plain) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out.append({'%', digits[byte >> 4], digits[byte & 15]});
        }
    }
    return out;
}

}  // namespace instep::server
