// SPDX-License-Identifier: MIT
#include <instep/server/signing_keys.h>

#include <algorithm>
#include <array>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <instep/server/base64url.h>
#include <instep/state/plain_name.h>

namespace instep::server {
namespace {

constexpr std::string_view example = "a key's id and its secret, as in 2026-11 $(openssl rand -hex 32)";

bool is_secret_character(char c) { return c > ' ' && c < '\x7f'; }

// The parts of a line between spaces and tabs.
std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view spaces = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(spaces); at < line.size();
         at = line.find_first_not_of(spaces, at)) {
        const std::size_t end = std::min(line.find_first_of(spaces, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

state::Result<SigningKey> parse_key(const std::vector<std::string_view>& words, const std::string& where) {
    if (words.size() != 2)
        return state::refuse(
            where, "expected " + std::string(example) + ", got " + std::to_string(words.size()) + " words");
    const std::string_view id = words[0];
    const std::string_view secret = words[1];
    if (id.size() > most_key_id || !state::is_plain_name(id))
        return state::refuse(
            where, "expected an id of 1 to " + std::to_string(most_key_id) + " letters, digits, - and _");
    if (!std::all_of(secret.begin(), secret.end(), is_secret_character) || secret.size() > most_secret)
        return state::refuse(where, "expected a secret of at most " + std::to_string(most_secret) +
                                        " printable ASCII characters");
    if (secret.size() < fewest_secret)
        return state::refuse(where, "expected a secret of at least " + std::to_string(fewest_secret) +
                                        " characters, got " + std::to_string(secret.size()) +
                                        "; `openssl rand -hex 32` makes one");
    return SigningKey{std::string(id), std::string(secret)};
}

}  // namespace

state::Result<KeyList> parse_keys(std::string_view text, const std::string& where) {
    if (text.size() > most_keys_file)
        return state::refuse(where, "expected at most " + std::to_string(most_keys_file) + " bytes");
    KeyList keys;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const auto words = words_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (words.empty() || words[0].starts_with('#')) continue;
        const std::string line = where + ": line " + std::to_string(number);
        auto key = parse_key(words, line);
        if (!key) return std::unexpected(key.error());
        if (find_key(keys, key->id))
            return state::refuse(line, "another line has the id \"" + key->id + "\" already");
        if (keys.size() == most_keys)
            return state::refuse(line, "expected at most " + std::to_string(most_keys) + " keys");
        keys.push_back(std::move(*key));
    }
    if (keys.empty()) return state::refuse(where, "expected a line with " + std::string(example));
    return keys;
}

const SigningKey* find_key(const KeyList& keys, std::string_view id) {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [id](const SigningKey& key) { return key.id == id; });
    return found == keys.end() ? nullptr : &*found;
}

std::string signature_of(std::string_view text, const SigningKey& key) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    HMAC(EVP_sha256(), key.secret.data(), static_cast<int>(key.secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
    return encode_base64url({reinterpret_cast<const char*>(digest.data()), size});
}

bool has_signature(std::string_view text, std::string_view signature, const SigningKey& key) {
    const std::string expected = signature_of(text, key);
    return signature.size() == expected.size() &&
           CRYPTO_memcmp(signature.data(), expected.data(), expected.size()) == 0;
}

std::string random_text(std::size_t bytes) {
    std::string random(bytes, '\0');
    RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), static_cast<int>(bytes));
    std::string text;
    for (const char byte : random) {
        const auto value = static_cast<unsigned char>(byte);
        text += "0123456789abcdef"[value >> 4];
        text += "0123456789abcdef"[value & 15];
    }
    return text;
}

SigningKey random_key() {
    constexpr std::size_t id_bytes = 8;  // so that no two processes have the same
    return {"process-" + random_text(id_bytes), random_text(fewest_secret)};
}

void SigningKeys::adopt(const KeyList& keys) {
    const LockGuard lock(mutex_);
    KeyList next{keys_->front()};
    const auto add = [&](const SigningKey& key) {
        if (!find_key(next, key.id) && next.size() < most_keys) next.push_back(key);
    };
    std::for_each(keys.begin(), keys.end(), add);
    std::for_each(keys_->begin(), keys_->end(), add);
    keys_ = std::make_shared<const KeyList>(std::move(next));
}

}  // namespace instep::server
