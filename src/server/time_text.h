// SPDX-License-Identifier: MIT
// The time in UTC, to the millisecond, as in logs and in the names of recordings.
#pragma once

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

namespace instep::server {

// `format` is strftime's, for the part before the milliseconds: "%Y-%m-%dT%H:%M:%S" makes RFC 3339.
inline std::string time_text(const char* format) {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto part =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char date[32];
    std::strftime(date, sizeof date, format, &parts);
    char text[48];
    std::snprintf(text, sizeof text, "%s.%03dZ", date, static_cast<int>(part));
    return text;
}

}  // namespace instep::server
