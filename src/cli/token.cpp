// SPDX-License-Identifier: MIT
// `instep token`: makes a join token for one player and one room, as a game's own service would.
#include <cstdio>
#include <ctime>

#include <instep/cli/commands.h>
#include <instep/cli/files.h>
#include <instep/server/token.h>

namespace instep::cli {
namespace {

constexpr std::size_t most_secret = 4096;  // bytes
constexpr std::uint32_t default_seconds = 60;

}  // namespace

Outcome<std::string> read_secret(const std::string& file) {
    auto secret = read_file(file, most_secret);
    if (!secret) return std::unexpected(secret.error());
    while (secret->ends_with('\n') || secret->ends_with('\r')) secret->pop_back();
    if (secret->size() < server::fewest_secret)
        return fail(bad_input, file + ": expected a secret of at least " +
                                   std::to_string(server::fewest_secret) + " bytes, got " +
                                   std::to_string(secret->size()) + "; `openssl rand -hex 32` makes one");
    return std::move(*secret);
}

int run_token(const TokenOptions& options) {
    const auto secret = read_secret(options.secret);
    if (!secret) return report(secret.error());
    const std::string token =
        server::sign({options.room, options.player,
                      std::time(nullptr) + options.seconds.value_or(default_seconds), server::random_nonce()},
                     *secret);
    std::printf("%s\n", token.c_str());
    return success;
}

}  // namespace instep::cli
