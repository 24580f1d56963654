// SPDX-License-Identifier: MIT
#include <instep/server/token.h>

#include <array>
#include <charconv>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace instep::server {
namespace {

constexpr std::size_t most_token = 512;  // characters
constexpr std::size_t part_count = 6;

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += "0123456789abcdef"[bytes[i] >> 4];
        text += "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

std::string signature_of(std::string_view text, std::string_view secret) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
    return hexadecimal(digest.data(), size);
}

bool is_same(std::string_view a, std::string_view b) {  // in constant time
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::unexpected<Refusal> refuse_token(std::string message) {
    return refuse(RefusalReason::token_refused, std::move(message));
}

}  // namespace

std::string sign(const Token& token, std::string_view secret) {
    const std::string text =
        "1." + token.room + "." + token.player + "." + std::to_string(token.expires) + "." + token.nonce;
    return text + "." + signature_of(text, secret);
}

std::string random_nonce() {
    std::array<unsigned char, 12> bytes{};
    RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
    return hexadecimal(bytes.data(), bytes.size());
}

std::expected<Token, Refusal> TokenVerifier::redeem(std::string_view text, std::int64_t now) {
    if (text.empty()) return refuse(RefusalReason::token_required, "this server requires a token to join");
    if (text.size() > most_token) return refuse_token("the token is too long");
    std::array<std::string_view, part_count> parts;
    std::string_view rest = text;
    for (std::size_t i = 0; i < part_count; ++i) {
        const std::size_t dot = rest.find('.');
        if ((dot == std::string_view::npos) != (i + 1 == part_count))
            return refuse_token("the token is malformed");
        parts[i] = rest.substr(0, dot);
        rest.remove_prefix(i + 1 == part_count ? rest.size() : dot + 1);
    }
    const std::string_view signature = parts[5];
    const std::string_view signed_text = text.substr(0, text.size() - signature.size() - 1);
    if (!is_same(signature, signature_of(signed_text, secret_)))
        return refuse_token("the token was not signed with this server's secret");
    Token token{std::string(parts[1]), std::string(parts[2]), 0, std::string(parts[4])};
    const auto [end, error] =
        std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), token.expires);
    if (parts[0] != "1" || error != std::errc() || end != parts[3].data() + parts[3].size())
        return refuse_token("the token is malformed");
    if (token.expires <= now) return refuse_token("the token has expired; ask for a new one");
    if (token.expires > now + most_token_seconds)
        return refuse_token("the token is valid for longer than " + std::to_string(most_token_seconds) +
                            " s, which is not allowed");
    const LockGuard lock(mutex_);
    if (now != last_swept_) {
        std::erase_if(used_, [now](const auto& used) { return used.second <= now; });
        last_swept_ = now;
    }
    if (!used_.try_emplace(std::string(signature), token.expires).second)
        return refuse_token("the token was used before; ask for a new one");
    return token;
}

std::size_t TokenVerifier::remembered() const {
    const LockGuard lock(mutex_);
    return used_.size();
}

}  // namespace instep::server
