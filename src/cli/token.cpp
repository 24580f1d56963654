// SPDX-License-Identifier: MIT
// `instep token`: makes a join token for one player and one room, as a game's own service would.
#include <cstdio>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/cli/levels.h>
#include <instep/server/token.h>

namespace instep::cli {
namespace {

Outcome<server::Token> token_for(const TokenOptions& options) {
    server::Token token;
    if (!options.audience.empty()) token.audience = options.audience;
    token.player = options.player;
    token.role = server::role_named(options.role).value_or(token.role);
    token.room = options.room;
    token.world = options.world;
    token.level = options.level;
    if (token.level.empty() || token.level.ends_with(".json")) {
        const auto setup = load_level(options.world, options.level);
        if (!setup) return std::unexpected(setup.error());
        token.level = (*setup)->level;
    }
    token.replication = net::kind_named<net::ReplicationMode>(options.replication);
    token.issued = server::milliseconds_since_1970();
    token.expires = token.issued + options.seconds.value_or(default_token_seconds) * 1000;
    token.id = server::random_text(12);
    return token;
}

}  // namespace

Outcome<server::KeyList> read_keys(const std::string& file) {
    const auto text = read_file(file, server::most_keys_file);
    if (!text) return std::unexpected(text.error());
    auto keys = server::parse_keys(*text, file);
    if (!keys) return fail(keys.error());
    return std::move(*keys);
}

int run_token(const TokenOptions& options) {
    const auto keys = read_keys(options.secret);
    if (!keys) return report(keys.error());
    const server::SigningKey* key =
        options.key.empty() ? &keys->front() : server::find_key(*keys, options.key);
    if (!key) return report({bad_input, options.secret + ": has no key \"" + options.key + "\""});
    const auto token = token_for(options);
    if (!token) return report(token.error());
    std::printf("%s\n", server::sign(*token, *key).c_str());
    return success;
}

}  // namespace instep::cli
