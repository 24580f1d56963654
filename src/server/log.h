// SPDX-License-Identifier: MIT
// What a server has to tell, as one JSON object a line: time, severity, event, and what belongs to it.
// Whoever is refused can cause a line, so lines are limited: what is beyond is counted and told later.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <mutex>
#include <string_view>
#include <utility>

#include <instep/server/rate_limit.h>
#include <instep/state/json.h>

namespace instep::server {

class Log {
public:
    using Fact = std::pair<std::string_view, state::Json>;

    // Null: nothing is written.
    explicit Log(std::FILE* file) : file_(file), refusals_(refusals_per_second, Clock::now()) {}

    void info(std::string_view event, std::initializer_list<Fact> facts = {}) { write("info", event, facts); }
    void error(std::string_view event, std::initializer_list<Fact> facts = {}) {
        write("error", event, facts);
    }
    // One of many that a stranger can cause.
    void refusal(std::string_view cause, std::string_view sentence, std::string_view address);

private:
    static constexpr std::uint32_t refusals_per_second = 10;

    void write(std::string_view severity, std::string_view event, std::initializer_list<Fact> facts);

    std::FILE* file_;
    std::mutex mutex_;
    RateLimit refusals_;
    std::uint64_t left_out_ = 0;
};

}  // namespace instep::server
