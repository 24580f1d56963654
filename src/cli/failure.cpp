// SPDX-License-Identifier: MIT
#include <instep/cli/failure.h>

#include <cstdio>

#include <instep/cli/game.h>
#include <instep/state/utf8.h>

namespace instep::cli {

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = state::utf8_length(text);
        const bool is_c1 = length == 2 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0;
        const bool is_plain = length > 0 && !is_c1 && (!state::is_control(text[0]) || text[0] == '\n');
        if (is_plain)
            out += text.substr(0, length);
        else
            out += '?';
        text.remove_prefix(length > 0 ? length : 1);
    }
    return out;
}

int report(const Failure& failure) {
    std::fflush(stdout);  // keeps the order when both streams go to one file
    std::fprintf(stderr, "%s: %s\n", std::string(game().name).c_str(), printable(failure.message).c_str());
    return failure.code;
}

}  // namespace instep::cli
