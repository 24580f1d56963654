// SPDX-License-Identifier: MIT
// The TLS certificate of a server. It can be read again while the server runs: connections that are open keep
// the one they began with, since OpenSSL counts references to it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/ssl/context.hpp>

#include <instep/server/mutex.h>
#include <instep/state/result.h>

namespace instep::server {

// A PEM file with the certificate and its chain, and one with its private key.
state::Result<std::shared_ptr<boost::asio::ssl::context>> load_certificate(const std::string& certificate,
                                                                           const std::string& private_key);

// The certificate in use; null: plain TCP. All functions may be called from any thread.
class TlsCertificate {
public:
    using Context = std::shared_ptr<boost::asio::ssl::context>;

    Context current() const {
        const LockGuard lock(mutex_);
        return context_;
    }
    void replace(Context context) {
        const LockGuard lock(mutex_);
        context_.swap(context);
    }

private:
    mutable Mutex mutex_;
    Context context_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
