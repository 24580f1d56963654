// SPDX-License-Identifier: MIT
// How many files and sockets this process may have open at a time.
#pragma once

#include <cstdint>

#include <sys/resource.h>

namespace instep::server {

// Lets it have as many as the system allows without asking anybody, and says how many that is.
inline std::uint64_t raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

}  // namespace instep::server
