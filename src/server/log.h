// SPDX-License-Identifier: MIT
// What a server has to tell, as one JSON object a line: time, severity, event, and what belongs to it.
// Whoever is refused can cause a line, so lines are limited: what is beyond is counted and told later.
//
// A thread of its own writes them. Where nobody reads what is written, lines wait, then are left out and
// counted; whoever logs never waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <instep/server/rate_limit.h>
#include <instep/state/json.h>

namespace instep::server {

class Log {
public:
    using Fact = std::pair<std::string_view, state::Json>;
    static constexpr std::size_t most_waiting = 1024;  // lines
    static constexpr std::chrono::seconds most_farewell{1};

    // Null: nothing is written.
    explicit Log(std::FILE* file);
    ~Log();  // writes what waits, if that takes no longer than most_farewell
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    void info(std::string_view event, std::initializer_list<Fact> facts = {}) { write("info", event, facts); }
    void error(std::string_view event, std::initializer_list<Fact> facts = {}) {
        write("error", event, facts);
    }
    // One of many that a stranger can cause.
    void refusal(std::string_view cause, std::string_view sentence, std::string_view address);

private:
    static constexpr std::uint32_t refusals_per_second = 10;

    void write(std::string_view severity, std::string_view event, std::initializer_list<Fact> facts);
    void write_lines();
    bool put(std::string_view text);
    bool may_go_on();

    int descriptor_;  // -1: none
    std::mutex mutex_;
    std::condition_variable has_news_;
    std::deque<std::string> waiting_;
    std::uint64_t lines_left_out_ = 0;
    RateLimit refusals_;
    std::uint64_t refusals_left_out_ = 0;
    bool is_ending_ = false;
    Time give_up_at_ = Time::max();
    std::thread writer_;
};

}  // namespace instep::server
