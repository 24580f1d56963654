// SPDX-License-Identifier: MIT
#include <instep/server/resume_ticket.h>

#include <array>

#include <instep/net/messages.h>

namespace instep::server {
namespace {

constexpr std::string_view version = "r1";
constexpr std::size_t part_count = 5;

}  // namespace

std::string sign(const ResumeTicket& ticket, const KeyList& keys) {
    const SigningKey& key = keys.front();
    const std::string text = std::string(version) + "." + key.id + "." + ticket.room + "." + ticket.seat;
    return text + "." + signature_of(text, key);
}

std::expected<ResumeTicket, Refusal> verify_ticket(std::string_view text, const KeyList& keys) {
    const auto malformed = [] {
        return refuse(RefusalReason::ticket_refused, "this is no resume ticket; join again without it");
    };
    if (text.size() > net::max_ticket) return malformed();
    std::array<std::string_view, part_count> parts;
    std::string_view rest = text;
    for (std::size_t i = 0; i < part_count; ++i) {
        const std::size_t dot = rest.find('.');
        if ((dot == std::string_view::npos) != (i + 1 == part_count)) return malformed();
        parts[i] = rest.substr(0, dot);
        rest.remove_prefix(i + 1 == part_count ? rest.size() : dot + 1);
    }
    const auto [prefix, id, room, seat, signature] = parts;
    if (prefix != version) return malformed();
    const SigningKey* key = find_key(keys, id);
    if (!key || !has_signature(text.substr(0, text.size() - signature.size() - 1), signature, *key))
        return refuse(RefusalReason::ticket_refused,
                      "the resume ticket was not signed with a key of this server, which may have been "
                      "restarted; join again without it");
    return ResumeTicket{std::string(room), SeatKey(seat)};
}

}  // namespace instep::server
