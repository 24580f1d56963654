// SPDX-License-Identifier: MIT
// The secrets that sign join tokens and resume tickets. Several are valid at a time, so that a secret can be
// replaced while what the old one signed stays valid: the new one becomes the first, and the old one is
// removed once everything that it signed has expired.
//
// A file of them has one line for each: an id, which tokens name ("kid" of RFC 7515, 4.1.4), and a secret.
//
//     2026-11 5f0c7d...     signs, and verifies
//     2026-10 91aa02...     verifies only
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <instep/server/mutex.h>
#include <instep/state/result.h>

namespace instep::server {

struct SigningKey {
    std::string id;
    std::string secret;
};
using KeyList = std::vector<SigningKey>;  // the first one signs; never empty

inline constexpr std::size_t fewest_secret = 32;  // bytes: as long as the hash (RFC 7518, 3.2)
inline constexpr std::size_t most_secret = 512;   // bytes
inline constexpr std::size_t most_key_id = 32;    // characters
inline constexpr std::size_t most_keys = 16;
inline constexpr std::size_t most_keys_file = 16 * 1024;  // bytes

// `where` is what errors call the text.
state::Result<KeyList> parse_keys(std::string_view text, const std::string& where);
// Null: no key has this id.
const SigningKey* find_key(const KeyList& keys, std::string_view id);

// HMAC-SHA256 (RFC 2104) in base64url.
std::string signature_of(std::string_view text, const SigningKey& key);
// Compares in a time that does not depend on the signature.
bool has_signature(std::string_view text, std::string_view signature, const SigningKey& key);

// So many random bytes, in hexadecimal.
std::string random_text(std::size_t bytes);
// For a server without a file: nothing that it signs is valid after it has ended.
SigningKey random_key();

// The keys of a running server, which may be replaced. All functions may be called from any thread.
class SigningKeys {
public:
    explicit SigningKeys(KeyList keys) : keys_(std::make_shared<const KeyList>(std::move(keys))) {}

    std::shared_ptr<const KeyList> current() const {
        const LockGuard lock(mutex_);
        return keys_;
    }
    void replace(KeyList keys) {
        auto next = std::make_shared<const KeyList>(std::move(keys));
        const LockGuard lock(mutex_);
        keys_ = std::move(next);
    }
    // Keys of another server, which verify only. The newest most_keys are kept, the first one always.
    void adopt(const KeyList& keys);

private:
    mutable Mutex mutex_;
    std::shared_ptr<const KeyList> keys_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
