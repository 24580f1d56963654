// SPDX-License-Identifier: MIT
// The names under which clients may reach the server: the defence against DNS rebinding. A foreign page whose
// name is made to point at this server is, to the browser, of the same origin as the server, so it may read
// every answer; but its requests carry that name in their Host header, and it is refused here.
//
// Always allowed are addresses, since no name service is asked for them, and "localhost", which browsers
// resolve themselves (RFC 6761, 6.3). Other names come from settings and from the TLS certificate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <instep/server/mutex.h>

namespace instep::server {

// The name in a Host header: "Play.Example.org:8080" is play.example.org, and "[::1]:80" is [::1].
std::string name_in_host(std::string_view header);
// "10.0.0.5" or "[fe80::1]".
bool is_address(std::string_view name);
// A pattern is a name, "*.example.org", which stands for one more label (RFC 6125, 6.4.3), or "*" for all.
bool matches_host(std::string_view name, std::string_view pattern);

// All functions may be called from any thread.
class HostNames {
public:
    explicit HostNames(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}

    void set_certificate_names(std::vector<std::string> names) {
        const LockGuard lock(mutex_);
        certificate_names_ = std::move(names);
    }
    // An empty header is allowed: every browser sends one.
    bool allow(std::string_view header) const;

private:
    const std::vector<std::string> patterns_;
    mutable Mutex mutex_;
    std::vector<std::string> certificate_names_ GUARDED_BY(mutex_);
};

}  // namespace instep::server
