// SPDX-License-Identifier: MIT
#include <instep/server/http.h>

#include <algorithm>

#include <instep/state/json.h>
#include <instep/state/utf8.h>

namespace instep::server {
namespace {

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// %20 becomes a space, and so does + in a query. False: malformed, or the result is not printable UTF-8.
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

bool parse_target(std::string_view target, Request& into) {
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

Response response_to(const Refusal& refusal) {
    const RefusalInfo& info = info_of(refusal.reason);
    Response response{
        .status = info.http_status,
        .body = state::write_json(state::Json::Object{{"error", info.name}, {"message", refusal.message}}) +
                "\n"};
    if (refusal.retry_after > 0)
        response.headers.emplace_back("Retry-After", std::to_string(refusal.retry_after));
    return response;
}

}  // namespace instep::server
