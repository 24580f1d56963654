// SPDX-License-Identifier: MIT
// Everything that decides who gets in takes any bytes: tokens, tickets, files of keys and Host headers are
// read, or refused with a sentence. A fuzzer cannot guess a signature, so the claims are also signed here: a
// token that is then accepted has legal claims and is good once, and signs to one that says the same.
#include <instep/server/base64url.h>
#include <instep/server/host_names.h>
#include <instep/server/player_id.h>
#include <instep/server/resume_ticket.h>
#include <instep/server/token.h>

#include <tests/fuzz/require.h>

using namespace instep;
using namespace instep::server;

namespace {

constexpr std::int64_t now = 1'800'000'000'000;  // ms
const SigningKey key{"k", "0123456789abcdef0123456789abcdef"};
const SigningKeys keys({key});

void check_token(std::string_view text) {
    TokenVerifier verifier(keys, "instep", now - 60'000);
    const auto token = verifier.verify(text, now);
    if (!token) {
        REQUIRE(!token.error().message.empty());
        return;
    }
    REQUIRE(check_player_key(token->player, ""));
    REQUIRE(!token->room.empty() && !token->world.empty() && !token->level.empty());
    REQUIRE(token->expires > now && token->expires <= now + most_token_ms);
    REQUIRE(token->issued >= now - 60'000 && token->issued <= now + most_clock_skew_ms);
    const auto again = verifier.verify(sign(*token, key), now);
    REQUIRE(again && again->player == token->player && again->role == token->role);
    REQUIRE(again->room == token->room && again->world == token->world && again->level == token->level);
    REQUIRE(again->expires == token->expires && again->issued == token->issued);
    REQUIRE(again->replication == token->replication);
    REQUIRE(verifier.spend(*token, now));
    REQUIRE(!verifier.verify(text, now));
}

void check_ticket(std::string_view text) {
    const KeyList list{key};
    const auto ticket = verify_ticket(text, list);
    if (ticket)
        REQUIRE(sign(*ticket, list) == text);  // one ticket has one text
    else
        REQUIRE(!ticket.error().message.empty());
}

void check_keys(std::string_view text) {
    const auto list = parse_keys(text, "fuzz");
    if (!list) {
        REQUIRE(list.error().where.starts_with("fuzz") && !list.error().what.empty());
        return;
    }
    REQUIRE(!list->empty() && list->size() <= most_keys);
    for (const SigningKey& each : *list) {
        REQUIRE(find_key(*list, each.id) == &each);  // ids are unique
        REQUIRE(each.secret.size() >= fewest_secret);
    }
}

void check_host(std::string_view header) {
    const std::string name = name_in_host(header);
    REQUIRE(name.size() <= header.size());
    REQUIRE(matches_host(name, name) || name.starts_with("*."));
    const HostNames hosts({"play.example", "*.play.example"});
    // Whatever is allowed is an address, a loopback name or one of these.
    if (hosts.allow(header) && !header.empty())
        REQUIRE(is_address(name) || name.ends_with("localhost") || name.ends_with("play.example"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_token(text);
    check_ticket(text);
    check_keys(text);
    check_host(text);
    if (const auto bytes = decode_base64url(text)) REQUIRE(encode_base64url(*bytes) == text);
    REQUIRE(decode_base64url(encode_base64url(text)) == text);

    const std::string header = encode_base64url(R"({"alg":"HS256","kid":"k"})");
    const std::string claims = header + "." + encode_base64url(text);
    check_token(claims + "." + signature_of(claims, key));
    const std::string any_header = encode_base64url(text) + "." + encode_base64url("{}");
    check_token(any_header + "." + signature_of(any_header, key));
    const std::string ticket = "r1.k." + std::string(text);
    check_ticket(ticket + "." + signature_of(ticket, key));
    return 0;
}
