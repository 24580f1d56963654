// SPDX-License-Identifier: MIT
// The limit on open files and sockets of this process.
#pragma once

#include <cstdint>

#include <sys/resource.h>

namespace instep::server {

// Raises the soft limit to the hard one, and returns it; 0: unknown.
inline std::uint64_t raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

}  // namespace instep::server
